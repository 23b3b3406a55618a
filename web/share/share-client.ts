/**
 * What the page of a share asks the server. The token is in the body of each request; none carries cookies, a login or the
 * address of this page. A plain `fetch`, as the client's own connection would cost more than everything else here.
 */
import type { SharedPage, ShareView } from '../../server/domains/shares/schema';

/** An answer in JSON; null for a body that is none. */
interface Answer {
  status: number;
  body: unknown;
}

declare global {
  interface Window {
    /** The newest page of the share, on its way since before the scripts were. */
    naviSharedView?: Promise<Answer> | undefined;
  }
}

export interface ShareClient {
  view(): Promise<ShareView>;
  messages(beforeSeq: number): Promise<SharedPage>;
  /** The bytes of an image or a published artifact. */
  file(fileId: string, signal?: AbortSignal): Promise<Blob>;
  /** A small rendition of an image. */
  thumbnail(fileId: string, signal?: AbortSignal): Promise<Blob>;
}

/** The link leads nowhere: the chat was deleted, or was never shared. */
export class GoneError extends Error {}

export function createShareClient(token: string, ask: typeof fetch = (...request) => fetch(...request)): ShareClient {
  const post = (path: string, body: object, signal?: AbortSignal): Promise<Response> =>
    ask(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, ...body }),
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
      ...(signal === undefined ? {} : { signal }),
    });
  function check(status: number): void {
    if (status === 404) throw new GoneError('gone');
    if (status !== 200) throw new Error(`answered ${status}`);
  }
  async function postForJson(path: string, body: object): Promise<Answer> {
    const answer = await post(path, body);
    return { status: answer.status, body: await answer.json().catch(() => null) };
  }
  async function resultOf<Result>(asked: Promise<Answer>): Promise<Result> {
    const { status, body } = await asked;
    check(status);
    return (body as { result: { data: Result } }).result.data;
  }
  async function postForBlob(path: string, body: object, signal?: AbortSignal): Promise<Blob> {
    const answer = await post(path, body, signal);
    check(answer.status);
    return answer.blob();
  }
  /** `boot.js` asked already; its answer is good once. */
  function askedEarly(): Promise<Answer> | undefined {
    const early = window.naviSharedView;
    window.naviSharedView = undefined;
    return early;
  }
  return {
    view: async () => {
      const { status, body } = await (askedEarly() ?? postForJson('/api/shared/view', {}));
      check(status);
      return (body as { view: ShareView }).view;
    },
    messages: (beforeSeq) => resultOf<SharedPage>(postForJson('/trpc/shares.messages', { beforeSeq })),
    file: (fileId, signal) => postForBlob('/api/shared/files', { fileId }, signal),
    thumbnail: (fileId, signal) => postForBlob('/api/shared/files', { fileId, asThumbnail: true }, signal),
  };
}

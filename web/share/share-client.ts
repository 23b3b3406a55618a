/**
 * What the page of a share asks the server. The token is in the body of each request; none carries cookies, a login or the
 * address of this page. A plain `fetch`, as the client's own connection would cost more than everything else here.
 */
import type { SharedPage, ShareView } from '../../server/domains/shares/schema';

declare global {
  interface Window {
    /** The newest page of the share, on its way since before the scripts were. */
    naviSharedView?: Promise<Response> | undefined;
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
  async function post(path: string, body: object, signal?: AbortSignal): Promise<Response> {
    return checked(
      ask(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ token, ...body }),
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        cache: 'no-store',
        ...(signal === undefined ? {} : { signal }),
      }),
    );
  }
  async function checked(request: Promise<Response>): Promise<Response> {
    const answer = await request;
    if (answer.status === 404) throw new GoneError('gone');
    if (!answer.ok) throw new Error(`answered ${answer.status}`);
    return answer;
  }
  async function resultOf<Result>(answer: Promise<Response>): Promise<Result> {
    return ((await (await answer).json()) as { result: { data: Result } }).result.data;
  }
  /** `public/boot.js` asked already; its answer is good once. */
  function askedEarly(): Promise<Response> | undefined {
    const early = window.naviSharedView;
    window.naviSharedView = undefined;
    return early === undefined ? undefined : checked(early);
  }
  return {
    view: () => resultOf<ShareView>(askedEarly() ?? post('/trpc/shares.view', {})),
    messages: (beforeSeq) => resultOf<SharedPage>(post('/trpc/shares.messages', { beforeSeq })),
    file: async (fileId, signal) => (await post('/api/shared/files', { fileId }, signal)).blob(),
    thumbnail: async (fileId, signal) =>
      (await post('/api/shared/files', { fileId, asThumbnail: true }, signal)).blob(),
  };
}

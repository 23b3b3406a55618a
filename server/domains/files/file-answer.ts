/** What a request for an open file is answered with: ranges, validators, `HEAD`. Knows no web framework. */
import type { FileHandle } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { isUnchanged, requestedRange } from './engine/byte-range';

export interface FileAnswer {
  status: 200 | 206 | 304 | 416;
  headers: Record<string, string | number>;
  /** Closes the handle when it ends or breaks. Null where nothing is sent; the handle is closed then. */
  body: Readable | null;
}

/** Takes over the handle in every case. */
export async function answerFile(
  request: { method: string; headers: IncomingHttpHeaders },
  { handle, etag, headers }: { handle: FileHandle; etag: string; headers: Record<string, string> },
): Promise<FileAnswer> {
  const { size } = await handle.stat();
  const common = {
    ...headers,
    etag,
    'accept-ranges': 'bytes',
    // A name can be given to other bytes later, so the browser asks each time; the validator makes that cheap.
    'cache-control': 'private, no-cache',
  };
  const nothing = async (status: FileAnswer['status'], more: FileAnswer['headers'] = {}): Promise<FileAnswer> => {
    await handle.close();
    return { status, headers: { ...common, ...more }, body: null };
  };

  if (isUnchanged(request.headers['if-none-match'], etag)) return nothing(304);
  const ifRange = request.headers['if-range'];
  const range = requestedRange(request.headers.range, size, {
    etag,
    ifRange: typeof ifRange === 'string' ? ifRange : undefined,
  });
  if (range.kind === 'unsatisfiable') return nothing(416, { 'content-range': `bytes */${size}` });
  const { start, end } = range.kind === 'part' ? range : { start: 0, end: size - 1 };
  const status = range.kind === 'part' ? 206 : 200;
  const length = {
    'content-length': end - start + 1,
    ...(range.kind === 'part' ? { 'content-range': `bytes ${start}-${end}/${size}` } : {}),
  };
  if (request.method === 'HEAD' || size === 0) return nothing(status, length);
  return { status, headers: { ...common, ...length }, body: handle.createReadStream({ start, end }) };
}

/** Files that are sent and fetched as a client does it, in pieces: neither side holds a whole one. */
import { createHash } from 'node:crypto';
import { request } from 'node:http';
import type { UploadAnswer } from '../../server/domains/files/schema';

const BOUNDARY = 'navi-bench';
const PIECE_BYTES = 64 * 1024;

/** Bytes that no compression makes small and that are the same for the same seed. Xorshift: fast, and random enough. */
export function* pieces(seed: number, sizeBytes: number): Generator<Buffer> {
  let state = seed | 1;
  for (let left = sizeBytes; left > 0; left -= PIECE_BYTES) {
    const words = new Uint32Array(PIECE_BYTES / 4);
    for (let at = 0; at < words.length; at++) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      words[at] = state;
    }
    yield Buffer.from(words.buffer).subarray(0, Math.min(PIECE_BYTES, left));
  }
}

export function hashOf(content: Iterable<Buffer>): string {
  const hash = createHash('sha256');
  for (const piece of content) hash.update(piece);
  return hash.digest('hex');
}

/** Sends one file; resolves with its id and name, rejects when it was not stored. */
export function upload(
  origin: string,
  sessionId: string,
  file: { name: string; sizeBytes: number; content: Iterable<Buffer> },
): Promise<{ id: string; name: string }> {
  const head = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="${file.name}"\r\n\r\n`;
  const tail = `\r\n--${BOUNDARY}--\r\n`;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${origin}/api/sessions/${sessionId}/files`,
      {
        method: 'POST',
        headers: {
          'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
          'content-length': head.length + file.sizeBytes + tail.length,
        },
      },
      async (response) => {
        let body = '';
        for await (const chunk of response) body += String(chunk);
        const stored = response.statusCode === 201 ? (JSON.parse(body) as UploadAnswer).files[0] : undefined;
        if (stored === undefined) reject(new Error(`the upload was answered ${response.statusCode}: ${body}`));
        else resolve(stored);
      },
    );
    outgoing.on('error', reject);
    void (async () => {
      outgoing.write(head);
      for (const piece of file.content) {
        if (!outgoing.write(piece)) await new Promise((drained) => outgoing.once('drain', drained));
      }
      outgoing.end(tail);
    })();
  });
}

/** The hash of what the server gives back. */
export async function downloadHash(origin: string, sessionId: string, name: string): Promise<string> {
  const response = await fetch(`${origin}/api/sessions/${sessionId}/files/${encodeURIComponent(name)}`);
  if (!response.ok || response.body === null) throw new Error(`the download was answered ${response.status}`);
  const hash = createHash('sha256');
  for await (const chunk of response.body) hash.update(chunk as Uint8Array);
  return hash.digest('hex');
}

import { Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { AppError } from '../../lib/errors';
import { anonymous } from '../../lib/person';
import { registerFileRoutes } from './route';
import type { FileEntry } from './schema';
import type { FileService, IncomingFile } from './service';

/** A disk that is full for one name; the bytes of others are counted. */
async function upload(_person: unknown, _sessionId: string, { sentName, source }: IncomingFile): Promise<FileEntry> {
  if (sentName === 'full.bin') {
    const full = new Writable({ write: (_chunk, _encoding, done) => done(new Error('ENOSPC')) });
    await pipeline(source, full).catch(() => {
      throw new AppError('too-large', 'The disk of the server is full; nothing was stored.');
    });
  }
  return { name: sentName, sizeBytes: (await buffer(source)).length } as FileEntry;
}

it('a file that the disk cannot take leaves those behind it in the same request alone', async () => {
  const http = Fastify();
  const files = { upload, authorise: async () => {}, limits: () => ({ maxSizeBytes: 1e7, refusedExtensions: [] }) };
  registerFileRoutes(http, {
    services: () => ({ files: files as unknown as FileService, images: { openThumbnail: async () => null } }),
    personOf: async () => anonymous,
  });
  const origin = await http.listen({ port: 0, host: '127.0.0.1' });
  const form = new FormData();
  form.append('file', new Blob(['before']), 'before.txt');
  form.append('file', new Blob([new Uint8Array(3_000_000)]), 'full.bin');
  form.append('file', new Blob(['behind it']), 'behind.txt');
  const response = await fetch(`${origin}/api/sessions/s/files`, { method: 'POST', body: form });
  expect(await response.json()).toEqual({
    files: [
      { name: 'before.txt', sizeBytes: 6 },
      { name: 'behind.txt', sizeBytes: 9 },
    ],
    refused: [{ name: 'full.bin', code: 'too-large', message: expect.stringContaining('full') }],
  });
  await http.close();
});

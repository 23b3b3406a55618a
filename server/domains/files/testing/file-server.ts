/** A whole server with a data folder of its own, and uploads the way clients send them. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import type { Database } from '../../../db';
import { createHttpServer } from '../../../http';
import { createTestApp, type TestApp, type TestAppOptions } from '../../../testing/app';
import type { FileEntry, UploadAnswer } from '../schema';

export interface FileServer {
  app: TestApp;
  origin: string;
  dataDir: string;
  /** Sends files in one request, as a browser's form does. */
  upload(
    sessionId: string,
    files: [name: string, content: BlobPart][],
    query?: string,
  ): Promise<UploadAnswer & { status: number }>;
  /** One file that must be taken. */
  uploadOne(sessionId: string, name: string, content: BlobPart, query?: string): Promise<FileEntry>;
  download(sessionId: string, name: string, init?: RequestInit & { query?: string }): Promise<Response>;
  /** Names in the session's folder on disk. */
  onDisk(sessionId: string): Promise<string[]>;
}

/** Call in a suite: a fresh server for each test; unexpected errors fail it. */
export function useFileServer(getDatabase: () => Database, options: TestAppOptions = {}): () => FileServer {
  let current: FileServer | undefined;
  let close: () => Promise<void>;
  beforeEach(async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'navi-files-'));
    const app = await createTestApp(getDatabase(), { ...options, env: { ...options.env, NAVI_DATA_DIR: dataDir } });
    const server = createHttpServer({
      allowedHosts: [],
      webDir: join(dataDir, 'web'),
      version: '1',
      database: 'external',
    });
    const origin = await server.http.listen({ port: 0, host: '127.0.0.1' });
    server.open(app);
    current = createFileServer(app, origin, dataDir);
    close = async () => {
      await server.http.close();
      await app.close();
      await rm(dataDir, { recursive: true, force: true });
      expect(app.unexpected).toEqual([]);
    };
  });
  afterEach(() => close());
  return () => {
    if (current === undefined) throw new Error('The server runs in tests only.');
    return current;
  };
}

function createFileServer(app: TestApp, origin: string, dataDir: string): FileServer {
  const urlOf = (sessionId: string) => `${origin}/api/sessions/${sessionId}/files`;
  async function upload(sessionId: string, files: [string, BlobPart][], query = '') {
    const form = new FormData();
    for (const [name, content] of files) form.append('file', new Blob([content]), name);
    const response = await fetch(`${urlOf(sessionId)}${query}`, { method: 'POST', body: form });
    return { status: response.status, ...((await response.json()) as UploadAnswer) };
  }
  return {
    app,
    origin,
    dataDir,
    upload,
    async uploadOne(sessionId, name, content, query) {
      const { files, refused } = await upload(sessionId, [[name, content]], query);
      expect(refused).toEqual([]);
      if (files[0] === undefined) throw new Error('nothing was stored');
      return files[0];
    },
    download: (sessionId, name, { query = '', ...init } = {}) =>
      fetch(`${urlOf(sessionId)}/${encodeURIComponent(name)}${query}`, init),
    onDisk: async (sessionId) => {
      try {
        return (await readdir(join(dataDir, 'session_files', sessionId))).sort();
      } catch {
        return [];
      }
    },
  };
}

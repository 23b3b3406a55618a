/**
 * The files of one session as the file tools see them: a flat folder of shown names. Reads come from the disk under names of
 * ours, writes become files of the session like any other.
 */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../../lib/errors';
import { readAnyText } from './documents/read-document';
import type { AgentFile, FileService } from './service';
import type { StoredFile } from './store';
import type { ReadTextOptions, TextRange } from './workspace/read-text';
import type { TextSearch } from './workspace/search-text';
import type { WriteMode } from './workspace/workspace';

/** As in the workspace: what a model writes is text of ordinary size. */
const MAX_WRITTEN_BYTES = 10 * 1024 * 1024;

export function createSessionFolder(
  files: Pick<FileService, 'listAll' | 'findByName' | 'findAt' | 'openBytes' | 'add' | 'replace'>,
) {
  async function get(sessionId: string, name: string): Promise<StoredFile> {
    const file = await files.findByName(sessionId, name);
    if (file === null) throw new AppError('not-found', `there is no file ${JSON.stringify(name)} in this chat`);
    return file;
  }

  async function readBytes(file: StoredFile, maxBytes: number): Promise<Buffer> {
    if (file.sizeBytes > maxBytes) {
      throw new AppError(
        'too-large',
        `${JSON.stringify(file.name)} is larger than ${Math.round(maxBytes / 1024 / 1024)} MiB`,
      );
    }
    const handle = await files.openBytes(file);
    try {
      return await handle.readFile();
    } finally {
      await handle.close();
    }
  }

  return {
    get,
    list: files.listAll,
    findAt: files.findAt,

    /** A file of another session of the same task becomes one of this session; an image whose bytes it has already is that one. */
    async take(
      file: StoredFile,
      sessionId: string,
      options: Pick<AgentFile, 'maxBytes' | 'signal' | 'isImage'> & { name?: string | undefined },
    ): Promise<StoredFile> {
      if (file.sessionId === sessionId) return file;
      const handle = await files.openBytes(file);
      try {
        const source = handle.createReadStream({ autoClose: false });
        return await files.add(sessionId, { ...options, name: options.name ?? file.name, source });
      } finally {
        await handle.close();
      }
    },

    /** Puts a copy of the bytes at a path of the caller's, where nothing stands yet. */
    async copyOut(file: StoredFile, path: string, signal: AbortSignal): Promise<void> {
      const handle = await files.openBytes(file);
      try {
        await pipeline(handle.createReadStream({ autoClose: false }), createWriteStream(path, { flags: 'wx' }), {
          signal,
        });
      } finally {
        await handle.close();
      }
    },

    async readText(sessionId: string, name: string, options: ReadTextOptions): Promise<TextRange> {
      const file = await get(sessionId, name);
      const handle = await files.openBytes(file);
      try {
        return await readAnyText(handle, file.sizeBytes, file.name, options);
      } finally {
        await handle.close();
      }
    },

    /** `create` refuses an existing name (`conflict`). Throws `too-large` above 10 MiB. */
    async writeText(
      sessionId: string,
      name: string,
      text: string,
      mode: WriteMode,
    ): Promise<{ file: StoredFile; isNew: boolean }> {
      const existing = await files.findByName(sessionId, name);
      if (existing !== null && mode === 'create') {
        throw new AppError('conflict', `${JSON.stringify(name)} exists already; use mode "overwrite" to replace it`);
      }
      const added = Buffer.from(text, 'utf8');
      const isAppended = existing !== null && mode === 'append';
      const bytes = isAppended ? Buffer.concat([await readBytes(existing, MAX_WRITTEN_BYTES), added]) : added;
      const content = { source: Readable.from([bytes]), maxBytes: MAX_WRITTEN_BYTES };
      if (existing !== null) return { file: await files.replace(existing, content), isNew: false };
      return { file: await files.add(sessionId, { name, ...content }), isNew: true };
    },

    /** Goes on with a search through the session's files; `pathOf` is how they are shown. */
    async search(sessionId: string, search: TextSearch, pathOf: (name: string) => string): Promise<void> {
      for (const file of await files.listAll(sessionId)) {
        if (search.isOver()) return;
        search.addName(file.name, pathOf(file.name));
        const handle = await files.openBytes(file).catch(() => null);
        if (handle === null) continue;
        try {
          await search.addFile(handle, pathOf(file.name));
        } finally {
          await handle.close();
        }
      }
    },
  };
}

export type SessionFolder = ReturnType<typeof createSessionFolder>;

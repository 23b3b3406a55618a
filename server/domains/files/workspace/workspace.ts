/**
 * A persistent folder per owner that the file tools work in. Owners cannot reach each other's folders or anything else on
 * the disk. No database here. Files of sessions lie elsewhere (`disk.ts`).
 */
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, systemClock } from '../../../lib/clock';
import { AppError } from '../../../lib/errors';
import { readAnyText } from '../documents/read-document';
import { createConfinedFolder } from './folder';
import { type Listing, listEntries } from './list-entries';
import type { ReadTextOptions, TextRange } from './read-text';
import { ownerFolderName } from './safe-path';
import {
  createTextSearch,
  type SearchLimits,
  type SearchOptions,
  type SearchResult,
  searchFolder,
  type TextSearch,
} from './search-text';
import { writeFileAtomically } from './write-text';

export interface WorkspaceFolder {
  /** Creates the folder when needed; its absolute path, symlinks resolved. */
  ensure(): Promise<string>;
  /** Opens an ordinary file for streaming. Never hangs on a pipe or a device. The caller closes it. */
  openFile(path: string): Promise<{ handle: FileHandle; sizeBytes: number }>;
  list(path?: string, options?: { depth?: number; limit?: number; signal?: AbortSignal }): Promise<Listing>;
  readText(path: string, options?: ReadTextOptions): Promise<TextRange>;
  /** Whole content of a file. Throws `too-large` above `maxBytes` (default 10 MiB). */
  readBytes(path: string, maxBytes?: number): Promise<Buffer>;
  /**
   * Atomic. `create` refuses an existing file (`conflict`). Parents are created. Throws `too-large` above 10 MiB.
   * Answers the new size in bytes and whether the file is new.
   */
  writeText(path: string, text: string, mode?: WriteMode): Promise<{ path: string; sizeBytes: number; isNew: boolean }>;
  /** `also` goes on with the same search, within the same limits, when the folder was looked through. */
  search(
    query: string,
    options?: SearchOptions & { path?: string; also?: (search: TextSearch) => Promise<void> },
  ): Promise<SearchResult>;
}

export type WriteMode = 'overwrite' | 'append' | 'create';

export interface Workspace {
  forOwner(userId: string): WorkspaceFolder;
}

const MAX_FILE_BYTES = 10 * 1024 * 1024;

export function createWorkspace(options: {
  dataDir: string;
  clock?: Pick<Clock, 'now'>;
  searchLimits?: SearchLimits;
}): Workspace {
  const clock = options.clock ?? systemClock;
  const at = (directory: string) => createWorkspaceFolder(directory, clock, options.searchLimits);
  return {
    forOwner: (userId) => at(join(options.dataDir, 'workspace', ownerFolderName(userId))),
  };
}

function createWorkspaceFolder(directory: string, clock: Pick<Clock, 'now'>, limits?: SearchLimits): WorkspaceFolder {
  const folder = createConfinedFolder(directory);

  const readBytes = async (path: string, maxBytes = MAX_FILE_BYTES): Promise<Buffer> => {
    const { handle, sizeBytes } = await folder.openFile(path);
    try {
      if (sizeBytes > maxBytes) throw tooLarge(path, maxBytes);
      return await handle.readFile();
    } finally {
      await handle.close();
    }
  };

  return {
    ensure: folder.ensure,
    openFile: folder.openFile,
    readBytes,
    async list(path = '.', { depth = 1, limit = 500, signal } = {}) {
      const absolutePath = await folder.resolveExisting(path);
      return await listEntries(absolutePath, await folder.display(absolutePath), {
        depth,
        limit,
        ...(signal && { signal }),
      }).catch(asFolderError(path));
    },
    async readText(path, readOptions) {
      const { handle, sizeBytes } = await folder.openFile(path);
      try {
        return await readAnyText(handle, sizeBytes, path, readOptions);
      } finally {
        await handle.close();
      }
    },
    async writeText(path, text, mode = 'overwrite') {
      const { absolutePath, isNew } = await folder.resolveForWriting(path);
      if (mode === 'create' && !isNew) {
        throw new AppError('conflict', `${JSON.stringify(path)} exists already; use mode "overwrite" to replace it`);
      }
      const added = Buffer.from(text, 'utf8');
      const content = mode === 'append' && !isNew ? Buffer.concat([await readBytes(path), added]) : added;
      if (content.length > MAX_FILE_BYTES) throw tooLarge(path, MAX_FILE_BYTES);
      await writeFileAtomically(absolutePath, content, path);
      return { path: await folder.display(absolutePath), sizeBytes: content.length, isNew };
    },
    async search(query, { path = '.', also, ...searchOptions } = {}) {
      const absolutePath = await folder.resolveExisting(path);
      const start = { directory: absolutePath, prefix: await folder.display(absolutePath) };
      const search = createTextSearch(query, clock, searchOptions, limits);
      await searchFolder(start, search).catch(asFolderError(path));
      if (!search.isOver()) await also?.(search);
      return search.result();
    },
  };
}

function asFolderError(path: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') {
      throw new AppError('invalid-input', `${JSON.stringify(path)} is a file, not a folder`);
    }
    throw error;
  };
}

function tooLarge(path: string, maxBytes: number): AppError {
  return new AppError('too-large', `${JSON.stringify(path)} is larger than ${Math.round(maxBytes / 1024 / 1024)} MiB`, {
    details: { maxBytes },
  });
}

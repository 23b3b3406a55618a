/** Lists a folder, bounded in depth and number, without following links. */
import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { isTemporaryName } from './write-text';

export interface FileEntry {
  /** Relative to the workspace, with forward slashes. */
  path: string;
  kind: 'file' | 'folder' | 'link' | 'other';
  /** Null for everything but files. */
  sizeBytes: number | null;
  modifiedAt: Date;
}

export interface Listing {
  entries: FileEntry[];
  /** More exists than is listed. */
  isTruncated: boolean;
}

/** Folders that are listed but not entered: large, and not written by hand. */
export const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(['.git', 'node_modules', '__pycache__', '.venv']);
/** Most entries looked at in one folder before it is cut; sorting needs them in memory. */
const MAX_SCANNED_PER_FOLDER = 20_000;

/**
 * Entries by name, folders before their content.
 * @param depth 1 lists the folder itself, 2 its folders as well, and so on.
 */
export async function listEntries(
  directory: string,
  prefix: string,
  options: { depth: number; limit: number; signal?: AbortSignal },
): Promise<Listing> {
  const entries: FileEntry[] = [];
  let isTruncated = false;

  const visit = async (folder: string, shown: string, depth: number): Promise<void> => {
    const names: string[] = [];
    for await (const entry of await opendir(folder)) {
      if (isTemporaryName(entry.name)) continue;
      if (names.length >= MAX_SCANNED_PER_FOLDER) {
        isTruncated = true;
        break;
      }
      names.push(entry.name);
    }
    for (const name of names.sort()) {
      options.signal?.throwIfAborted();
      if (entries.length >= options.limit) {
        isTruncated = true;
        return;
      }
      const stats = await lstat(join(folder, name)).catch(() => null);
      // Removed since it was listed, or a name that is no valid UTF-8.
      if (stats === null) continue;
      const path = shown === '' ? name : `${shown}/${name}`;
      const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : stats.isSymbolicLink() ? 'link' : 'other';
      entries.push({ path, kind, sizeBytes: kind === 'file' ? stats.size : null, modifiedAt: stats.mtime });
      if (kind === 'folder' && depth > 1 && !SKIPPED_FOLDERS.has(name)) {
        await visit(join(folder, name), path, depth - 1).catch((error: unknown) => {
          // A folder that may not be read is listed and not entered.
          if (options.signal?.aborted === true) throw error;
        });
      }
    }
  };
  await visit(directory, prefix, options.depth);
  return { entries, isTruncated };
}

/**
 * One folder that its users cannot leave: every path is parsed to safe segments, then resolved with symlinks and
 * compared with the resolved folder. A link that points outside is refused, one that stays inside is followed.
 */

import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readdir, realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { AppError } from '../../../lib/errors';
import { foldName, parseRelativePath } from './safe-path';

export interface ConfinedFolder {
  /** Creates the folder when it is not there and answers its absolute path, symlinks resolved. */
  ensure(): Promise<string>;
  /** Absolute path of something that exists. Throws `not-found`, `forbidden` (a link leads out) or `invalid-input`. */
  resolveExisting(path: string): Promise<string>;
  /**
   * Absolute path for a file to be written, by its exact name; its parent folders are created. A link inside the folder
   * is followed, so that it keeps pointing where it does. Throws as above.
   */
  resolveForWriting(path: string): Promise<{ absolutePath: string; isNew: boolean }>;
  /** Opens an ordinary file for reading. Never hangs on a pipe or a device. The caller closes it. */
  openFile(path: string): Promise<{ handle: FileHandle; sizeBytes: number; modifiedAt: Date; absolutePath: string }>;
  /** The path as people write it, with forward slashes. */
  display(absolutePath: string): Promise<string>;
}

export function createConfinedFolder(directory: string): ConfinedFolder {
  const ensure = async () => {
    await mkdir(directory, { recursive: true });
    return await realpath(directory);
  };

  const confine = (root: string, target: string, path: string): string => {
    if (target !== root && !target.startsWith(root + sep)) {
      throw new AppError('forbidden', `${JSON.stringify(path)} is a link that leads out of the workspace`);
    }
    return target;
  };

  const resolveExisting = async (path: string): Promise<string> => {
    const segments = parseRelativePath(path);
    const root = await ensure();
    const target = (await realpathOrNull(join(root, ...segments))) ?? (await findByFoldedName(root, segments));
    if (target === null) throw new AppError('not-found', `there is no ${JSON.stringify(path)} in the workspace`);
    return confine(root, target, path);
  };

  const resolveForWriting = async (path: string): Promise<{ absolutePath: string; isNew: boolean }> => {
    const segments = parseRelativePath(path);
    const name = segments.pop();
    if (name === undefined) throw new AppError('invalid-input', 'a file needs a name');
    let parent = await ensure();
    const root = parent;
    for (const segment of segments) {
      const next = join(parent, segment);
      // One folder at a time, each resolved before the next is made: nothing is ever created behind a link that leads out.
      await mkdir(next).catch((error: unknown) => {
        if (codeOf(error) !== 'EEXIST') throw explain(error, path);
      });
      const resolved = await realpathOrNull(next);
      if (resolved === null)
        throw new AppError('forbidden', `${JSON.stringify(path)} passes a link that leads nowhere`);
      parent = confine(root, resolved, path);
    }
    const existing = await realpathOrNull(join(parent, name));
    return { absolutePath: confine(root, existing ?? join(parent, name), path), isNew: existing === null };
  };

  const openFile = async (path: string) => {
    const absolutePath = await resolveExisting(path);
    const opened = await openOrdinary(absolutePath).catch((error: unknown) => {
      throw explain(error, path);
    });
    if (opened === null) throw notAFile(path);
    return { ...opened, absolutePath };
  };

  return {
    ensure,
    resolveExisting,
    resolveForWriting,
    openFile,
    display: async (absolutePath) =>
      relative(await ensure(), absolutePath)
        .split(sep)
        .join('/'),
  };
}

/**
 * Opens what lies at a path whose links are resolved, null for anything but an ordinary file. A pipe or a device would hold
 * one of the few threads that read files, for good. The caller closes the handle.
 */
export async function openOrdinary(
  absolutePath: string,
): Promise<{ handle: FileHandle; sizeBytes: number; modifiedAt: Date } | null> {
  if (!(await lstat(absolutePath)).isFile()) return null;
  const handle = await open(absolutePath, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const stats = await handle.stat();
  if (stats.isFile()) return { handle, sizeBytes: stats.size, modifiedAt: stats.mtime };
  await handle.close();
  return null;
}

/** Words for what a file system refuses; anything unforeseen stays as it is. */
export function explain(error: unknown, path: string): unknown {
  const shown = JSON.stringify(path);
  switch (codeOf(error)) {
    case 'ENOENT':
      return new AppError('not-found', `there is no ${shown} in the workspace`, { cause: error });
    case 'ENOTDIR':
      return new AppError('invalid-input', `${shown} passes through a file as if it were a folder`, { cause: error });
    case 'EISDIR':
      return new AppError('invalid-input', `${shown} is a folder`, { cause: error });
    case 'ENAMETOOLONG':
      return new AppError('invalid-input', `${shown} is too long for this file system`, { cause: error });
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'ELOOP':
      return new AppError('forbidden', `${shown} cannot be opened`, { cause: error });
    case 'ENOSPC':
    case 'EDQUOT':
      return new AppError('too-large', 'the disk is full', { cause: error });
    default:
      return error;
  }
}

export function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

function notAFile(path: string): AppError {
  return new AppError('invalid-input', `${JSON.stringify(path)} is not a file`);
}

async function realpathOrNull(path: string): Promise<string | null> {
  try {
    return await realpath(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw explain(error, path.split(sep).at(-1) ?? '');
  }
}

/**
 * Models rewrite names: a narrow no-break space becomes a plain one, an accent gets composed. When nothing has exactly
 * that name, the one entry that reads the same is meant; two such entries are a guess, and no guess is made.
 */
async function findByFoldedName(root: string, segments: string[]): Promise<string | null> {
  let current = root;
  for (const segment of segments) {
    const exact = await realpathOrNull(join(current, segment));
    if (exact !== null) {
      if (exact !== root && !exact.startsWith(root + sep)) return exact;
      current = exact;
      continue;
    }
    const names = await readdir(current).catch(() => []);
    const alike = names.filter((name) => foldName(name) === foldName(segment));
    if (alike.length !== 1 || alike[0] === undefined) return null;
    const found = await realpathOrNull(join(current, alike[0]));
    if (found === null) return null;
    if (found !== root && !found.startsWith(root + sep)) return found;
    current = found;
  }
  return current;
}

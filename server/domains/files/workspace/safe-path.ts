/**
 * Paths as a model or a person writes them, turned into safe segments. Pure. What passes here holds no `..`, no root, no
 * drive and no separator, so that joining it to a folder stays inside that folder (symlinks are `folder.ts`'s part).
 */
import { createHash } from 'node:crypto';
import { AppError } from '../../../lib/errors';

/** Longest name of one file or folder in bytes of UTF-8: the limit of every common file system. */
export const MAX_NAME_BYTES = 255;
const MAX_DEPTH = 40;

/**
 * Segments of a relative path; none for the folder itself. Backslashes separate as slashes do. Names are kept exactly
 * as given (`%2e` is three characters, not a dot). Throws `invalid-input` in words that a model can act on.
 */
export function parseRelativePath(path: string): string[] {
  const shown = JSON.stringify(path.length > 120 ? `${path.slice(0, 120)}…` : path);
  const refuse = (why: string) => new AppError('invalid-input', `${shown} ${why}`);
  if (/\p{Cc}/u.test(path)) throw refuse('holds a control character');
  const normal = path.replaceAll('\\', '/');
  if (normal.startsWith('/')) throw refuse('is absolute; give a path relative to the workspace, such as notes/plan.md');
  if (/^[a-zA-Z]:/.test(normal)) throw refuse('names a drive; give a path relative to the workspace');
  const segments = normal.split('/').filter((segment) => segment !== '' && segment !== '.');
  if (segments.includes('..')) throw refuse('leaves its folder with ".."; paths cannot go up');
  if (segments.length > MAX_DEPTH) throw refuse(`is nested too deeply (more than ${MAX_DEPTH} folders)`);
  if (segments.some((segment) => Buffer.byteLength(segment) > MAX_NAME_BYTES)) {
    throw refuse(`holds a name that is too long (more than ${MAX_NAME_BYTES} bytes)`);
  }
  return segments;
}

/**
 * Folder name of an owner: the id where it is plain lower-case text, else its hash, so that neither strange characters
 * nor a file system that ignores case can make two owners share one folder.
 */
export function ownerFolderName(userId: string): string {
  if (/^[a-z0-9][a-z0-9-]{0,63}$/.test(userId)) return `u-${userId}`;
  return `x-${createHash('sha256').update(userId).digest('hex').slice(0, 40)}`;
}

/** Folder name of a session: its id, as older data folders have it. Throws `invalid-input` for anything but a plain id. */
export function sessionFolderName(sessionId: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(sessionId)) {
    throw new AppError('invalid-input', 'not a usable session id');
  }
  return sessionId;
}

/** A name made comparable: accents composed, every kind of space one plain space. */
export function foldName(name: string): string {
  return name.normalize('NFC').replace(/\s/gu, ' ');
}

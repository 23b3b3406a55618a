/** Writes a whole file so that a reader sees the old or the new one, never a half: temporary file, sync, rename. */
import { randomUUID } from 'node:crypto';
import { chmod, lstat, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError } from '../../../lib/errors';
import { codeOf, explain } from './folder';

/** A name of something that is gone in a moment; listings and searches leave it out. */
export const temporaryName = (): string => `.navi-${randomUUID()}.tmp`;
export const isTemporaryName = (name: string): boolean => /^\.navi-[0-9a-f-]{36}\.tmp$/.test(name);

/**
 * Puts `content` at `absolutePath`, whose parent exists. A link at that place is replaced, not followed.
 * @param path the path as the caller wrote it, for messages.
 */
export async function writeFileAtomically(
  absolutePath: string,
  content: string | Uint8Array,
  path: string,
): Promise<void> {
  const existing = await lstat(absolutePath).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null;
    throw explain(error, path);
  });
  if (existing?.isDirectory() === true) throw new AppError('invalid-input', `${JSON.stringify(path)} is a folder`);

  const temporary = join(dirname(absolutePath), temporaryName());
  try {
    const handle = await open(temporary, 'wx', 0o644);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (existing?.isFile() === true) await chmod(temporary, existing.mode & 0o777);
    await rename(temporary, absolutePath);
  } catch (error) {
    await rm(temporary, { force: true });
    throw explain(error, path);
  }
}

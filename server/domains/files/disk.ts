/**
 * Where the bytes of session files lie: `session_files/<session>/<name of ours>` in the data folder. Names on disk are made
 * here and nowhere else, so no shown name can lead out of the folder. No database, and nothing of the product's rules.
 */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import {
  copyFile,
  type FileHandle,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../../lib/errors';
import { codeOf } from './workspace/folder';
import { sessionFolderName } from './workspace/safe-path';
import { isTemporaryName, temporaryName } from './workspace/write-text';

/** Bytes that came in and lie in a temporary file: `keep` them or `discard` them. */
export interface ReceivedBytes {
  temporaryPath: string;
  sizeBytes: number;
  sha256: string;
  /** The first bytes. */
  sample: Buffer;
}

/** Between a stored name and what was made of it. Stored names are ids of ours and hold no dot. */
const VARIANT_MARK = '.';

const MARK = '.database';
/** Synced when it closes, before a row names it. Half a megabyte at a time: fewer turns of the event loop per file. */
const WRITING = { flush: true, highWaterMark: 512 * 1024 } as const;

export function createSessionDisk({ dataDir }: { dataDir: string }) {
  const root = join(dataDir, 'session_files');
  const folderOf = (sessionId: string) => join(root, sessionFolderName(sessionId));
  /** Ours is plain: anything else in the database's column never becomes a path. */
  const pathOf = (sessionId: string, storedAs: string): string => {
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,120}$/.test(storedAs))
      throw new AppError('internal', 'a stored name is unusable');
    return join(folderOf(sessionId), storedAs);
  };
  /** Null while there is none, and when something else stands in its place: a link would lead out of the data folder. */
  const ownFolder = async (sessionId: string): Promise<string | null> => {
    const stats = await lstat(folderOf(sessionId)).catch(() => null);
    return stats?.isDirectory() === true ? folderOf(sessionId) : null;
  };
  const namesIn = async (sessionId: string): Promise<string[]> => {
    const folder = await ownFolder(sessionId);
    return folder === null ? [] : readdir(folder).catch(() => []);
  };
  /** Clean-up removes what stays under such a name. */
  const temporaryPathOf = (sessionId: string) => join(folderOf(sessionId), temporaryName());

  return {
    root,
    temporaryPathOf,

    /**
     * Streams to a temporary file of the session's folder, hashing on the way; memory stays that of a few chunks. Throws
     * `too-large` beyond `maxBytes`, a disk's failure in words, and whatever the source or the signal ends with; nothing is
     * left behind then.
     */
    async receive(
      sessionId: string,
      source: Readable,
      { maxBytes, sampleBytes, signal }: { maxBytes: number; sampleBytes: number; signal?: AbortSignal | undefined },
    ): Promise<ReceivedBytes> {
      const temporaryPath = temporaryPathOf(sessionId);
      const hash = createHash('sha256');
      const sample: Buffer[] = [];
      let sampled = 0;
      let sizeBytes = 0;
      const meter = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          sizeBytes += chunk.length;
          // Dropped instead of broken off: the parts behind it in the same request are still to be read.
          if (sizeBytes > maxBytes) return done();
          hash.update(chunk);
          if (sampled < sampleBytes) {
            // A copy: a slice would keep the whole chunk in memory.
            const part = Buffer.from(chunk.subarray(0, sampleBytes - sampled));
            sample.push(part);
            sampled += part.length;
          }
          done(null, chunk);
        },
        flush: (done) => done(sizeBytes > maxBytes ? tooLarge(maxBytes) : null),
      });
      try {
        await mkdir(folderOf(sessionId), { recursive: true });
        if ((await ownFolder(sessionId)) === null) {
          throw new AppError(
            'forbidden',
            'The folder of this chat is a link that leads elsewhere; nothing was stored.',
          );
        }
        // Opened before anything can fail: a stream that opens it by itself may still do so behind the `rm` below.
        const file = await open(temporaryPath, 'wx', 0o600);
        await pipeline(source, meter, file.createWriteStream(WRITING), {
          ...(signal === undefined ? {} : { signal }),
        });
      } catch (error) {
        await rm(temporaryPath, { force: true });
        throw signal?.aborted === true ? signal.reason : explainDisk(error);
      }
      return { temporaryPath, sizeBytes, sha256: hash.digest('hex'), sample: Buffer.concat(sample) };
    },

    keep: (received: ReceivedBytes, sessionId: string, storedAs: string) =>
      rename(received.temporaryPath, pathOf(sessionId, storedAs)),
    discard: (received: ReceivedBytes) => rm(received.temporaryPath, { force: true }),

    /** Opens an ordinary file; the caller closes it. Null when its bytes are gone. */
    async open(sessionId: string, storedAs: string): Promise<FileHandle | null> {
      if ((await ownFolder(sessionId)) === null) return null;
      const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
      const handle = await open(pathOf(sessionId, storedAs), flags).catch((error: unknown) => {
        if (['ENOENT', 'ELOOP', 'ENXIO'].includes(codeOf(error) ?? '')) return null;
        throw explainDisk(error);
      });
      if (handle === null || (await handle.stat()).isFile()) return handle;
      await handle.close();
      return null;
    },

    /** Where a file lies, for readers that take paths; `open` is for everybody else. */
    pathOf,
    /**
     * The last part of an absolute path that leads into the session's folder, links resolved; null for every other. It may be
     * a name that nothing on the disk has: who writes such a path knows shown names.
     */
    async nameAt(sessionId: string, path: string): Promise<string | null> {
      const [home, target, parent] = await Promise.all(
        [root, path, dirname(path)].map((one) => realpath(one).catch(() => null)),
      );
      const found = target ?? (parent === null || parent === undefined ? null : join(parent, basename(path)));
      if (found === null || home === null || home === undefined) return null;
      return dirname(found) === join(home, sessionFolderName(sessionId)) ? basename(found) : null;
    },
    variantName: (storedAs: string, suffix: string) => `${storedAs}${VARIANT_MARK}${suffix}`,

    /** The bytes and what was made of them. */
    async remove(sessionId: string, storedAs: string): Promise<void> {
      const made = `${storedAs}${VARIANT_MARK}`;
      for (const name of await namesIn(sessionId)) {
        if (name === storedAs || name.startsWith(made)) await rm(join(folderOf(sessionId), name), { force: true });
      }
    },

    /** Puts files of one session into another's folder under the same names: hard links where the disk can, else copies. */
    async carryOver(fromSessionId: string, toSessionId: string, storedNames: readonly string[]): Promise<void> {
      if (storedNames.length === 0 || (await ownFolder(fromSessionId)) === null) return;
      await mkdir(folderOf(toSessionId), { recursive: true });
      for (const name of storedNames) {
        const [from, to] = [pathOf(fromSessionId, name), pathOf(toSessionId, name)];
        await link(from, to).catch(async (error: unknown) => {
          if (codeOf(error) === 'ENOENT') return;
          await copyFile(from, to, constants.COPYFILE_FICLONE).catch((cause: unknown) => {
            throw explainDisk(cause);
          });
        });
      }
    },

    removeSession: (sessionId: string) => rm(folderOf(sessionId), { recursive: true, force: true }),

    // For the clean-up job.

    /** Which database the whole folder belongs to; null for one without a mark. */
    readMark: () =>
      readFile(join(root, MARK), 'utf8').catch((error: unknown) => {
        if (codeOf(error) === 'ENOENT') return null;
        throw error;
      }),
    async writeMark(databaseId: string): Promise<void> {
      await mkdir(root, { recursive: true });
      await writeFile(join(root, MARK), databaseId);
    },

    /** Sessions that have a folder. */
    async listSessions(): Promise<string[]> {
      const entries = await readdir(root, { withFileTypes: true }).catch((error: unknown) => {
        if (codeOf(error) === 'ENOENT') return [];
        throw error;
      });
      return entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.')).map((entry) => entry.name);
    },

    /** Files of a session's folder that were not touched since, by what they are: unfinished, or kept under a name of ours. */
    async listUntouched(sessionId: string, before: Date): Promise<{ temporary: string[]; stored: string[] }> {
      const found = { temporary: [] as string[], stored: [] as string[] };
      for (const name of await namesIn(sessionId)) {
        const stats = await stat(join(folderOf(sessionId), name)).catch(() => null);
        if (stats === null || !stats.isFile() || stats.mtime >= before || stats.ctime >= before) continue;
        (isTemporaryName(name) ? found.temporary : found.stored).push(name);
      }
      return found;
    },
    /** Whether nothing was added to a session's folder, or taken out of it, since. */
    async isFolderUntouched(sessionId: string, before: Date): Promise<boolean> {
      const stats = await lstat(folderOf(sessionId)).catch(() => null);
      return stats !== null && stats.mtime < before && stats.ctime < before;
    },
    removeUnlisted: (sessionId: string, name: string) => rm(join(folderOf(sessionId), name), { force: true }),
    /** The stored name that this one belongs to: its own, or that of what it was made of. */
    sourceOf: (name: string) => name.split(VARIANT_MARK)[0] ?? name,
  };
}

export type SessionDisk = ReturnType<typeof createSessionDisk>;

export function tooLarge(maxBytes: number): AppError {
  return new AppError(
    'too-large',
    `This file is larger than ${Math.floor(maxBytes / 1024 / 1024)} MB, the most that one may have.`,
    {
      details: { maxBytes },
    },
  );
}

/** A disk's failure in words for people; anything unforeseen stays as it is. */
export function explainDisk(error: unknown): unknown {
  switch (codeOf(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new AppError('too-large', 'The disk of the server is full; nothing was stored.', { cause: error });
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new AppError('forbidden', 'The server may not write to its data folder; nothing was stored.', {
        cause: error,
      });
    case 'EMFILE':
    case 'ENFILE':
      return new AppError('busy', 'The server has too many files open at the moment. Try again.', { cause: error });
    default:
      return error;
  }
}

/**
 * The lock on the data folder of the embedded engine, which by itself would let two processes write to one folder.
 *
 * The lock is a Unix socket that its holder listens on: the kernel answers for the holder. It falls at the very moment the
 * holder dies, however it dies, and no reused process id, wrong clock or suspended laptop can make a dead holder look alive or a
 * live one look dead. Taking over a dead holder's socket is serialised by a short-lived lock directory.
 */
import { rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import lockfile from 'proper-lockfile';
import { StartupError } from '../lib/startup-error';

const socketName = 'lock.sock';
/**
 * A holder that is busy in a long query cannot answer; that the connection is accepted is proof enough that it lives. Its answer
 * only names it, and on a slow machine takes seconds.
 */
const answerTimeoutMs = 5_000;
const retryMs = 100;
/** After this long the lock directory of a process that died while taking over counts as left behind. */
const takeoverStaleMs = 5_000;

export interface FolderLock {
  release(): Promise<void>;
}

type Holder = { alive: false } | { alive: true; processId: number | null };

/**
 * Takes the lock of `folder`, which must be the process's working directory: a socket's path may have about 107 bytes, a data
 * folder's path more. Waits up to `waitMs` for another holder to end. Throws a StartupError that names the holder: what its
 * `owner` was, the id of the process that a person would end to end it.
 */
export async function lockFolder(options: { folder: string; waitMs: number; owner: number }): Promise<FolderLock> {
  const deadline = Date.now() + options.waitMs;
  for (;;) {
    const attempt = await tryLock(options.folder, options.owner);
    if ('server' in attempt) {
      return {
        release: () => new Promise((resolve) => attempt.server.close(() => resolve())),
      };
    }
    if (Date.now() >= deadline) {
      const who = attempt.processId === null ? 'another process' : `another Navi (process ${attempt.processId})`;
      throw new StartupError(
        `The data folder ${options.folder} is in use by ${who}. Stop it first, or set NAVI_DATA_DIR to another folder.`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, retryMs));
  }
}

async function tryLock(folder: string, owner: number): Promise<{ server: Server } | { processId: number | null }> {
  const release = await lockfile.lock(folder, {
    lockfilePath: join(folder, 'lock.takeover'),
    stale: takeoverStaleMs,
    retries: { retries: 80, factor: 1, minTimeout: retryMs, maxTimeout: retryMs },
  });
  try {
    const holder = await askHolder();
    if (holder.alive) return { processId: holder.processId };
    await rm(socketName, { force: true });
    return { server: await listen(folder, owner) };
  } finally {
    await release();
  }
}

function listen(folder: string, owner: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.end(String(owner));
    });
    server.once('error', (cause) =>
      reject(
        new StartupError(
          `The data folder ${folder} cannot be locked: its file system holds no Unix sockets. Set NAVI_DATA_DIR to a folder on a local disk.`,
          { cause },
        ),
      ),
    );
    server.listen(socketName, () => {
      // The lock alone must not keep the process alive.
      server.unref();
      resolve(server);
    });
  });
}

function askHolder(): Promise<Holder> {
  return new Promise((resolve, reject) => {
    const socket = connect(socketName);
    let connected = false;
    let answer = '';
    const settle = (holder: Holder) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(holder);
    };
    const timer = setTimeout(() => settle({ alive: true, processId: null }), answerTimeoutMs);
    socket.on('connect', () => {
      connected = true;
    });
    socket.on('data', (data) => {
      answer += data.toString('utf8');
    });
    socket.on('end', () => settle({ alive: true, processId: Number.parseInt(answer, 10) || null }));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // Nobody listens: no socket, or that of a dead process. A holder that ends while it is asked looks like a reset.
      if (connected || ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'ENOTSOCK'].includes(error.code ?? '')) {
        settle({ alive: false });
        return;
      }
      clearTimeout(timer);
      reject(error);
    });
  });
}

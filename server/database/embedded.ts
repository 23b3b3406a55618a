/**
 * The embedded database engine, seen from the server: a child process (see `embedded-child.ts`) to which the ordinary `pg`
 * driver connects. The server owns the child's life: it starts it, starts it again should it die, and closes it.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StartupError } from '../lib/startup-error';
import type { EmbeddedChildOptions, FromChild, ToChild } from './embedded-protocol';

export interface EmbeddedOptions {
  /** Absolute path of the folder for the database; made when missing. */
  folder: string;
  /** Names of the migrations this program has, oldest first. */
  knownMigrations: string[];
  /** Milliseconds to wait for another process to let go of the folder. */
  lockWaitMs?: number;
  /** False only for tests: no fsync. */
  durable?: boolean;
  /** The engine died and could not be started again; the server cannot go on. */
  onLost?: (error: Error) => void;
}

export interface EmbeddedEngine {
  /** For the `pg` driver. */
  url: string;
  /** The child's process id; changes when it had to be started again. */
  processId(): number;
  /** Notes in the folder which migration is the newest, so that an older Navi refuses it. */
  recordSchema(schemaVersion: string): Promise<void>;
  close(): Promise<void>;
}

/** A child that dies more often than this within a minute is not started again. */
const mostRestartsPerMinute = 5;
const closeTimeoutMs = 10_000;
/** A Unix socket's path may have 107 bytes on Linux, 103 on macOS; ours adds about 30 to the folder's. */
const longestTemporaryFolder = 70;

/** Starts the engine and waits until it answers. Throws a StartupError with one readable line. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedEngine> {
  const base = tmpdir().length > longestTemporaryFolder ? '/tmp' : tmpdir();
  const childOptions = (socketFolder: string): EmbeddedChildOptions => ({
    folder: options.folder,
    socketPath: join(socketFolder, '.s.PGSQL.5432'),
    knownMigrations: options.knownMigrations,
    lockWaitMs: options.lockWaitMs ?? 5_000,
    durable: options.durable ?? true,
  });
  // mkdtemp makes it private (0700): who can reach the socket can read everything.
  const socketFolder = mkdtempSync(join(base, 'navi-'));
  let isClosing = false;
  let restartTimes: number[] = [];

  const start = async (): Promise<ChildProcess> => {
    for (;;) {
      const child = spawnChild(childOptions(socketFolder));
      const outcome = await firstMessage(child);
      if (outcome.kind === 'ready') return child;
      if (outcome.kind === 'refused') throw new StartupError(outcome.message);
      await exited(child);
    }
  };

  const watch = (child: ChildProcess) => {
    child.once('exit', () => {
      if (!isClosing) void restart();
    });
  };

  const restart = async (): Promise<void> => {
    const now = Date.now();
    restartTimes = [...restartTimes.filter((time) => now - time < 60_000), now];
    try {
      if (restartTimes.length > mostRestartsPerMinute) throw new Error('The embedded database keeps ending.');
      rmSync(childOptions(socketFolder).socketPath, { force: true });
      current = await start();
      watch(current);
      if (isClosing) current.kill('SIGKILL');
    } catch (error) {
      if (!isClosing) options.onLost?.(error instanceof Error ? error : new Error(String(error)));
    }
  };

  let current: ChildProcess;
  try {
    current = await start();
  } catch (error) {
    rmSync(socketFolder, { recursive: true, force: true });
    throw error;
  }
  watch(current);

  return {
    url: `postgresql://postgres@localhost/postgres?host=${encodeURIComponent(socketFolder)}`,
    processId: () => current.pid ?? 0,
    recordSchema: (schemaVersion) =>
      new Promise((resolve, reject) => {
        const onExit = () => reject(new Error('The embedded database ended.'));
        current.once('exit', onExit);
        current.once('message', () => {
          current.off('exit', onExit);
          resolve();
        });
        send(current, { kind: 'record-schema', schemaVersion });
      }),
    close: async () => {
      if (isClosing) return;
      isClosing = true;
      const timer = setTimeout(() => current.kill('SIGKILL'), closeTimeoutMs);
      send(current, { kind: 'close' });
      await exited(current);
      clearTimeout(timer);
      rmSync(socketFolder, { recursive: true, force: true });
    },
  };
}

function spawnChild(options: EmbeddedChildOptions): ChildProcess {
  // Beside this file from the sources (run by tsx), beside the bundle when built.
  const isSource = import.meta.url.endsWith('.ts');
  const entry = fileURLToPath(new URL(isSource ? './embedded-child.ts' : './embedded-child.js', import.meta.url));
  return fork(entry, [JSON.stringify(options)], {
    // A small nursery for the little garbage there is, 10 MB less; baseline code only: 40 MB less, quicker to start and on short statements; scans of 200,000 rows take 1.7 times as long.
    execArgv: ['--liftoff-only', '--max-semi-space-size=1', ...(isSource ? ['--import', 'tsx'] : [])],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}

function firstMessage(child: ChildProcess): Promise<FromChild> {
  return new Promise((resolve, reject) => {
    let complaints = '';
    child.stderr?.on('data', (data: Buffer) => {
      complaints = (complaints + data.toString('utf8')).slice(-4_000);
    });
    child.once('message', (message: FromChild) => {
      child.off('exit', onExit);
      resolve(message);
    });
    const onExit = () =>
      reject(
        new StartupError('The embedded database could not be started. NAVI_LOG_LEVEL=debug shows why.', {
          cause: complaints,
        }),
      );
    child.once('exit', onExit);
    child.once('error', onExit);
  });
}

function send(child: ChildProcess, message: ToChild): void {
  // A child that is just ending cannot be told any more; its exit says the rest.
  if (child.connected) child.send(message, () => undefined);
}

function exited(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => child.once('exit', () => resolve()));
}

/** The real server as a process of its own, for tests that kill it and benchmarks that load it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface ServerProcessOptions {
  /** On top of a clean environment: nothing of the caller's settings gets in. */
  env: Record<string, string>;
  /** The built program; the sources by default. */
  entry?: string;
  /** Flags for Node, e.g. `--cpu-prof`. */
  nodeFlags?: string[];
}

export interface ServerProcess {
  /** Scheme, host and port. */
  origin: string;
  processId: number;
  /** Milliseconds from the spawn to the line that says it is ready. */
  readyAfterMs: number;
  /** Everything it printed, for a failing test's message. */
  output(): string;
  /** Ids of its child processes, the embedded engine's among them (Linux). */
  childProcessIds(): number[];
  /** SIGKILL; resolves when it is gone. */
  kill(): Promise<void>;
  /** Ends it the orderly way and answers its exit code. */
  stop(): Promise<number | null>;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const START_TIMEOUT_MS = 120_000;
const KEPT_VARIABLES = ['PATH', 'HOME', 'TMPDIR', 'LANG'];

/** What Node is to run: this file, else the one of `NAVI_TEST_ENTRY` (a built server), else the sources. */
export function serverProgram(entry = process.env.NAVI_TEST_ENTRY): string[] {
  return entry === undefined ? ['--import', 'tsx', join(root, 'server/main.ts')] : [entry];
}

/** Starts a server on a free port and resolves once it serves. Rejects with what it printed when it ends before. */
export async function startServerProcess(options: ServerProcessOptions): Promise<ServerProcess> {
  const startedAtMs = performance.now();
  const program = serverProgram(options.entry);
  const kept = KEPT_VARIABLES.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  const child = spawn(process.execPath, [...(options.nodeFlags ?? []), ...program], {
    cwd: root,
    env: { ...Object.fromEntries(kept), PORT: '0', NAVI_LOG_LEVEL: 'warn', ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data: Buffer) => {
      output += data.toString('utf8');
    });
  }
  const endWithUs = () => child.kill('SIGKILL');
  process.once('exit', endWithUs);
  const exited = new Promise<number | null>((resolve) =>
    child.once('exit', (code) => {
      process.off('exit', endWithUs);
      resolve(code);
    }),
  );
  const origin = await untilReady(child, exited, () => output);
  const processId = child.pid ?? 0;
  return {
    origin,
    processId,
    readyAfterMs: performance.now() - startedAtMs,
    output: () => output,
    childProcessIds: () => childrenOf(processId),
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    stop() {
      child.kill('SIGTERM');
      return exited;
    },
  };
}

async function untilReady(child: ChildProcess, exited: Promise<number | null>, output: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`The server was not ready within ${START_TIMEOUT_MS / 1000} s: ${output()}`));
    }, START_TIMEOUT_MS);
    void exited.then((code) => {
      clearTimeout(timer);
      reject(new Error(`The server ended with code ${code} before it was ready: ${output()}`));
    });
    child.stdout?.on('data', () => {
      const address = /^Navi is ready: (\S+)$/m.exec(output())?.[1];
      if (address === undefined) return;
      clearTimeout(timer);
      resolve(address);
    });
  });
}

/** Whether a process is alive; a zombie, which has ended and waits for its parent, is not. */
export function isProcessAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${processId}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Processes that this one started, of those that still run. */
export function childrenOf(processId: number): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const parent = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${name}/status`, 'utf8'))?.[1];
      return Number(parent) === processId ? [Number(name)] : [];
    } catch {
      // It ended while the list was read.
      return [];
    }
  });
}

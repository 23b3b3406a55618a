/**
 * Runs one shell command to its end in its own process group, which is killed whole: on a stop, on a time-out, and when
 * the shell has ended but left something behind. This confines nothing: a command can do what the server's user can, which
 * is why the tool is off by default and always asks. See docs/decisions/0023-workspace-and-commands.md.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { createHeadAndTail } from './head-and-tail';

export interface ShellRun {
  command: string;
  directory: string;
  /** Beside what every command has. */
  variables?: Readonly<Record<string, string>>;
  timeoutMs: number;
  signal: AbortSignal;
  /** Characters of output kept from the start and from the end. */
  headChars: number;
  tailChars: number;
  /** The latest line of output, a few times a second at most. */
  onLine?: (line: string) => void;
}

export interface ShellResult {
  /** `output`: it wrote more than anybody will read, see MAX_OUTPUT_CHARS. */
  endedBy: 'exit' | 'timeout' | 'stop' | 'output';
  /** Null when a signal ended it. */
  exitCode: number | null;
  exitSignal: string | null;
  /** Standard output and errors in the order they came. */
  output: string;
  outputChars: number;
}

/** Between the polite signal and the final one. Together with the rest below the executor's grace after an abort. */
const KILL_AFTER_MS = 150;
/** How long output is still read after the shell has ended, for pipes that an escaped process holds open. */
const DRAIN_MS = 150;

/** Each reported line becomes a stored event, so a chatty command must not report thousands a second. */
const REPORT_EVERY_MS = 250;
/** A command that writes without end would otherwise keep the server busy reading until its time is over. */
export const MAX_OUTPUT_CHARS = 32_000_000;

/** The environment of commands: nothing of the server's own, so no keys and no database address. */
export function commandEnvironment(directory: string): Record<string, string> {
  return {
    // Node's own folder first, so that node and npm are the ones that run the server.
    PATH: `${dirname(process.execPath)}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
    HOME: directory,
    PWD: directory,
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    NO_COLOR: '1',
    PAGER: 'cat',
    GIT_TERMINAL_PROMPT: '0',
  };
}

/** Never rejects for what the command does; rejects when the shell itself cannot be started. */
export function runShell(run: ShellRun): Promise<ShellResult> {
  return new Promise((resolve, reject) => {
    const output = createHeadAndTail(run.headChars, run.tailChars);
    let endedBy: ShellResult['endedBy'] = 'exit';
    const timers = new Set<NodeJS.Timeout>();
    const later = (ms: number, act: () => void) => {
      const timer = setTimeout(() => {
        timers.delete(timer);
        act();
      }, ms);
      timers.add(timer);
    };
    const report = createReporter(later, run.onLine);

    const child = spawn('/bin/sh', ['-c', run.command], {
      cwd: run.directory,
      env: { ...commandEnvironment(run.directory), ...run.variables },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) {
      const decoder = new StringDecoder('utf8');
      const take = (text: string) => {
        output.add(text);
        const line = text.slice(-500).trimEnd().split('\n').at(-1)?.trim();
        if (line !== undefined && line !== '') report(line.slice(0, 200));
        if (output.totalChars() > MAX_OUTPUT_CHARS) end('output');
      };
      stream.on('data', (data: Buffer) => take(decoder.write(data)));
      stream.on('end', () => take(decoder.end()));
    }

    const end = (why: 'timeout' | 'stop' | 'output') => {
      if (endedBy !== 'exit') return;
      endedBy = why;
      killGroup(child, 'SIGTERM');
      later(KILL_AFTER_MS, () => killGroup(child, 'SIGKILL'));
    };
    const onAbort = () => end('stop');
    run.signal.addEventListener('abort', onAbort, { once: true });
    if (run.signal.aborted) onAbort();
    later(run.timeoutMs, () => end('timeout'));

    child.once('exit', () => {
      // What the shell left running in its group goes with it; nobody would ever end it otherwise.
      killGroup(child, 'SIGKILL');
      later(DRAIN_MS, () => {
        child.stdout.destroy();
        child.stderr.destroy();
      });
    });
    const settle = (act: () => void) => {
      for (const timer of timers) clearTimeout(timer);
      run.signal.removeEventListener('abort', onAbort);
      act();
    };
    child.once('error', (error) => settle(() => reject(error)));
    child.once('close', (exitCode, exitSignal) =>
      settle(() => resolve({ endedBy, exitCode, exitSignal, output: output.text(), outputChars: output.totalChars() })),
    );
  });
}

/** Passes on the first line at once and then the newest one per interval. */
function createReporter(later: (ms: number, act: () => void) => void, onLine?: (line: string) => void) {
  let waiting: string | null = null;
  let isResting = false;
  const report = (line: string): void => {
    if (isResting) {
      waiting = line;
      return;
    }
    onLine?.(line);
    isResting = true;
    later(REPORT_EVERY_MS, () => {
      isResting = false;
      const next = waiting;
      waiting = null;
      if (next !== null) report(next);
    });
  };
  return report;
}

/** Kills the process group: the shell with its children and theirs. */
function killGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // Nobody is left in the group.
  }
}

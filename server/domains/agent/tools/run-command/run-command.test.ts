import { writeFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../../lib/clock';
import { createWorkspace, type Workspace } from '../../../files/workspace/workspace';
import { executeToolCall } from '../execute-tool-call';
import { withoutSessionFiles } from '../testing/without-session-files';
import { createHeadAndTail } from './head-and-tail';
import { createRunCommandTool } from './run-command-tool';

let dataDir: string;
let workspace: Workspace;
let root: string;
let stop: AbortController;
let progress: string[];
/** Called with each line of progress. */
let onProgress: (line: string) => void;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'navi-run-'));
  workspace = createWorkspace({ dataDir });
  root = await workspace.forOwner('anonymous').ensure();
  stop = new AbortController();
  progress = [];
  onProgress = () => {};
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

function run(command: string, more: Record<string, unknown> = {}) {
  return executeToolCall({
    call: { name: 'run_command', arguments: { command, ...more }, malformed: null },
    tools: [createRunCommandTool({ workspace, ...withoutSessionFiles })],
    context: {
      sessionId: 's',
      userId: 'anonymous',
      runId: 'r',
      epoch: null,
      toolCallId: 'c',
      signal: stop.signal,
      reportProgress: (line) => {
        progress.push(line);
        onProgress(line);
      },
    },
    clock: systemClock,
  });
}

/** Resolves when no process with that id runs any more (a zombie waits only to be collected). */
async function gone(pid: number): Promise<true> {
  for (;;) {
    const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
    if (state === null || /\) [ZX] /.test(state)) return true;
    await systemClock.sleep(10);
  }
}

it('is off by default and always asks', () => {
  expect(createRunCommandTool({ workspace, ...withoutSessionFiles })).toMatchObject({
    class: 'execute',
    isOffByDefault: true,
    alwaysAsks: true,
  });
});

describe('a command', () => {
  it('runs in the workspace and shows output, errors and exit code', async () => {
    const result = await run('echo out; echo err >&2; pwd; echo x > made.txt; exit 3');
    expect(result.status).toBe('done');
    expect(result.text).toMatch(/^Exit code 3\.\n/);
    for (const part of ['out', 'err', root]) expect(result.text).toContain(part);
    expect(result.metadata).toMatchObject({ exitCode: 3, exitSignal: null });
    expect(await readdir(root)).toEqual(['made.txt']);
    expect((await run('true')).text).toBe('Exit code 0.\n(no output)');
    expect((await run('kill -9 $$')).text).toContain('Ended by signal SIGKILL');
    expect((await run('no-such-program-here')).text).toContain('Exit code 127');
  });

  it('sees nothing of the environment of the server', async () => {
    const { text } = await run('env');
    const names = text
      .split('\n')
      .slice(1)
      .map((line) => line.split('=')[0])
      .sort();
    expect(names.filter((name) => !['_', 'OLDPWD', 'SHLVL'].includes(name ?? ''))).toEqual([
      'GIT_TERMINAL_PROMPT',
      'HOME',
      'LANG',
      'NO_COLOR',
      'PAGER',
      'PATH',
      'PWD',
      'TERM',
    ]);
  });

  it('has no input to wait for', async () => {
    expect((await run('cat; read x; echo done')).text).toContain('done');
  });

  it('reports lines while it runs, a few a second at most', async () => {
    // Each waits until the one before it was told, however long that takes.
    onProgress = (line) => writeFileSync(join(root, line), '');
    const until = (line: string) => `while [ ! -e ${line} ]; do sleep 0.02; done`;
    await run(`echo one; ${until('one')}; echo two; ${until('two')}`);
    expect(progress).toEqual(['one', 'two']);
    onProgress = () => {};
    progress = [];
    const { durationMs } = await run('i=0; while [ $i -lt 300 ]; do echo $i; i=$((i+1)); sleep 0.002; done');
    expect(progress.length).toBeLessThanOrEqual(2 + durationMs / 250);
  });

  it('that writes much keeps its head and tail and bounded memory', async () => {
    const { text, metadata } = await run('echo start; yes line | head -n 2000000; echo end');
    expect(text).toMatch(/start\n/);
    expect(text).toMatch(/characters left out/);
    expect(text).toMatch(/end$/);
    expect(text.length).toBeLessThanOrEqual(22_000);
    expect(metadata.outputChars).toBe(10_000_000 + 10);
  });

  it('that writes without end is ended long before its time', async () => {
    const result = await run('yes');
    expect(result.status).toBe('failed');
    expect(result.text).toContain('wrote more than');
    expect(result.durationMs).toBeLessThan(20_000);
  });

  it('that prints broken UTF-8 and halves of characters stays readable', async () => {
    expect((await run(`printf '\\360\\237'; sleep 0.05; printf '\\230\\200 \\377'`)).text).toContain('😀 \ufffd');
  });
});

describe('the whole family is ended', () => {
  // A child that ignores the polite signal, and a grandchild; "ready" comes last, when all have told their process ids.
  const family = [
    `sh -c 'trap "" TERM; echo pid $$ > p1; while :; do sleep 5; done' &`,
    `sh -c '(sleep 300 & echo pid $! > p2; wait) & wait' &`,
    'while [ ! -s p1 ] || [ ! -s p2 ]; do sleep 0.02; done',
    'cat p1 p2; echo pid $$; echo ready; wait',
  ].join('\n');
  const pidsIn = (text: string) => [...text.matchAll(/pid (\d+)/g)].map((match) => Number(match[1]));

  it('on a stop, within a second, with the output so far', async () => {
    onProgress = (line) => {
      if (line === 'ready') stop.abort();
    };
    const result = await run(family);
    expect(result.status).toBe('stopped');
    const pids = pidsIn(result.text);
    expect(pids).toHaveLength(3);
    expect(await Promise.all(pids.map(gone))).toEqual([true, true, true]);
  });

  it('on the time limit, as a failed result that shows what there was', async () => {
    // Its time is over when all of them have begun, and not before.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    onProgress = (line) => {
      if (line === 'ready') vi.advanceTimersByTime(600_000);
    };
    const result = await run(family, { timeout_seconds: 600 }).finally(() => vi.useRealTimers());
    expect(result.status).toBe('failed');
    expect(result.text).toContain('Ended after 600 s');
    const pids = pidsIn(result.text);
    expect(pids).toHaveLength(3);
    expect(await Promise.all(pids.map(gone))).toEqual([true, true, true]);
  });

  it('when the shell ends and leaves something in the background', async () => {
    const result = await run('sleep 300 & echo pid $!');
    expect(result.status).toBe('done');
    expect(result.durationMs).toBeLessThan(30_000);
    expect(await gone(pidsIn(result.text)[0] ?? 0)).toBe(true);
  });
});

it('head and tail: keeps both ends, says how much is missing, and nothing when nothing is', () => {
  const small = createHeadAndTail(5, 5);
  for (const character of '0123456789') small.add(character);
  expect(small.text()).toBe('0123456789');
  for (const character of 'abcdefghijk') small.add(character);
  expect(small.text()).toBe('01234\n[… 11 characters left out …]\nghijk');
  const large = createHeadAndTail(5, 5);
  large.add('0123456789abcdefghijk');
  expect(large.text()).toBe(small.text());
});

it('head and tail: whatever the pieces, the same text and never more than its size (property)', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ maxLength: 20 })),
      fc.nat(20),
      fc.integer({ min: 1, max: 20 }),
      (pieces, head, tail) => {
        const keeper = createHeadAndTail(head, tail);
        for (const piece of pieces) keeper.add(piece);
        const whole = pieces.join('');
        const text = keeper.text();
        if (whole.length <= head + tail) expect(text).toBe(whole);
        else expect(text.length).toBeLessThanOrEqual(head + tail + 60);
        expect(keeper.totalChars()).toBe(whole.length);
      },
    ),
  );
});

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { LeaseLostError } from '../../../events/log';
import { systemClock } from '../../../lib/clock';
import { AppError } from '../../../lib/errors';
import { cutResult, executeToolCall, type ToolCallRequest } from './execute-tool-call';
import { defineTool, type Tool, type ToolContext, ToolError, type ToolOutput } from './types';

const input = z.object({ path: z.string(), lines: z.int().min(1).max(9).optional() });
let progress: string[];
let unexpected: unknown[];
let stop: AbortController;

beforeEach(() => {
  progress = [];
  unexpected = [];
  stop = new AbortController();
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

function toolThat(run: (input: { path: string }, context: ToolContext) => Promise<ToolOutput>, limit = 1000): Tool {
  return defineTool({
    name: 'look',
    description: 'Looks.',
    class: 'read',
    input,
    timeoutMs: 30_000,
    resultLimitChars: limit,
    isCompressionCritical: false,
    run,
  });
}

function execute(tool: Tool, call: Partial<ToolCallRequest> = {}) {
  return executeToolCall({
    call: { name: 'look', arguments: { path: 'a' }, malformed: null, ...call },
    tools: [tool],
    context: {
      sessionId: 's',
      userId: '',
      runId: 'r',
      epoch: null,
      toolCallId: 'c',
      signal: stop.signal,
      reportProgress: (text) => progress.push(text),
    },
    clock: systemClock,
    onUnexpectedError: (error) => unexpected.push(error),
  });
}

const echo = toolThat(async (given) => ({ text: JSON.stringify(given), metadata: { kind: 'echo' } }));

describe('what a model may send', () => {
  it.each([
    ['an object', { path: 'a', lines: 2 }, '{"path":"a","lines":2}'],
    ['an object in a string', '{"path":"a"}', '{"path":"a"}'],
    ['null for a field that is not given', { path: 'a', lines: null }, '{"path":"a"}'],
    ['a field nobody knows', { path: 'a', extra: 1 }, '{"path":"a"}'],
  ])('takes %s', async (_name, given, text) => {
    expect(await execute(echo, { arguments: given })).toMatchObject({
      status: 'done',
      text,
      metadata: { kind: 'echo' },
    });
  });

  it('names the field that is wrong', async () => {
    const result = await execute(echo, { arguments: { path: 7, lines: 20 } });
    expect(result.status).toBe('failed');
    expect(result.text).toMatch(/look/);
    expect(result.text).toMatch(/- path: .*string/);
    expect(result.text).toMatch(/- lines: .*9/);
  });

  it.each([
    [[1], null],
    ['plain words', null],
    [5, null],
    [undefined, '{"path": "a'],
  ])('explains %o (raw %s)', async (given, malformed) => {
    const result = await execute(echo, { arguments: given, malformed });
    expect(result.status).toBe('failed');
    expect(result.text).toContain('JSON');
  });

  it('names the tools there are when one does not exist', async () => {
    const result = await execute(echo, { name: 'peek' });
    expect(result).toMatchObject({ status: 'failed' });
    expect(result.text).toContain('"peek"');
    expect(result.text).toContain('look');
  });
});

describe('what a tool may do', () => {
  it('throw a ToolError: the model reads it, nobody is alarmed', async () => {
    const result = await execute(
      toolThat(async () => {
        throw new ToolError('no such file');
      }),
    );
    expect(result).toMatchObject({ status: 'failed', text: 'no such file' });
    expect(unexpected).toEqual([]);
  });

  it('throw an AppError of a service', async () => {
    const result = await execute(
      toolThat(async () => {
        throw new AppError('too-large', 'the file is too large');
      }),
    );
    expect(result).toMatchObject({ status: 'failed', text: 'the file is too large' });
  });

  it('meet the end of its run, which somebody else has told of: nobody is alarmed', async () => {
    const result = await execute(
      toolThat(async () => {
        throw new LeaseLostError('s');
      }),
    );
    expect(result).toMatchObject({ status: 'stopped', text: 'Stopped before it was done.' });
    expect(unexpected).toEqual([]);
  });

  it('throw anything else, at once or later, without a stack reaching the model', async () => {
    for (const run of [
      async () => {
        throw new TypeError('x is undefined');
      },
      () => {
        throw new TypeError('x is undefined');
      },
    ]) {
      const result = await execute(toolThat(run));
      expect(result.status).toBe('failed');
      expect(result.text).toBe('look failed: x is undefined');
    }
    expect(unexpected).toHaveLength(2);
  });

  it('hang and ignore its signal: the call still ends at the time-out', async () => {
    const pending = execute(toolThat(() => new Promise<never>(() => {})));
    await vi.advanceTimersByTimeAsync(29_999);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(1000);
    const result = await pending;
    expect(result.status).toBe('timed-out');
    expect(result.text).toContain('30 s');
    expect(result.durationMs).toBeGreaterThanOrEqual(30_000);
    expect(result.durationMs).toBeLessThan(31_000);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('hand in what it got when it is stopped', async () => {
    const pending = execute(
      toolThat(
        (_input, context) =>
          new Promise((resolve) => {
            context.signal.addEventListener('abort', () => resolve({ text: 'half', metadata: { exitCode: null } }));
          }),
      ),
    );
    await vi.advanceTimersByTimeAsync(100);
    stop.abort();
    const result = await pending;
    expect(result).toMatchObject({ status: 'stopped', metadata: { exitCode: null } });
    expect(result.text).toContain('half');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ignore a stop: the call ends within the second all the same', async () => {
    const pending = execute(toolThat(() => new Promise<never>(() => {})));
    await vi.advanceTimersByTimeAsync(100);
    stop.abort();
    await vi.advanceTimersByTimeAsync(900);
    expect(await pending).toMatchObject({ status: 'stopped' });
  });

  it('not start at all when the run is already stopped', async () => {
    let hasRun = false;
    stop.abort();
    const result = await execute(
      toolThat(async () => {
        hasRun = true;
        return { text: '' };
      }),
    );
    expect(result.status).toBe('stopped');
    expect(hasRun).toBe(false);
  });

  it('report progress, but not after its call has ended', async () => {
    let report: (text: string) => void = () => {};
    const pending = execute(
      toolThat((_input, context) => {
        report = context.reportProgress;
        report('working');
        return new Promise<never>(() => {});
      }),
    );
    await vi.advanceTimersByTimeAsync(31_000);
    await pending;
    report('late');
    expect(progress).toEqual(['working']);
  });

  it('answer too much: the result is cut to its limit and says so', async () => {
    const result = await execute(toolThat(async () => ({ text: 'x'.repeat(5000) }), 1000));
    expect(result.text.length).toBeLessThanOrEqual(1000);
    expect(result.text).toMatch(/\[Cut: the first \d+ of 5000 characters are shown\.\]$/);
  });
});

it('never cuts through a surrogate pair', () => {
  for (let limit = 80; limit < 90; limit += 1) {
    const text = cutResult('😀'.repeat(200), limit);
    expect(text).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/);
    expect(text.length).toBeLessThanOrEqual(limit);
  }
});

import { describe, expect, it } from 'vitest';
import type { FileEntry, FileLimits } from '../../../../server/domains/files/schema';
import { refusalOf } from './check-file';
import { readAnswer, type UploadHandlers } from './send-file';
import { createUploadQueue } from './upload-queue';

const limits: FileLimits = { maxSizeBytes: 1_000, refusedExtensions: ['exe', 'sh'] };
const entry = (name: string): FileEntry => ({
  id: name,
  name,
  kind: 'text',
  mimeType: 'text/plain',
  sizeBytes: 1,
  origin: 'upload',
  isPublished: false,
  createdAt: new Date(0).toISOString(),
});
const fileOf = (name: string, size = 1, type = '') => new File(['x'.repeat(size)], name, { type });

/** A queue whose uploads the test ends by hand. */
function setUp(open = async () => ({ sessionId: 's', limits })) {
  const sent: { name: string; handlers: UploadHandlers; isAborted: boolean }[] = [];
  const done: string[] = [];
  const queue = createUploadQueue({
    send: (file, _target, handlers) => {
      const call = { name: file.name, handlers, isAborted: false };
      sent.push(call);
      return {
        abort: () => {
          call.isAborted = true;
        },
      };
    },
    open,
    onDone: (file, { key }) => done.push(`${file.name} ${key}`),
  });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const states = () => queue.items().map(({ file, state }) => `${file.name} ${state.kind}`);
  return { queue, sent, done, settled, states };
}

describe('the upload queue', () => {
  it('sends a few at once and the rest as these end', async () => {
    const { queue, sent, done, settled, states } = setUp();
    queue.add(['a', 'b', 'c', 'd'].map((name) => fileOf(name)));
    await settled();
    expect(sent.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    sent[1]?.handlers.onDone(entry('b'));
    await settled();
    expect(sent.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd']);
    // With the place in which it was chosen.
    expect(done).toEqual(['b 2']);
    expect(states()).toEqual(['a sending', 'c sending', 'd sending']);
  });

  it('sends images one after the other, as they are numbered in the order in which they come', async () => {
    const { queue, sent, settled, states } = setUp();
    queue.add(['1', '2', '3'].map((name) => fileOf(name, 1, 'image/png')));
    queue.add([fileOf('notes')]);
    await settled();
    expect(sent.map(({ name }) => name)).toEqual(['1', 'notes']);
    sent[0]?.handlers.onFailed('The connection broke.', true);
    await settled();
    sent[2]?.handlers.onDone(entry('2'));
    await settled();
    expect(sent.map(({ name }) => name)).toEqual(['1', 'notes', '2', '3']);
    expect(states()).toEqual(['1 failed', '3 sending', 'notes sending']);
  });

  it('keeps what failed with its file, and tries again on request', async () => {
    const { queue, sent, settled, states } = setUp();
    queue.add([fileOf('a')]);
    await settled();
    sent[0]?.handlers.onFailed('The connection broke.', true);
    await settled();
    expect(states()).toEqual(['a failed']);
    expect(sent).toHaveLength(1);
    queue.retryAll();
    await settled();
    expect(sent).toHaveLength(2);
    expect(states()).toEqual(['a sending']);
  });

  it('refuses what is too large or a program before it is sent, and does not try it again', async () => {
    const { queue, sent, settled, states } = setUp();
    queue.add([fileOf('big.txt', 1_001), fileOf('run.SH'), fileOf('good.txt')]);
    await settled();
    queue.retryAll();
    await settled();
    expect(sent.map(({ name }) => name)).toEqual(['good.txt']);
    expect(states()).toEqual(['big.txt failed', 'run.SH failed', 'good.txt sending']);
  });

  it('ends the upload of what is removed, and goes on with the next', async () => {
    const { queue, sent, settled, states } = setUp();
    queue.add(['a', 'b', 'c', 'd'].map((name) => fileOf(name)));
    await settled();
    queue.remove(queue.items()[0]?.key ?? -1);
    await settled();
    expect(sent[0]?.isAborted).toBe(true);
    expect(states()).toEqual(['b sending', 'c sending', 'd sending']);
  });

  it('says that the server is away, and goes on when it is back', async () => {
    let isAway = true;
    const { queue, sent, settled, states } = setUp(async () => {
      if (isAway) throw new Error('away');
      return { sessionId: 's', limits };
    });
    queue.add([fileOf('a')]);
    await settled();
    expect(states()).toEqual(['a failed']);
    isAway = false;
    queue.retryAll();
    await settled();
    expect(sent).toHaveLength(1);
  });
});

describe('what a file may be', () => {
  it.each([
    ['a.exe', true],
    ['a.EXE', true],
    ['a.exe. ', true],
    ['a.exe.txt', false],
    ['exe', false],
    ['a.ts', false],
    ['Расчет.sh', true],
  ])('%j is refused: %s', (name, isRefused) => {
    expect(refusalOf({ name, size: 1 }, limits) !== null).toBe(isRefused);
  });
});

describe('the answer to an upload', () => {
  it.each([
    [201, JSON.stringify({ files: [entry('a')], refused: [] }), { file: entry('a') }],
    [
      400,
      JSON.stringify({ files: [], refused: [{ name: 'a', code: 'invalid-input', message: 'A program.' }] }),
      { file: null, words: 'A program.', canRetry: false },
    ],
    [
      503,
      JSON.stringify({ error: { message: 'Navi is starting.' } }),
      { file: null, words: 'Navi is starting.', canRetry: true },
    ],
    [413, '<html>', { file: null, words: 'This file is too large.', canRetry: false }],
    [502, '<html>', { file: null, words: 'The server could not store it.', canRetry: true }],
  ])('%i is read', (status, text, outcome) => {
    expect(readAnswer(status, text)).toEqual(outcome);
  });
});

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createFlushSchedule, type FlushSchedule } from './flush-schedule';

const FRAME_MS = 16;

/** A page whose time passes only when told: tasks in order, frames every 16 ms, work that takes time. */
function createPage() {
  let nowMs = 0;
  let lastId = 0;
  const tasks = new Map<number, { atMs: number; run: () => void }>();
  const add = (atMs: number, run: () => void) => {
    lastId += 1;
    tasks.set(lastId, { atMs, run });
    return lastId;
  };
  let press = () => {};
  vi.stubGlobal('performance', { now: () => nowMs });
  vi.stubGlobal('setTimeout', (run: () => void, ms = 0) => add(nowMs + ms, run));
  vi.stubGlobal('clearTimeout', (id: number) => tasks.delete(id));
  vi.stubGlobal('requestAnimationFrame', (run: (frameAt: number) => void) => {
    const frameAt = (Math.floor(nowMs / FRAME_MS) + 1) * FRAME_MS;
    return add(frameAt, () => run(frameAt));
  });
  vi.stubGlobal('cancelAnimationFrame', (id: number) => tasks.delete(id));
  vi.stubGlobal('window', {
    addEventListener: (_type: string, listener: () => void) => {
      press = listener;
    },
    removeEventListener: () => {},
  });
  return {
    now: () => nowMs,
    press: () => press(),
    /** The page is busy for so long. */
    work: (ms: number) => {
      nowMs += ms;
    },
    runUntil(untilMs: number) {
      for (;;) {
        const [id, next] = [...tasks].sort(([a, one], [b, other]) => one.atMs - other.atMs || a - b)[0] ?? [];
        if (id === undefined || next === undefined || next.atMs > untilMs) break;
        tasks.delete(id);
        nowMs = Math.max(nowMs, next.atMs);
        next.run();
      }
      nowMs = Math.max(nowMs, untilMs);
    },
  };
}

let page: ReturnType<typeof createPage>;
let schedule: FlushSchedule;
let flushedAt: number[];
let costMs: number;

beforeEach(() => {
  page = createPage();
  flushedAt = [];
  costMs = 0;
  schedule = createFlushSchedule(() => {
    flushedAt.push(page.now());
    page.work(costMs);
  });
  schedule.start();
});

afterEach(() => void vi.unstubAllGlobals());

/** Asks for a flush every `everyMs`, as an answer that streams does, and presses a key at the given times. */
function stream(untilMs: number, everyMs: number, keysAt: readonly number[] = []) {
  for (let at = page.now(); at < untilMs; at += 1) {
    page.runUntil(at);
    if (keysAt.includes(at)) page.press();
    if (at % everyMs === 0) schedule.request();
  }
}

it('flushes with the next frame, once for all that came before it', () => {
  schedule.request();
  schedule.request();
  page.runUntil(100);
  expect(flushedAt).toEqual([16]);
});

it('flushes nothing that was taken back', () => {
  schedule.request();
  schedule.cancel();
  page.runUntil(1_000);
  expect(flushedAt).toEqual([]);
});

it('leaves the frame of a pressed key to the key, and waits for the next one, but not long', () => {
  page.runUntil(2);
  schedule.request();
  page.runUntil(5);
  page.press();
  page.runUntil(300);
  expect(flushedAt).toEqual([256]);
});

it.each([48, 64, 72, 80, 96])(
  'goes in the frames of the keys of who writes, one every %i ms: with a few, and in no other',
  (pauseMs) => {
    const keysAt = Array.from({ length: 40 }, (_, index) => 10 + index * pauseMs);
    stream(1_600, 20, keysAt);
    const keyFrames = keysAt.map((at) => Math.ceil(at / FRAME_MS) * FRAME_MS);
    expect(flushedAt.filter((at) => !keyFrames.includes(at))).toEqual([]);
    const gaps = flushedAt.slice(1).map((at, index) => at - (flushedAt[index] ?? 0));
    expect(gaps.length).toBeGreaterThan(4);
    for (const gap of gaps) expect([gap >= 150, gap <= 270]).toEqual([true, true]);
  },
);

it('goes on when who wrote stops to think', () => {
  stream(2_000, 20, [10]);
  const gaps = flushedAt.slice(1).map((at, index) => at - (flushedAt[index] ?? 0));
  expect(Math.max(...gaps)).toBeLessThanOrEqual(290);
  // And is back at one flush a frame after a second without a key.
  expect(flushedAt.filter((at) => at > 1_200).length).toBeGreaterThan(30);
});

it('rests three times as long as the last flush kept the page busy', () => {
  costMs = 20;
  stream(1_000, 5);
  const gaps = flushedAt.slice(1).map((at, index) => at - (flushedAt[index] ?? 0));
  for (const gap of gaps) {
    expect(gap).toBeGreaterThanOrEqual(80);
    expect(gap).toBeLessThanOrEqual(80 + 2 * FRAME_MS);
  }
});

it('waits for nothing longer than 300 ms', () => {
  costMs = 200;
  stream(2_000, 5);
  for (const [index, at] of flushedAt.slice(1).entries()) expect(at - (flushedAt[index] ?? 0)).toBeLessThanOrEqual(510);
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDeltaWriter, type DeltaTarget } from './delta-writer';
import type { EventDraft } from './store';

/** A log in memory that can fail, or refuse runs whose epoch is in `stale`. Each call takes a turn of the event loop. */
function createMemoryLog() {
  const log = {
    written: [] as EventDraft[],
    batches: 0,
    failures: 0,
    stale: new Set<number>(),
    async appendMany(drafts: EventDraft[]) {
      await new Promise((resolve) => setImmediate(resolve));
      if (log.failures > 0) {
        log.failures -= 1;
        throw new Error('the database is away');
      }
      log.batches += 1;
      const refused = drafts.filter((draft) => draft.epoch !== null && log.stale.has(draft.epoch));
      log.written.push(...drafts.filter((draft) => !refused.includes(draft)));
      return { refused };
    },
    text(sessionId: string, kind: 'text-delta' | 'thinking-delta' = 'text-delta') {
      return log.written
        .map(({ sessionId: of, event }) => (of === sessionId && event.kind === kind ? event.text : ''))
        .join('');
    },
  };
  return log;
}

const targetOf = (sessionId: string, step = 1, epoch = 1): DeltaTarget => ({
  sessionId,
  runId: `run-${epoch}`,
  epoch,
  step,
});

describe('delta writer', () => {
  it('loses nothing, keeps the order and never tears a character, whatever the pieces', async () => {
    const piece = fc.record({
      session: fc.constantFrom('a', 'b', 'c'),
      kind: fc.constantFrom('text-delta' as const, 'thinking-delta' as const),
      text: fc.string({ unit: 'binary', maxLength: 6 }),
      cut: fc.nat({ max: 12 }),
      pause: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 40 }), async (pieces) => {
        const log = createMemoryLog();
        const writer = createDeltaWriter({ log, onError: () => {} });
        const said = new Map<string, string>();
        for (const { session, kind, text, cut, pause } of pieces) {
          // Cut anywhere, in the middle of a surrogate pair too.
          for (const part of [text.slice(0, cut), text.slice(cut)]) {
            if (part === '') continue;
            writer.add(targetOf(session), kind, part);
            said.set(session + kind, (said.get(session + kind) ?? '') + part);
          }
          if (pause) await new Promise((resolve) => setImmediate(resolve));
        }
        await Promise.all(['a', 'b', 'c'].map((session) => writer.drain(session)));
        for (const session of ['a', 'b', 'c']) {
          for (const kind of ['text-delta', 'thinking-delta'] as const) {
            expect(log.text(session, kind)).toBe(said.get(session + kind) ?? '');
          }
        }
        for (const { event } of log.written) {
          if (event.kind === 'text-delta') expect(event.text.isWellFormed()).toBe(true);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('keeps the two halves of a character together while thinking and text alternate', async () => {
    const log = createMemoryLog();
    const writer = createDeltaWriter({ log, onError: () => {} });
    const [high, low] = ['😀'.charAt(0), '😀'.charAt(1)];
    writer.add(targetOf('a'), 'thinking-delta', `hm ${high}`);
    writer.add(targetOf('a'), 'text-delta', 'Hello');
    writer.add(targetOf('a'), 'thinking-delta', `${low} done`);
    await writer.drain('a');
    expect(log.text('a')).toBe('Hello');
    expect(log.text('a', 'thinking-delta')).toBe('hm 😀 done');
  });

  it('tells a half character that stayed alone instead of swallowing it', async () => {
    const log = createMemoryLog();
    const writer = createDeltaWriter({ log, onError: () => {} });
    writer.add(targetOf('a'), 'text-delta', 'end \ud83d');
    await writer.drain('a');
    expect(log.text('a')).toBe('end \ud83d');
  });

  it('keeps events of a run in order with its text', async () => {
    const log = createMemoryLog();
    const writer = createDeltaWriter({ log, onError: () => {} });
    const target = targetOf('a');
    writer.add(target, 'text-delta', 'before ');
    writer.addEvent(target, { kind: 'tool-progress', runId: target.runId, step: 1, toolCallId: 'c', text: 'half' });
    writer.add(target, 'text-delta', 'after');
    await writer.drain('a');
    expect(log.written.map(({ event }) => ('text' in event ? event.text : event.kind))).toEqual([
      'before ',
      'half',
      'after',
    ]);
  });

  it('writes the first delta at once and gathers later ones of all sessions into few writes', async () => {
    const log = createMemoryLog();
    const writer = createDeltaWriter({ log, onError: () => {} });
    writer.add(targetOf('a'), 'text-delta', '0');
    await expect.poll(() => log.batches, { interval: 1 }).toBe(1);
    for (let index = 0; index < 200; index++) {
      writer.add(targetOf('a'), 'text-delta', String(index % 10));
      writer.add(targetOf('b'), 'text-delta', String(index % 10));
    }
    await Promise.all([writer.drain('a'), writer.drain('b')]);
    expect(log.batches).toBeLessThanOrEqual(3);
    expect(log.written.length).toBeLessThanOrEqual(4);
    expect(log.text('a')).toHaveLength(201);
  });

  it('tries a failed write again, with everything in its place, before a drain resolves', async () => {
    const log = createMemoryLog();
    const errors: unknown[] = [];
    const writer = createDeltaWriter({ log, onError: (error) => errors.push(error) });
    log.failures = 2;
    writer.add(targetOf('a'), 'text-delta', 'one ');
    writer.add(targetOf('b'), 'text-delta', 'uno');
    await expect.poll(() => errors.length, { interval: 1 }).toBe(1);
    writer.add(targetOf('a'), 'text-delta', 'two');
    await Promise.all([writer.drain('a'), writer.drain('b')]);
    expect(errors).toHaveLength(2);
    expect([log.text('a'), log.text('b')]).toEqual(['one two', 'uno']);
  });

  it('tells the run whose lease was taken over, and not the run that follows it in the same session', async () => {
    const log = createMemoryLog();
    log.stale.add(1);
    const writer = createDeltaWriter({ log, onError: () => {} });
    const lost: string[] = [];
    writer.onLost(targetOf('a', 1, 1), () => lost.push('old'));
    writer.onLost(targetOf('a', 1, 2), () => lost.push('new'));
    writer.add(targetOf('a', 1, 1), 'text-delta', 'late');
    writer.add(targetOf('a', 1, 2), 'text-delta', 'fresh');
    await writer.drain('a');
    expect(lost).toEqual(['old']);
    expect(log.text('a')).toBe('fresh');
  });

  it('has written everything once it is closed', async () => {
    const log = createMemoryLog();
    const writer = createDeltaWriter({ log, onError: () => {} });
    writer.add(targetOf('a'), 'text-delta', 'last ');
    writer.add(targetOf('b'), 'text-delta', 'words');
    await writer.close();
    expect([log.text('a'), log.text('b')]).toEqual(['last ', 'words']);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPagedMessage } from '../../../testing/messages';
import { addAround, addBetween, isWithinReach, leaveGap } from './gap';
import { type ChatState, initialChatState } from './state';

/** A history of so many messages, and pages of it as the server cuts them. */
function createHistory(count: number, pageSize: number) {
  const all = Array.from({ length: count }, (_, index) => createPagedMessage(index + 1));
  const page = (from: number, to: number) => {
    const messages = all.slice(Math.max(0, from - 1), Math.max(0, to));
    const first = messages[0]?.sequenceNumber ?? 1;
    return { messages, nextBeforeSeq: first > 1 ? first : null };
  };
  return {
    newest: () => page(count - pageSize + 1, count),
    around: (at: number) => page(at - Math.floor(pageSize / 2), at + Math.floor(pageSize / 2)),
    after: (at: number) => page(at + 1, at + pageSize),
    before: (at: number) => page(at - pageSize, at - 1),
  };
}

const step = fc.oneof(
  fc.record({ kind: fc.constant('jump' as const), at: fc.integer({ min: 1, max: 400 }) }),
  fc.constant({ kind: 'between' as const, at: 0 }),
  fc.constant({ kind: 'older' as const, at: 0 }),
  fc.constant({ kind: 'leave' as const, at: 0 }),
);

describe('a place far above the newest messages', () => {
  it('is reached, and whatever is read then, nothing but the gap is missing and nothing stands twice', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 60, max: 400 }),
        fc.integer({ min: 5, max: 50 }),
        fc.array(step),
        (count, size, steps) => {
          const history = createHistory(count, size);
          let known: ChatState = { ...initialChatState('s'), ...history.newest() };
          for (const { kind, at } of steps) {
            if (kind === 'jump' && at <= count && !isWithinReach(known, at)) {
              known = { ...known, ...addAround(known, history.around(at)) };
              expect(isWithinReach(known, at)).toBe(true);
            }
            if (kind === 'between' && known.gap !== null)
              known = { ...known, ...addBetween(known, history.after(known.gap.afterSeq)) };
            if (kind === 'older' && known.nextBeforeSeq !== null) {
              const older = history.before(known.nextBeforeSeq);
              known = {
                ...known,
                messages: [...older.messages, ...known.messages],
                nextBeforeSeq: older.nextBeforeSeq,
              };
            }
            if (kind === 'leave') known = { ...known, ...leaveGap(known) };

            const shown = known.messages.map((message) => message.sequenceNumber);
            const [first = 0] = shown;
            const missing = (sequence: number) =>
              known.gap !== null && sequence > known.gap.afterSeq && sequence < known.gap.beforeSeq;
            const expected = Array.from({ length: count - first + 1 }, (_, index) => first + index);
            expect(shown).toEqual(expected.filter((sequence) => !missing(sequence)));
            expect(known.nextBeforeSeq).toBe(first > 1 ? first : null);
          }
        },
      ),
    );
  });

  it('is closed from above page by page, and let go from below', () => {
    const history = createHistory(300, 50);
    const start = { ...initialChatState('s'), ...history.newest() };
    const there = addAround(start, history.around(100));
    expect(there.gap).toEqual({ afterSeq: 125, beforeSeq: 251 });
    expect(leaveGap(there)).toEqual({ messages: start.messages, gap: null, nextBeforeSeq: 251 });
    let read: Pick<ChatState, 'messages' | 'gap' | 'nextBeforeSeq'> = there;
    const gaps = [];
    while (read.gap !== null) {
      gaps.push(read.gap.afterSeq);
      read = addBetween(read, history.after(read.gap.afterSeq));
    }
    expect(gaps).toEqual([125, 175, 225]);
    expect(read.messages).toHaveLength(300 - 74);
  });
});

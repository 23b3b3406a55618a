import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMessage } from '../testing/messages';
import { type CompressionRecord, contextAt, inContextOrder } from './context-at';

const numbers = (messages: { sequenceNumber: number }[]) => messages.map((message) => message.sequenceNumber);

describe('contextAt', () => {
  // 1 to 4 were covered by the summary 7; 2 was important and stayed; 8 came after.
  const history = [
    ...[1, 3, 4].map((sequence) => createMessage(sequence, { isContext: false })),
    createMessage(2),
    createMessage(5),
    createMessage(6, { supersededBy: 3 }),
    createMessage(7, { isSummary: true }),
    createMessage(8),
    createMessage(9, { isContext: false, role: 'system' }),
  ];
  const compression: CompressionRecord = { summarySequence: 7, coveredSequences: new Set([1, 3, 4]), isUndone: false };

  it.each([
    ['before the compression: what it covered later was there', 5, [compression], [1, 2, 3, 4, 5]],
    ['in the middle of what was covered', 3, [compression], [1, 2, 3]],
    ['right after it: the summary first', 7, [compression], [7, 2, 5]],
    ['now', 99, [compression], [7, 2, 5, 8]],
    ['nothing yet', 0, [compression], []],
    ['without the record of the compression', 99, [], [7, 2, 5, 8]],
    ['undone, flags not yet set back', 99, [{ ...compression, isUndone: true }], [7, 2, 5, 8]],
  ])('%s', (_name, sequence, compressions, expected) => {
    expect(numbers(contextAt(history, sequence, compressions))).toEqual(expected);
  });

  it('is what the flags say, when asked for now, for any chain of compressions', () => {
    const plan = fc.array(fc.record({ messages: fc.integer({ min: 1, max: 5 }), keep: fc.nat({ max: 3 }) }), {
      maxLength: 5,
    });
    fc.assert(
      fc.property(plan, (rounds) => {
        const messages = new Map<number, ReturnType<typeof createMessage>>();
        const compressions: CompressionRecord[] = [];
        const remembered = new Map<number, number[]>();
        let next = 1;
        const current = () => inContextOrder([...messages.values()].filter((message) => message.isContext));
        const add = (isSummary: boolean) => {
          messages.set(next, createMessage(next, { isSummary }));
          next += 1;
        };
        for (const { messages: count, keep } of rounds) {
          for (let index = 0; index < count; index++) {
            add(false);
            remembered.set(next - 1, numbers(current()));
          }
          const covered = numbers(current()).slice(0, -keep || undefined);
          for (const sequence of covered)
            messages.set(
              sequence,
              createMessage(sequence, { isSummary: messages.get(sequence)?.isSummary ?? false, isContext: false }),
            );
          add(true);
          compressions.push({ summarySequence: next - 1, coveredSequences: new Set(covered), isUndone: false });
          remembered.set(next - 1, numbers(current()));
        }
        // At every moment the function answers what the context was then, from what is stored today.
        for (const [sequence, then] of remembered) {
          expect(numbers(contextAt([...messages.values()], sequence, compressions))).toEqual(then);
        }
      }),
    );
  });
});

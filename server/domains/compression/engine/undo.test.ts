import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { type CompressionRecord, contextAt, inContextOrder } from '../../messages/engine/context-at';
import type { Message } from '../../messages/schema';
import { changeOfPlan, contextAfter } from './apply';
import { canUndo } from './outcome';
import { planCompression } from './partition';
import { contexts, makeMessage } from './testing/histories';

const sequences = (messages: readonly Message[]) => messages.map((message) => message.sequenceNumber);

/** Stores a compression as the service does: flags of the covered rows, a summary at the end, a record. */
function compress(
  stored: Message[],
  keepRecentTurns: number,
): { stored: Message[]; record: CompressionRecord; after: Message[] } | null {
  const context = inContextOrder(stored.filter((message) => message.isContext));
  const plan = planCompression({
    context,
    windowTokens: 8192,
    targetShare: 0.65,
    keepRecentTurns,
    keepRecentMessages: 12,
    fixedTokens: 100,
    priceOf: (message) => 4 + message.content.length / 4,
  });
  if (plan.kind !== 'plan') return null;
  const change = changeOfPlan(plan);
  const covered = new Set(change.coveredSequences);
  const summarySequence = Math.max(...sequences(stored)) + 1;
  const summary = makeMessage({ sequenceNumber: summarySequence, role: 'user', isSummary: true, isDisplay: false });
  return {
    stored: [
      ...stored.map((message) => (covered.has(message.sequenceNumber) ? { ...message, isContext: false } : message)),
      summary,
    ],
    record: { summarySequence, coveredSequences: covered, isUndone: false },
    after: contextAfter(change, summary),
  };
}

it('the stored context after a compression is the one that was judged, and undoing it gives back exactly the one before', () => {
  fc.assert(
    fc.property(contexts, fc.integer({ min: 1, max: 5 }), (messages, keepRecentTurns) => {
      const before = inContextOrder(messages);
      const compressed = compress(messages, keepRecentTurns);
      if (compressed === null) return;
      const { stored, record, after } = compressed;
      expect(sequences(contextAt(stored, record.summarySequence, [record]))).toEqual(sequences(after));
      // Undo: the record is marked, the summary leaves, the covered come back.
      const restored = stored
        .filter((message) => message.sequenceNumber !== record.summarySequence)
        .map((message) =>
          record.coveredSequences.has(message.sequenceNumber) ? { ...message, isContext: true } : message,
        );
      const undone = contextAt(restored, record.summarySequence, [{ ...record, isUndone: true }]);
      expect(sequences(undone)).toEqual(sequences(before));
    }),
    { numRuns: 300 },
  );
});

it('the context as it was before any of several compressions can still be told', () => {
  fc.assert(
    fc.property(contexts, (messages) => {
      const first = compress(messages, 2);
      if (first === null) return;
      const more = [
        ...first.stored,
        makeMessage({ sequenceNumber: first.record.summarySequence + 1, role: 'user', content: 'and then' }),
      ];
      const second = compress(more, 1);
      if (second === null) return;
      const records = [first.record, second.record];
      const last = Math.max(...sequences(messages));
      expect(sequences(contextAt(second.stored, last, records))).toEqual(sequences(inContextOrder(messages)));
      expect(sequences(contextAt(second.stored, first.record.summarySequence, records))).toEqual(
        sequences(first.after),
      );
    }),
  );
});

it('only the latest compression can be undone, and only while what it restores leaves room for an answer', () => {
  const fits = { tokensRestored: 6000, limitTokens: 6144, isLatest: true, isUndone: false };
  expect(canUndo(fits)).toBe(true);
  expect(canUndo({ ...fits, tokensRestored: 6145 })).toBe(false);
  expect(canUndo({ ...fits, isLatest: false })).toBe(false);
  expect(canUndo({ ...fits, isUndone: true })).toBe(false);
});

it('nothing is lost: every message is in the context, or was demoted into the raw index, or was itself made of such', () => {
  fc.assert(
    fc.property(contexts, fc.integer({ min: 1, max: 5 }), (messages, keepRecentTurns) => {
      const plan = planCompression({
        context: inContextOrder(messages),
        windowTokens: 8192,
        targetShare: 0.65,
        keepRecentTurns,
        keepRecentMessages: 12,
        fixedTokens: 100,
        priceOf: (message) => 4 + message.content.length / 4,
      });
      if (plan.kind !== 'plan') return;
      const change = changeOfPlan(plan);
      const reachable = new Set(sequences([...change.kept, ...change.demoted]));
      const lost = messages.filter((message) => !reachable.has(message.sequenceNumber));
      for (const message of lost) {
        // A recalled excerpt is a copy of a chunk. An earlier summary goes into the next one's input.
        const isCopy = message.metadata.source === 'memory_recall';
        expect(isCopy || (message.isSummary && plan.toSummarise.includes(message))).toBe(true);
      }
    }),
  );
});

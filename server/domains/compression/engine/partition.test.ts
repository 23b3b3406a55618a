import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../messages/schema';
import { changeOfPlan, changeOfTruncation, contextAfter, measureChange } from './apply';
import { hardTruncate } from './hard-truncate';
import { type PartitionInput, planCompression } from './partition';
import { contexts, history, makeMessage, partedCalls } from './testing/histories';
import { groupTurns, turnMessages } from './turns';

const priceOf = (message: Message) => 4 + Math.ceil(message.content.length / 4);
const input = (context: readonly Message[], more: Partial<PartitionInput> = {}): PartitionInput => ({
  context,
  windowTokens: 8192,
  targetShare: 0.65,
  keepRecentTurns: 4,
  keepRecentMessages: 12,
  fixedTokens: 500,
  priceOf,
  ...more,
});
const sequences = (messages: readonly Message[]) => messages.map((message) => message.sequenceNumber);

function turns(count: number, charsEach: number) {
  const built = history();
  for (let index = 0; index < count; index++)
    built.user(`question ${index} about the work at hand`).assistant('a'.repeat(charsEach));
  return built.messages;
}

describe('partition by turns', () => {
  it('summarises old turns and keeps the newest four whole', () => {
    const plan = planCompression(input(turns(10, 400)));
    if (plan.kind !== 'plan') throw new Error(plan.reason);
    expect(plan.mode).toBe('turns');
    expect(sequences(plan.toKeep)).toEqual([13, 14, 15, 16, 17, 18, 19, 20]);
    expect(sequences(plan.toSummarise)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  });

  it('keeps fewer turns until the kept part fits 65 % of the window', () => {
    const plan = planCompression(input(turns(10, 8000)));
    if (plan.kind !== 'plan') throw new Error(plan.reason);
    expect(plan.keptTurns).toBe(2);
    expect(plan.tokensKept).toBeLessThanOrEqual(8192 * 0.65);
  });

  it('has nothing to do in an empty range, so no summariser is ever asked about nothing', () => {
    expect(planCompression(input([]))).toEqual({ kind: 'nothing', reason: 'empty' });
    expect(planCompression(input(turns(1, 100)))).toEqual({ kind: 'nothing', reason: 'only-recent' });
    expect(planCompression(input(turns(4, 100)))).toEqual({ kind: 'nothing', reason: 'only-recent' });
    const { messages } = history().summary('what happened before').user('and now?');
    expect(planCompression(input(messages))).toEqual({ kind: 'nothing', reason: 'only-recent' });
  });

  it('gives the next summary the earlier ones to include, and counts no summary as a turn', () => {
    const { messages } = history().summary('first').summary('second');
    for (const message of turns(6, 200)) messages.push({ ...message, sequenceNumber: message.sequenceNumber + 2 });
    const plan = planCompression(input(messages));
    if (plan.kind !== 'plan') throw new Error(plan.reason);
    expect(sequences(plan.toSummarise).slice(0, 3)).toEqual([1, 2, 3]);
    expect(plan.toKeep.some((message) => message.isSummary)).toBe(false);
  });

  it('lets a lasting instruction take the place of small talk, and never that of the newest turn', () => {
    const built = history().user('Remember: always deploy to eu-west-1, never to production').assistant('Understood.');
    for (let index = 0; index < 5; index++)
      built.user(`look at part ${index} of the report`).assistant('b'.repeat(300));
    built.user('thanks!').assistant('Any time.').user('go on').assistant('c'.repeat(200));
    const plan = planCompression(input(built.messages));
    if (plan.kind !== 'plan') throw new Error(plan.reason);
    expect(plan.keptImportant).toEqual([1]);
    expect(sequences(plan.toKeep)).toEqual([1, 2, 9, 10, 11, 12, 15, 16]);
    expect(sequences(plan.toSummarise)).toContain(13);
  });

  it('drops old recalled excerpts without summarising them, and keeps those of the newest request', () => {
    const built = history();
    for (let index = 0; index < 6; index++)
      built.user('q'.repeat(50)).note('recalled', 'memory_recall').assistant('a'.repeat(300));
    const plan = planCompression(input(built.messages));
    if (plan.kind !== 'plan') throw new Error(plan.reason);
    expect(sequences(plan.toDrop)).toEqual([2, 5, 8, 11, 14]);
    expect(sequences(plan.toKeep)).toContain(17);
  });
});

describe('partition inside a turn', () => {
  const longTurn = (steps: number, chars: number) => {
    const built = history().user('do all of it');
    for (let index = 0; index < steps; index++) built.calls([`c${index}`]).result(`c${index}`, 'r'.repeat(chars));
    return built.messages;
  };

  it('keeps the request and the newest messages of a single long turn', () => {
    const plan = planCompression(input(longTurn(20, 400)));
    if (plan.kind !== 'plan') throw new Error(plan.reason);
    expect(plan.mode).toBe('intra-turn');
    expect(sequences(plan.toKeep)).toEqual([1, ...Array.from({ length: 12 }, (_, at) => 30 + at)]);
    expect(partedCalls(longTurn(20, 400), plan.toKeep)).toEqual([]);
  });

  it('keeps fewer of them while they do not fit, and two at least', () => {
    const plan = planCompression(input(longTurn(20, 9000)));
    if (plan.kind !== 'plan') throw new Error(plan.reason);
    expect(sequences(plan.toKeep)).toEqual([1, 38, 39, 40, 41]);
    const tight = planCompression(input(longTurn(20, 40_000)));
    if (tight.kind !== 'plan') throw new Error(tight.reason);
    expect(sequences(tight.toKeep)).toEqual([1, 40, 41]);
  });

  it('finds something to take even when the turn has fewer messages than are kept (the retry with 2)', () => {
    const plan = planCompression(input(longTurn(3, 400)));
    if (plan.kind !== 'plan') throw new Error(plan.reason);
    expect(sequences(plan.toKeep)).toEqual([1, 6, 7]);
  });

  it('never takes a step whose calls are still open apart', () => {
    const { messages } = history()
      .user('go')
      .calls(['a', 'b', 'c'])
      .result('a', 'x'.repeat(30_000))
      .result('c', 'x'.repeat(30_000));
    expect(planCompression(input(messages))).toEqual({ kind: 'nothing', reason: 'only-recent' });
  });
});

describe('over random histories', () => {
  const settings = fc.record({
    windowTokens: fc.integer({ min: 1000, max: 20_000 }),
    keepRecentTurns: fc.integer({ min: 1, max: 8 }),
    keepRecentMessages: fc.integer({ min: 2, max: 16 }),
    fixedTokens: fc.integer({ min: 0, max: 2000 }),
  });

  it('a plan puts every message in exactly one place and parts no call from its result', () => {
    fc.assert(
      fc.property(contexts, settings, (context, more) => {
        const plan = planCompression(input(context, more));
        if (plan.kind !== 'plan') return;
        const all = [...plan.toSummarise, ...plan.toDrop, ...plan.toKeep];
        expect(sequences(all).sort((a, b) => a - b)).toEqual(sequences(context));
        expect(plan.toSummarise.length).toBeGreaterThan(0);
        expect(partedCalls(context, plan.toKeep)).toEqual([]);
        const last = context.findLast((message) => message.role === 'user' && !message.isSummary);
        if (last !== undefined) expect(plan.toKeep).toContain(last);
      }),
      { numRuns: 400 },
    );
  });

  it('the context is smaller after every plan whose summary is smaller than what it replaces', () => {
    fc.assert(
      fc.property(contexts, settings, fc.integer({ min: 0, max: 500 }), (context, more, summaryTokens) => {
        const plan = planCompression(input(context, more));
        if (plan.kind !== 'plan') return;
        const measured = measureChange({
          context,
          change: changeOfPlan(plan),
          fixedTokens: more.fixedTokens,
          summaryTokens,
          priceOf,
        });
        const gone = [...plan.toSummarise, ...plan.toDrop].reduce((sum, message) => sum + priceOf(message), 0);
        expect(measured.tokensBefore - measured.tokensAfter).toBe(gone - summaryTokens);
        expect(measured.tokensAfter).toBe(plan.tokensKept + summaryTokens);
      }),
    );
  });

  it('hard truncation keeps the newest request, parts nothing, grows nothing, and fits unless the newest step cannot', () => {
    fc.assert(
      fc.property(contexts, settings, (context, { windowTokens, fixedTokens }) => {
        const cut = hardTruncate({ context, windowTokens, fixedTokens, priceOf });
        expect(sequences([...cut.dropped, ...cut.kept]).sort((a, b) => a - b)).toEqual(sequences(context));
        expect(partedCalls(context, cut.kept)).toEqual([]);
        const last = context.findLast((message) => message.role === 'user' && !message.isSummary);
        if (last !== undefined) expect(cut.kept).toContain(last);
        const { turns: all } = groupTurns(context);
        const newest = all[all.length - 1];
        const floor = [newest?.request, ...(newest?.units[newest.units.length - 1]?.messages ?? [])];
        const floorTokens = [...new Set(floor)].reduce(
          (sum, message) => sum + (message == null ? 0 : priceOf(message)),
          0,
        );
        if (fixedTokens + floorTokens <= Math.floor(windowTokens / 2))
          expect(cut.tokensKept).toBeLessThanOrEqual(windowTokens / 2);
      }),
      { numRuns: 400 },
    );
  });

  it('grouping loses and doubles nothing, whatever the call ids', () => {
    fc.assert(
      fc.property(contexts, (context) => {
        const { summaries, recalls, turns: all } = groupTurns(context);
        const back = [...summaries, ...recalls, ...all.flatMap(turnMessages)];
        expect(sequences(back).sort((a, b) => a - b)).toEqual(sequences(context));
      }),
    );
  });

  it('the changed context is summary first, then what stays in order', () => {
    fc.assert(
      fc.property(contexts, settings, (context, { windowTokens, fixedTokens }) => {
        const change = changeOfTruncation(hardTruncate({ context, windowTokens, fixedTokens, priceOf }));
        const summary = makeMessage({ sequenceNumber: 10_000, role: 'user', isSummary: true });
        const after = contextAfter(change, summary);
        const firstPlain = after.findIndex((message) => !message.isSummary);
        expect(after.slice(firstPlain === -1 ? after.length : firstPlain).some((message) => message.isSummary)).toBe(
          false,
        );
        expect(after).toHaveLength(change.kept.length + 1);
      }),
    );
  });
});

describe('cost', () => {
  /** How often each message is priced: what a plan costs beside one walk over the turns. Its time is a row of the bench. */
  const pricesPerMessage = (count: number) => {
    const built = history();
    for (let index = 0; built.messages.length < count; index++) {
      built.user(`question ${index}: what does /srv/app/config.yml say, and why does it always fail?`);
      built
        .calls([`c${index}`])
        .result(`c${index}`, 'r'.repeat(150))
        .assistant('a'.repeat(70));
    }
    let calls = 0;
    const given = input(built.messages);
    planCompression({
      ...given,
      priceOf: (message) => {
        calls += 1;
        return given.priceOf(message);
      },
    });
    return calls / built.messages.length;
  };

  it('prices no message more often in a long history than in a short one', () => {
    const short = pricesPerMessage(100);
    expect(short).toBeLessThanOrEqual(3);
    expect(pricesPerMessage(10_000)).toBeLessThanOrEqual(short);
  });
});

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type HardTruncation, hardTruncationText } from './hard-truncate';
import { type CompressionEvent, type CompressionState, idle, isFinal, nextStep, reduceCompression } from './machine';
import { judgeOutcome } from './outcome';
import { type CompressionPlan, planCompression } from './partition';
import { history } from './testing/histories';
import type { SummaryFault } from './validate-summary';

const built = history();
for (let index = 0; index < 8; index++) built.user(`q${index}`).assistant('a'.repeat(400));
const planned = planCompression({
  context: built.messages,
  windowTokens: 1000,
  targetShare: 0.65,
  keepRecentTurns: 4,
  keepRecentMessages: 12,
  fixedTokens: 0,
  priceOf: () => 60,
});
if (planned.kind !== 'plan') throw new Error('no plan');
const plan: CompressionPlan = planned;
const truncation: HardTruncation = {
  dropped: built.messages.slice(0, 4),
  kept: built.messages.slice(4),
  tokensKept: 400,
  fits: true,
};

const begin = (mayTruncate = true): CompressionEvent => ({
  type: 'begin',
  facts: { trigger: 'preturn', tokensBefore: 960, mayTruncate, triggerTokens: 900 },
});
const good = (tokensAfter: number): CompressionEvent => ({
  type: 'summarised',
  verdict: { isValid: true, text: 'summary', keys: ['k'] },
  tokensAfter,
});
const bad = (fault: SummaryFault): CompressionEvent => ({
  type: 'summarised',
  verdict: { isValid: false, fault },
  tokensAfter: 0,
});
const run = (...events: CompressionEvent[]) => events.reduce(reduceCompression, idle as CompressionState);

describe('the state machine', () => {
  it('goes from idle to done by one summary', () => {
    const applying = run(begin(), { type: 'planned', plan }, good(500));
    expect(nextStep(applying)).toMatchObject({ do: 'apply', tokensAfter: 500, result: { method: 'summary' } });
    expect(reduceCompression(applying, { type: 'applied' })).toMatchObject({
      name: 'done',
      method: 'summary',
      tokensAfter: 500,
    });
  });

  it.each<[string, CompressionEvent, string]>([
    ['inflates', good(1475), 'not-smaller'],
    ['returns nothing', bad('empty'), 'empty'],
    ['refuses', bad('refusal'), 'refusal'],
    ['is cut by length', bad('cut-by-length'), 'cut-by-length'],
    ['only reasons', bad('only-reasoning'), 'only-reasoning'],
    ['calls a tool', bad('tool-markup'), 'tool-markup'],
    ['fails', { type: 'summariser-failed' }, 'model-failed'],
  ])('a summariser that %s: wider keep, then truncation at the trigger, else the context stays', (_, answer, fault) => {
    const second = run(begin(), { type: 'planned', plan }, answer);
    expect(nextStep(second)).toEqual({ do: 'plan', isWider: true });
    const third = [{ type: 'planned', plan } as const, answer].reduce(reduceCompression, second);
    expect(nextStep(third)).toEqual({ do: 'truncate' });
    const cut = reduceCompression(third, { type: 'truncated', truncation, tokensAfter: 420 });
    expect(nextStep(cut)).toMatchObject({ do: 'apply', result: { method: 'hard-truncate' } });

    const kept = run(begin(false), { type: 'planned', plan }, answer, { type: 'planned', plan }, answer);
    expect(kept).toMatchObject({ name: 'failed', reason: fault, faults: [fault, fault] });
  });

  it('refuses where there is nothing to do, and fails where not even truncation helps', () => {
    expect(run(begin(false), { type: 'planned', plan: null })).toEqual({
      name: 'refused',
      reason: 'nothing-to-compress',
    });
    const nothing: HardTruncation = { ...truncation, dropped: [] };
    const empty: CompressionEvent = { type: 'truncated', truncation: nothing, tokensAfter: 960 };
    expect(run(begin(), { type: 'planned', plan: null }, empty)).toEqual({
      name: 'refused',
      reason: 'nothing-to-compress',
    });
    const failed = run(begin(), { type: 'planned', plan }, bad('empty'), { type: 'planned', plan: null }, empty);
    expect(failed).toMatchObject({ name: 'failed', reason: 'nothing-to-truncate' });
  });

  it('stops when cancelled, but not in the middle of writing', () => {
    expect(run(begin(), { type: 'planned', plan }, { type: 'cancelled' })).toMatchObject({
      name: 'failed',
      reason: 'cancelled',
    });
    const writing = run(begin(), { type: 'planned', plan }, good(500), { type: 'cancelled' });
    expect(writing.name).toBe('applying');
    expect(reduceCompression(writing, { type: 'not-applied', reason: 'context-changed' })).toMatchObject({
      name: 'failed',
    });
  });

  it('ends after at most two summaries and one truncation, whatever comes back, and never applies what is not smaller', () => {
    const anyEvent: fc.Arbitrary<CompressionEvent> = fc.oneof(
      fc.constantFrom<CompressionEvent>(
        { type: 'planned', plan },
        { type: 'planned', plan: null },
        { type: 'summariser-failed' },
      ),
      fc.constantFrom<CompressionEvent>(
        { type: 'applied' },
        { type: 'not-applied', reason: 'store-failed' },
        { type: 'cancelled' },
      ),
      fc.integer({ min: 1, max: 2000 }).map(good),
      fc.constantFrom<SummaryFault>('empty', 'refusal', 'cut-by-length').map(bad),
      fc
        .integer({ min: 1, max: 2000 })
        .map((tokensAfter): CompressionEvent => ({ type: 'truncated', truncation, tokensAfter })),
    );
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 40 }), fc.boolean(), (events, mayTruncate) => {
        let state = run(begin(mayTruncate));
        let summaries = 0;
        for (const event of events) {
          const next = reduceCompression(state, event);
          if (next.name === 'summarising' && state.name !== 'summarising') summaries += 1;
          if (next.name === 'applying') expect(next.tokensAfter).toBeLessThan(960);
          if (isFinal(state)) expect(next).toBe(state);
          if (!isFinal(next)) expect(nextStep(next).do).not.toBe('none');
          state = next;
        }
        expect(summaries).toBeLessThanOrEqual(2);
      }),
    );
  });
});

describe('the outcome', () => {
  it('discards what others accepted: 737,820 → 1,475,805 and 661 → 1,752 tokens', () => {
    expect(judgeOutcome({ tokensBefore: 737_820, tokensAfter: 1_475_805, triggerTokens: 700_000 }).isAccepted).toBe(
      false,
    );
    expect(judgeOutcome({ tokensBefore: 661, tokensAfter: 1752, triggerTokens: 600 }).isAccepted).toBe(false);
    expect(judgeOutcome({ tokensBefore: 7500, tokensAfter: 7499, triggerTokens: 7372 }).isAccepted).toBe(false);
  });

  it('tells whether the trigger is behind us', () => {
    expect(judgeOutcome({ tokensBefore: 9000, tokensAfter: 8000, triggerTokens: 7372 })).toEqual({
      isAccepted: true,
      savedTokens: 1000,
      isBelowTrigger: false,
    });
  });
});

it('what stands for truncated messages is facts, not a placeholder', () => {
  const text = hardTruncationText({ first: 3, last: 40, messages: 31, breadcrumbs: ['/srv/app', 'PROJ-12'] });
  expect(text).toContain('31 earlier messages (3 to 40)');
  expect(text).toContain('/srv/app, PROJ-12');
});

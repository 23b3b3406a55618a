import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../messages/schema';
import { weighWaiting } from './admit-images';
import { type Breaker, type BreakerConditions, breakerAfter, isBreakerOpen } from './breaker';
import { type DecisionInput, decideCompression, planFor, wouldCompress } from './decide';
import { defaultCompressionSettings, keepRecentMessages, triggerTokens, withOverrides } from './settings';
import { checkContextSize, fitMessageBudget, MIN_MESSAGE_BUDGET_TOKENS, outputReserve } from './size-guard';
import { contexts, history } from './testing/histories';
import { floorTokens, isPromptTruncated } from './truncated-prompt';

const priceOf = (message: Message) => 4 + Math.ceil(message.content.length / 4);
const conditions: BreakerConditions = {
  windowTokens: 8192,
  model: 'ollama/a',
  profileId: 'default',
  toolsFingerprint: 'x',
  contextTokens: 7500,
};
function decision(more: Partial<DecisionInput> = {}): DecisionInput {
  const built = history();
  for (let index = 0; index < 10; index++) built.user(`question ${index}`).assistant('a'.repeat(2800));
  return {
    trigger: 'preturn',
    settings: defaultCompressionSettings,
    context: built.messages,
    tokens: 7500,
    waitingImages: { tokens: 0, isShutOut: false },
    fixedTokens: 400,
    priceOf,
    isTruncated: false,
    breaker: null,
    conditions,
    ...more,
  };
}
const reasonOf = (input: DecisionInput) => {
  const decided = decideCompression(input);
  return decided.kind === 'skip' ? decided.reason : 'compress';
};

describe('the decision', () => {
  it('compresses from 90 % of the window on', () => {
    expect(triggerTokens(8192, defaultCompressionSettings)).toBe(7372);
    expect(reasonOf(decision({ tokens: 7372 }))).toBe('compress');
    expect(reasonOf(decision({ tokens: 7371 }))).toBe('below-trigger');
  });

  it('counts the images that wait, and makes room for those that history alone keeps away', () => {
    const images = (tokens: number, isShutOut = false) => ({ tokens, isShutOut });
    expect(reasonOf(decision({ tokens: 6372, waitingImages: images(1000) }))).toBe('compress');
    expect(reasonOf(decision({ tokens: 6371, waitingImages: images(1000) }))).toBe('below-trigger');
    expect(reasonOf(decision({ tokens: 6371, waitingImages: images(1000, true) }))).toBe('compress');
    // What is kept leaves them their place.
    const keptTurns = (tokens: number) => planFor(decision({ waitingImages: images(tokens) }), false);
    expect(keptTurns(0)).toMatchObject({ kind: 'plan', keptTurns: 4 });
    expect(keptTurns(3000)).toMatchObject({ kind: 'plan', keptTurns: 2 });
  });

  it('weighs images by what could be shown of them at all', () => {
    const room = { windowTokens: 10_000, triggerTokens: 9000, fixedTokens: 1000 };
    const weigh = (contextTokens: number, ...prices: number[]) =>
      weighWaiting(
        prices.map((tokens, index) => ({ id: `${index}`, tokens })),
        { ...room, contextTokens },
      );
    expect(weigh(5000, 1000, 1000)).toEqual({ tokens: 2000, isShutOut: false });
    expect(weigh(7500, 1000, 1000)).toEqual({ tokens: 2000, isShutOut: true });
    // One of the two is seen, and the other can be asked for.
    expect(weigh(6500, 1000, 1000)).toEqual({ tokens: 2000, isShutOut: false });
    // No compression lets these be seen: images alone never cause one.
    expect(weigh(7500, 7001)).toEqual({ tokens: 0, isShutOut: false });
    expect(weigh(1000, ...Array<number>(20).fill(1000)).tokens).toBe(7000);
    expect(weigh(7500)).toEqual({ tokens: 0, isShutOut: false });
  });

  it('compresses after a truncated prompt whatever the count says, unless the breaker is open', () => {
    expect(reasonOf(decision({ tokens: 4000, isTruncated: true, trigger: 'postturn' }))).toBe('compress');
    const breaker: Breaker = { reason: 'no-progress', openedUnder: { ...conditions, contextTokens: 7400 } };
    expect(reasonOf(decision({ isTruncated: true, trigger: 'postturn', breaker }))).toBe('breaker-open');
  });

  it('lets a forced pass through switch, threshold and breaker, and refuses it in words when there is nothing to do', () => {
    const breaker: Breaker = { reason: 'fixed-overhead', openedUnder: conditions };
    const settings = { ...defaultCompressionSettings, isEnabled: false };
    expect(reasonOf(decision({ trigger: 'forced', tokens: 100, breaker, settings }))).toBe('compress');
    expect(reasonOf(decision({ trigger: 'forced', context: [] }))).toBe('nothing-to-compress');
    expect(reasonOf(decision({ trigger: 'forced', context: history().user('hi').assistant('hello').messages }))).toBe(
      'nothing-to-compress',
    );
    const few = history().user('one').assistant('a').user('two').assistant('b');
    expect(reasonOf(decision({ trigger: 'forced', context: few.messages }))).toBe('compress');
    expect(reasonOf(decision({ settings }))).toBe('disabled');
  });

  it('widens the second attempt', () => {
    const first = planFor(decision(), false);
    const second = planFor(decision(), true);
    if (first.kind !== 'plan' || second.kind !== 'plan') throw new Error('no plan');
    expect(second.toSummarise.length).toBeLessThan(first.toSummarise.length);
    expect(second.tokensKept).toBeLessThan(triggerTokens(8192, defaultCompressionSettings));
  });

  it('takes the settings of the profile', () => {
    const settings = withOverrides(defaultCompressionSettings, { keepRecentTurns: 12 });
    expect(settings.keepRecentTurns).toBe(12);
    expect(settings.summaryMaxTokens).toBe(6000);
    expect(keepRecentMessages(settings)).toBe(24);
    expect(keepRecentMessages(defaultCompressionSettings)).toBe(12);
  });

  it('its dry run and the real thing never differ', () => {
    fc.assert(
      fc.property(
        contexts,
        fc.integer({ min: 500, max: 20_000 }),
        fc.boolean(),
        (context, windowTokens, isTruncated) => {
          const tokens = 400 + context.reduce((sum, message) => sum + priceOf(message), 0);
          const input = decision({
            context,
            tokens,
            isTruncated,
            conditions: { ...conditions, windowTokens, contextTokens: tokens },
          });
          const decided = decideCompression(input);
          expect(wouldCompress(input)).toBe(decided.kind === 'compress');
          if (decided.kind === 'compress') expect(planFor(input, false)).toEqual(decided.plan);
        },
      ),
    );
  });
});

describe('the breaker', () => {
  const limits = { triggerTokens: 29_491, conditions: { ...conditions, windowTokens: 32_768, contextTokens: 31_000 } };

  it('opens on 29k of fixed overhead in a 32k window after one pass, and the next step does not try again', () => {
    const breaker = breakerAfter({ kind: 'compressed', tokensAfter: 29_300 }, { ...limits, fixedTokens: 29_000 });
    expect(breaker?.reason).toBe('no-progress');
    const next = { ...limits.conditions, contextTokens: 29_700 };
    expect(isBreakerOpen(breaker, next)).toBe(true);
    expect(isBreakerOpen(breaker, { ...next, contextTokens: 29_300 + 3277 })).toBe(false);
  });

  it('opens without any pass where the prompt without a message is too large already', () => {
    const decided = decideCompression(
      decision({
        tokens: 32_000,
        fixedTokens: 31_000,
        conditions: { ...conditions, windowTokens: 32_768, contextTokens: 32_000 },
      }),
    );
    expect(decided).toEqual({ kind: 'skip', reason: 'fixed-overhead', breaker: 'fixed-overhead' });
  });

  it('ends the loop of case A02: floor above the trigger, pass after pass', () => {
    let breaker: Breaker = null;
    let passes = 0;
    for (let contextTokens = 44_000; contextTokens < 46_000; contextTokens += 100) {
      const now = { ...conditions, windowTokens: 65_536, contextTokens };
      if (isBreakerOpen(breaker, now)) continue;
      passes += 1;
      breaker = breakerAfter(
        { kind: 'compressed', tokensAfter: 43_000 },
        { triggerTokens: 33_536, fixedTokens: 20_000, conditions: now },
      );
    }
    expect(passes).toBe(1);
  });

  it('opens when a pass was discarded and closes when one succeeded', () => {
    expect(breakerAfter({ kind: 'discarded' }, { ...limits, fixedTokens: 2000 })?.reason).toBe('no-progress');
    expect(breakerAfter({ kind: 'discarded' }, { ...limits, fixedTokens: 29_600 })?.reason).toBe('fixed-overhead');
    expect(breakerAfter({ kind: 'compressed', tokensAfter: 20_000 }, { ...limits, fixedTokens: 2000 })).toBeNull();
  });

  it.each(['windowTokens', 'model', 'profileId', 'toolsFingerprint'] as const)(
    'allows a new attempt when %s changes',
    (key) => {
      const breaker: Breaker = { reason: 'no-progress', openedUnder: conditions };
      expect(isBreakerOpen(breaker, conditions)).toBe(true);
      expect(isBreakerOpen(breaker, { ...conditions, [key]: key === 'windowTokens' ? 16_384 : 'other' })).toBe(false);
    },
  );

  it('gives a context that has outgrown the window one pass, not one per step', () => {
    const opened: Breaker = { reason: 'no-progress', openedUnder: { ...conditions, contextTokens: 5900 } };
    const over = { ...conditions, contextTokens: 6200 };
    expect(isBreakerOpen(opened, over, 6144)).toBe(false);
    const again = breakerAfter({ kind: 'discarded' }, { triggerTokens: 5000, fixedTokens: 100, conditions: over });
    expect(isBreakerOpen(again, { ...over, contextTokens: 6300 }, 6144)).toBe(true);
  });
});

describe('the size guard', () => {
  it('reserves 2,048 tokens for the answer, a quarter of a small window', () => {
    expect(outputReserve(32_768, 2048)).toBe(2048);
    expect(outputReserve(1000, 2048)).toBe(250);
    expect(checkContextSize(750, 1000, 2048)).toEqual({ fits: true, limitTokens: 750 });
    expect(checkContextSize(751, 1000, 2048)).toEqual({ fits: false, limitTokens: 750, excessTokens: 1 });
  });

  it('finds the largest view with which one unsplittable step fits', () => {
    const tokensWith = (budget: number) => 500 + 10 * budget;
    expect(fitMessageBudget(1365, 6144, tokensWith)).toBe(341);
    expect(fitMessageBudget(100, 6144, tokensWith)).toBe(MIN_MESSAGE_BUDGET_TOKENS);
    expect(fitMessageBudget(1365, 1000, tokensWith)).toBeNull();
  });
});

describe('truncated prompts', () => {
  const sent = (tokens: number, source: 'real' | 'calibrated' | 'estimated' = 'calibrated') => ({ tokens, source });

  it('are told by a count below 70 % of what was sent', () => {
    const base = { floorTokens: 0, windowTokens: 8192 };
    expect(isPromptTruncated({ ...base, reportedTokens: 4100, sent: sent(7000) })).toBe(true);
    expect(isPromptTruncated({ ...base, reportedTokens: 4900, sent: sent(7000) })).toBe(false);
    expect(isPromptTruncated({ ...base, reportedTokens: 2000, sent: sent(3000) })).toBe(false);
  });

  it('are not seen in the first English prompts, which chars / 1.8 overrates by 2.5', () => {
    const text = 'The quick brown fox jumps over the lazy dog. '.repeat(360);
    const estimated = sent(Math.ceil(text.length / 1.8), 'estimated');
    const honest = Math.ceil(text.length / 4.4);
    expect(honest).toBeLessThan(estimated.tokens * 0.7);
    const input = { sent: estimated, floorTokens: floorTokens(text), windowTokens: 8192 };
    expect(isPromptTruncated({ ...input, reportedTokens: honest })).toBe(false);
  });

  it.each([
    ['English', 'The quick brown fox jumps over the lazy dog. '.repeat(1000)],
    ['Russian', 'Съешь же ещё этих мягких французских булок. '.repeat(700)],
    ['Chinese', '今天天气很好我们一起去公园散步吧'.repeat(900)],
  ])('are seen without any calibration in %s, when half a window is reported for more than one', (_, text) => {
    const estimated = sent(Math.ceil(text.length / 1.8), 'estimated');
    expect(
      isPromptTruncated({ reportedTokens: 4100, sent: estimated, floorTokens: floorTokens(text), windowTokens: 8192 }),
    ).toBe(true);
  });
});

/** When a compression begins. One function for all four triggers; its dry run is the same function. */
import type { Message } from '../../messages/schema';
import type { WaitingImages } from './admit-images';
import { type Breaker, type BreakerConditions, type BreakerReason, isBreakerOpen, isOverheadTooLarge } from './breaker';
import { type CompressionPlan, planCompression } from './partition';
import { type CompressionSettings, type CompressionTrigger, keepRecentMessages, triggerTokens } from './settings';
import { outputReserve } from './size-guard';

/** A failed attempt is repeated with so many times the kept turns and messages: less to summarise, an easier task. */
const WIDER_KEEP_FACTOR = 2;
/** And the kept part may then fill this share of the window: still below the trigger of 0.9. */
const WIDER_TARGET_SHARE = 0.8;

export interface DecisionInput {
  trigger: CompressionTrigger;
  settings: CompressionSettings;
  /** In context order. */
  context: readonly Message[];
  /** Tokens of the next prompt: baseline and delta, without images that wait. */
  tokens: number;
  /** Images of an incoming message, or of a tool's result, that are to be decided on right after this. */
  waitingImages: WaitingImages;
  /** Tokens of everything in the prompt that no compression removes: profile prompt, tools, template. */
  fixedTokens: number;
  priceOf(message: Message): number;
  /** The last prompt was cut by the server: its count says nothing, the threshold could never see it. */
  isTruncated: boolean;
  breaker: Breaker;
  conditions: BreakerConditions;
}

export type SkipReason =
  | 'disabled'
  | 'below-trigger'
  | 'breaker-open'
  /** Without any message the prompt is already too large: no pass could help. Opens the breaker; the person is told. */
  | 'fixed-overhead'
  | 'nothing-to-compress';

export type Decision =
  | { kind: 'compress'; plan: CompressionPlan }
  | { kind: 'skip'; reason: SkipReason; breaker?: BreakerReason };

/**
 * Decides. Order of the rules: a forced pass asks nobody; the switch; an open breaker, which outranks the truncated flag;
 * the trigger, which counts waiting images and gives way to those that history alone keeps away (they are admitted up to 0.8
 * of the window only, below the trigger); fixed overhead; whether the partition can take anything out. Overhead between the trigger and the limit of
 * the size guard allows one pass, which may just make room; `breakerAfter` then sees to it that there is no second.
 */
export function decideCompression(input: DecisionInput): Decision {
  if (input.trigger === 'forced') return planOrSkip(input);
  if (!input.settings.isEnabled) return { kind: 'skip', reason: 'disabled' };
  const { windowTokens } = input.conditions;
  const limit = windowTokens - outputReserve(windowTokens, input.settings.outputReserveTokens);
  if (isBreakerOpen(input.breaker, input.conditions, limit)) return { kind: 'skip', reason: 'breaker-open' };
  const { waitingImages } = input;
  const isBelow = input.tokens + waitingImages.tokens < triggerTokens(windowTokens, input.settings);
  if (isBelow && !waitingImages.isShutOut && !input.isTruncated) return { kind: 'skip', reason: 'below-trigger' };
  if (isOverheadTooLarge(input.fixedTokens, limit)) {
    return { kind: 'skip', reason: 'fixed-overhead', breaker: 'fixed-overhead' };
  }
  return planOrSkip(input);
}

/** The dry run of seed 004: whether a pass would begin. Announce nothing before this says yes. */
export const wouldCompress = (input: DecisionInput): boolean => decideCompression(input).kind === 'compress';

/** The plan of one attempt. `widen` keeps twice as much, for the attempt after a summariser that failed. */
export function planFor(input: DecisionInput, widen: boolean): ReturnType<typeof planCompression> {
  const factor = widen ? WIDER_KEEP_FACTOR : 1;
  const plan = (keepRecentTurns: number) =>
    planCompression({
      context: input.context,
      windowTokens: input.conditions.windowTokens,
      targetShare: widen ? Math.max(input.settings.targetShare, WIDER_TARGET_SHARE) : input.settings.targetShare,
      keepRecentTurns,
      keepRecentMessages: keepRecentMessages(input.settings) * factor,
      // What waits needs its place beside what is kept.
      fixedTokens: input.fixedTokens + input.waitingImages.tokens,
      priceOf: input.priceOf,
    });
  const planned = plan(input.settings.keepRecentTurns * factor);
  // Who asks for it with few turns in the context wants those compressed, all but the newest.
  return planned.kind === 'nothing' && input.trigger === 'forced' ? plan(1) : planned;
}

function planOrSkip(input: DecisionInput): Decision {
  const plan = planFor(input, false);
  return plan.kind === 'plan' ? { kind: 'compress', plan } : { kind: 'skip', reason: 'nothing-to-compress' };
}

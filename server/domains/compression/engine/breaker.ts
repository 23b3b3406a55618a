/**
 * Stops automatic compression where it cannot help: 29k of fixed overhead in a 32k window would otherwise be compressed
 * before every step, 20 times a minute (cases A01, A02).
 */

/** What a pass was judged under. When any of it changes, the next pass may go better. */
export interface BreakerConditions {
  windowTokens: number;
  model: string;
  profileId: string;
  /** Changes whenever a tool is added, removed or described otherwise. */
  toolsFingerprint: string;
  /** Tokens of the context. */
  contextTokens: number;
}

export type BreakerReason = 'fixed-overhead' | 'no-progress';

/** Null while closed. Kept with the session, so that a restart does not begin the loop again. */
export type Breaker = { reason: BreakerReason; openedUnder: BreakerConditions } | null;

/** Share of the window that must be added before a new attempt (product §5). */
const REOPENING_SHARE = 0.1;

/** Whether what cannot be compressed is over the trigger by itself. */
export const isOverheadTooLarge = (fixedTokens: number, triggerTokens: number): boolean => fixedTokens >= triggerTokens;

/** A pass that ends closer to the trigger than this share of the window made no lasting progress. */
const MIN_HEADROOM_SHARE = 0.05;

/**
 * Whether automatic passes are held back now. A forced one never is. A context that has grown over `limitTokens` (the size
 * guard's) since the breaker opened gets one more pass: without it no call could be made at all.
 */
export function isBreakerOpen(
  breaker: Breaker,
  now: BreakerConditions,
  limitTokens = Number.POSITIVE_INFINITY,
): boolean {
  if (breaker === null) return false;
  const then = breaker.openedUnder;
  if (then.contextTokens <= limitTokens && now.contextTokens > limitTokens) return false;
  const isSame =
    then.windowTokens === now.windowTokens &&
    then.model === now.model &&
    then.profileId === now.profileId &&
    then.toolsFingerprint === now.toolsFingerprint;
  return isSame && now.contextTokens - then.contextTokens < now.windowTokens * REOPENING_SHARE;
}

/**
 * The breaker after a pass has ended. It opens when the pass changed nothing (`discarded`), or left the context at, over or
 * right below the trigger; success closes it.
 */
export function breakerAfter(
  result: { kind: 'compressed'; tokensAfter: number } | { kind: 'discarded' },
  input: { fixedTokens: number; triggerTokens: number; conditions: BreakerConditions },
): Breaker {
  const reason = isOverheadTooLarge(input.fixedTokens, input.triggerTokens) ? 'fixed-overhead' : 'no-progress';
  if (result.kind === 'discarded') return { reason, openedUnder: input.conditions };
  const headroomTokens = input.conditions.windowTokens * MIN_HEADROOM_SHARE;
  if (result.tokensAfter < input.triggerTokens - headroomTokens) return null;
  return { reason, openedUnder: { ...input.conditions, contextTokens: result.tokensAfter } };
}

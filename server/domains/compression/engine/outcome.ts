/**
 * The outcome decides (product §5): after a compression the tokens are counted afresh, and a result that is not smaller is
 * thrown away. Others accepted 737,820 → 1,475,805 tokens (case A03).
 */

export type OutcomeVerdict =
  | { isAccepted: true; savedTokens: number; isBelowTrigger: boolean }
  | { isAccepted: false; reason: 'not-smaller' };

/** A saving below this share of the context is no progress: the trigger would fire again at the next message. */
const MIN_SAVED_SHARE = 0.02;

/** Judges a finished candidate. Both counts are of whole prompts, by the same estimator. */
export function judgeOutcome(input: {
  tokensBefore: number;
  tokensAfter: number;
  triggerTokens: number;
}): OutcomeVerdict {
  const savedTokens = input.tokensBefore - input.tokensAfter;
  if (savedTokens <= 0 || savedTokens < input.tokensBefore * MIN_SAVED_SHARE)
    return { isAccepted: false, reason: 'not-smaller' };
  return { isAccepted: true, savedTokens, isBelowTrigger: input.tokensAfter < input.triggerTokens };
}

/** Whether the latest compression may be undone: the context it restores must still leave room for an answer. */
export function canUndo(input: {
  tokensRestored: number;
  limitTokens: number;
  isLatest: boolean;
  isUndone: boolean;
}): boolean {
  return input.isLatest && !input.isUndone && input.tokensRestored <= input.limitTokens;
}

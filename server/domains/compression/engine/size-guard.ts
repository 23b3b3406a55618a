/** The check before every model call: does the prompt leave room for an answer? (Seed 004, "Context size guard".) */

/** The reserve takes at most this share of the window, so that a small window does not fail every check. */
const MAX_RESERVE_SHARE = 0.25;

/** Tokens kept free for the answer. */
export function outputReserve(windowTokens: number, reserveTokens: number): number {
  return Math.min(reserveTokens, Math.floor(windowTokens * MAX_RESERVE_SHARE));
}

export type SizeVerdict =
  | { fits: true; limitTokens: number }
  /** `excessTokens` is what must go. Becomes a readable card, never a raw error. */
  | { fits: false; limitTokens: number; excessTokens: number };

/** Judges the estimated size of the next prompt, everything in it counted. */
export function checkContextSize(tokens: number, windowTokens: number, reserveTokens: number): SizeVerdict {
  const limitTokens = windowTokens - outputReserve(windowTokens, reserveTokens);
  return tokens <= limitTokens
    ? { fits: true, limitTokens }
    : { fits: false, limitTokens, excessTokens: tokens - limitTokens };
}

/** The smallest view of one message that still says something, in tokens. */
export const MIN_MESSAGE_BUDGET_TOKENS = 128;

/**
 * The largest view of one message, halved step by step, with which a prompt fits; null when even the smallest is too much.
 * This is the way out for one step whose results, which cannot be parted, are together larger than the window.
 */
export function fitMessageBudget(
  budgetTokens: number,
  limitTokens: number,
  tokensWith: (budgetTokens: number) => number,
): number | null {
  for (let budget = budgetTokens; ; budget = Math.floor(budget / 2)) {
    const tried = Math.max(budget, MIN_MESSAGE_BUDGET_TOKENS);
    if (tokensWith(tried) <= limitTokens) return tried;
    if (tried === MIN_MESSAGE_BUDGET_TOKENS) return null;
  }
}

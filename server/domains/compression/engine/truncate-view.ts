/**
 * The view of one message that the model is sent. The stored message stays whole (product §13); only the view is cut, so
 * that one huge tool result cannot fill the window (seed 004, "What is counted is the view").
 */
import { FALLBACK_CHARS_PER_TOKEN } from './calibration';
import { takeHead, takeTail } from './cut-text';

/** Characters per token when nothing better is known (`calibration.ts`). */
export const CHARS_PER_TOKEN = FALLBACK_CHARS_PER_TOKEN;
/** Without a set budget one message may take this part of the window (seed 004, `context_message_token_budget` = 0). */
const WINDOW_SHARE = 6;
/** How much of what is kept comes from the beginning: there the subject stands, at the end the outcome. */
const HEAD_SHARE = 2 / 3;

/** Tokens that one message may take. `configuredTokens` 0 means automatic. */
export function messageBudgetTokens(windowTokens: number, configuredTokens: number): number {
  return configuredTokens > 0 ? configuredTokens : Math.floor(windowTokens / WINDOW_SHARE);
}

/** Cuts the middle out of `text` when it is longer than the budget, and says how much is missing. */
export function truncateView(text: string, budgetTokens: number): string {
  const limit = Math.max(200, Math.floor(budgetTokens * CHARS_PER_TOKEN));
  if (text.length <= limit) return text;
  const head = takeHead(text, Math.floor(limit * HEAD_SHARE));
  const tail = takeTail(text, limit - head.length);
  const missing = text.length - head.length - tail.length;
  return `${head}\n[… ${missing} characters left out here; the whole text is stored …]\n${tail}`;
}

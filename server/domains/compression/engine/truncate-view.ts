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

/** Shortest view, in characters: the note and some words on both sides. */
const SHORTEST_VIEW_CHARS = 200;

const note = (missing: number) => `\n[… ${missing} characters left out here; the whole text is stored …]\n`;

/** Cuts the middle out of `text` when it is longer than the budget, and says how much is missing. Never longer than `text`. */
export function truncateView(text: string, budgetTokens: number): string {
  const limit = Math.max(SHORTEST_VIEW_CHARS, Math.floor(budgetTokens * CHARS_PER_TOKEN));
  if (text.length <= limit) return text;
  const room = limit - note(text.length).length;
  const head = takeHead(text, Math.floor(room * HEAD_SHARE));
  const tail = takeTail(text, room - head.length);
  return head + note(text.length - head.length - tail.length) + tail;
}

/** Fits the formatted history into what one call of the summariser can really read (seed 004, step 4). */
import { cutMiddle } from './cut-text';
import type { FormattedEntry } from './format';

/** Most characters of one summariser input. */
export const MAX_SUMMARY_INPUT_CHARS = 32_000;
/**
 * Share of the oldest messages in what is kept of a longer input; the rest are the messages next to the kept part. A cut
 * that only kept the head silently dropped the newest work.
 */
const HEAD_SHARE = 0.75;
/** Most parts of a context that is already over the window; each is one call. */
export const MAX_SUMMARY_PARTS = 4;
/** Of a small window, the share that the input of a summary may take; the rest is for instructions and the answer. */
const SMALL_WINDOW_SHARE = 0.6;
/** A summary needs no more output than this share of the window: at 8k and below the configured limit would not fit. */
const OUTPUT_SHARE = 0.25;
const SEPARATOR = '\n\n';

/** Tokens that the summary itself may take: the configured limit, at most a quarter of the window. */
export function summaryOutputTokens(windowTokens: number, summaryMaxTokens: number): number {
  return Math.max(256, Math.min(summaryMaxTokens, Math.floor(windowTokens * OUTPUT_SHARE)));
}

/**
 * Characters that one input may have: 32,000, less where the window is small. A prompt larger than the window would be cut
 * by the server without a word, and the summary would speak of half the history. Images sent along take their room of it.
 */
export function summaryInputChars(windowTokens: number, tokensPerChar: number, imageTokens = 0): number {
  const room = Math.floor((windowTokens * SMALL_WINDOW_SHARE - imageTokens) / tokensPerChar);
  return Math.max(1000, Math.min(MAX_SUMMARY_INPUT_CHARS, room));
}

/**
 * The inputs of the summariser, at least one unless there is nothing to say. `maxParts` 1 gives one input, as the seed
 * does; a context already over the window is given several (product §5). When it does not fit, previews of the oldest tool
 * results shrink first, then the middle of what is left is cut 75 / 25.
 */
export function toSummaryInputs(entries: readonly FormattedEntry[], maxChars: number, maxParts = 1): string[] {
  if (entries.length === 0) return [];
  const texts = shrinkOldest(entries, maxChars * maxParts);
  const parts: string[][] = [[]];
  let length = 0;
  for (const text of texts) {
    const current = parts[parts.length - 1];
    if (current === undefined) break;
    const isFull = length > 0 && length + SEPARATOR.length + text.length > maxChars;
    if (isFull && parts.length < maxParts) {
      parts.push([text]);
      length = text.length;
    } else {
      current.push(text);
      length += (length > 0 ? SEPARATOR.length : 0) + text.length;
    }
  }
  return parts.map((part) => cutMiddle(part.join(SEPARATOR), maxChars, HEAD_SHARE));
}

function shrinkOldest(entries: readonly FormattedEntry[], maxChars: number): string[] {
  let excess = entries.reduce((sum, entry) => sum + entry.text.length + SEPARATOR.length, -SEPARATOR.length) - maxChars;
  return entries.map((entry) => {
    if (excess <= 0 || entry.shortText === null) return entry.text;
    excess -= entry.text.length - entry.shortText.length;
    return entry.shortText;
  });
}

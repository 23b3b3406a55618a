/**
 * Ollama does not refuse a prompt larger than `num_ctx`: it evaluates about half a window of it, without the head, and
 * reports only that. Believing such a count pinned the meter at 50 % while the model never saw its system prompt (seed 004,
 * "Truncated prompts").
 */
import type { TokenSource } from './calibration';

/** A report below this share of what was sent is of another prompt (seed 004, `_TRUNCATION_RATIO`). */
export const TRUNCATION_RATIO = 0.7;
/**
 * Servers cut only what is over the window, so a prompt that was honestly estimated far below it was not cut, whatever the
 * report says. A cut leaves about half a window; half of it over the ratio is 0.71.
 */
const MIN_WINDOW_SHARE = 0.6;
/** Plain English, the thinnest ordinary text, has up to so many characters per token (product §13: 4.1 to 4.8). */
const THINNEST_CHARS_PER_TOKEN = 4.8;
/** Characters of Chinese, Japanese and Korean take at least so many tokens each. */
const WIDE_TOKENS_PER_CHAR = 0.45;

const wideCharacter = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g;

/** What any tokenizer would count at least for a text: the check on a report while no line knows the model. */
export function floorTokens(text: string): number {
  const wide = text.match(wideCharacter)?.length ?? 0;
  return Math.floor((text.length - wide) / THINNEST_CHARS_PER_TOKEN + wide * WIDE_TOKENS_PER_CHAR);
}

/**
 * Whether the provider evaluated only a part of the prompt. A known line or baseline is trusted as the seed does. Without
 * one the fallback of chars / 1.8 is 2.5 times too high for English: by the ratio alone every first English prompt would
 * look truncated, nothing would ever be recorded, and no line would ever be learned. There the text's own floor decides.
 */
export function isPromptTruncated(input: {
  reportedTokens: number;
  /** The estimate of what was sent. */
  sent: { tokens: number; source: TokenSource };
  /** `floorTokens` of the prompt's text. */
  floorTokens: number;
  windowTokens: number;
}): boolean {
  const { reportedTokens, sent, windowTokens } = input;
  if (reportedTokens <= 0 || sent.tokens < windowTokens * MIN_WINDOW_SHARE) return false;
  if (reportedTokens >= sent.tokens * TRUNCATION_RATIO) return false;
  return sent.source === 'estimated' ? reportedTokens < input.floorTokens : true;
}

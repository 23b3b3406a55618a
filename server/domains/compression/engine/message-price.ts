/**
 * Prices of messages, in tokens of the view that the model is sent: after truncation, with calls, without what is never
 * sent (thinking, metadata). Pricing the stored text instead made gates fire for work that no partition could do, and
 * ended runs over prompts that no model received (seed 004).
 */
import type { Attachment, Message } from '../../messages/schema';
import type { Calibration, TokenSource } from './calibration';
import { truncateView } from './truncate-view';

export interface PriceList {
  calibration: Calibration;
  /** View of one message, in tokens (`messageBudgetTokens` of truncate-view). */
  messageBudgetTokens: number;
  /** Price of an attached image; the caller knows their headers. */
  imageTokens(image: Attachment): number;
}

/** Prices things in tokens. `message` remembers: a context is priced many times while it is partitioned. */
export interface Estimator {
  /** One message inside a prompt. */
  message(message: Message): number;
  /** All messages, without what every prompt carries. */
  messages(messages: readonly Message[]): number;
  /** Characters of messages as the calibration must be told them: the measure that `message` prices. */
  chars(messages: readonly Message[]): number;
  /** A text that stands in a prompt. */
  text(text: string): number;
  /** What every prompt carries beyond its characters; 0 while nothing is known. */
  overheadTokens: number;
  tokensPerChar: number;
  source: Exclude<TokenSource, 'real'>;
}

/** Roles, separators and call ids of one message in a chat template, in characters: about four tokens. */
const MESSAGE_FRAME_CHARS = 12;

/** Characters of one message as the model sees it. */
export function viewChars(message: Message, messageBudgetTokens: number): number {
  // A summary is sent whole: it is short by its own limit, and its middle is as much worth as its ends.
  const shown = message.isSummary ? message.content : truncateView(message.content, messageBudgetTokens);
  let chars = MESSAGE_FRAME_CHARS + shown.length;
  for (const call of message.toolCalls ?? []) {
    chars += call.name.length + JSON.stringify(call.arguments ?? {}).length;
  }
  return chars;
}

/** An estimator for one model at one moment. */
export function createEstimator(prices: PriceList): Estimator {
  const { calibration, messageBudgetTokens, imageTokens } = prices;
  const known = new WeakMap<Message, number>();
  const priceOf = (message: Message): number => {
    const text = viewChars(message, messageBudgetTokens) * calibration.tokensPerChar;
    const images = (message.images ?? []).reduce((sum, image) => sum + imageTokens(image), 0);
    return Math.ceil(text) + images;
  };
  const message = (one: Message): number => {
    const before = known.get(one);
    if (before !== undefined) return before;
    const price = priceOf(one);
    known.set(one, price);
    return price;
  };
  return {
    message,
    messages: (list) => list.reduce((sum, one) => sum + message(one), 0),
    chars: (list) => list.reduce((sum, one) => sum + viewChars(one, messageBudgetTokens), 0),
    text: (text) => Math.ceil(text.length * calibration.tokensPerChar),
    overheadTokens: Math.ceil(calibration.overheadTokens),
    tokensPerChar: calibration.tokensPerChar,
    source: calibration.source,
  };
}

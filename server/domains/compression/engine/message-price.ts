/**
 * Prices of messages, in tokens of the view that the model is sent: after truncation, with calls, without what is never
 * sent (thinking, metadata). Pricing the stored text instead made gates fire for work that no partition could do, and
 * ended runs over prompts that no model received (seed 004).
 */
import type { Attachment, Message } from '../../messages/schema';
import type { Calibration, TokenSource } from './calibration';
import { truncateView } from './truncate-view';

/** What of a message has a price. */
export type PricedMessage = Pick<Message, 'content' | 'isSummary' | 'toolCalls' | 'files' | 'images' | 'metadata'>;

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
  message(message: PricedMessage): number;
  /** All messages, without what every prompt carries. */
  messages(messages: readonly PricedMessage[]): number;
  /** Characters of messages as the calibration must be told them: the measure that `message` prices. */
  chars(messages: readonly PricedMessage[]): number;
  /** A text that stands in a prompt. */
  text(text: string): number;
  /** What every prompt carries beyond its characters; 0 while nothing is known. */
  overheadTokens: number;
  tokensPerChar: number;
  source: Exclude<TokenSource, 'real'>;
}

/** Roles, separators and call ids of one message in a chat template, in characters: about four tokens. */
const MESSAGE_FRAME_CHARS = 12;

/** Around the names of one attachment in the notice that the model reads: its path, the words beside it. In characters. */
const ATTACHMENT_NOTICE_CHARS = 80;

/** The tags around a summary and around what was recalled, in characters. */
const CONTEXT_TAGS_CHARS = '<context>\n\n</context>'.length;

const NONE: readonly Attachment[] = [];

/** The images of a message that models are sent. Before that is decided, none: the decision wants to know what there is room for. */
export function sentImages({ images, metadata }: Pick<PricedMessage, 'images' | 'metadata'>): Attachment[] {
  // A whole history is priced at once, and hardly any message has one.
  if (images === null || metadata.imagesSent === undefined) return [];
  const sent = new Set(metadata.imagesSent);
  return images.filter((image) => sent.has(image.id));
}

/** Characters of one message as the model sees it. */
export function viewChars(message: PricedMessage, messageBudgetTokens: number): number {
  // A summary is sent whole: it is short by its own limit, and its middle is as much worth as its ends.
  const shown = message.isSummary ? message.content : truncateView(message.content, messageBudgetTokens);
  let chars = MESSAGE_FRAME_CHARS + shown.length;
  if (message.isSummary || message.metadata.source === 'memory_recall') chars += CONTEXT_TAGS_CHARS;
  for (const call of message.toolCalls ?? []) {
    chars += call.name.length + JSON.stringify(call.arguments ?? {}).length;
  }
  for (const attached of message.files ?? NONE) chars += ATTACHMENT_NOTICE_CHARS + attached.name.length;
  for (const attached of message.images ?? NONE) chars += ATTACHMENT_NOTICE_CHARS + attached.name.length;
  return chars;
}

/** An estimator for one model at one moment. */
export function createEstimator(prices: PriceList): Estimator {
  const { calibration, messageBudgetTokens, imageTokens } = prices;
  const known = new WeakMap<PricedMessage, number>();
  const priceOf = (message: PricedMessage): number => {
    const text = viewChars(message, messageBudgetTokens) * calibration.tokensPerChar;
    const images = sentImages(message).reduce((sum, image) => sum + imageTokens(image), 0);
    return Math.ceil(text) + images;
  };
  const message = (one: PricedMessage): number => {
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

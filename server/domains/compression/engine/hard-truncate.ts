/**
 * The last resort, without a model: the oldest turns leave until the rest fits half of the window (seed 004,
 * `_hard_truncate`). What leaves stays searchable, and a note made of its breadcrumbs says what it was about.
 */
import type { Message } from '../../messages/schema';
import { groupTurns, turnMessages } from './turns';

/** Share of the window that the context may take afterwards (seed 004). */
export const HARD_TRUNCATE_SHARE = 0.5;
/** Share of that budget that earlier summaries may keep: they are the only trace of the first epoch in the context. */
const SUMMARY_SHARE = 0.5;

export interface HardTruncation {
  /** What leaves, in order of sequence. Empty when nothing can. */
  dropped: Message[];
  /** What stays, in context order. */
  kept: Message[];
  /** Fixed tokens included. */
  tokensKept: number;
  /** False when the fixed part and the newest unit alone are over the budget. */
  fits: boolean;
}

/**
 * Keeps, newest first, what fits: whole turns, and of the newest turn its request with whole units. The newest unit and the
 * newest request stay whatever they cost. Earlier summaries are kept newest first within their share.
 */
export function hardTruncate(input: {
  context: readonly Message[];
  windowTokens: number;
  /** Tokens of everything in the prompt that no compression removes. */
  fixedTokens: number;
  priceOf(message: Message): number;
}): HardTruncation {
  const budgetTokens = Math.floor(input.windowTokens * HARD_TRUNCATE_SHARE) - input.fixedTokens;
  const { summaries, recalls, turns } = groupTurns(input.context);
  const price = (messages: readonly Message[]) => messages.reduce((sum, message) => sum + input.priceOf(message), 0);
  const kept = new Set<Message>();
  let total = 0;
  const keep = (messages: readonly Message[]) => {
    for (const message of messages) kept.add(message);
    total += price(messages);
  };

  const newest = turns[turns.length - 1];
  const units = newest?.units ?? [];
  if (newest?.request != null) keep(units[0]?.messages ?? []);
  for (let index = units.length - 1; index >= 0; index--) {
    const messages = units[index]?.messages ?? [];
    if (messages.every((message) => kept.has(message))) continue;
    if (index < units.length - 1 && total + price(messages) > budgetTokens) break;
    keep(messages);
  }
  const reserve = Math.min(price(summaries), Math.floor(Math.max(0, budgetTokens) * SUMMARY_SHARE));
  for (let index = turns.length - 2; index >= 0; index--) {
    const turn = turns[index];
    if (turn === undefined || total + price(turnMessages(turn)) > budgetTokens - reserve) break;
    keep(turnMessages(turn));
  }
  const newestRequest = newest?.request?.sequenceNumber ?? 0;
  for (const extra of [...summaries].reverse()) {
    if (total + input.priceOf(extra) > budgetTokens) break;
    keep([extra]);
  }
  for (const recall of recalls) {
    if (recall.sequenceNumber > newestRequest && total + input.priceOf(recall) <= budgetTokens) keep([recall]);
  }
  return {
    dropped: input.context.filter((message) => !kept.has(message)),
    kept: input.context.filter((message) => kept.has(message)),
    tokensKept: total + input.fixedTokens,
    fits: total <= budgetTokens,
  };
}

/** Most breadcrumbs in the note; it must stay far smaller than what left. */
const NOTE_KEYS = 30;

/**
 * What stands in the context for messages that left without a summary: facts, not a placeholder. `breadcrumbs` are those
 * extracted from the dropped text.
 */
export function hardTruncationText(input: {
  first: number;
  last: number;
  messages: number;
  breadcrumbs: readonly string[];
}): string {
  const keys = input.breadcrumbs.slice(0, NOTE_KEYS);
  return [
    `[${input.messages} earlier messages (${input.first} to ${input.last}) left the context without a summary. Their exact text is stored: memory_search finds it, memory_read reads it.]`,
    ...(keys.length === 0 ? [] : [`They were about: ${keys.join(', ')}`]),
  ].join('\n');
}

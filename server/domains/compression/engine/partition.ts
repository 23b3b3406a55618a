/**
 * What leaves a context and what stays: the single decision point of a compression and of its dry run (seed 004,
 * `_plan_compression`), so that the prediction and the real thing cannot drift apart. Linear in the number of messages.
 */
import type { Message } from '../../messages/schema';
import { FILLER_UP_TO, IMPORTANT_FROM, turnImportance } from './importance';
import { collectMessages, groupTurns, type Turn } from './turns';
import type { Unit } from './units';

export interface PartitionInput {
  /** In context order: summaries first, then by sequence. */
  context: readonly Message[];
  windowTokens: number;
  /** Share of the window that the kept part should fit. */
  targetShare: number;
  keepRecentTurns: number;
  /** Newest messages kept when one long turn is cut in its middle. */
  keepRecentMessages: number;
  /** Tokens of everything in the prompt that no compression removes: profile prompt, tools, template. */
  fixedTokens: number;
  /** Price of one message, in tokens. */
  priceOf(message: Message): number;
}

export interface CompressionPlan {
  kind: 'plan';
  /** `turns`: whole old turns; `intra-turn`: also the older part of the newest turn. */
  mode: 'turns' | 'intra-turn';
  /** What the summary replaces, earlier summaries first. Never empty. */
  toSummarise: Message[];
  /** Old recalled excerpts: they leave without a summary. */
  toDrop: Message[];
  /** What stays, in context order. */
  toKeep: Message[];
  /** Turns kept whole because they matter more than the filler they replaced, by the sequence of their request. */
  keptImportant: number[];
  /** Turns kept at the end, swapped ones included. */
  keptTurns: number;
  tokensToSummarise: number;
  /** Fixed tokens included. */
  tokensKept: number;
}

/** Nothing can leave: `empty` no messages; `only-recent` everything is the newest request or its newest units. */
export interface NothingToCompress {
  kind: 'nothing';
  reason: 'empty' | 'only-recent';
}

/** Newest messages kept when even the ordinary cut through a turn found nothing (seed 004). */
const LEAST_RECENT_MESSAGES = 2;
/** Most turns that importance may swap: the context must stay mostly recent. A quarter of the kept ones, at least one. */
const SWAP_SHARE = 4;

/** Plans a compression. Pure: the same input gives the same plan. */
export function planCompression(input: PartitionInput): CompressionPlan | NothingToCompress {
  if (input.context.length === 0) return { kind: 'nothing', reason: 'empty' };
  const { summaries, recalls, turns } = groupTurns(input.context);
  const targetTokens = Math.floor(input.windowTokens * input.targetShare);
  const prices = turns.map((turn) => turnPrice(turn, input.priceOf));

  const keptCount = fittingTurns(prices, Math.max(1, input.keepRecentTurns), targetTokens - input.fixedTokens);
  const kept = swapImportant(turns, prices, keptCount, targetTokens - input.fixedTokens);
  const old = turns.filter((_, index) => !kept.indices.has(index));
  const recent = turns.filter((_, index) => kept.indices.has(index));
  const recentTokens =
    input.fixedTokens + prices.reduce((total, price, at) => total + (kept.indices.has(at) ? price : 0), 0);

  const isTight = recentTokens > targetTokens;
  const newest = recent[recent.length - 1];
  // The newest turn alone is too large, or is the only one: its older part goes too.
  if (newest !== undefined && (isTight || (turns.length === 1 && summaries.length < 2))) {
    const others = recent.slice(0, -1);
    const cut = cutTurn(newest, input, targetTokens - sum(collectMessages(others), input.priceOf) - input.fixedTokens);
    if (cut !== null) {
      return finish(input, {
        mode: 'intra-turn',
        summaries,
        recalls,
        leaving: [...collectMessages(old), ...cut.older],
        staying: [...collectMessages(others), ...cut.newer],
        keptImportant: kept.important,
        keptTurns: recent.length,
      });
    }
  }
  const leaving = collectMessages(old);
  // Earlier summaries alone are worth a pass only when they can be merged into one.
  if (leaving.length === 0 && summaries.length < 2) return { kind: 'nothing', reason: 'only-recent' };
  return finish(input, {
    mode: 'turns',
    summaries,
    recalls,
    leaving,
    staying: collectMessages(recent),
    keptImportant: kept.important,
    keptTurns: recent.length,
  });
}

/** How many of the newest turns fit the budget: from `wanted` down to 1, which is kept whatever it costs. */
function fittingTurns(prices: readonly number[], wanted: number, budgetTokens: number): number {
  let count = 0;
  let total = 0;
  for (let index = prices.length - 1; index >= 0 && count < wanted; index--) {
    total += prices[index] ?? 0;
    if (count > 0 && total > budgetTokens) break;
    count += 1;
  }
  return count;
}

/** Gives the place of filler among the kept turns to the most important old ones, newest first among equals. */
function swapImportant(
  turns: readonly Turn[],
  prices: readonly number[],
  keptCount: number,
  budgetTokens: number,
): { indices: Set<number>; important: number[] } {
  const firstKept = turns.length - keptCount;
  const indices = new Set<number>();
  for (let index = firstKept; index < turns.length; index++) indices.add(index);
  const important: number[] = [];
  // The newest turn is the work in hand; it never gives way.
  const filler: number[] = [];
  for (let index = firstKept; index < turns.length - 1; index++) {
    const turn = turns[index];
    if (turn !== undefined && turnImportance(turn) <= FILLER_UP_TO) filler.push(index);
  }
  if (filler.length === 0) return { indices, important };
  const candidates: { index: number; score: number }[] = [];
  for (let index = 0; index < firstKept; index++) {
    const turn = turns[index];
    if (turn === undefined || turn.request === null) continue;
    const score = turnImportance(turn);
    if (score >= IMPORTANT_FROM) candidates.push({ index, score });
  }
  candidates.sort((a, b) => b.score - a.score || b.index - a.index);
  let total = 0;
  for (const index of indices) total += prices[index] ?? 0;
  const limit = Math.max(1, Math.floor(keptCount / SWAP_SHARE));
  for (const { index } of candidates) {
    const out = filler[0];
    if (out === undefined || important.length >= limit) break;
    const after = total - (prices[out] ?? 0) + (prices[index] ?? 0);
    if (after > budgetTokens) continue;
    filler.shift();
    indices.delete(out);
    indices.add(index);
    important.push(turns[index]?.request?.sequenceNumber ?? 0);
    total = after;
  }
  return { indices, important };
}

/**
 * Cuts one turn: the request and the newest units stay. Keeps `keepRecentMessages` messages, fewer while they do not fit,
 * at least `LEAST_RECENT_MESSAGES`, and always whole units. Null when nothing older than that is left.
 */
function cutTurn(
  turn: Turn,
  input: PartitionInput,
  budgetTokens: number,
): { older: Message[]; newer: Message[] } | null {
  const rest = turn.request === null ? turn.units : turn.units.slice(1);
  const request = turn.request === null ? [] : [turn.request];
  const requestTokens = sum(request, input.priceOf);
  let first = cutAt(rest, input.keepRecentMessages, budgetTokens - requestTokens, input.priceOf);
  if (first === 0) first = cutAt(rest, LEAST_RECENT_MESSAGES, 0, input.priceOf);
  if (first === 0) return null;
  return {
    older: rest.slice(0, first).flatMap((unit) => unit.messages),
    newer: [...request, ...rest.slice(first).flatMap((unit) => unit.messages)],
  };
}

/** Index of the first unit that stays. */
function cutAt(
  units: readonly Unit[],
  messages: number,
  budgetTokens: number,
  priceOf: (message: Message) => number,
): number {
  let first = units.length;
  let count = 0;
  let total = 0;
  while (first > 0) {
    const unit = units[first - 1];
    if (unit === undefined) break;
    const isLeast = count < LEAST_RECENT_MESSAGES;
    total += sum(unit.messages, priceOf);
    if (!isLeast && (count + unit.messages.length > messages || total > budgetTokens)) break;
    first -= 1;
    count += unit.messages.length;
  }
  return first;
}

function finish(
  input: PartitionInput,
  parts: {
    mode: CompressionPlan['mode'];
    summaries: Message[];
    recalls: Message[];
    leaving: Message[];
    staying: Message[];
    keptImportant: number[];
    keptTurns: number;
  },
): CompressionPlan {
  // A recalled excerpt stays with the request it was brought in for, the newest one.
  const newestRequest = parts.staying.findLast((message) => message.role === 'user')?.sequenceNumber ?? 0;
  const staysRecalled = (message: Message) => message.sequenceNumber > newestRequest;
  const toSummarise = bySequence([...parts.summaries, ...parts.leaving], true);
  const toKeep = bySequence([...parts.staying, ...parts.recalls.filter(staysRecalled)], false);
  return {
    kind: 'plan',
    mode: parts.mode,
    toSummarise,
    toDrop: parts.recalls.filter((message) => !staysRecalled(message)),
    toKeep,
    keptImportant: [...parts.keptImportant].sort((a, b) => a - b),
    keptTurns: parts.keptTurns,
    tokensToSummarise: sum(toSummarise, input.priceOf),
    tokensKept: input.fixedTokens + sum(toKeep, input.priceOf),
  };
}

function bySequence(messages: Message[], isSummaryFirst: boolean): Message[] {
  return messages.sort(
    (a, b) => (isSummaryFirst ? Number(b.isSummary) - Number(a.isSummary) : 0) || a.sequenceNumber - b.sequenceNumber,
  );
}

function turnPrice(turn: Turn, priceOf: (message: Message) => number): number {
  let total = 0;
  for (const unit of turn.units) total += sum(unit.messages, priceOf);
  return total;
}

function sum(messages: readonly Message[], priceOf: (message: Message) => number): number {
  let total = 0;
  for (const message of messages) total += priceOf(message);
  return total;
}

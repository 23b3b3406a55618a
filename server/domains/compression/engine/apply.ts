/** What a plan does to a context, as values: the service writes exactly this, and undo takes exactly this back. */
import type { Message } from '../../messages/schema';
import type { HardTruncation } from './hard-truncate';
import type { CompressionPlan } from './partition';

/** What a compression takes out and what stands in its place. */
export interface ContextChange {
  /** Sequence numbers that leave the context: those summarised and those dropped. Sorted; important turns leave gaps. */
  coveredSequences: number[];
  /** Messages that belong into the raw index: covered, verbatim, without earlier summaries and recalled excerpts. */
  demoted: Message[];
  /** What stays, in context order. */
  kept: Message[];
}

export function changeOfPlan(plan: CompressionPlan): ContextChange {
  return change([...plan.toSummarise, ...plan.toDrop], plan.toKeep);
}

export function changeOfTruncation(truncation: HardTruncation): ContextChange {
  return change(truncation.dropped, truncation.kept);
}

function change(covered: readonly Message[], kept: readonly Message[]): ContextChange {
  return {
    coveredSequences: covered.map((message) => message.sequenceNumber).sort((a, b) => a - b),
    demoted: covered
      .filter((message) => !message.isSummary && message.metadata.source !== 'memory_recall')
      .sort((a, b) => a.sequenceNumber - b.sequenceNumber),
    kept: [...kept],
  };
}

/** The context after the change: the new summary in front of what stays, older summaries that stay before it. */
export function contextAfter(change: ContextChange, summary: Message): Message[] {
  const summaries = change.kept.filter((message) => message.isSummary);
  return [...summaries, summary, ...change.kept.filter((message) => !message.isSummary)];
}

/** First and last sequence and the number of messages behind a summary, for its heading and its card. */
export function coverageOf(change: ContextChange): { first: number; last: number; messages: number } {
  return {
    first: change.coveredSequences[0] ?? 0,
    last: change.coveredSequences[change.coveredSequences.length - 1] ?? 0,
    messages: change.demoted.length,
  };
}

/** Tokens of the prompt before and after, both by one estimator: only such counts may be compared. */
export function measureChange(input: {
  context: readonly Message[];
  change: ContextChange;
  fixedTokens: number;
  /** Price of the summary as a message. */
  summaryTokens: number;
  priceOf(message: Message): number;
}): { tokensBefore: number; tokensAfter: number } {
  const price = (messages: readonly Message[]) => messages.reduce((sum, message) => sum + input.priceOf(message), 0);
  return {
    tokensBefore: input.fixedTokens + price(input.context),
    tokensAfter: input.fixedTokens + price(input.change.kept) + input.summaryTokens,
  };
}

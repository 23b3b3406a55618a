/**
 * The size of the next prompt, from the last one that a provider counted: the real count, and the price of what was added
 * since (seed 004, `real_baseline_estimate`). Far better than pricing everything anew, as errors concern the addition only.
 */
import type { Message } from '../../messages/schema';
import type { TokenSource } from './calibration';
import type { Estimator } from './message-price';

/** What is kept per session after a call whose count is trusted. Cleared whenever its context shrinks or branches. */
export interface RealBaseline {
  /** `connection/model` that counted; another model counts otherwise. */
  model: string;
  /** Tokens of the prompt, as the provider counted them. */
  tokens: number;
  /** Newest message that the prompt held. */
  throughSequence: number;
  /** How many messages it held: tells a context that changed behind the baseline's back. */
  messageCount: number;
}

export interface ContextEstimate {
  tokens: number;
  source: TokenSource;
  /** A provider counted the bulk: the prompt goes on from one that was sent. False when it begins anew. */
  isContinued: boolean;
}

/** The baseline after a call. `context` is what was sent. */
export function baselineOf(model: string, tokens: number, context: readonly Message[]): RealBaseline {
  return {
    model,
    tokens,
    throughSequence: context.reduce((newest, message) => Math.max(newest, message.sequenceNumber), 0),
    messageCount: context.length,
  };
}

/**
 * Tokens of the prompt that would be sent for `context`. With a valid baseline: real bulk and priced delta, source `real`
 * when nothing was added. Without: the calibrated line over everything, `promptTokens` (profile prompt, notices, and tool
 * schemas while no line knows them) included.
 */
export function estimateContext(input: {
  context: readonly Message[];
  baseline: RealBaseline | null;
  model: string;
  estimator: Estimator;
  /** Tokens of what stands in the prompt beside messages. */
  promptTokens: number;
}): ContextEstimate {
  const { context, baseline, estimator } = input;
  const from = baseline !== null && baseline.model === input.model ? added(context, baseline) : null;
  if (baseline !== null && from !== null) {
    return {
      tokens: baseline.tokens + estimator.messages(from),
      source: from.length === 0 ? 'real' : estimator.source,
      isContinued: true,
    };
  }
  const tokens = estimator.overheadTokens + input.promptTokens + estimator.messages(context);
  return { tokens, source: estimator.source, isContinued: false };
}

/** What the baseline's prompt did not hold, or null when the context is no longer a continuation of it. */
function added(context: readonly Message[], baseline: RealBaseline): Message[] | null {
  const later = context.filter((message) => message.sequenceNumber > baseline.throughSequence);
  return context.length - later.length === baseline.messageCount ? later : null;
}

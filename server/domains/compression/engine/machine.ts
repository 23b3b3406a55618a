/**
 * One compression as an explicit state machine. The reducer holds the order of attempts (product §5, "Outcome decides"):
 * plan and summarise; once more with a wider keep; then hard truncation if the context is at or over the trigger; else the
 * context stays and the card says why. The service only does what `nextStep` says and reports what came of it.
 *
 *   idle → planning → summarising → applying → done
 *              ↑___________|  ↘ applying (hard truncation)
 *   refused: there was nothing to do. failed: it was tried, and the context is as before.
 */
import type { HardTruncation } from './hard-truncate';
import { judgeOutcome } from './outcome';
import type { CompressionPlan } from './partition';
import type { CompressionTrigger } from './settings';
import type { SummaryFault, SummaryVerdict } from './validate-summary';

/** Why an attempt came to nothing. */
export type AttemptFault = SummaryFault | 'not-smaller' | 'model-failed' | 'nothing-to-truncate';
/** Why the whole compression stopped without a change. */
export type FailureReason = AttemptFault | 'cancelled' | 'context-changed' | 'store-failed';

export interface ValidSummary {
  text: string;
  keys: string[];
}

interface Facts {
  trigger: CompressionTrigger;
  /** Tokens of the prompt before, by the estimator that also judges the result. */
  tokensBefore: number;
  /** Whether the real size was at or over the trigger, or the last prompt was cut: then truncation is allowed. */
  mayTruncate: boolean;
  triggerTokens: number;
  /** One per attempt that came to nothing. */
  faults: AttemptFault[];
}

export type CompressionState =
  | { name: 'idle' }
  | (Facts & { name: 'planning'; attempt: 1 | 2 })
  | (Facts & { name: 'summarising'; attempt: 1 | 2; plan: CompressionPlan })
  | (Facts & { name: 'truncating' })
  | (Facts & { name: 'applying'; result: CompressionResult; tokensAfter: number })
  | (Facts & { name: 'done'; method: CompressionResult['method']; tokensAfter: number })
  | { name: 'refused'; reason: 'nothing-to-compress' }
  | (Facts & { name: 'failed'; reason: FailureReason });

export type CompressionResult =
  | { method: 'summary'; plan: CompressionPlan; summary: ValidSummary }
  | { method: 'hard-truncate'; truncation: HardTruncation };

export type CompressionEvent =
  | { type: 'begin'; facts: Omit<Facts, 'faults'> }
  | { type: 'planned'; plan: CompressionPlan | null }
  /** The summariser answered. `tokensAfter` counts the context that its summary would make, whole prompt. */
  | { type: 'summarised'; verdict: SummaryVerdict; tokensAfter: number }
  | { type: 'summariser-failed' }
  | { type: 'truncated'; truncation: HardTruncation; tokensAfter: number }
  | { type: 'applied' }
  | { type: 'not-applied'; reason: 'context-changed' | 'store-failed' }
  | { type: 'cancelled' };

/** What to do next. `none` in a final state. */
export type CompressionStep =
  | { do: 'plan'; isWider: boolean }
  | { do: 'summarise'; plan: CompressionPlan }
  | { do: 'truncate' }
  | { do: 'apply'; result: CompressionResult; tokensAfter: number }
  | { do: 'none' };

export const idle: CompressionState = { name: 'idle' };

export const isFinal = (state: CompressionState): boolean =>
  state.name === 'done' || state.name === 'refused' || state.name === 'failed';

/** The next state. An event that does not belong to a state (a late answer after cancelling) changes nothing. */
export function reduceCompression(state: CompressionState, event: CompressionEvent): CompressionState {
  if (state.name === 'idle') {
    return event.type === 'begin' ? { ...event.facts, faults: [], name: 'planning', attempt: 1 } : state;
  }
  if (state.name === 'done' || state.name === 'refused' || state.name === 'failed') return state;
  // Once it is being written, the transaction's outcome is what counts.
  if (event.type === 'cancelled' && state.name !== 'applying') return fail(state, 'cancelled');
  switch (state.name) {
    case 'planning': {
      if (event.type !== 'planned') return state;
      if (event.plan !== null)
        return { ...factsOf(state), name: 'summarising', attempt: state.attempt, plan: event.plan };
      if (state.attempt === 2) return afterAttempts(factsOf(state));
      return state.mayTruncate
        ? { ...factsOf(state), name: 'truncating' }
        : { name: 'refused', reason: 'nothing-to-compress' };
    }
    case 'summarising': {
      if (event.type === 'summariser-failed') return nextAttempt(state, 'model-failed');
      if (event.type !== 'summarised') return state;
      if (!event.verdict.isValid) return nextAttempt(state, event.verdict.fault);
      if (!isSmaller(state, event.tokensAfter)) return nextAttempt(state, 'not-smaller');
      const { text, keys } = event.verdict;
      const result: CompressionResult = { method: 'summary', plan: state.plan, summary: { text, keys } };
      return { ...factsOf(state), name: 'applying', result, tokensAfter: event.tokensAfter };
    }
    case 'truncating': {
      if (event.type !== 'truncated') return state;
      if (event.truncation.dropped.length === 0) {
        const isUntried = state.faults.length === 0;
        return isUntried ? { name: 'refused', reason: 'nothing-to-compress' } : fail(state, 'nothing-to-truncate');
      }
      if (!isSmaller(state, event.tokensAfter)) return fail(state, 'not-smaller');
      const result: CompressionResult = { method: 'hard-truncate', truncation: event.truncation };
      return { ...factsOf(state), name: 'applying', result, tokensAfter: event.tokensAfter };
    }
    case 'applying': {
      if (event.type === 'not-applied') return fail(state, event.reason);
      if (event.type !== 'applied') return state;
      return { ...factsOf(state), name: 'done', method: state.result.method, tokensAfter: state.tokensAfter };
    }
  }
}

/** The one thing to do in a state. */
export function nextStep(state: CompressionState): CompressionStep {
  switch (state.name) {
    case 'planning':
      return { do: 'plan', isWider: state.attempt === 2 };
    case 'summarising':
      return { do: 'summarise', plan: state.plan };
    case 'truncating':
      return { do: 'truncate' };
    case 'applying':
      return { do: 'apply', result: state.result, tokensAfter: state.tokensAfter };
    default:
      return { do: 'none' };
  }
}

function factsOf(state: Facts): Facts {
  const { trigger, tokensBefore, mayTruncate, triggerTokens, faults } = state;
  return { trigger, tokensBefore, mayTruncate, triggerTokens, faults };
}

function nextAttempt(state: Facts & { attempt: 1 | 2 }, fault: AttemptFault): CompressionState {
  const facts = { ...factsOf(state), faults: [...state.faults, fault] };
  return state.attempt === 1 ? { ...facts, name: 'planning', attempt: 2 } : afterAttempts(facts);
}

/** Both attempts came to nothing: truncate where the context cannot stay, else leave it. */
function afterAttempts(facts: Facts): CompressionState {
  if (facts.mayTruncate) return { ...facts, name: 'truncating' };
  return { ...facts, name: 'failed', reason: facts.faults[facts.faults.length - 1] ?? 'model-failed' };
}

function fail(state: Facts, reason: FailureReason): CompressionState {
  const isAttempt = reason === 'not-smaller' || reason === 'nothing-to-truncate';
  const faults = isAttempt ? [...state.faults, reason] : state.faults;
  return { ...factsOf(state), faults, name: 'failed', reason };
}

function isSmaller(facts: Facts, tokensAfter: number): boolean {
  return judgeOutcome({ tokensBefore: facts.tokensBefore, tokensAfter, triggerTokens: facts.triggerTokens }).isAccepted;
}

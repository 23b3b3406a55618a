/**
 * Turns whatever a provider throws into one sentence that a person can act on, and says whether trying again can help.
 * Nothing here retries; `call-model.ts` does.
 */
import { APICallError, InvalidResponseDataError } from '@ai-sdk/provider';
import { isAppError } from '../lib/errors';
import { detailsOf, facts } from './error-facts';
import { type ConnectionKind, ModelCallError } from './types';

export interface ModelFailure {
  error: ModelCallError;
  /** True for failures that pass by themselves: connection lost, overloaded, rate limited. */
  isTransient: boolean;
  /** What the provider asked for in `Retry-After`, in milliseconds; null when it said nothing. */
  retryAfterMs: number | null;
}

export interface FailedModel {
  name: string;
  kind: ConnectionKind;
  /** Exact secrets to strike out of everything a provider echoes. */
  secrets?: readonly string[];
}

/** 408, 429 and the gateway's own; 529 is what some vendors answer when overloaded. */
const TRANSIENT_STATUSES = new Set([408, 429, 500, 502, 503, 504, 529]);

const TRANSIENT_NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** How OpenAI, vLLM, llama.cpp, LM Studio, OpenRouter, Mistral, Anthropic-compatible gateways and Ollama word it. */
const OVERFLOW =
  /context[_ ](length|window|size)[^.]{0,40}(exceed|too|limit|of)|maximum context length|exceeds? (the )?(available |model'?s? )?(maximum )?context|context_length_exceeded|exceed_context_size|prompt is too long|input (is|length) too long|too many (input )?tokens|input length (and|exceeds)|reduce the length|model_max_prompt_tokens_exceeded|larger than the (maximum )?context/i;
const OVERLOADED =
  /overloaded|over capacity|server is busy|server busy|temporarily unavailable|maximum pending requests/i;
const RATE_LIMITED = /rate.?limit|too many requests/i;
const OUT_OF_QUOTA = /insufficient_quota|exceeded your current quota|insufficient (balance|credits)/i;
const CONTENT_FILTER = /content[_ ]?(filter|policy|management)|responsibleai|safety system/i;
const MISSING_MODEL =
  /model[^.]{0,120}(not found|does not exist|is not available|not exist)|no such model|model_not_found|unknown model/i;
const BAD_KEY = /invalid[_ ]api[_ ]key|incorrect api key|no api key/i;
const BAD_TOOL_CALL = /error parsing tool call/i;
const NO_MEMORY = /requires more system memory|out of memory|cuda error|unable to allocate/i;

/** The plain name of a kind of connection, for sentences. */
export function connectionLabel(kind: ConnectionKind): string {
  if (kind === 'ollama') return 'Ollama';
  return kind === 'demo' ? 'The demo model' : 'The model endpoint';
}

/**
 * Classifies a thrown value (an API error of the SDK, a network error, an error event of a stream) for the model that
 * was called. Never throws. A `ModelCallError` passes through unchanged.
 */
export function classifyModelFailure(thrown: unknown, model: FailedModel): ModelFailure {
  if (thrown instanceof ModelCallError) return { error: thrown, isTransient: thrown.isTransient, retryAfterMs: null };
  if (isAppError(thrown)) {
    return {
      error: new ModelCallError(thrown.code, thrown.message, { cause: thrown }),
      isTransient: false,
      retryAfterMs: null,
    };
  }
  const found = facts(thrown);
  const verdict = judge(found, model);
  const details = detailsOf(found, model.secrets ?? []);
  return {
    error: new ModelCallError(verdict.code, verdict.sentence, { details, cause: thrown }),
    isTransient: verdict.isTransient,
    retryAfterMs: verdict.isTransient ? found.retryAfterMs : null,
  };
}

interface Verdict {
  code: ModelCallError['code'];
  sentence: string;
  isTransient: boolean;
}

function judge(found: ReturnType<typeof facts>, model: FailedModel): Verdict {
  const who = connectionLabel(model.kind);
  const at = found.origin === null ? who : `${who} at ${found.origin}`;
  const { status, text } = found;
  const unavailable = (sentence: string, isTransient = false): Verdict => ({
    code: 'provider-unavailable',
    sentence,
    isTransient,
  });

  // A limit of tokens a minute is worded much like one of the window, but comes as 429.
  if ((OVERFLOW.test(text) && status !== 429) || status === 413) {
    return {
      code: 'context-overflow',
      sentence: `The conversation no longer fits the context window of \`${model.name}\`. Compress it or use a larger window.`,
      isTransient: false,
    };
  }
  if (OUT_OF_QUOTA.test(text) || status === 402) {
    return {
      code: 'rate-limited',
      sentence: `${at} refused the call because the account has no quota left. Check its plan and billing.`,
      isTransient: false,
    };
  }
  if (status === 429 || (status === null && RATE_LIMITED.test(text))) {
    return {
      code: 'rate-limited',
      sentence: `${at} is rate limited: it received too many requests. Wait a little and try again.`,
      isTransient: true,
    };
  }
  if (status === 401 || status === 403 || BAD_KEY.test(text)) {
    const advice = model.kind === 'openai' ? ' Check OPENAI_API_KEY.' : ' Check its settings.';
    return unavailable(`${at} refused the key or the access.${advice}`);
  }
  if (CONTENT_FILTER.test(text)) {
    return {
      code: 'forbidden',
      sentence: `${at} declined the request: its content filter stepped in.`,
      isTransient: false,
    };
  }
  if (MISSING_MODEL.test(text)) {
    const advice =
      model.kind === 'ollama'
        ? `The model \`${model.name}\` is not installed. Run \`ollama pull ${model.name}\`.`
        : `${at} has no model named \`${model.name}\`. Choose another model.`;
    return { code: 'not-found', sentence: advice, isTransient: false };
  }
  if (status === 404) return unavailable(`${at} has no chat there (404). Check the address of the connection.`);
  if (BAD_TOOL_CALL.test(text)) {
    return unavailable(`\`${model.name}\` wrote a tool call that ${who} could not read. Try again.`, true);
  }
  if (NO_MEMORY.test(text)) {
    return unavailable(`${at} has too little memory to run \`${model.name}\`. Use a smaller model or window.`);
  }
  if (OVERLOADED.test(text)) return unavailable(`${at} is overloaded. Try again in a moment.`, true);
  if (status !== null && TRANSIENT_STATUSES.has(status)) {
    return unavailable(`${at} failed with an error of its own (${status}). Try again in a moment.`, true);
  }
  if (status !== null && status >= 400) {
    return status >= 500
      ? unavailable(`${at} failed with an error of its own (${status}).`)
      : { code: 'invalid-input', sentence: `${at} did not accept the request (${status}).`, isTransient: false };
  }
  return judgeNetwork(found, at, who);
}

function judgeNetwork(found: ReturnType<typeof facts>, at: string, who: string): Verdict {
  const base = { code: 'provider-unavailable' as const };
  const isTransient = found.networkCode !== null && TRANSIENT_NETWORK_CODES.has(found.networkCode);
  if (found.networkCode === 'ENOTFOUND' || found.networkCode === 'EAI_AGAIN') {
    return { ...base, sentence: `${at} cannot be found. Check the address of the connection.`, isTransient };
  }
  if (found.networkCode === 'ECONNREFUSED' || found.networkCode === 'UND_ERR_CONNECT_TIMEOUT') {
    return { ...base, sentence: `${at} cannot be reached. Is it running?`, isTransient };
  }
  if (found.networkCode !== null && /CERT|TLS|SSL/.test(found.networkCode)) {
    return {
      ...base,
      sentence: `${at} could not show a certificate that is trusted. Check its address and certificate.`,
      isTransient,
    };
  }
  if (found.networkCode?.startsWith('HPE_') === true) {
    return { ...base, sentence: `${at} does not speak HTTP. Check the address of the connection.`, isTransient };
  }
  if (found.networkCode !== null) return { ...base, sentence: `The connection to ${at} broke.`, isTransient };
  if (found.isUnreadable) {
    return {
      ...base,
      sentence: `${at} sent an answer that Navi cannot read. Is it a chat model's endpoint?`,
      isTransient: false,
    };
  }
  return { ...base, sentence: `${who} failed while it answered.`, isTransient: false };
}

/** True when the provider's error is an answer with this HTTP status and text; for fallbacks of a single vendor. */
export function isApiError(thrown: unknown, status: number, pattern: RegExp): boolean {
  return (
    APICallError.isInstance(thrown) &&
    thrown.statusCode === status &&
    pattern.test(`${thrown.message} ${thrown.responseBody ?? ''}`)
  );
}

/** True for the error that the providers raise when a stream ends without saying that it is finished. */
export function isUnfinished(thrown: unknown): boolean {
  return InvalidResponseDataError.isInstance(thrown) && thrown.message === UNFINISHED_MESSAGE;
}

/** The OpenAI-compatible provider's own words; the Ollama wire check uses the same. */
export const UNFINISHED_MESSAGE = 'Response stream ended without a finish reason.';

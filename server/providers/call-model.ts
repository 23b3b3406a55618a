/**
 * Makes one model call and streams it: retries of passing failures, time-outs, abort, and one shape for every vendor.
 * It must not buffer: what the model sent is given out in the same turn of the event loop.
 */
import type { SharedV3ProviderOptions } from '@ai-sdk/provider';
import type { Clock } from '../lib/clock';
import { type AnswerStream, openAnswerStream } from './answer-stream';
import { classifyModelFailure, connectionLabel, isUnfinished } from './errors';
import { isImageRefusal } from './image-refusal';
import { createNormaliser } from './normalise';
import type { SilencePhase } from './silence-watch';
import { type CallModel, ModelCallError, type ModelCallInput, type ModelPart } from './types';

export interface CallModelSettings {
  clock: Clock;
  /** Longest wait for the first byte of an answer, per attempt. Local models may think for minutes. */
  firstByteTimeoutMs: number;
  /** Longest silence in the middle of an answer. */
  idleTimeoutMs: number;
  /** Attempts in all, the first included. */
  maxAttempts?: number;
  /** 0 to 1, for the jitter. */
  random?: () => number;
  /** Exact keys to strike out of what providers echo. */
  secrets?: readonly string[];
}

/** Back-off: 1, 2, 4 … seconds with full jitter in the upper half; enough for a restart of a local server. */
const FIRST_DELAY_MS = 1000;
const LONGEST_DELAY_MS = 15_000;
/** A longer `Retry-After` than this is not waited out: the person is told and decides. */
const LONGEST_RETRY_AFTER_MS = 60_000;
const DEFAULT_MAX_ATTEMPTS = 4;
/** Ollama sends a tool call only when it is complete: while a model writes a long file into one, nothing comes at all. */
const OLLAMA_TOOL_SILENCE_FACTOR = 3;

/**
 * Creates the function that makes one model call.
 *
 * The stream yields `retry` parts while passing failures (connection refused or reset, 408, 429, 5xx, overloaded) are
 * tried again, which happens only before the first content; then content; then one `finish`. It throws `ModelCallError`
 * for every failure, and the signal's own reason when the signal aborts. Leaving the loop early closes the request. An
 * endpoint that takes no images is asked once more without them, and the model is known for it from then on.
 */
export function createCallModel(settings: CallModelSettings): CallModel {
  const maxAttempts = settings.maxAttempts ?? DEFAULT_MAX_ATTEMPTS;
  const random = settings.random ?? Math.random;

  return async function* callModel(given: ModelCallInput): AsyncGenerator<ModelPart, void, undefined> {
    let input = given;
    const failed = { name: input.model.name, kind: input.model.kind, secrets: settings.secrets ?? [] };
    for (let attempt = 1; ; attempt++) {
      input.signal.throwIfAborted();
      const normaliser = createNormaliser();
      const answer = openAnswer(settings, input);
      let retry: { delayMs: number; reason: string } | null = null;
      try {
        for (let part = await answer.next(); ; part = await answer.next()) {
          if (part === null) throw brokenOff(answer.hasBegun(), input);
          const parts = normaliser.push(part);
          const isEnd = part.type === 'finish';
          if (isEnd && !normaliser.hasContent()) throw emptyAnswer(parts, input);
          if (isEnd) answer.close();
          for (const one of parts) yield one;
          if (isEnd) return;
        }
      } catch (caught) {
        if (input.signal.aborted) throw input.signal.reason;
        const thrown = isUnfinished(caught) ? brokenOff(answer.hasBegun(), input) : caught;
        const blind = normaliser.hasContent() || !isImageRefusal(thrown) ? null : await withoutImages(input);
        if (blind !== null) {
          input = blind;
          continue;
        }
        const failure = classifyModelFailure(thrown, failed);
        const delayMs = failure.isTransient ? delayOf(attempt, failure.retryAfterMs, random) : null;
        if (normaliser.hasContent() && !(thrown instanceof ModelCallError)) throw midAnswer(failure.error, failed.kind);
        if (delayMs === null || attempt >= maxAttempts) throw withAdvice(failure.error, input);
        retry = { delayMs, reason: failure.error.message };
      } finally {
        answer.close();
      }
      yield { type: 'retry', attempt, ...retry };
      await settings.clock.sleep(retry.delayMs, input.signal);
    }
  };
}

/** The call without its images, of which the model takes none; null when it has none. */
async function withoutImages(input: ModelCallInput): Promise<ModelCallInput | null> {
  const { promptWithoutImages, ...rest } = input;
  if (promptWithoutImages === undefined || !hasImages(input)) return null;
  input.model.refusesImages();
  return { ...rest, prompt: await promptWithoutImages() };
}

function hasImages({ prompt }: ModelCallInput): boolean {
  return prompt.some(
    ({ content }) =>
      Array.isArray(content) && content.some((part) => part.type === 'file' && part.mediaType.startsWith('image/')),
  );
}

/** What a person can do when one picture out of several may be what was not accepted. */
function withAdvice(error: ModelCallError, input: ModelCallInput): ModelCallError {
  if (error.code !== 'invalid-input' || !hasImages(input)) return error;
  const advice = 'This chat has images: if one of them is the reason, remove it under Files, or choose another model.';
  return new ModelCallError(error.code, `${error.message} ${advice}`, { details: error.details, cause: error });
}

/** Milliseconds until the next attempt; null when the provider asked for more patience than is reasonable. */
function delayOf(attempt: number, retryAfterMs: number | null, random: () => number): number | null {
  if (retryAfterMs !== null && retryAfterMs > LONGEST_RETRY_AFTER_MS) return null;
  const backOffMs = Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), LONGEST_DELAY_MS);
  return Math.max(Math.round(backOffMs * (0.5 + random() / 2)), retryAfterMs ?? 0);
}

function openAnswer(settings: CallModelSettings, input: ModelCallInput): AnswerStream {
  const { model, windowTokens, think } = input;
  const writesCallsInSilence = model.kind === 'ollama' && input.tools.length > 0;
  const idleTimeoutMs = settings.idleTimeoutMs * (writesCallsInSilence ? OLLAMA_TOOL_SILENCE_FACTOR : 1);
  return openAnswerStream({
    clock: settings.clock,
    firstByteTimeoutMs: settings.firstByteTimeoutMs,
    idleTimeoutMs,
    language: model.language,
    signal: input.signal,
    silenceError: (phase) => silent(phase, phase === 'idle' ? idleTimeoutMs : settings.firstByteTimeoutMs, input),
    options: {
      prompt: input.prompt,
      providerOptions: model.providerOptions({ windowTokens, think }) as SharedV3ProviderOptions,
      ...(input.tools.length > 0 ? { tools: input.tools, toolChoice: { type: 'auto' } } : {}),
      ...(input.temperature === null ? {} : { temperature: input.temperature }),
      ...(input.maxOutputTokens === null ? {} : { maxOutputTokens: input.maxOutputTokens }),
    },
  });
}

const STOPPED_IN_THE_MIDDLE = 'The model stopped in the middle of its answer.';

function brokenOff(hasBegun: boolean, input: ModelCallInput): ModelCallError {
  return hasBegun
    ? new ModelCallError('provider-unavailable', STOPPED_IN_THE_MIDDLE)
    : new ModelCallError(
        'provider-unavailable',
        `${connectionLabel(input.model.kind)} sent an answer that Navi cannot read. Is it a chat model's endpoint?`,
      );
}

function midAnswer(error: ModelCallError, kind: ModelCallInput['model']['kind']): ModelCallError {
  // Overflow, refusal and the like say more than that the stream broke.
  if (error.code !== 'provider-unavailable') return error;
  const details = [error.message, error.details].filter((line) => line !== null && line !== '').join('\n');
  return new ModelCallError('provider-unavailable', STOPPED_IN_THE_MIDDLE, {
    details: details === '' ? connectionLabel(kind) : details,
    cause: error,
  });
}

function emptyAnswer(parts: ModelPart[], input: ModelCallInput): ModelCallError {
  const finish = parts.at(-1);
  const reason = finish?.type === 'finish' ? finish.reason : 'other';
  if (reason === 'content-filter') {
    return new ModelCallError('forbidden', `The content filter of \`${input.model.name}\` withheld the answer.`);
  }
  const sentence =
    reason === 'length'
      ? `\`${input.model.name}\` had no room left to write an answer. Use a larger window or compress the conversation.`
      : `\`${input.model.name}\` gave an empty answer. Try again.`;
  return new ModelCallError('provider-unavailable', sentence);
}

function silent(phase: SilencePhase, limitMs: number, input: ModelCallInput): ModelCallError {
  const who = connectionLabel(input.model.kind);
  const seconds = Math.round(limitMs / 100) / 10;
  const time = seconds >= 120 ? `${Math.round(seconds / 60)} minutes` : `${seconds} seconds`;
  return phase === 'first-byte'
    ? new ModelCallError('provider-unavailable', `${who} did not begin to answer within ${time}.`)
    : new ModelCallError('provider-unavailable', `${who} fell silent for ${time} in the middle of its answer.`);
}

/**
 * One attempt of one model call: opens the provider's stream, reads it as it comes, and guards it with the time-outs and
 * the caller's signal. It reads ahead of its consumer, so that what came before a failure is given out before the failure.
 */
import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3StreamPart } from '@ai-sdk/provider';
import type { Clock } from '../lib/clock';
import { type SilencePhase, watchSilence } from './silence-watch';

export interface AnswerStream {
  /** The next part, null at the end of the stream. Rejects on failure and time-out, and at once on abort. */
  next(): Promise<LanguageModelV3StreamPart | null>;
  /** True once anything of the answer itself came. */
  hasBegun(): boolean;
  /** Ends the request if it still runs. Safe to call twice. */
  close(): void;
}

export interface AnswerStreamSettings {
  clock: Clock;
  firstByteTimeoutMs: number;
  idleTimeoutMs: number;
  language: LanguageModelV3;
  options: Omit<LanguageModelV3CallOptions, 'abortSignal'>;
  signal: AbortSignal;
  /** The error to end with when the model is silent for too long. */
  silenceError(phase: SilencePhase): Error;
}

/** Starts the request at once. Always call `close` in the end. */
export function openAnswerStream(settings: AnswerStreamSettings): AnswerStream {
  const { signal } = settings;
  const request = new AbortController();
  const queue: LanguageModelV3StreamPart[] = [];
  let reader: ReadableStreamDefaultReader<LanguageModelV3StreamPart> | null = null;
  let end: { error: unknown } | 'done' | null = null;
  let isClosed = false;
  let hasBegun = false;
  let wake: (() => void) | null = null;

  const finish = (how: { error: unknown } | 'done') => {
    end ??= how;
    watch.close();
    wake?.();
  };
  /** Stops the request. Cancelling the reader as well settles things where a provider ignores the signal. */
  const stopRequest = (reason: unknown) => {
    request.abort(reason);
    void reader?.cancel(reason).catch(() => undefined);
  };
  const onAbort = () => {
    queue.length = 0;
    finish({ error: signal.reason });
    stopRequest(signal.reason);
  };
  const watch = watchSilence({
    clock: settings.clock,
    firstByteTimeoutMs: settings.firstByteTimeoutMs,
    idleTimeoutMs: settings.idleTimeoutMs,
    onSilence: (phase) => {
      const error = settings.silenceError(phase);
      finish({ error });
      stopRequest(error);
    },
  });

  const pump = async () => {
    const { stream } = await settings.language.doStream({ ...settings.options, abortSignal: request.signal });
    reader = stream.getReader();
    // Closed or aborted while it was being opened.
    if (end !== null) stopRequest(request.signal.reason);
    for (;;) {
      const { done, value } = await reader.read();
      if (end !== null) return;
      if (done) return finish('done');
      // The SDK's own opening part says nothing about the endpoint.
      if (value.type === 'stream-start') continue;
      if (value.type !== 'error') hasBegun = true;
      watch.touch();
      queue.push(value);
      wake?.();
    }
  };
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  else pump().catch((error: unknown) => finish({ error }));

  return {
    async next() {
      for (;;) {
        const part = queue.shift();
        if (part !== undefined) return part;
        if (end === 'done') return null;
        if (end !== null) throw end.error;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    hasBegun: () => hasBegun,
    close() {
      if (isClosed) return;
      isClosed = true;
      signal.removeEventListener('abort', onAbort);
      const reason = new DOMException('The answer is no longer needed.', 'AbortError');
      finish({ error: reason });
      stopRequest(reason);
    },
  };
}

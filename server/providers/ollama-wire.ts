/**
 * What the Ollama provider package lacks on the wire, mended between it and the network: it drops lines that it cannot
 * parse, error lines among them, takes a stream that breaks off for a finished one, and names no tool in a result.
 * See docs/decisions/0010-model-providers.md.
 */
import { APICallError, InvalidResponseDataError, JSONParseError } from '@ai-sdk/provider';
import { UNFINISHED_MESSAGE } from './errors';

/** Key under which arguments that are no JSON object travel through the package; see `ollama.ts`. */
export const MALFORMED_KEY = 'navi:malformed';

/** Longest line that is kept for an error's details, in characters. */
const EXCERPT_CHARS = 2000;

/** Tells the model's adapter how the body of its answer ended. */
export interface WireOutcome {
  /** Why the answer is not whole; null while all is well. */
  failure: unknown;
}

/**
 * Wraps a fetch for one chat: the request gets `tool_name`s, the answer is checked line by line. The checked body never
 * errors: the package leaves a rejected promise behind when it cancels a body that did, which would end the process, and
 * an errored stream forgets what it still holds. What went wrong is told in `outcome` instead.
 */
export function mendOllamaFetch(fetch: typeof globalThis.fetch, outcome: WireOutcome): typeof globalThis.fetch {
  return async (input, init) => {
    if (typeof init?.body !== 'string') return fetch(input, init);
    const response = await fetch(input, { ...init, body: mendRequest(init.body) });
    if (!response.ok || response.body === null) return response;
    return new Response(checkedBody(response.body, String(input), outcome), {
      status: response.status,
      headers: response.headers,
    });
  };
}

interface WireMessage {
  role: string;
  tool_call_id?: string;
  tool_name?: string;
  tool_calls?: { id: string; function: { name: string } }[];
}

function mendRequest(body: string): string {
  const request = JSON.parse(body) as { messages: WireMessage[] };
  const names = new Map<string, string>();
  for (const message of request.messages) {
    for (const call of message.tool_calls ?? []) names.set(call.id, call.function.name);
    const name = message.tool_call_id === undefined ? undefined : names.get(message.tool_call_id);
    if (name !== undefined) message.tool_name = name;
  }
  return JSON.stringify(request);
}

function checkedBody(body: ReadableStream<Uint8Array>, url: string, outcome: WireOutcome): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let rest = '';
  let isDone = false;

  const check = (line: string): string => {
    if (line.trim() === '' || outcome.failure !== null) return '';
    const result = mendLine(line, url);
    if (result instanceof Error) {
      outcome.failure = result;
      return '';
    }
    isDone ||= result.isDone;
    return `${result.line}\n`;
  };
  const next = async (): Promise<{ good: string; isEnd: boolean }> => {
    try {
      const { done, value } = await reader.read();
      const lines = (rest + decoder.decode(value, { stream: !done })).split('\n');
      rest = done ? '' : (lines.pop() ?? '');
      const good = lines.map(check).join('');
      if (done && !isDone)
        outcome.failure ??= new InvalidResponseDataError({ data: null, message: UNFINISHED_MESSAGE });
      return { good, isEnd: done || outcome.failure !== null };
    } catch (error) {
      outcome.failure ??= error;
      return { good: '', isEnd: true };
    }
  };

  return new ReadableStream({
    async pull(controller) {
      for (;;) {
        const { good, isEnd } = await next();
        if (good !== '') controller.enqueue(encoder.encode(good));
        if (isEnd) {
          controller.close();
          void reader.cancel().catch(() => undefined);
          return;
        }
        if (good !== '') return;
      }
    },
    cancel: (reason) => reader.cancel(reason).catch(() => undefined),
  });
}

function mendLine(line: string, url: string): { line: string; isDone: boolean } | Error {
  let value: Record<string, unknown>;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    return new JSONParseError({ text: line.slice(0, EXCERPT_CHARS), cause });
  }
  if (typeof value !== 'object' || value === null || !('message' in value || 'done' in value || 'error' in value)) {
    return new InvalidResponseDataError({ data: value, message: `Unexpected line: ${line.slice(0, EXCERPT_CHARS)}` });
  }
  if (typeof value.error === 'string') {
    return new APICallError({ message: value.error, url, requestBodyValues: {}, isRetryable: false });
  }
  const message = (value.message ?? {}) as { content?: unknown; role?: unknown; tool_calls?: unknown };
  const isWhole =
    typeof value.model === 'string' &&
    typeof value.created_at === 'string' &&
    typeof value.done === 'boolean' &&
    typeof message.content === 'string' &&
    typeof message.role === 'string' &&
    !Array.isArray(message.tool_calls);
  if (isWhole) return { line, isDone: value.done === true };
  // The package refuses lines that lack any of these; servers that imitate Ollama leave some out.
  const whole = {
    ...value,
    model: value.model ?? '',
    created_at: value.created_at ?? new Date(0).toISOString(),
    done: value.done === true,
    message: {
      ...message,
      content: message.content ?? '',
      role: message.role ?? 'assistant',
      ...(Array.isArray(message.tool_calls) ? { tool_calls: message.tool_calls.map(mendToolCall) } : {}),
    },
  };
  return { line: JSON.stringify(whole), isDone: value.done === true };
}

function mendToolCall(call: { id?: unknown; function?: { name?: unknown; arguments?: unknown } }): unknown {
  const given = call.function?.arguments ?? {};
  const isObject = typeof given === 'object' && !Array.isArray(given);
  return {
    ...(typeof call.id === 'string' ? { id: call.id } : {}),
    function: {
      name: String(call.function?.name ?? ''),
      arguments: isObject ? given : { [MALFORMED_KEY]: typeof given === 'string' ? given : JSON.stringify(given) },
    },
  };
}

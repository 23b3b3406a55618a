/** Ollama through its native API, by `ollama-ai-provider-v2`, with what that package lacks added around it. */
import type {
  JSONObject,
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3StreamPart,
} from '@ai-sdk/provider';
import { createOllama } from 'ollama-ai-provider-v2';
import { isApiError } from './errors';
import { ollamaPrompt } from './ollama-prompt';
import { MALFORMED_KEY, mendOllamaFetch, type WireOutcome } from './ollama-wire';

export interface OllamaModelSettings {
  /** Without a path, e.g. `http://127.0.0.1:11434`. */
  baseUrl: string;
  name: string;
  fetch: typeof globalThis.fetch;
  /** What `/api/show` says the model can do; null when unknown (then a refusal of Ollama's teaches it). */
  capabilities(): readonly string[] | null;
}

/**
 * Creates the model. Temperature, length and the like go into Ollama's `options`, where it reads them; `think` and tools are left out for
 * models that cannot take them, because Ollama refuses the whole call otherwise.
 */
export function createOllamaModel(settings: OllamaModelSettings): LanguageModelV3 {
  const innerModel = (outcome: WireOutcome) =>
    createOllama({
      baseURL: `${settings.baseUrl}/api`,
      fetch: mendOllamaFetch(settings.fetch, outcome),
    }).languageModel(settings.name);
  const refused = new Set<string>();
  const lacks = (capability: string) =>
    refused.has(capability) || settings.capabilities()?.includes(capability) === false;

  const adapt = (options: LanguageModelV3CallOptions): LanguageModelV3CallOptions => ({
    ...withVendorOptions(options, lacks('thinking')),
    prompt: ollamaPrompt(options.prompt),
    ...(lacks('tools') ? { tools: undefined, toolChoice: undefined } : {}),
  });

  async function callAdapted<Result>(
    options: LanguageModelV3CallOptions,
    call: (adapted: LanguageModelV3CallOptions) => PromiseLike<Result>,
  ): Promise<Result> {
    for (;;) {
      try {
        return await call(adapt(options));
      } catch (error) {
        const unsupported = ['thinking', 'tools'].find((capability) =>
          isApiError(error, 400, new RegExp(`does not support ${capability}`, 'i')),
        );
        if (unsupported === undefined || refused.has(unsupported)) throw error;
        refused.add(unsupported);
      }
    }
  }

  return {
    specificationVersion: 'v3',
    provider: 'ollama',
    modelId: settings.name,
    supportedUrls: {},
    async doGenerate(options) {
      const outcome: WireOutcome = { failure: null };
      return await callAdapted(options, (adapted) => innerModel(outcome).doGenerate(adapted));
    },
    async doStream(options) {
      const outcome: WireOutcome = { failure: null };
      const result = await callAdapted(options, (adapted) => innerModel(outcome).doStream(adapted));
      return { ...result, stream: mendedParts(result.stream, outcome) };
    },
  };
}

function withVendorOptions(
  options: LanguageModelV3CallOptions,
  isWithoutThinking: boolean,
): LanguageModelV3CallOptions {
  const { temperature, maxOutputTokens, topP, topK, seed, stopSequences, ...rest } = options;
  const given = (options.providerOptions?.ollama ?? {}) as { options?: JSONObject; think?: boolean };
  const sampling: Record<string, JSONObject[string] | undefined> = {
    temperature,
    num_predict: maxOutputTokens,
    top_p: topP,
    top_k: topK,
    seed,
    stop: stopSequences,
  };
  const ollama: JSONObject = {
    ...given,
    ...(isWithoutThinking ? { think: false } : {}),
    options: {
      ...Object.fromEntries(Object.entries(sampling).filter(([, value]) => value !== undefined)),
      ...given.options,
    },
  };
  return { ...rest, providerOptions: { ...options.providerOptions, ollama } };
}

/**
 * Tells of what broke the answer, and undoes the wrapping of arguments that were no JSON object. Read by hand: a
 * `TransformStream` costs several times as much per token.
 */
function mendedParts(
  parts: ReadableStream<LanguageModelV3StreamPart>,
  outcome: WireOutcome,
): ReadableStream<LanguageModelV3StreamPart> {
  const reader = parts.getReader();
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(mendPart(value, outcome));
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

function mendPart(part: LanguageModelV3StreamPart, outcome: WireOutcome): LanguageModelV3StreamPart {
  if (part.type === 'finish' && outcome.failure !== null) return { type: 'error', error: outcome.failure };
  if (part.type !== 'tool-call' || !part.input.includes(MALFORMED_KEY)) return part;
  const input = (JSON.parse(part.input) as Record<string, unknown>)[MALFORMED_KEY];
  return { ...part, input: typeof input === 'string' ? input : part.input };
}

/** Any endpoint that speaks OpenAI's chat completions, by `@ai-sdk/openai-compatible`. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV3 } from '@ai-sdk/provider';

export interface OpenAiModelSettings {
  /** With its path, e.g. `https://api.openai.com/v1`. */
  baseUrl: string;
  apiKey: string | null;
  name: string;
  fetch: typeof globalThis.fetch;
}

/** Creates the model; usage is asked for in the stream. */
export function createOpenAiModel({ baseUrl, apiKey, name, fetch }: OpenAiModelSettings): LanguageModelV3 {
  const isOpenAi = new URL(baseUrl).hostname === 'api.openai.com';
  return createOpenAICompatible({
    name: 'openai',
    baseURL: baseUrl,
    ...(apiKey === null ? {} : { apiKey }),
    fetch,
    includeUsage: true,
    ...(isOpenAi ? { transformRequestBody: forOpenAi } : {}),
  }).chatModel(name);
}

/** OpenAI's own reasoning models refuse `max_tokens` and any temperature but the default. Others only know the old names. */
function forOpenAi(body: Record<string, unknown>): Record<string, unknown> {
  const { max_tokens: maxTokens, ...rest } = body;
  const renamed = maxTokens === undefined ? rest : { ...rest, max_completion_tokens: maxTokens };
  if (!/^(o\d|gpt-5)/.test(String(body.model))) return renamed;
  const { temperature: _temperature, top_p: _topP, ...reasoning } = renamed as Record<string, unknown>;
  return reasoning;
}

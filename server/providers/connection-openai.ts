/** The OpenAI-compatible connection: OpenAI itself, vLLM, llama.cpp, LM Studio, OpenRouter and many more. */
import * as z from 'zod';
import type { Connection } from './connection';
import { createOpenAiEmbedder } from './embed';
import { createOpenAiModel } from './openai-compatible';
import { askJson } from './probe';
import type { ModelInfo, TextEmbedder } from './types';

export interface OpenAiConnectionSettings {
  /** With its path; `https://api.openai.com/v1` when only a key is set. */
  baseUrl: string;
  apiKey: string | null;
  /** `NAVI_OPENAI_CONTEXT_WINDOW`, tokens. */
  windowTokens: number;
  fetch: typeof globalThis.fetch;
}

export const OPENAI_DEFAULT_BASE_URL = 'https://api.openai.com/v1';

const tokens = z.number().positive().nullish().catch(null);
const modelsSchema = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      /** vLLM. */
      max_model_len: tokens,
      /** OpenRouter, Together, Groq. */
      context_length: tokens,
      context_window: tokens,
      /** LM Studio. */
      max_context_length: tokens,
      /** llama.cpp. */
      meta: z.object({ n_ctx_train: tokens }).nullish().catch(null),
    }),
  ),
});

/** What OpenAI lists beside its chat models. */
const NOT_FOR_CHAT =
  /embed|whisper|^tts-|-tts$|dall-e|moderation|-transcribe|-realtime|^sora|^(davinci|babbage)-|rerank/i;

/** Creates the connection. A key is sent only as the bearer token of requests to this address. */
export function createOpenAiConnection(settings: OpenAiConnectionSettings): Connection {
  const baseUrl = settings.baseUrl.replace(/\/+$/, '');
  const { apiKey, fetch } = settings;
  let embedding: TextEmbedder | null = null;
  const advertised = new Map<string, number | null>();
  const label = new URL(baseUrl).hostname === 'api.openai.com' ? 'OpenAI' : 'OpenAI-compatible';

  return {
    id: 'openai',
    kind: 'openai',
    label,
    address: withoutUserInfo(baseUrl),
    defaultWindowTokens: settings.windowTokens,
    async listModels(signal) {
      const answer = await askJson({
        fetch,
        url: `${baseUrl}/models`,
        headers: apiKey === null ? {} : { authorization: `Bearer ${apiKey}` },
        signal,
        label: label === 'OpenAI' ? label : 'The model endpoint',
        schema: modelsSchema,
      });
      const embeds = answer.data.find((model) => /embed/i.test(model.id));
      embedding =
        embeds === undefined
          ? null
          : createOpenAiEmbedder({
              fetch,
              url: `${baseUrl}/embeddings`,
              headers: apiKey === null ? {} : { authorization: `Bearer ${apiKey}` },
              name: embeds.id,
              id: `openai/${embeds.id}`,
              label: label === 'OpenAI' ? label : 'The model endpoint',
            });
      return answer.data
        .filter((model) => !NOT_FOR_CHAT.test(model.id))
        .map((model): ModelInfo => {
          const window =
            model.max_model_len ??
            model.context_length ??
            model.context_window ??
            model.max_context_length ??
            model.meta?.n_ctx_train ??
            null;
          advertised.set(model.id, window);
          return { id: `openai/${model.id}`, name: model.id, advertisedWindowTokens: window };
        });
    },
    advertisedWindowTokens: async (name) => advertised.get(name) ?? null,
    language: (name) => createOpenAiModel({ baseUrl, apiKey, name, fetch }),
    providerOptions: () => ({}),
    embedder: () => embedding,
  };
}

function withoutUserInfo(address: string): string {
  const url = new URL(address);
  url.username = '';
  url.password = '';
  return url.toString().replace(/\/+$/, '');
}

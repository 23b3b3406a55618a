/** The Ollama connection: its model list, what each model advertises and can do, and the options of every call. */
import * as z from 'zod';
import type { Connection } from './connection';
import { createOllamaEmbedder } from './embed';
import { createOllamaModel } from './ollama';
import { askJson } from './probe';
import type { ModelInfo, TextEmbedder } from './types';

export interface OllamaConnectionSettings {
  baseUrl: string;
  /** `NAVI_OLLAMA_NUM_CTX`, tokens. */
  windowTokens: number;
  fetch: typeof globalThis.fetch;
  /** Milliseconds for `/api/show`. */
  showTimeoutMs: number;
}

const tagsSchema = z.object({
  models: z
    .array(z.object({ name: z.string(), details: z.object({ family: z.string().nullish() }).nullish() }))
    .nullish(),
});
const showSchema = z.object({
  model_info: z.record(z.string(), z.unknown()).nullish(),
  capabilities: z.array(z.string()).nullish(),
});

const isEmbedding = (name: string, family: string | null | undefined): boolean =>
  EMBEDDING.test(name) || EMBEDDING_FAMILY.test(family ?? '');

interface Shown {
  advertisedWindowTokens: number | null;
  capabilities: string[] | null;
}

/** Where Ollama listens unless told otherwise. */
export const OLLAMA_DEFAULT_BASE_URL = 'http://127.0.0.1:11434';

/** Models that only embed cannot chat; the list of tags says it by family or name. */
const EMBEDDING = /embed|^bge-|minilm/i;
const EMBEDDING_FAMILY = /bert/i;

/** Creates the connection. People may write the address with `/api` or `/v1`: both are taken off. */
export function createOllamaConnection(settings: OllamaConnectionSettings): Connection {
  const baseUrl = settings.baseUrl.replace(/\/+$/, '').replace(/\/(api|v1)$/, '');
  let embedding: TextEmbedder | null = null;
  const shown = new Map<string, Shown>();
  const asking = new Map<string, Promise<Shown | null>>();

  const askShow = async (name: string): Promise<Shown | null> => {
    try {
      const answer = await askJson({
        fetch: settings.fetch,
        url: `${baseUrl}/api/show`,
        body: { model: name },
        signal: AbortSignal.timeout(settings.showTimeoutMs),
        label: 'Ollama',
        schema: showSchema,
      });
      const found = {
        advertisedWindowTokens: contextLengthOf(answer.model_info ?? {}),
        capabilities: answer.capabilities ?? null,
      };
      shown.set(name, found);
      return found;
    } catch {
      // Unknown model or no answer: the call itself will say so. Nothing is cached, so that the next turn asks again.
      return null;
    } finally {
      asking.delete(name);
    }
  };
  const show = (name: string): Promise<Shown | null> => {
    const known = shown.get(name);
    if (known !== undefined) return Promise.resolve(known);
    const running = asking.get(name) ?? askShow(name);
    asking.set(name, running);
    return running;
  };
  const showAll = async (names: string[]) => {
    // One after the other: a list of fifty models must not become fifty requests at once.
    for (const name of names) if ((await show(name)) === null) return;
  };

  return {
    id: 'ollama',
    kind: 'ollama',
    label: 'Ollama',
    address: baseUrl,
    defaultWindowTokens: settings.windowTokens,
    async listModels(signal) {
      const answer = await askJson({
        fetch: settings.fetch,
        url: `${baseUrl}/api/tags`,
        signal,
        label: 'Ollama',
        schema: tagsSchema,
      });
      const embeds = (answer.models ?? []).find((tag) => isEmbedding(tag.name, tag.details?.family));
      embedding =
        embeds === undefined
          ? null
          : createOllamaEmbedder({
              fetch: settings.fetch,
              url: `${baseUrl}/api/embed`,
              name: embeds.name,
              id: `ollama/${embeds.name}`,
              label: 'Ollama',
            });
      const names = (answer.models ?? [])
        .filter((tag) => !isEmbedding(tag.name, tag.details?.family))
        .map((tag) => tag.name);
      void showAll(names.filter((name) => !shown.has(name)));
      return names.map(
        (name): ModelInfo => ({
          id: `ollama/${name}`,
          name,
          advertisedWindowTokens: shown.get(name)?.advertisedWindowTokens ?? null,
        }),
      );
    },
    advertisedWindowTokens: async (name) => (await show(name))?.advertisedWindowTokens ?? null,
    seesImages: (name) => shown.get(name)?.capabilities?.includes('vision') ?? null,
    language: (name) =>
      createOllamaModel({
        baseUrl,
        name,
        fetch: settings.fetch,
        capabilities: () => shown.get(name)?.capabilities ?? null,
      }),
    embedder: () => embedding,
    // `num_ctx` in every call: another value, or none, would make Ollama load the model anew.
    providerOptions: ({ windowTokens, think }) => ({ ollama: { think, options: { num_ctx: windowTokens } } }),
  };
}

/** `<architecture>.context_length`; the architecture stands beside it. */
function contextLengthOf(info: Record<string, unknown>): number | null {
  const architecture = info['general.architecture'];
  const exact = typeof architecture === 'string' ? info[`${architecture}.context_length`] : undefined;
  const value = exact ?? Object.entries(info).find(([key]) => key.endsWith('.context_length'))?.[1];
  return typeof value === 'number' && value > 0 ? value : null;
}

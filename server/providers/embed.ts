/** Embeddings over the two wire formats. Which model embeds is read from the connection's own list. */
import * as z from 'zod';
import { askJson } from './probe';
import type { TextEmbedder } from './types';

/** Characters of one text that are sent: embedding models read a few hundred tokens, and refuse or cut the rest. */
const MAX_TEXT_CHARS = 2_000;

export interface EmbeddingEndpoint {
  fetch: typeof globalThis.fetch;
  url: string;
  headers?: Record<string, string>;
  /** The endpoint's own name of the model. */
  name: string;
  /** `connection/model`. */
  id: string;
  label: string;
}

const ollamaSchema = z.object({ embeddings: z.array(z.array(z.number())) });
const openAiSchema = z.object({ data: z.array(z.object({ index: z.number(), embedding: z.array(z.number()) })) });

/** Ollama: `POST /api/embed` with several inputs. */
export function createOllamaEmbedder(endpoint: EmbeddingEndpoint): TextEmbedder {
  return {
    model: endpoint.id,
    async embed(texts, signal) {
      const answer = await askJson({
        ...endpoint,
        body: { model: endpoint.name, input: texts.map(shorten), truncate: true },
        signal,
        schema: ollamaSchema,
      });
      return answer.embeddings.map(toUnit);
    },
  };
}

/** OpenAI and its likes: `POST /v1/embeddings`; answers may come in another order. */
export function createOpenAiEmbedder(endpoint: EmbeddingEndpoint): TextEmbedder {
  return {
    model: endpoint.id,
    async embed(texts, signal) {
      const answer = await askJson({
        ...endpoint,
        body: { model: endpoint.name, input: texts.map(shorten), encoding_format: 'float' },
        signal,
        schema: openAiSchema,
      });
      return [...answer.data].sort((a, b) => a.index - b.index).map(({ embedding }) => toUnit(embedding));
    },
  };
}

/** Half a character at a cut, or in the text itself, makes some servers refuse the whole request. */
const shorten = (text: string): string => text.slice(0, MAX_TEXT_CHARS).toWellFormed() || ' ';

function toUnit(values: readonly number[]): Float32Array {
  const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
  return Float32Array.from(values, (value) => (length > 0 ? value / length : 0));
}

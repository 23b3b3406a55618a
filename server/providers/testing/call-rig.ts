/** What the provider tests share: a registry on a scripted endpoint, one call, and its parts. Not a mock of anything. */
import type { LanguageModelV3FunctionTool, LanguageModelV3Prompt } from '@ai-sdk/provider';
import {
  type ModelServer,
  type Script,
  startOllamaServer,
  startOpenAiServer,
} from '../../../e2e/fixtures/model-servers';
import { systemClock } from '../../lib/clock';
import { type CallModelSettings, createCallModel } from '../call-model';
import { createModelFetch } from '../fetch';
import { createModelRegistry } from '../registry';
import { ModelCallError, type ModelCallInput, type ModelPart, type ResolvedModel } from '../types';

export type Wire = 'ollama' | 'openai';

export interface Rig {
  server: ModelServer;
  model: ResolvedModel;
  call(input?: Partial<ModelCallInput>, settings?: Partial<CallModelSettings>): AsyncIterable<ModelPart>;
  close(): Promise<void>;
}

export const ask = (text: string): LanguageModelV3Prompt => [
  { role: 'system', content: 'You are a test.' },
  { role: 'user', content: [{ type: 'text', text }] },
];

export const clockTool: LanguageModelV3FunctionTool = {
  type: 'function',
  name: 'current_time',
  description: 'The time.',
  inputSchema: { type: 'object', properties: { zone: { type: 'string' } } },
};

/** A clock whose sleeps of retries take no time, so that back-off can be seen without being waited for. */
export const quickClock = {
  now: () => new Date(),
  sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(ms / 1000, signal),
};

/** Starts a scripted endpoint and a registry on it, and resolves its model. */
export async function createRig(wire: Wire, script: Script, modelName?: string): Promise<Rig> {
  const server = wire === 'ollama' ? await startOllamaServer(script) : await startOpenAiServer(script);
  const { fetch, close } = createModelFetch();
  const registry = createModelRegistry({
    ollamaBaseUrl: wire === 'ollama' ? server.origin : 'http://127.0.0.1:9',
    openaiBaseUrl: wire === 'openai' ? `${server.origin}/v1` : null,
    openaiApiKey: null,
    ollamaNumCtx: 8192,
    openaiContextWindow: 32_768,
    defaultModel: null,
    clock: systemClock,
    fetch,
  });
  const model = await registry.resolve(
    wire === 'ollama' ? `ollama/${modelName ?? 'qwen3'}` : `openai/${modelName ?? 'gpt-test'}`,
  );
  return {
    server,
    model,
    call: (input = {}, settings = {}) =>
      createCallModel({
        clock: systemClock,
        firstByteTimeoutMs: 30_000,
        idleTimeoutMs: 30_000,
        maxAttempts: 1,
        random: () => 0.5,
        ...settings,
      })({
        model,
        windowTokens: 8192,
        prompt: ask('Hello'),
        tools: [],
        temperature: null,
        maxOutputTokens: null,
        think: false,
        signal: new AbortController().signal,
        ...input,
      }),
    async close() {
      registry.close();
      close();
      await server.close();
    },
  };
}

export interface Outcome {
  parts: ModelPart[];
  text: string;
  thinking: string;
  error: unknown;
}

/** Reads an answer to its end, keeping what came before a failure. */
export async function collect(answer: AsyncIterable<ModelPart>): Promise<Outcome> {
  const outcome: Outcome = { parts: [], text: '', thinking: '', error: null };
  try {
    for await (const part of answer) {
      outcome.parts.push(part);
      if (part.type === 'text-delta') outcome.text += part.text;
      if (part.type === 'thinking-delta') outcome.thinking += part.text;
    }
  } catch (error) {
    outcome.error = error;
  }
  return outcome;
}

/** The failure of an answer, which must be one of ours. */
export async function failureOf(answer: AsyncIterable<ModelPart>): Promise<ModelCallError> {
  const { error } = await collect(answer);
  if (error instanceof ModelCallError) return error;
  throw new Error(`expected a ModelCallError, got ${String(error)}`);
}

/** Models that stand in for one that cannot be had right now: pages work, and a call tells what is wrong. */
import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { ProbedConnection } from './connection';
import { type ConnectionState, ModelCallError, type ResolvedModel } from './types';

/** Stands in for a model whose connection is unknown: it was set up when the model was chosen, or never. `why` for people. */
export function unavailableModel(modelId: string, windowTokens: number, why: string): ResolvedModel {
  const refuse = async () => {
    throw new ModelCallError('not-found', why);
  };
  const slash = modelId.indexOf('/');
  return {
    id: modelId,
    name: modelId.slice(slash + 1),
    connectionId: modelId.slice(0, Math.max(slash, 0)),
    kind: 'openai',
    isDemo: false,
    language: {
      specificationVersion: 'v3',
      provider: 'unavailable',
      modelId,
      supportedUrls: {},
      doGenerate: refuse,
      doStream: refuse,
    },
    windowTokens: (profileWindowTokens) => profileWindowTokens ?? windowTokens,
    seesImages: () => null,
    refusesImages: () => {},
    waitsFor: null,
    imageTypes: [],
    providerOptions: () => ({}),
  };
}

/** The name of a model that is not known yet. */
export const WAITING_MODEL_NAME = 'not reachable yet';

/**
 * Stands in for the first model of a connection that is expected and does not answer, or has no model yet. Each call asks
 * the connection again, as often as calls are tried again; once it is there, its first model answers the call.
 */
export function waitingModel(
  { connection, refresh }: ProbedConnection,
  state: ConnectionState,
  imageTypes: readonly string[],
): ResolvedModel {
  const reach = async (): Promise<LanguageModelV3> => {
    const now = await refresh();
    const first = now.models[0];
    if (first !== undefined) return connection.language(first.name);
    throw new ModelCallError('provider-unavailable', whyNot(now), { isTransient: true });
  };
  const id = `${connection.id}/${WAITING_MODEL_NAME}`;
  return {
    id,
    name: WAITING_MODEL_NAME,
    connectionId: connection.id,
    kind: connection.kind,
    isDemo: false,
    language: {
      specificationVersion: 'v3',
      provider: connection.id,
      modelId: id,
      supportedUrls: {},
      doGenerate: async (options) => (await reach()).doGenerate(options),
      doStream: async (options) => (await reach()).doStream(options),
    },
    windowTokens: (profileWindowTokens) => profileWindowTokens ?? connection.defaultWindowTokens,
    seesImages: () => null,
    refusesImages: () => {},
    waitsFor: whyNot(state),
    imageTypes,
    providerOptions: connection.providerOptions,
  };
}

function whyNot({ state, reason, kind, label, address }: ConnectionState): string {
  if (state !== 'connected') return reason ?? `${label} cannot be reached.`;
  const advice = kind === 'ollama' ? ' Pull one, e.g. `ollama pull qwen3`.' : '';
  return `${label} at ${address} has no models yet.${advice}`;
}

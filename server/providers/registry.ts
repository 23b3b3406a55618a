/**
 * Every connection to language models, and the one way to turn a model's id into something that can be called. It must
 * not know what a model is used for.
 */
import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { Clock } from '../lib/clock';
import { AppError } from '../lib/errors';
import {
  type Connection,
  PROBE_DEFAULTS,
  type ProbedConnection,
  type ProbeSettings,
  probeConnection,
  within,
} from './connection';
import { createDemoConnection } from './connection-demo';
import { createOllamaConnection } from './connection-ollama';
import { createOpenAiConnection, OPENAI_DEFAULT_BASE_URL } from './connection-openai';
import { DEMO_MODEL_NAME } from './demo/demo-model';
import { createModelFetch } from './fetch';
import { unavailableModel, waitingModel } from './stand-ins';
import type { ModelRegistry, ResolvedModel } from './types';

export interface ModelRegistrySettings {
  ollamaBaseUrl: string;
  /** Somebody wrote the address down, so that Ollama is expected there; else it is only looked for. */
  isOllamaConfigured?: boolean;
  openaiBaseUrl: string | null;
  openaiApiKey: string | null;
  /** `NAVI_OLLAMA_NUM_CTX`, tokens. */
  ollamaNumCtx: number;
  /** `NAVI_OPENAI_CONTEXT_WINDOW`, tokens. */
  openaiContextWindow: number;
  /** `NAVI_MODEL`, e.g. `ollama/qwen3`. */
  defaultModel: string | null;
  clock: Clock;
  /** Defaults to one without time-outs of its own. */
  fetch?: typeof globalThis.fetch;
  /** Milliseconds between two words of the demo; 0 in tests. */
  demoWordDelayMs?: number;
  /** Window of the demo, tokens. */
  demoWindowTokens?: number;
  probe?: Partial<Omit<ProbeSettings, 'clock'>>;
}

/** Small enough that compression can be seen at work in a demo, and Ollama's own default here. */
const DEMO_WINDOW_TOKENS = 8192;
/** About 30 words a second: quick, and still readable as it runs. */
const DEMO_WORD_DELAY_MS = 32;

/**
 * Creates the registry; probing starts at once. `close` ends idle connections.
 */
export function createModelRegistry(settings: ModelRegistrySettings): ModelRegistry {
  const own = settings.fetch === undefined ? createModelFetch() : null;
  const fetch = settings.fetch ?? own?.fetch ?? globalThis.fetch;
  const probe = { ...PROBE_DEFAULTS, ...settings.probe, clock: settings.clock };
  const isOpenAiConfigured = settings.openaiBaseUrl !== null || settings.openaiApiKey !== null;
  const connections = [
    createOllamaConnection({
      baseUrl: settings.ollamaBaseUrl,
      windowTokens: settings.ollamaNumCtx,
      fetch,
      showTimeoutMs: probe.probeTimeoutMs,
    }),
    ...(isOpenAiConfigured
      ? [
          createOpenAiConnection({
            baseUrl: settings.openaiBaseUrl ?? OPENAI_DEFAULT_BASE_URL,
            apiKey: settings.openaiApiKey,
            windowTokens: settings.openaiContextWindow,
            fetch,
          }),
        ]
      : []),
    createDemoConnection({
      clock: settings.clock,
      windowTokens: settings.demoWindowTokens ?? DEMO_WINDOW_TOKENS,
      wordDelayMs: settings.demoWordDelayMs ?? DEMO_WORD_DELAY_MS,
    }),
  ].map((connection) => probeConnection(connection, probe));
  const real = connections.filter(({ connection }) => connection.kind !== 'demo');
  const isExpected = ({ connection, seemsThere }: ProbedConnection): boolean =>
    connection.kind === 'openai' || settings.isOllamaConfigured === true || seemsThere();
  const models = new Map<string, LanguageModelV3>();
  /** Models that refused images. Forgotten with the process: whoever mends the endpoint starts it anew, or Navi. */
  const blind = new Set<string>();

  const languageOf = (connection: Connection, name: string): LanguageModelV3 => {
    const id = `${connection.id}/${name}`;
    const language = models.get(id) ?? connection.language(name);
    models.set(id, language);
    return language;
  };

  /** Null when the id names no connection that is set up, or no model. */
  const find = (modelId: string) => {
    const [connectionId, name] = splitModelId(modelId);
    const found = connections.find(({ connection }) => connection.id === connectionId);
    return found === undefined || name === '' ? null : { connection: found.connection, connectionId, name };
  };

  const resolve = async (modelId: string, advice = 'Pick another model for this chat.'): Promise<ResolvedModel> => {
    const found = find(modelId);
    if (found === null) {
      return unavailableModel(modelId, settings.openaiContextWindow, `${unknownSentence(modelId)} ${advice}`);
    }
    const { connection, connectionId, name } = found;
    const advertised = await connection.advertisedWindowTokens(name);
    return {
      id: modelId,
      name,
      connectionId,
      kind: connection.kind,
      isDemo: connection.kind === 'demo',
      language: languageOf(connection, name),
      windowTokens: (profileWindowTokens) =>
        Math.min(profileWindowTokens ?? connection.defaultWindowTokens, advertised ?? Number.POSITIVE_INFINITY),
      seesImages: () => (blind.has(modelId) ? false : (connection.seesImages?.(name) ?? null)),
      refusesImages: () => blind.add(modelId),
      waitsFor: null,
      imageTypes: imageTypes[connection.kind],
      providerOptions: connection.providerOptions,
    };
  };

  return {
    list: () => Promise.all(connections.map((connection) => connection.state())),
    resolve,
    check(modelId) {
      if (find(modelId) === null) {
        throw new AppError('invalid-input', unknownSentence(modelId), { details: { modelId } });
      }
    },
    async defaultModel() {
      if (settings.defaultModel !== null) {
        return resolve(settings.defaultModel, 'It is the default because NAVI_MODEL says so.');
      }
      for (const { state } of real) {
        const first = (await state()).models[0];
        if (first !== undefined) return resolve(first.id);
      }
      const expected = real.find(isExpected);
      if (expected === undefined) return resolve(`demo/${DEMO_MODEL_NAME}`);
      // What was known may be some seconds old: somebody who just started the endpoint is not told that it is away.
      const now = await within(settings.clock, probe.graceMs, expected.refresh());
      const first = now?.models[0];
      return first === undefined
        ? waitingModel(expected, now ?? (await expected.state()), imageTypes[expected.connection.kind])
        : resolve(first.id);
    },
    async embedder() {
      for (const connection of connections) {
        if ((await connection.state()).state !== 'connected') continue;
        const found = connection.connection.embedder?.() ?? null;
        if (found !== null) return found;
      }
      return null;
    },
    close: () => own?.close(),
  };
}

/**
 * What each kind of endpoint reads. Ollama's older engines know PNG and JPEG alone; OpenAI's takes WebP too, and of GIF only
 * those that do not move.
 */
const imageTypes = {
  ollama: ['image/png', 'image/jpeg'],
  openai: ['image/png', 'image/jpeg', 'image/webp'],
  demo: ['image/png', 'image/jpeg', 'image/webp'],
} as const satisfies Record<Connection['kind'], readonly string[]>;

/** `connection/name`; names may hold slashes of their own. Without one, there is no name. */
function splitModelId(modelId: string): [connectionId: string, name: string] {
  const slash = modelId.indexOf('/');
  return slash < 0 ? [modelId, ''] : [modelId.slice(0, slash), modelId.slice(slash + 1)];
}

function unknownSentence(modelId: string): string {
  return splitModelId(modelId)[0] === 'openai'
    ? `The model \`${modelId}\` needs the connection "openai", which is not set up. Set OPENAI_BASE_URL or OPENAI_API_KEY.`
    : `The model \`${modelId}\` names no known connection. Models are named connection/model, e.g. ollama/qwen3.`;
}

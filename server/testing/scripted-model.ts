/** The one fake of the tests: a model that says what the test scripts, when the test lets it. */
import type {
  CallModel,
  FinishReason,
  ModelCallInput,
  ModelPart,
  ModelRegistry,
  ResolvedModel,
} from '../providers/types';

export type Reply = (input: ModelCallInput) => AsyncIterable<ModelPart> | Iterable<ModelPart>;

export interface ScriptedModel {
  callModel: CallModel;
  models: ModelRegistry;
  /** Scripts of the next calls, in order; once used up, every call answers `fallback`. */
  replies: Reply[];
  fallback: Reply;
  /** What the endpoint would tell of it. */
  seesImages: boolean | null;
  /** Every call so far. */
  calls: ModelCallInput[];
}

export const finish = (reason: FinishReason = 'stop'): ModelPart => ({
  type: 'finish',
  reason,
  usage: { inputTokens: 100, outputTokens: 20 },
});

/** A whole answer in pieces. */
export const say =
  (...pieces: string[]): Reply =>
  () => [...pieces.map((text): ModelPart => ({ type: 'text-delta', text })), finish()];

/** One or more tool calls, ids counted from `call-1`. */
export const callTools =
  (...calls: { name: string; arguments?: unknown; id?: string; malformed?: string }[]): Reply =>
  () => [
    ...calls.map(
      (call, index): ModelPart => ({
        type: 'tool-call',
        id: call.id ?? `call-${index + 1}`,
        name: call.name,
        arguments: call.arguments ?? {},
        malformed: call.malformed ?? null,
      }),
    ),
    finish('tool-calls'),
  ];

/** Something a test opens when it wants the script to go on. */
export interface Gate {
  open(): void;
  /** Resolves when the script has reached the gate. */
  reached: Promise<void>;
  /** For scripts: waits until the gate opens; rejects when the signal aborts. */
  pass(signal: AbortSignal): Promise<void>;
}

export function createGate(): Gate {
  let open = () => {};
  let arrive = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  return {
    open,
    reached,
    pass: (signal) =>
      new Promise((resolve, reject) => {
        arrive();
        if (signal.aborted) reject(signal.reason);
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        void opened.then(resolve);
      }),
  };
}

/** Says `before`, waits at the gate, says `after`. */
export const sayAround = (before: string, gate: Gate, after: string): Reply =>
  async function* ({ signal }) {
    yield { type: 'text-delta', text: before };
    await gate.pass(signal);
    yield { type: 'text-delta', text: after };
    yield finish();
  };

export function createScriptedModel(): ScriptedModel {
  const model: ResolvedModel = {
    id: 'test/scripted',
    name: 'scripted',
    connectionId: 'test',
    kind: 'demo',
    isDemo: true,
    // Never called: the scripted `callModel` stands before it.
    language: {} as ResolvedModel['language'],
    windowTokens: (profileWindowTokens) => profileWindowTokens ?? 8192,
    seesImages: () => scripted.seesImages,
    refusesImages: () => {
      scripted.seesImages = false;
    },
    waitsFor: null,
    imageTypes: ['image/png', 'image/jpeg', 'image/webp'],
    providerOptions: () => ({}),
  };
  const scripted: ScriptedModel = {
    replies: [],
    seesImages: null,
    fallback: say('All ', 'right.'),
    calls: [],
    callModel: async function* (input) {
      scripted.calls.push(input);
      yield* (scripted.replies.shift() ?? scripted.fallback)(input);
    },
    models: {
      list: async () => [],
      resolve: async (id) => ({ ...model, id }),
      check: () => {},
      defaultModel: async () => model,
      embedder: async () => null,
      close: () => {},
    },
  };
  return scripted;
}

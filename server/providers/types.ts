/**
 * What the rest of Navi knows of language models. The model itself is the AI SDK's interface (`LanguageModelV3`);
 * vendors are known only inside this folder.
 */
import type { LanguageModelV3, LanguageModelV3FunctionTool, LanguageModelV3Prompt } from '@ai-sdk/provider';
import type { AppErrorCode } from '../lib/errors';

export type ConnectionKind = 'ollama' | 'openai' | 'demo';

export interface ModelInfo {
  /** `connection/model`, e.g. `ollama/qwen3`. The connection is the part before the first slash. */
  id: string;
  /** The model's own name, as its connection lists it. */
  name: string;
  /** The window the model advertises, in tokens; null when unknown. It only caps the resolved window. */
  advertisedWindowTokens: number | null;
}

/** A connection as `models.list` shows it. */
export interface ConnectionState {
  id: string;
  kind: ConnectionKind;
  label: string;
  state: 'connected' | 'unreachable';
  /** In plain words, when unreachable. */
  reason: string | null;
  /** What people see of the address; never a key. */
  address: string | null;
  models: ModelInfo[];
}

export interface ResolvedModel {
  id: string;
  name: string;
  connectionId: string;
  kind: ConnectionKind;
  isDemo: boolean;
  language: LanguageModelV3;
  /** Window in tokens: the profile's, else the connection's setting, capped by what the model advertises. */
  windowTokens(profileWindowTokens: number | null): number;
  /** Whether it can be shown images; null when its endpoint does not tell. */
  seesImages(): boolean | null;
  /** Its endpoint refused a call over its images: from now on it counts as one that sees none. */
  refusesImages(): void;
  /** Set while the default's connection cannot be reached or has no model yet: why, in plain words. A call asks it again. */
  waitsFor: string | null;
  /** MIME types of images that the endpoint reads as they are. */
  imageTypes: readonly string[];
  /** Vendor options of one call: Ollama's `num_ctx` (the window, always) and `think`. */
  providerOptions(call: { windowTokens: number; think: boolean }): Record<string, Record<string, unknown>>;
}

export interface ModelRegistry {
  /** Probes what is due and answers the state of every connection. */
  list(): Promise<ConnectionState[]>;
  /**
   * The model by id; its name is not checked here. For one whose connection is gone since it was chosen, a stand-in: chats
   * can be read and managed, and a call fails with the reason.
   */
  resolve(modelId: string): Promise<ResolvedModel>;
  /** Throws `invalid-input` for an id that names no connection: asked before one is chosen. */
  check(modelId: string): void;
  /**
   * `NAVI_MODEL`, else the first model of a reachable connection, else one that is expected (`waitsFor`), else the demo. The
   * demo never stands in for a connection that somebody set up or that answered before.
   */
  defaultModel(): Promise<ResolvedModel>;
  /**
   * What turns texts into vectors: the first connected endpoint that lists a model for it; null when none does. Choosing is
   * cached as probes are.
   */
  embedder(): Promise<TextEmbedder | null>;
  close(): void;
}

/** Turns texts into vectors, for memory. */
export interface TextEmbedder {
  /** `connection/model`. Vectors of different models do not compare. */
  model: string;
  /** Unit vectors, in the order given. Rejects when the endpoint fails. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>;
}

/** One model call as the agent sees it, vendor quirks ironed out. Ends with `finish`; failures are thrown as `ModelCallError`. */
export type ModelPart =
  | { type: 'text-delta'; text: string }
  | { type: 'thinking-delta'; text: string }
  /** A complete call. `arguments` is the parsed JSON; `malformed` carries the raw text when it was none. */
  | { type: 'tool-call'; id: string; name: string; arguments: unknown; malformed: string | null }
  /** A passing failure before the first part: the call is made again after `delayMs`. */
  | { type: 'retry'; attempt: number; delayMs: number; reason: string }
  | { type: 'finish'; reason: FinishReason; usage: ModelUsage };

export type FinishReason = 'stop' | 'tool-calls' | 'length' | 'content-filter' | 'other';

/** The provider's own counts; null where it said nothing. */
export interface ModelUsage {
  inputTokens: number | null;
  outputTokens: number | null;
}

export interface ModelCallInput {
  model: ResolvedModel;
  windowTokens: number;
  prompt: LanguageModelV3Prompt;
  /** The same prompt without its images, asked for when the endpoint turns out to take none. */
  promptWithoutImages?: () => Promise<LanguageModelV3Prompt>;
  tools: LanguageModelV3FunctionTool[];
  temperature: number | null;
  maxOutputTokens: number | null;
  think: boolean;
  signal: AbortSignal;
}

/** Makes one model call. See `call-model.ts` for retries and time-outs. */
export type CallModel = (input: ModelCallInput) => AsyncIterable<ModelPart>;

/** Why a model call failed, in terms that a card and a retry can use. */
export class ModelCallError extends Error {
  readonly code: AppErrorCode;
  /** What the provider said, shortened; for the folded part of the card. */
  readonly details: string | null;
  /** It may pass by itself: the call is made again. */
  readonly isTransient: boolean;

  constructor(
    code: AppErrorCode,
    message: string,
    options?: { details?: string | null; cause?: unknown; isTransient?: boolean },
  ) {
    super(message, { cause: options?.cause });
    this.name = 'ModelCallError';
    this.code = code;
    this.details = options?.details ?? null;
    this.isTransient = options?.isTransient ?? false;
  }
}

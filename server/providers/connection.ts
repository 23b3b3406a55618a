/** What the registry needs of a connection, and the care around probing it: cached, single-flight, short. */
import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { Clock } from '../lib/clock';
import { startPatientTimeout } from '../lib/patient-timeout';
import type { ConnectionKind, ConnectionState, ModelInfo, ResolvedModel, TextEmbedder } from './types';

export interface Connection {
  id: string;
  kind: ConnectionKind;
  label: string;
  address: string | null;
  /** Window in tokens when the profile names none. */
  defaultWindowTokens: number;
  /** Asks the endpoint for its models. Rejects with a sentence for people when it cannot be reached. */
  listModels(signal: AbortSignal): Promise<ModelInfo[]>;
  /** The window a model advertises, in tokens; null when unknown. Cached; answers within the probe's time-out. */
  advertisedWindowTokens(name: string): Promise<number | null>;
  /** Whether a model can be shown images, as far as its endpoint tells; null when it does not. */
  seesImages?(name: string): boolean | null;
  language(name: string): LanguageModelV3;
  providerOptions: ResolvedModel['providerOptions'];
  /** What embeds texts here, as the newest list of models tells; null when nothing does. */
  embedder?(): TextEmbedder | null;
}

export interface ProbedConnection {
  connection: Connection;
  /** The state, fresh or cached. Waits only as long as a page may. */
  state(): Promise<ConnectionState>;
  /** Asks now, whatever is known. Waits for the answer as long as a probe takes. */
  refresh(): Promise<ConnectionState>;
  /** Whether it had models before, or something is there that only did not answer in time. */
  seemsThere(): boolean;
}

export interface ProbeSettings {
  clock: Clock;
  /** Longest time one probe may take; time in which this process itself stood still is not counted. */
  probeTimeoutMs: number;
  /** A connection that answered is asked again after this time. */
  connectedForMs: number;
  /** One that did not answer is asked again after this time. */
  absentForMs: number;
  /** Longest time that a caller waits for a new probe when an older state is known. */
  graceMs: number;
}

/** 1.5 s covers a busy machine; a page never waits longer than that once, later at most the grace. */
export const PROBE_DEFAULTS = {
  probeTimeoutMs: 1500,
  connectedForMs: 15_000,
  absentForMs: 5000,
  graceMs: 200,
} as const;

/** The answer if it comes within so many milliseconds; null otherwise. */
export async function within<Value>(clock: Clock, ms: number, answer: Promise<Value>): Promise<Value | null> {
  const waiting = new AbortController();
  const late = clock.sleep(ms, waiting.signal).then(
    () => null,
    () => null,
  );
  const first = await Promise.race([answer, late]);
  waiting.abort();
  return first;
}

/** Wraps a connection with its probe; the first probe starts at once. */
export function probeConnection(connection: Connection, settings: ProbeSettings): ProbedConnection {
  const { clock } = settings;
  let known: { state: ConnectionState; atMs: number } | null = null;
  let running: Promise<ConnectionState> | null = null;
  let isThere = false;

  const stateOf = (models: ModelInfo[], reason: string | null): ConnectionState => ({
    id: connection.id,
    kind: connection.kind,
    label: connection.label,
    state: reason === null ? 'connected' : 'unreachable',
    reason,
    address: connection.address,
    models,
  });
  const ask = async (): Promise<ConnectionState> => {
    const { signal, clear } = startPatientTimeout(settings.probeTimeoutMs);
    let state: ConnectionState;
    try {
      state = stateOf(await connection.listModels(signal), null);
      isThere ||= state.models.length > 0;
    } catch (error) {
      isThere ||= signal.aborted;
      const reason = signal.aborted
        ? `${connection.label}${connection.address === null ? '' : ` at ${connection.address}`} did not answer in time.`
        : error instanceof Error
          ? error.message
          : `${connection.label} cannot be reached.`;
      state = stateOf([], reason);
    } finally {
      clear();
    }
    known = { state, atMs: clock.now().getTime() };
    running = null;
    return state;
  };
  const probe = () => {
    running ??= ask();
    return running;
  };
  void probe();

  return {
    connection,
    refresh: probe,
    seemsThere: () => isThere,
    async state() {
      if (known === null) return probe();
      const ageMs = clock.now().getTime() - known.atMs;
      const limitMs = known.state.state === 'connected' ? settings.connectedForMs : settings.absentForMs;
      if (ageMs < limitMs) return known.state;
      return (await within(clock, settings.graceMs, probe())) ?? known.state;
    },
  };
}

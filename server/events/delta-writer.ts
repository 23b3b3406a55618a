/**
 * Streams text into the log. The first delta of a step is written at once; while a write is under way or a batch interval
 * runs, later ones collect, and the next write carries everything of every session of this process in one statement.
 */
import type { EventLog } from './log';
import type { StoredEvent } from './topics';

/** Milliseconds between two batches. Reading speed is far slower; durability (0.5 s, product §3) far looser. */
const BATCH_INTERVAL_MS = 40;
/**
 * Milliseconds more for each entry that the last batch held, and the longest interval of all. Every entry is a row, an event
 * and a frame: with a hundred runs at once they would arrive one token at a time and cost most of a core; at the longest
 * interval each carries three or four. One run alone never waits for it.
 */
const INTERVAL_PER_ENTRY_MS = 0.8;
const LONGEST_INTERVAL_MS = 120;
/** Milliseconds until a failed write is tried again. */
const RETRY_AFTER_MS = 500;

export interface DeltaTarget {
  sessionId: string;
  runId: string;
  epoch: number;
  step: number;
}

type DeltaKind = 'text-delta' | 'thinking-delta';

export interface DeltaWriter {
  /** Adds text; returns at once. */
  add(target: DeltaTarget, kind: DeltaKind, text: string): void;
  /** An event of the run that needs no transaction (`tool-progress`, `retrying`), in order with the deltas. */
  addEvent(target: DeltaTarget, event: StoredEvent): void;
  /** Resolves when everything added so far for the session is durable. Called before a step's message is written. */
  drain(sessionId: string): Promise<void>;
  /** Calls back when a write of the run was refused: it was settled by somebody else. Returns the way to stop. */
  onLost(run: Pick<DeltaTarget, 'sessionId' | 'epoch'>, listener: () => void): () => void;
  close(): Promise<void>;
}

interface Pending {
  target: DeltaTarget;
  event: StoredEvent;
  /** Text of deltas, joined when the batch is written; null for other events. */
  pieces: string[] | null;
}

/** Which run of a session, as the fence tells them apart. */
const fenceOf = ({ sessionId, epoch }: { sessionId: string; epoch: number | null }) => `${epoch}:${sessionId}`;

/** The half of a surrogate pair that a text ends with: its other half comes with the next piece. */
function trailingHalf(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(-1) : '';
}

export function createDeltaWriter({
  log,
  onError,
}: {
  log: Pick<EventLog, 'appendMany'>;
  onError(error: unknown): void;
}): DeltaWriter {
  let pending: Pending[] = [];
  let inFlight: Pending[] = [];
  let writing: Promise<void> | null = null;
  let timer: NodeJS.Timeout | null = null;
  /** No batch before this moment, so that a batch is a batch. Lifted by a first delta and by `drain`. */
  let quietUntil = 0;
  /** No attempt before this moment, because the last one failed. */
  let blockedUntil = 0;
  /** Per session: the newest pending delta, where more text of the same kind joins. */
  const open = new Map<string, Pending>();
  /** Per session: the step whose first delta was already seen, and per kind half a character waiting for its other half. */
  const streams = new Map<string, { step: string; target: DeltaTarget; halves: Partial<Record<DeltaKind, string>> }>();
  /** By fence. */
  const lostListeners = new Map<string, Set<() => void>>();

  function schedule(isUrgent = false): void {
    if (isUrgent) quietUntil = 0;
    if (writing !== null || pending.length === 0) return;
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const waitMs = Math.max(quietUntil, blockedUntil) - performance.now();
    if (waitMs > 0) timer = setTimeout(schedule, waitMs);
    else writing = write();
  }

  async function write(): Promise<void> {
    // One turn of the event loop: deltas that arrived in the same read of many sockets travel together.
    await new Promise<void>((resolve) => setImmediate(resolve));
    inFlight = pending;
    pending = [];
    open.clear();
    const intervalMs = Math.min(BATCH_INTERVAL_MS + INTERVAL_PER_ENTRY_MS * (inFlight.length - 1), LONGEST_INTERVAL_MS);
    quietUntil = performance.now() + intervalMs;
    try {
      const { refused } = await log.appendMany(
        inFlight.map(({ target, event, pieces }) => ({
          sessionId: target.sessionId,
          epoch: target.epoch,
          event: pieces === null ? event : ({ ...event, text: pieces.join('') } as StoredEvent),
        })),
      );
      for (const fence of new Set(refused.map(fenceOf))) {
        for (const listener of lostListeners.get(fence) ?? []) listener();
      }
    } catch (error) {
      // Nothing was written: everything goes back to the front, in order, and `drain` waits for it.
      pending = [...inFlight, ...pending];
      blockedUntil = performance.now() + RETRY_AFTER_MS;
      onError(error);
    } finally {
      inFlight = [];
      writing = null;
      schedule();
    }
  }

  /** A half whose other half never came is told as it is: what was streamed and what is stored are the same text. */
  function endStream(sessionId: string): void {
    const stream = streams.get(sessionId);
    streams.delete(sessionId);
    if (stream === undefined) return;
    const { runId, step } = stream.target;
    for (const kind of ['thinking-delta', 'text-delta'] as const) {
      const half = stream.halves[kind] ?? '';
      if (half !== '') push({ target: stream.target, event: { kind, runId, step, text: '' }, pieces: [half] }, false);
    }
  }

  function push(entry: Pending, isUrgent: boolean): void {
    pending.push(entry);
    open.set(entry.target.sessionId, entry);
    schedule(isUrgent);
  }

  const holds = (list: Pending[], sessionId: string) => list.some((entry) => entry.target.sessionId === sessionId);

  return {
    add(target, kind, text) {
      const { sessionId, runId, step } = target;
      const stepKey = `${runId}:${step}`;
      const known = streams.get(sessionId);
      const isFirst = known?.step !== stepKey;
      if (isFirst) endStream(sessionId);
      const stream = isFirst ? { step: stepKey, target, halves: {} } : known;
      streams.set(sessionId, stream);
      const whole = (stream.halves[kind] ?? '') + text;
      const half = trailingHalf(whole);
      stream.halves[kind] = half;
      const piece = half === '' ? whole : whole.slice(0, -1);
      if (piece === '') return;
      const current = open.get(sessionId);
      const isSameStep = current?.target.runId === runId && current.target.step === step;
      if (isSameStep && current.pieces !== null && current.event.kind === kind) {
        current.pieces.push(piece);
      } else {
        push({ target, event: { kind, runId, step, text: '' }, pieces: [piece] }, isFirst);
      }
    },
    addEvent: (target, event) => push({ target, event, pieces: null }, false),
    async drain(sessionId) {
      endStream(sessionId);
      while (holds(pending, sessionId) || holds(inFlight, sessionId)) {
        schedule(true);
        if (writing !== null) await writing;
        else await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS));
      }
    },
    onLost(run, listener) {
      const fence = fenceOf(run);
      const set = lostListeners.get(fence) ?? new Set();
      set.add(listener);
      lostListeners.set(fence, set);
      return () => {
        set.delete(listener);
        if (set.size === 0) lostListeners.delete(fence);
      };
    },
    async close() {
      for (const sessionId of streams.keys()) endStream(sessionId);
      for (const sessionId of new Set(pending.map((entry) => entry.target.sessionId))) await this.drain(sessionId);
      await writing;
    },
  };
}

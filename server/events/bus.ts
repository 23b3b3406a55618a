/**
 * Wake-ups between whoever writes and whoever waits, in this process and across workers. A signal says that something
 * happened and is never the only record of it: what it points at stands in the database.
 */
import type { StoredEvent } from './topics';

export interface EventRow {
  id: number;
  event: StoredEvent;
}

export type Signal =
  /** Events up to `lastId` are committed. `rows` are those events when they were written by this process. */
  | { topic: 'session'; sessionId: string; lastId: number; rows: EventRow[] | null }
  /** Something that lists show changed. */
  | { topic: 'user'; userId: string; sessionId: string; change: 'created' | 'updated' | 'removed' }
  /** The owner of a run should look at its row: it was asked to stop, or an approval was answered. */
  | { topic: 'run'; runId: string };

type Listener = (signal: Signal) => void;

export interface Bus {
  publish(signal: Signal): void;
  /** Listens to `session:<id>`, `user:<id>` or `run:<id>`; returns the way to stop. */
  on(key: string, listener: Listener): () => void;
  /** Calls back when signals may have been lost, e.g. after a reconnect: everybody re-reads. */
  onGap(listener: () => void): () => void;
  close(): Promise<void>;
}

/** Carries encoded signals to other workers. See `database/notifications.ts`. */
export interface SignalCarrier {
  send(signals: Signal[]): void;
  onReceive(listener: (signals: Signal[]) => void): void;
  onGap(listener: () => void): void;
  close(): Promise<void>;
}

export function keyOf(signal: Signal): string {
  switch (signal.topic) {
    case 'session':
      return `session:${signal.sessionId}`;
    case 'user':
      return `user:${signal.userId}`;
    case 'run':
      return `run:${signal.runId}`;
  }
}

/** In memory for one process; with a `carrier`, every signal also reaches the other workers. */
export function createBus(carrier?: SignalCarrier): Bus {
  const listeners = new Map<string, Set<Listener>>();
  const gapListeners = new Set<() => void>();

  function deliver(signal: Signal): void {
    for (const listener of listeners.get(keyOf(signal)) ?? []) listener(signal);
  }
  carrier?.onReceive((signals) => signals.forEach(deliver));
  carrier?.onGap(() => {
    for (const listener of gapListeners) listener();
  });

  return {
    publish(signal) {
      deliver(signal);
      carrier?.send([signal]);
    },
    on(key, listener) {
      const set = listeners.get(key) ?? new Set();
      set.add(listener);
      listeners.set(key, set);
      return () => {
        set.delete(listener);
        if (set.size === 0 && listeners.get(key) === set) listeners.delete(key);
      };
    },
    onGap(listener) {
      gapListeners.add(listener);
      return () => gapListeners.delete(listener);
    },
    close: async () => carrier?.close(),
  };
}

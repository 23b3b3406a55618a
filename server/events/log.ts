/**
 * The durable, ordered event log of every session. Appending is the last thing in a transaction; publishing happens after
 * its commit. A write that carries a stale epoch is refused: its run was settled by somebody else.
 */
import type { Transaction } from '../database/transaction';
import { groupBy } from '../lib/collections';
import { AppError } from '../lib/errors';
import type { Bus, EventRow } from './bus';
import type { AppendedEvent, EventDraft, EventStore } from './store';
import type { StoredEvent } from './topics';

/** The run that tried to write no longer owns its session. The owner drops everything; the settlement has told people. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
  constructor(readonly sessionId: string) {
    super(`the run of session ${sessionId} is owned by somebody else now`);
  }
}

export interface EventLog {
  /** Appends in `tx`. With an `epoch`, throws `LeaseLostError` when it is stale, which rolls the transaction back. */
  append(tx: Transaction, sessionId: string, events: StoredEvent[], epoch?: number): Promise<void>;
  /**
   * For what a run writes without an event of its session: throws `LeaseLostError` when the epoch is stale. The caller holds
   * the session's row, under which runs begin and end; so it stays true until the transaction ends. Null: no run writes.
   */
  checkEpoch(tx: Transaction, sessionId: string, epoch: number | null): Promise<void>;
  /** Appends for several sessions in one statement of its own; answers the drafts whose epoch was stale. */
  appendMany(drafts: EventDraft[]): Promise<{ refused: EventDraft[] }>;
  /** Publishes what a store appended and committed together with the rows that it tells of. */
  publish(sessionId: string, rows: EventRow[], userId: string | null): void;
  /** Tells one person's lists, after the commit. */
  touchUser(tx: Transaction, userId: string | null, sessionId: string, change: 'created' | 'updated' | 'removed'): void;
}

export function createEventLog({ store, bus }: { store: EventStore; bus: Bus }): EventLog {
  const publishRows = (sessionId: string, rows: EventRow[]) =>
    bus.publish({ topic: 'session', sessionId, lastId: rows[rows.length - 1]?.id ?? 0, rows });
  const publishUser = (userId: string, sessionId: string, change: 'created' | 'updated' | 'removed') =>
    bus.publish({ topic: 'user', userId, sessionId, change });

  function publishMany(rows: AppendedEvent[]): void {
    for (const [sessionId, list] of groupBy(rows, (row) => row.sessionId)) publishRows(sessionId, list);
  }

  return {
    async append(tx, sessionId, events, epoch) {
      const drafts = events.map((event) => ({ sessionId, epoch: epoch ?? null, event }));
      const { rows, refused } = await store.append(drafts, tx.client);
      if (refused.length > 0) {
        if (epoch !== undefined) throw new LeaseLostError(sessionId);
        throw new AppError('not-found', 'This chat does not exist or was deleted.');
      }
      tx.afterCommit(() => publishMany(rows));
    },

    async checkEpoch(tx, sessionId, epoch) {
      if (epoch !== null && (await store.readEpoch(sessionId, tx.client)) !== epoch)
        throw new LeaseLostError(sessionId);
    },

    async appendMany(drafts) {
      const { rows, refused } = await store.append(drafts);
      publishMany(rows);
      return { refused };
    },

    publish(sessionId, rows, userId) {
      publishRows(sessionId, rows);
      if (userId !== null) publishUser(userId, sessionId, 'updated');
    },

    touchUser(tx, userId, sessionId, change) {
      if (userId !== null) tx.afterCommit(() => publishUser(userId, sessionId, change));
    },
  };
}

/** The event log over a test database without the rest of the app: what the tests of this folder share. */
import { randomUUID } from 'node:crypto';
import { createUnitOfWork } from '../../database/transaction';
import type { Database } from '../../db';
import { createSessionStore } from '../../domains/sessions/store';
import { createBus } from '../bus';
import { createEventLog } from '../log';
import { createEventStore, type EventDraft } from '../store';
import type { StoredEvent } from '../topics';

export function createEventRig(database: Database) {
  const store = createEventStore(database.prisma);
  const bus = createBus();
  const unitOfWork = createUnitOfWork(database);
  const sessions = createSessionStore(database.prisma);
  return {
    store,
    bus,
    unitOfWork,
    log: createEventLog({ store, bus }),
    async newSession(): Promise<string> {
      const id = randomUUID();
      await unitOfWork.run((tx) =>
        sessions.insert(tx, { id, userId: null, profileId: 'default', name: null, parentId: null, model: null }),
      );
      return id;
    },
    /** Takes the session for a run, as a claim does; answers its fence. */
    async claim(sessionId: string): Promise<number> {
      const { rows } = await database.pool.query<{ epoch: number }>(
        'UPDATE session_event_heads SET epoch = epoch + 1 WHERE session_id = $1 RETURNING epoch',
        [sessionId],
      );
      return rows[0]?.epoch ?? -1;
    },
    async idsOf(sessionId: string): Promise<number[]> {
      return (await store.readAfter(sessionId, 0, 10_000)).map((row) => row.id);
    },
  };
}

export const delta = (text: string, runId = 'run'): StoredEvent => ({ kind: 'text-delta', runId, step: 1, text });

export const draft = (sessionId: string, text: string, epoch: number | null = null): EventDraft => ({
  sessionId,
  epoch,
  event: delta(text),
});

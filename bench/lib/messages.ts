/** The messages service as `app.ts` wires it, without the agent around it: for rows that measure appending itself. */
import pg from 'pg';
import { createUnitOfWork } from '../../server/database/transaction';
import { createDatabase } from '../../server/db';
import { createBranchStore } from '../../server/domains/messages/branch-store';
import { createMessageService } from '../../server/domains/messages/service';
import { createMessageStore } from '../../server/domains/messages/store';
import { createSessionService } from '../../server/domains/sessions/service';
import { createSessionStore } from '../../server/domains/sessions/store';
import { createBus } from '../../server/events/bus';
import { createEventLog } from '../../server/events/log';
import { createEventStore } from '../../server/events/store';
import { systemClock } from '../../server/lib/clock';
import { newId } from '../../server/lib/ids';

export interface Appender {
  /** Appends one user message with its event, durable when it resolves. Answers its sequence number. */
  append(sessionId: string, content: string): Promise<number>;
  /** One durable insert of the same content by hand: what the hardware allows. */
  insertBare(content: string): Promise<void>;
  close(): Promise<void>;
}

/** Makes the table of the bare inserts. */
export async function createBareTable(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('CREATE TABLE bench_bare (id bigserial PRIMARY KEY, content text NOT NULL)');
  await client.end();
}

/** Sessions and messages over one database. `database.close` ends its pool. */
export function openMessages(url: string) {
  const database = createDatabase({ url, engine: 'postgres' });
  const { prisma } = database;
  const unitOfWork = createUnitOfWork(database);
  const events = createEventLog({ store: createEventStore(prisma), bus: createBus() });
  const sessions = createSessionService({
    store: createSessionStore(prisma),
    unitOfWork,
    events,
    clock: systemClock,
    newId,
    windowOf: async () => 8192,
    checkProfile: () => {},
    stopRuns: async () => {},
    onOwnerChange: async () => {},
    onPurge: async () => {},
  });
  const messages = createMessageService({
    store: createMessageStore(prisma),
    branches: createBranchStore(prisma),
    sessions,
    unitOfWork,
    events,
    newId,
    prepareFork: async () => ({ insert: async () => {}, discard: async () => {} }),
    onFork: async () => {},
    afterFork: async () => {},
    hotWindow: 2000,
  });
  return { database, unitOfWork, sessions, messages };
}

/** One worker's service over its own pool. */
export async function openAppender(url: string): Promise<Appender> {
  const { database, messages } = openMessages(url);
  return {
    async append(sessionId, content) {
      const drafts = [{ role: 'user' as const, content }];
      const [message] = await messages.appendAndTell({ sessionId, drafts, events: [], epoch: null });
      return message?.sequenceNumber ?? 0;
    },
    async insertBare(content) {
      await database.pool.query('INSERT INTO bench_bare (content) VALUES ($1)', [content]);
    },
    close: database.close,
  };
}

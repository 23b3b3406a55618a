/** The memory service over a database, the way the app wires it, without the rest of the app. */
import { createUnitOfWork } from '../../server/database/transaction';
import { createDatabase } from '../../server/db';
import { createEmbeddingStore } from '../../server/domains/memory/embedding-store';
import { createMemoryService } from '../../server/domains/memory/service';
import { createMemoryStore } from '../../server/domains/memory/store';
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

/** Sessions, messages and memory over one database. `close` ends its pool. */
export function openMemory(url: string) {
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
    measure: async () => ({ contextTokenCount: 0, contextTokenSource: 'estimated' }),
    checkProfile: () => {},
    stopRuns: async () => {},
    onOwnerChange: async () => {},
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
  const memory = createMemoryService({
    store: createMemoryStore(prisma),
    embeddings: createEmbeddingStore(prisma),
    sessions,
    messages,
    kv: { searchValues: async () => [] },
    clock: systemClock,
    settings: { isSearchEnabled: true, isRecallEnabled: true, recallK: 2, recallMinSimilarity: 0.05 },
    embedder: async () => null,
    reportUnexpected: (error) => {
      throw error;
    },
  });

  return { database, unitOfWork, sessions, memory, close: database.close };
}

/** The memory service over a database, the way the app wires it, without the rest of the app. */
import { createEmbeddingStore } from '../../server/domains/memory/embedding-store';
import { createMemoryService } from '../../server/domains/memory/service';
import { createMemoryStore } from '../../server/domains/memory/store';
import { systemClock } from '../../server/lib/clock';
import { openMessages } from './messages';

/** Sessions, messages and memory over one database. `close` ends its pool. */
export function openMemory(url: string) {
  const { database, unitOfWork, sessions, messages } = openMessages(url);
  const { prisma } = database;
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

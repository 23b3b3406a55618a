/** The only code that knows the table of shares. */
import type { Transaction } from '../../database/transaction';
import type { PrismaClient } from '../../generated/prisma/client';

export interface StoredShare {
  sessionId: string;
  token: string;
  createdAt: Date;
}

export function createShareStore(prisma: PrismaClient) {
  return {
    /** The session's share; `token` becomes its token when it has none yet. */
    async insertOrFind(tx: Transaction, sessionId: string, token: string): Promise<StoredShare> {
      return tx.client.sessionShare.upsert({ where: { sessionId }, create: { sessionId, token }, update: {} });
    },

    find: (sessionId: string): Promise<StoredShare | null> => prisma.sessionShare.findUnique({ where: { sessionId } }),

    findByToken: (token: string): Promise<StoredShare | null> => prisma.sessionShare.findUnique({ where: { token } }),

    /** Shares of these owners' sessions, null for sessions without one, newest first; those of removed sessions are gone. */
    async list(owners: readonly (string | null)[], limit: number) {
      return prisma.sessionShare.findMany({
        where: { session: { OR: owners.map((userId) => ({ userId })), removedAt: null } },
        orderBy: [{ createdAt: 'desc' }, { sessionId: 'asc' }],
        take: limit,
        include: {
          session: {
            select: { name: true, preview: true, opening: true, displayMessageCount: true, lastActive: true },
          },
        },
      });
    },
  };
}

export type ShareStore = ReturnType<typeof createShareStore>;

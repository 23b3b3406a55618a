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

    /** A person's shares, newest first; those of sessions that were removed are gone. */
    async list(userId: string, limit: number) {
      return prisma.sessionShare.findMany({
        where: { session: { userId, removedAt: null } },
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

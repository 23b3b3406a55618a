/**
 * Plans that older versions kept in `session_store` under scope `todo` (seed 000), moved once. A plan in the new table is
 * never overwritten, and the source row goes in the same transaction: what the person cleared does not come back.
 */
import type { UnitOfWork } from '../../database/transaction';
import type { Prisma, PrismaClient } from '../../generated/prisma/client';
import { storableDeep } from '../../lib/text';
import { type KeyValuePlan, parseKeyValuePlan, toStoredStep } from './engine/stored';

export const LEGACY_SCOPE = 'todo';
export const LEGACY_KEY = 'tasks';

/** A row that stays where it is, and why. */
export interface LegacyProblem {
  userId: string;
  sessionId: string;
  key: string;
  reason: 'unreadable' | 'no-session';
}

/**
 * Makes the mover. Running it twice, or in two processes at once, moves each plan once. Rows that cannot be read, or whose
 * session is gone, are kept and reported. The plan is keyed by the session's owner, whoever the old row named.
 */
export function createLegacyMove(dependencies: {
  prisma: PrismaClient;
  unitOfWork: UnitOfWork;
  report(problem: LegacyProblem): void;
}): () => Promise<void> {
  const { prisma, unitOfWork, report } = dependencies;

  async function moveRow(id: number, sessionId: string, userId: string | null, plan: KeyValuePlan): Promise<void> {
    await unitOfWork.run(async (tx) => {
      const { count } = await tx.client.sessionStore.deleteMany({ where: { id } });
      // Another process was first.
      if (count === 0) return;
      await tx.client.sessionTodos.createMany({
        data: {
          userId: userId ?? '',
          sessionId,
          tasks: storableDeep(plan.tasks.map(toStoredStep)) as unknown as Prisma.InputJsonArray,
          revision: plan.revision,
          nextStepNumber: plan.nextStepNumber,
          recoveryNotedRevision: plan.recoveryNotedRevision,
          ...(plan.updatedAt === null ? {} : { updatedAt: new Date(plan.updatedAt) }),
        },
        skipDuplicates: true,
      });
    });
  }

  return async () => {
    const rows = await prisma.sessionStore.findMany({
      where: { scope: LEGACY_SCOPE },
      // Should two rows claim one session, the newer one stands.
      orderBy: [{ updatedAt: 'desc' }, { id: 'desc' }],
    });
    for (const { id, userId, sessionId, key, value, updatedAt } of rows) {
      const session = await prisma.session.findUnique({ where: { id: sessionId }, select: { userId: true } });
      const plan = key === LEGACY_KEY ? parseKeyValuePlan(value) : null;
      if (plan === null) report({ userId, sessionId, key, reason: 'unreadable' });
      else if (session === null) report({ userId, sessionId, key, reason: 'no-session' });
      else {
        const at = plan.updatedAt ?? updatedAt.toISOString();
        await moveRow(id, sessionId, session.userId, { ...plan, updatedAt: at });
      }
    }
  };
}

/**
 * Branches: the continuations that regenerate, and edit and resend, leave behind. Each message belongs to one branch (null:
 * the trunk); siblings share the message they fork after. Switching marks messages, it never moves or deletes them.
 */
import type { Transaction } from '../../database/transaction';
import { Prisma, type PrismaClient, type SessionBranch } from '../../generated/prisma/client';
import { groupBy } from '../../lib/collections';

const tables = [Prisma.raw('session_messages'), Prisma.raw('session_messages_archive')] as const;

export function createBranchStore(prisma: PrismaClient) {
  /** A branch with everything that forks from it, at any depth. */
  function subtree(branches: SessionBranch[], rootId: number): number[] {
    const childrenOf = groupBy(branches, (branch) => branch.parentId);
    const found = [rootId];
    for (let at = 0; at < found.length; at++) {
      for (const child of childrenOf.get(found[at] ?? rootId) ?? []) found.push(child.id);
    }
    return found;
  }

  const readAll = (tx: Transaction, sessionId: string) =>
    tx.client.sessionBranch.findMany({ where: { sessionId }, orderBy: { id: 'asc' } });

  return {
    /**
     * Opens a new branch after `forkSequence` (0: from the start): what stood there becomes a branch of its own if it was
     * none yet, is marked as superseded, and the new branch becomes the session's current one. Returns its id.
     */
    async open(tx: Transaction, sessionId: string, forkSequence: number, parentId: number | null): Promise<number> {
      const siblings = await tx.client.sessionBranch.count({ where: { sessionId, forkSequence } });
      if (siblings === 0) {
        const original = await tx.client.sessionBranch.create({ data: { sessionId, forkSequence, parentId } });
        const inParent = parentId === null ? Prisma.sql`branch_id IS NULL` : Prisma.sql`branch_id = ${parentId}`;
        for (const table of tables) {
          await tx.client.$executeRaw`UPDATE ${table} SET branch_id = ${original.id}
            WHERE session_id = ${sessionId} AND sequence_number > ${forkSequence} AND ${inParent}`;
        }
        await tx.client.sessionBranch.updateMany({
          where: { sessionId, parentId, forkSequence: { gt: forkSequence } },
          data: { parentId: original.id },
        });
      }
      const branch = await tx.client.sessionBranch.create({ data: { sessionId, forkSequence, parentId } });
      for (const table of tables) {
        await tx.client.$executeRaw`UPDATE ${table} SET superseded_by = ${branch.id}
          WHERE session_id = ${sessionId} AND sequence_number > ${forkSequence} AND superseded_by IS NULL`;
      }
      await tx.client.session.update({ where: { id: sessionId }, data: { branchId: branch.id }, select: { id: true } });
      return branch.id;
    },

    /** Makes a branch current again. Null when the session has no such branch. */
    async select(tx: Transaction, sessionId: string, branchId: number): Promise<{ tipBranchId: number } | null> {
      const branches = await readAll(tx, sessionId);
      const chosen = branches.find((branch) => branch.id === branchId);
      if (chosen === undefined) return null;
      const siblings = branches
        .filter((branch) => branch.forkSequence === chosen.forkSequence)
        .map((branch) => branch.id);
      const own = subtree(branches, branchId);
      const others = siblings.filter((id) => id !== branchId).flatMap((id) => subtree(branches, id));
      for (const table of tables) {
        await tx.client.$executeRaw`UPDATE ${table} SET superseded_by = ${branchId}
          WHERE session_id = ${sessionId} AND branch_id = ANY(${others}::int[]) AND superseded_by IS NULL`;
        await tx.client.$executeRaw`UPDATE ${table} SET superseded_by = NULL
          WHERE session_id = ${sessionId} AND branch_id = ANY(${own}::int[]) AND superseded_by = ANY(${siblings}::int[])`;
      }
      const tip = await tx.client.sessionMessage.findFirst({
        where: { sessionId, supersededBy: null, branchId: { in: own } },
        orderBy: { sequenceNumber: 'desc' },
        select: { branchId: true },
      });
      const tipBranchId = tip?.branchId ?? branchId;
      await tx.client.session.update({
        where: { id: sessionId },
        data: { branchId: tipBranchId },
        select: { id: true },
      });
      return { tipBranchId };
    },

    /** The groups of siblings of a session, by the message they fork after. */
    async readGroups(sessionId: string): Promise<Map<number, number[]>> {
      const branches = await prisma.sessionBranch.findMany({
        where: { sessionId },
        orderBy: { id: 'asc' },
        select: { id: true, forkSequence: true },
      });
      const groups = groupBy(branches, (branch) => branch.forkSequence);
      return new Map([...groups].map(([fork, list]) => [fork, list.map((branch) => branch.id)]));
    },
  };
}

export type BranchStore = ReturnType<typeof createBranchStore>;

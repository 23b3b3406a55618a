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

  /** A branch and those it grew from, outermost first; empty for an unknown id. */
  function pathTo(branches: SessionBranch[], branchId: number): SessionBranch[] {
    const byId = new Map(branches.map((branch) => [branch.id, branch]));
    const path: SessionBranch[] = [];
    for (let at = byId.get(branchId); at !== undefined; at = byId.get(at.parentId ?? -1)) path.unshift(at);
    return path;
  }

  /** Of the siblings of `chosen`, `chosen` is the current one: with what was current inside it when it was left. */
  async function markCurrent(
    tx: Transaction,
    sessionId: string,
    branches: SessionBranch[],
    chosen: SessionBranch,
  ): Promise<void> {
    const siblings = branches
      .filter((branch) => branch.forkSequence === chosen.forkSequence)
      .map((branch) => branch.id);
    const own = subtree(branches, chosen.id);
    const others = siblings.filter((id) => id !== chosen.id).flatMap((id) => subtree(branches, id));
    for (const table of tables) {
      await tx.client.$executeRaw`UPDATE ${table} SET superseded_by = ${chosen.id}
        WHERE session_id = ${sessionId} AND branch_id = ANY(${others}::int[]) AND superseded_by IS NULL`;
      await tx.client.$executeRaw`UPDATE ${table} SET superseded_by = NULL
        WHERE session_id = ${sessionId} AND branch_id = ANY(${own}::int[]) AND superseded_by = ANY(${siblings}::int[])`;
    }
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

    /**
     * Makes a branch current again, and with it every branch it grew from, outermost first: a nested branch may be chosen
     * while one of its ancestors is replaced. Null when the session has no such branch.
     */
    async select(tx: Transaction, sessionId: string, branchId: number): Promise<{ tipBranchId: number } | null> {
      const branches = await readAll(tx, sessionId);
      const path = pathTo(branches, branchId);
      if (path.length === 0) return null;
      for (const branch of path) await markCurrent(tx, sessionId, branches, branch);
      const own = subtree(branches, branchId);
      const tips = await tx.client.$queryRaw<{ branch_id: number }[]>`
        SELECT branch_id FROM (
          SELECT branch_id, sequence_number FROM session_messages
          WHERE session_id = ${sessionId} AND superseded_by IS NULL AND branch_id = ANY(${own}::int[])
          UNION ALL
          SELECT branch_id, sequence_number FROM session_messages_archive
          WHERE session_id = ${sessionId} AND superseded_by IS NULL AND branch_id = ANY(${own}::int[])
        ) current ORDER BY sequence_number DESC LIMIT 1`;
      const tipBranchId = tips[0]?.branch_id ?? branchId;
      await tx.client.session.update({
        where: { id: sessionId },
        data: { branchId: tipBranchId },
        select: { id: true },
      });
      return { tipBranchId };
    },

    /** The groups of siblings of a session, by the message they fork after. */
    async readGroups(sessionId: string): Promise<Map<number, number[]>> {
      const branches = await prisma.$queryRaw<{ id: number; forkSequence: number }[]>`
        SELECT id, fork_sequence AS "forkSequence" FROM session_branches WHERE session_id = ${sessionId} ORDER BY id`;
      const groups = groupBy(branches, (branch) => branch.forkSequence);
      return new Map([...groups].map(([fork, list]) => [fork, list.map((branch) => branch.id)]));
    },
  };
}

export type BranchStore = ReturnType<typeof createBranchStore>;

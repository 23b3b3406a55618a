/** The only code that knows the `sessions` table. */
import * as z from 'zod';
import type { Transaction } from '../../database/transaction';
import { Prisma, type PrismaClient, type Session as SessionRow } from '../../generated/prisma/client';
import type { ListSessionsInput, RunState, SessionListItem } from './schema';

type Client = Prisma.TransactionClient | PrismaClient;

/** A session as services use it. */
export interface StoredSession extends SessionListItem {
  userId: string | null;
  parentId: string | null;
  /** The call in the parent that started it. */
  parentToolCallId: string | null;
  model: string | null;
  branchId: number | null;
  nextSequence: number;
  contextTokenCount: number;
  contextTokenSource: 'real' | 'calibrated' | 'estimated';
  /** Deleted by the person; found only by those who ask for removed sessions too. */
  isRemoved: boolean;
  metadata: SessionMetadata;
}

/** Facts of a session that no list shows. */
export const sessionMetadataSchema = z.looseObject({
  /** Chunks whose excerpts are in context now (seed 004). */
  injected_chunk_ids: z.array(z.number()).optional(),
  /** What the terms of its raw index are salted with, when that is not its own id: a fork keeps its source's. */
  memory_salt: z.string().optional(),
  /** The highest number that a pasted image got, whether or not it still stands. */
  last_image_number: z.number().optional(),
});
export type SessionMetadata = z.infer<typeof sessionMetadataSchema>;

/** Where a page of the list ends: the sort key of its last row. */
export interface ListCursor {
  pinned: boolean;
  lastActive: string;
  id: string;
}

/** Sessions that go in one transaction, without those below them: histories can be long. */
const PURGE_LIMIT = 20;

type ListRow = Pick<SessionRow, Exclude<keyof SessionListItem, 'waitsForPerson'>>;
type ListedRow = ListRow & { waitsForPerson: boolean };

function toListItem(row: ListRow): SessionListItem {
  return {
    id: row.id,
    name: row.name,
    profileId: row.profileId,
    pinned: row.pinned,
    createdAt: row.createdAt.toISOString(),
    lastActive: row.lastActive.toISOString(),
    displayMessageCount: row.displayMessageCount,
    preview: row.preview,
    opening: row.opening,
    runState: row.runState,
  };
}

const toListed = (row: ListedRow): SessionListItem => ({ ...toListItem(row), waitsForPerson: row.waitsForPerson });

const listedColumns = Prisma.sql`id, name, profile_id AS "profileId", pinned, created_at AS "createdAt",
  last_active AS "lastActive", display_message_count AS "displayMessageCount", preview, opening, run_state AS "runState"`;

/**
 * What lists show. Of the rows that could wait for a person (few), whether one does: asked in the session itself or in that of
 * a subagent, two levels down at most (`SUBAGENT_LIMITS`).
 */
const listed = Prisma.sql`SELECT ${listedColumns},
  CASE WHEN run_state IN ('running', 'interrupted') THEN EXISTS (
    SELECT 1 FROM run_approvals a JOIN session_runs r ON r.id = a.run_id JOIN sessions s ON s.id = r.session_id
      LEFT JOIN sessions p ON p.id = s.parent_id
    WHERE a.decision IS NULL AND sessions.id IN (s.id, s.parent_id, p.parent_id)
  ) ELSE false END AS "waitsForPerson"
  FROM sessions`;

const storedColumns = Prisma.sql`${listedColumns}, user_id AS "userId", parent_id AS "parentId", parent_tool_call_id AS "parentToolCallId", model, branch_id AS "branchId",
  next_sequence AS "nextSequence", context_token_count AS "contextTokenCount",
  context_token_source AS "contextTokenSource", removed_at AS "removedAt", session_metadata AS "metadata"`;

function toStored(row: SessionRow): StoredSession {
  return {
    ...toListItem(row),
    userId: row.userId,
    parentId: row.parentId,
    parentToolCallId: row.parentToolCallId,
    model: row.model,
    branchId: row.branchId,
    nextSequence: row.nextSequence,
    contextTokenCount: row.contextTokenCount,
    contextTokenSource: row.contextTokenSource,
    isRemoved: row.removedAt !== null,
    metadata: sessionMetadataSchema.catch({}).parse(row.metadata),
  };
}

export function createSessionStore(prisma: PrismaClient) {
  return {
    async insert(
      tx: Transaction,
      session: {
        id: string;
        userId: string | null;
        profileId: string;
        name: string | null;
        parentId: string | null;
        parentToolCallId?: string | null;
        model: string | null;
      },
    ): Promise<StoredSession> {
      const row = await tx.client.session.create({ data: session });
      await tx.client.sessionEventHead.create({ data: { sessionId: session.id } });
      return toStored(row);
    },

    /** Null for unknown and for removed sessions. */
    async find(sessionId: string, client: Client = prisma): Promise<StoredSession | null> {
      const session = await this.findEvenRemoved(sessionId, client);
      return session?.isRemoved === true ? null : session;
    },

    /** In SQL because every request begins with it, and it costs half. */
    async findEvenRemoved(sessionId: string, client: Client = prisma): Promise<StoredSession | null> {
      const [row] = await client.$queryRaw<SessionRow[]>`SELECT ${storedColumns} FROM sessions WHERE id = ${sessionId}`;
      return row === undefined ? null : toStored(row);
    },

    /**
     * Finds and locks: until the transaction ends nobody else appends to the session, claims it or ends its run. Not
     * `FOR UPDATE`: that would also stop the foreign key check of whoever writes its events, who holds the head that the
     * holder of this row waits for next. Null for unknown and for removed sessions.
     */
    async lock(tx: Transaction, sessionId: string): Promise<StoredSession | null> {
      const session = await this.lockEvenRemoved(tx, sessionId);
      return session?.isRemoved === true ? null : session;
    },

    async lockEvenRemoved(tx: Transaction, sessionId: string): Promise<StoredSession | null> {
      const [row] = await tx.client.$queryRaw<SessionRow[]>`
        SELECT ${storedColumns} FROM sessions WHERE id = ${sessionId} FOR NO KEY UPDATE`;
      return row === undefined ? null : toStored(row);
    },

    /** Pinned first, then newest activity. Pending sessions and children are not listed. */
    async list(userId: string, input: ListSessionsInput, after: ListCursor | null): Promise<SessionListItem[]> {
      const beyond =
        after === null
          ? Prisma.empty
          : Prisma.sql`AND (pinned, last_active, id) < (${after.pinned}, ${after.lastActive}::timestamptz, ${after.id})`;
      const profile = input.profileId === undefined ? Prisma.empty : Prisma.sql`AND profile_id = ${input.profileId}`;
      const rows = await prisma.$queryRaw<ListedRow[]>`
        ${listed}
        WHERE user_id = ${userId} AND removed_at IS NULL AND parent_id IS NULL AND display_message_count > 0
              ${profile} ${beyond}
        ORDER BY pinned DESC, last_active DESC, id DESC
        LIMIT ${input.limit}`;
      return rows.map(toListed);
    },

    async findListItem(userId: string, sessionId: string): Promise<SessionListItem | null> {
      const [row] = await prisma.$queryRaw<ListedRow[]>`
        ${listed}
        WHERE id = ${sessionId} AND user_id = ${userId} AND removed_at IS NULL AND parent_id IS NULL
              AND display_message_count > 0`;
      return row === undefined ? null : toListed(row);
    },

    async update(
      tx: Transaction,
      sessionId: string,
      changes: Partial<{
        name: string;
        pinned: boolean;
        profileId: string;
        model: string | null;
        runState: RunState;
        contextTokenCount: number;
        contextTokenSource: 'real' | 'calibrated' | 'estimated';
        branchId: number | null;
        displayMessageCount: number;
        preview: string;
        opening: string;
        nextSequence: number;
        metadata: SessionMetadata;
      }>,
    ): Promise<void> {
      const { metadata, ...columns } = changes;
      const data = { ...columns, ...(metadata === undefined ? {} : { metadata: metadata as Prisma.InputJsonObject }) };
      await tx.client.session.update({ where: { id: sessionId }, data, select: { id: true } });
    },

    /** Gives the session a name unless it has one. */
    async setNameIfUnnamed(tx: Transaction, sessionId: string, name: string): Promise<boolean> {
      const { count } = await tx.client.session.updateMany({
        where: { id: sessionId, name: null, removedAt: null },
        data: { name },
      });
      return count === 1;
    },

    /** Removes a session with all below it. Answers the ids, its own first. */
    async markRemoved(tx: Transaction, sessionId: string, at: Date): Promise<string[]> {
      const below = await this.listDescendants(sessionId, tx.client);
      const ids = [sessionId, ...below];
      await tx.client.session.updateMany({ where: { id: { in: ids }, removedAt: null }, data: { removedAt: at } });
      return ids;
    },

    /** Ids of all sessions below one, removed ones included; parents before their children. */
    async listDescendants(sessionId: string, client: Client = prisma): Promise<string[]> {
      const rows = await client.$queryRaw<{ id: string }[]>`
        WITH RECURSIVE below AS (
          SELECT id, created_at, 1 AS depth FROM sessions WHERE parent_id = ${sessionId}
          UNION ALL
          SELECT s.id, s.created_at, b.depth + 1 FROM sessions s JOIN below b ON s.parent_id = b.id
        )
        SELECT id FROM below ORDER BY depth, created_at, id`;
      return rows.map((row) => row.id);
    },

    /** Locks and answers the ids of a person's sessions, removed ones and those of subagents included. */
    async lockAllOf(tx: Transaction, userId: string): Promise<string[]> {
      const rows = await tx.client.$queryRaw<{ id: string }[]>`
        SELECT id FROM sessions WHERE user_id = ${userId} ORDER BY id FOR UPDATE`;
      return rows.map((row) => row.id);
    },

    async setOwner(tx: Transaction, sessionIds: readonly string[], userId: string | null): Promise<void> {
      await tx.client.session.updateMany({ where: { id: { in: [...sessionIds] } }, data: { userId } });
    },

    /** The sessions that a session's agent started, oldest first. */
    async listChildren(sessionId: string): Promise<StoredSession[]> {
      const rows = await prisma.$queryRaw<SessionRow[]>`
        SELECT ${storedColumns} FROM sessions WHERE parent_id = ${sessionId} AND removed_at IS NULL ORDER BY created_at, id`;
      return rows.map(toStored);
    },

    /** Takes a removal back if it is not older than `since`. */
    async unmarkRemoved(tx: Transaction, sessionId: string, since: Date): Promise<boolean> {
      const where = { id: sessionId, removedAt: { gte: since } };
      const removed = await tx.client.session.findFirst({ where, select: { removedAt: true } });
      if (removed === null) return false;
      // What went with it comes back with it.
      const ids = [sessionId, ...(await this.listDescendants(sessionId, tx.client))];
      await tx.client.session.updateMany({
        where: { id: { in: ids }, removedAt: removed.removedAt },
        data: { removedAt: null },
      });
      return true;
    },

    /** Deletes for good what was removed before `removedBefore`, and pending sessions created before `pendingBefore`. */
    async purge(tx: Transaction, removedBefore: Date, pendingBefore: Date): Promise<{ id: string }[]> {
      return tx.client.$queryRaw<{ id: string }[]>`
        WITH RECURSIVE doomed AS (
          (SELECT id FROM sessions
           WHERE removed_at < ${removedBefore}
              OR (display_message_count = 0 AND parent_id IS NULL AND created_at < ${pendingBefore} AND run_state = 'idle')
           LIMIT ${PURGE_LIMIT})
          UNION
          SELECT s.id FROM sessions s JOIN doomed d ON s.parent_id = d.id
        )
        DELETE FROM sessions WHERE id IN (SELECT id FROM doomed) RETURNING id`;
    },
  };
}

export type SessionStore = ReturnType<typeof createSessionStore>;

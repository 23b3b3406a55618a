/** What moves or copies whole rows between the hot table, the archive, and sessions. */
import type { Transaction } from '../../database/transaction';
import { Prisma } from '../../generated/prisma/client';

/** What a copy of a message keeps: everything but its id, its session and its branch. */
const copiedColumns = Prisma.sql`sequence_number, role, content, created_at, is_display, is_context, is_plan, is_compression,
  is_summary, is_compression_critical, is_recall, thinking, tool_calls, tool_call_id, name, files, images, elapsed_seconds,
  tool_call_count, token_count, metadata`;

const allColumns = Prisma.sql`id, session_id, superseded_by, branch_id, ${copiedColumns}`;

export function createArchiveStore() {
  return {
    /**
     * Moves up to `limit` of the oldest rows that are in no context out of the hot table, keeping `keep` rows, and those of
     * `exceptSequences` wherever they stand.
     */
    async archive(
      tx: Transaction,
      sessionId: string,
      { keep, limit, exceptSequences }: { keep: number; limit: number; exceptSequences: readonly number[] },
    ): Promise<number> {
      return tx.client.$executeRaw`
        WITH boundary AS (
          SELECT sequence_number FROM session_messages WHERE session_id = ${sessionId}
          ORDER BY sequence_number DESC OFFSET ${keep} LIMIT 1
        ), moved AS (
          DELETE FROM session_messages WHERE id IN (
            SELECT m.id FROM session_messages m, boundary b
            WHERE m.session_id = ${sessionId} AND m.sequence_number <= b.sequence_number
              AND (NOT m.is_context OR m.superseded_by IS NOT NULL)
              AND m.sequence_number <> ALL(${exceptSequences}::int[])
            ORDER BY m.sequence_number LIMIT ${limit}
          ) RETURNING *
        )
        INSERT INTO session_messages_archive SELECT moved.*, now() FROM moved`;
    },

    /** Brings back what returned to the context with its branch: the context is always hot. */
    async unarchiveContext(tx: Transaction, sessionId: string): Promise<void> {
      await tx.client.$executeRaw`
        WITH moved AS (
          DELETE FROM session_messages_archive WHERE session_id = ${sessionId} AND is_context AND superseded_by IS NULL
          RETURNING ${allColumns}
        )
        INSERT INTO session_messages (${allColumns}) SELECT ${allColumns} FROM moved`;
    },

    /** Brings exactly these back into the context, out of the archive where they lie there. */
    async promote(tx: Transaction, sessionId: string, sequences: readonly number[]): Promise<void> {
      await tx.client.$executeRaw`
        WITH moved AS (
          DELETE FROM session_messages_archive
          WHERE session_id = ${sessionId} AND sequence_number = ANY(${sequences}::int[]) RETURNING *
        )
        INSERT INTO session_messages (${allColumns}) SELECT ${allColumns} FROM moved`;
      await tx.client.$executeRaw`
        UPDATE session_messages SET is_context = true
        WHERE session_id = ${sessionId} AND sequence_number = ANY(${sequences}::int[]) AND NOT is_context`;
    },

    /** Copies the current branch up to a message into another session, numbers kept, as one history without branches. */
    async copy(
      tx: Transaction,
      fromSessionId: string,
      toSessionId: string,
      upTo: number,
    ): Promise<{ count: number; displayed: number }> {
      const where = Prisma.sql`session_id = ${fromSessionId} AND sequence_number <= ${upTo} AND superseded_by IS NULL`;
      const hot = await tx.client.$executeRaw`
        INSERT INTO session_messages (session_id, ${copiedColumns})
        SELECT ${toSessionId}, ${copiedColumns} FROM session_messages WHERE ${where}`;
      const archived = await tx.client.$executeRaw`
        INSERT INTO session_messages_archive (id, session_id, ${copiedColumns})
        SELECT nextval(pg_get_serial_sequence('session_messages', 'id')), ${toSessionId}, ${copiedColumns}
        FROM session_messages_archive WHERE ${where}`;
      await tx.client.$executeRaw`
        INSERT INTO session_images (session_id, sequence_number, file_id)
        SELECT ${toSessionId}, i.sequence_number, i.file_id FROM session_images i
        JOIN (SELECT sequence_number FROM session_messages WHERE session_id = ${toSessionId}
          UNION ALL SELECT sequence_number FROM session_messages_archive WHERE session_id = ${toSessionId}) m
          ON m.sequence_number = i.sequence_number
        WHERE i.session_id = ${fromSessionId}`;
      return { count: hot + archived, displayed: await this.countDisplayed(tx, toSessionId) };
    },

    /** Displayed messages of the current branch, for the count that lists show. */
    async countDisplayed(tx: Transaction, sessionId: string): Promise<number> {
      const where = { sessionId, isDisplay: true, supersededBy: null };
      const hot = await tx.client.sessionMessage.count({ where });
      return hot + (await tx.client.sessionMessageArchive.count({ where }));
    },
  };
}

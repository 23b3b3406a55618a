/**
 * The only code that knows the message tables, with the stores beside it. Reads merge hot and archived rows by sequence and
 * assume no boundary. In SQL where a run comes by at every step: Prisma's models cost the server three times as much (decision 0007).
 */
import type { Transaction } from '../../database/transaction';
import { Prisma, type PrismaClient } from '../../generated/prisma/client';
import { previewOf, storable, storableDeep } from '../../lib/text';
import { createAppendStore } from './append-store';
import { createArchiveStore } from './archive-store';
import type { Message, MessageMetadata, MessageRole } from './schema';
import { type StoredMessage, toMessage } from './stored-message';

type Client = Prisma.TransactionClient | PrismaClient;

const columns = Prisma.sql`session_id AS "sessionId", sequence_number AS "sequenceNumber", role, content, created_at AS "createdAt",
  is_display AS "isDisplay", is_context AS "isContext", is_plan AS "isPlan", is_compression AS "isCompression",
  is_summary AS "isSummary", is_compression_critical AS "isCompressionCritical", is_recall AS "isRecall", thinking,
  tool_calls AS "toolCalls", tool_call_id AS "toolCallId", name, files, images, elapsed_seconds AS "elapsedSeconds",
  tool_call_count AS "toolCallCount", token_count AS "tokenCount", metadata, superseded_by AS "supersededBy", branch_id AS "branchId"`;

const tables = [Prisma.raw('session_messages'), Prisma.raw('session_messages_archive')] as const;

export function createMessageStore(prisma: PrismaClient) {
  /** Displayed rows of the current branch in `range`, from both tables. */
  async function readRange(sessionId: string, range: Prisma.Sql, order: Prisma.Sql, limit: number): Promise<Message[]> {
    const where = Prisma.sql`session_id = ${sessionId} AND is_display AND superseded_by IS NULL ${range}`;
    const rows = await prisma.$queryRaw<StoredMessage[]>`
      SELECT * FROM (
        (SELECT ${columns} FROM session_messages WHERE ${where} ORDER BY sequence_number ${order} LIMIT ${limit})
        UNION ALL
        (SELECT ${columns} FROM session_messages_archive WHERE ${where} ORDER BY sequence_number ${order} LIMIT ${limit})
      ) merged ORDER BY "sequenceNumber" ${order} LIMIT ${limit}`;
    return rows.map(toMessage);
  }

  return {
    ...createAppendStore(prisma),
    ...createArchiveStore(),

    /** Newest first below `beforeSeq`, or from the end. */
    readBefore: (sessionId: string, beforeSeq: number | null, limit: number) =>
      readRange(
        sessionId,
        beforeSeq === null ? Prisma.empty : Prisma.sql`AND sequence_number < ${beforeSeq}`,
        Prisma.sql`DESC`,
        limit,
      ),

    /** Oldest first above `afterSeq`. */
    readAfter: (sessionId: string, afterSeq: number, limit: number) =>
      readRange(sessionId, Prisma.sql`AND sequence_number > ${afterSeq}`, Prisma.sql`ASC`, limit),

    /** Displayed current messages that name a file, as an image or as an artifact. Indexed for it: nothing else is read. */
    async readNamingFile(sessionId: string, fileId: string): Promise<Message[]> {
      const isShown = Prisma.sql`session_id = ${sessionId} AND is_display AND superseded_by IS NULL`;
      const asImage = Prisma.sql`sequence_number IN (
        SELECT sequence_number FROM session_images WHERE session_id = ${sessionId} AND file_id = ${fileId})`;
      const asArtifact = Prisma.sql`metadata ? 'artifact' AND metadata -> 'artifact' ->> 'id' = ${fileId}`;
      const selects = ['session_messages', 'session_messages_archive'].flatMap((table) =>
        [asImage, asArtifact].map(
          (names) => Prisma.sql`SELECT ${columns} FROM ${Prisma.raw(table)} WHERE ${names} AND ${isShown}`,
        ),
      );
      const rows = await prisma.$queryRaw<StoredMessage[]>`${Prisma.join(selects, ' UNION ALL ')}`;
      return rows.map(toMessage);
    },

    /** What the model may be sent, by sequence. Always hot: the archive holds nothing that is in a context. */
    async readContext(sessionId: string, client: Client = prisma): Promise<Message[]> {
      const rows = await client.$queryRaw<StoredMessage[]>`
        SELECT ${columns} FROM session_messages
        WHERE session_id = ${sessionId} AND is_context AND superseded_by IS NULL ORDER BY sequence_number`;
      return rows.map(toMessage);
    },

    async find(sessionId: string, sequenceNumber: number, client: Client = prisma): Promise<Message | null> {
      const rows = await client.$queryRaw<StoredMessage[]>`
        SELECT ${columns} FROM session_messages WHERE session_id = ${sessionId} AND sequence_number = ${sequenceNumber}
        UNION ALL
        SELECT ${columns} FROM session_messages_archive WHERE session_id = ${sessionId} AND sequence_number = ${sequenceNumber}`;
      return rows[0] === undefined ? null : toMessage(rows[0]);
    },

    /**
     * The newest current message, archived ones included: of a role, at or below `atOrBefore` (before it when `isStrict`),
     * or of those that a list previews (`isSpoken`).
     */
    async findLast(
      client: Client,
      sessionId: string,
      {
        role,
        atOrBefore,
        isStrict,
        isSpoken,
      }: { role?: MessageRole; atOrBefore?: number; isStrict?: boolean; isSpoken?: boolean },
    ): Promise<Message | null> {
      const ofRole = role === undefined ? Prisma.empty : Prisma.sql`AND role = ${role}::message_role`;
      const highest = atOrBefore === undefined ? null : isStrict === true ? atOrBefore - 1 : atOrBefore;
      const upTo = highest === null ? Prisma.empty : Prisma.sql`AND sequence_number <= ${highest}`;
      const spoken =
        isSpoken === true
          ? Prisma.sql`AND is_display AND role IN ('user', 'assistant') AND content <> ''`
          : Prisma.empty;
      const where = Prisma.sql`session_id = ${sessionId} AND superseded_by IS NULL AND NOT is_summary ${ofRole} ${upTo} ${spoken}`;
      const rows = await client.$queryRaw<StoredMessage[]>`
        SELECT * FROM (
          (SELECT ${columns} FROM session_messages WHERE ${where} ORDER BY sequence_number DESC LIMIT 1)
          UNION ALL
          (SELECT ${columns} FROM session_messages_archive WHERE ${where} ORDER BY sequence_number DESC LIMIT 1)
        ) merged ORDER BY "sequenceNumber" DESC LIMIT 1`;
      return rows[0] === undefined ? null : toMessage(rows[0]);
    },

    /** What came after the newest message of a person, hot rows only: the rest of the newest turn. */
    async readTurn(client: Client, sessionId: string): Promise<Message[]> {
      const where = Prisma.sql`session_id = ${sessionId} AND superseded_by IS NULL`;
      const question = Prisma.sql`${where} AND role = 'user' AND NOT is_summary ORDER BY sequence_number DESC LIMIT 1`;
      const rows = await client.$queryRaw<StoredMessage[]>`
        SELECT ${columns} FROM session_messages
        WHERE ${where} AND sequence_number > coalesce(greatest(
          (SELECT sequence_number FROM session_messages WHERE ${question}),
          (SELECT sequence_number FROM session_messages_archive WHERE ${question})
        ), 0)
        ORDER BY sequence_number`;
      return rows.map(toMessage);
    },

    /** Merges into `metadata` and sets the turn's columns; the content is never touched. */
    async annotate(
      tx: Transaction,
      sessionId: string,
      sequenceNumber: number,
      changes: {
        metadata?: MessageMetadata;
        elapsedSeconds?: number;
        toolCallCount?: number;
        tokenCount?: number;
      },
    ): Promise<Message | null> {
      const { metadata = {}, elapsedSeconds = null, toolCallCount = null, tokenCount = null } = changes;
      for (const table of tables) {
        const [row] = await tx.client.$queryRaw<StoredMessage[]>`
          UPDATE ${table} SET metadata = metadata || ${JSON.stringify(storableDeep(metadata))}::jsonb,
            elapsed_seconds = coalesce(${elapsedSeconds}::float8, elapsed_seconds),
            tool_call_count = coalesce(${toolCallCount}::int, tool_call_count),
            token_count = coalesce(${tokenCount}::int, token_count)
          WHERE session_id = ${sessionId} AND sequence_number = ${sequenceNumber} RETURNING ${columns}`;
        if (row !== undefined) return toMessage(row);
      }
      return null;
    },

    /** Takes hot messages out of the display for good; they stay stored. Answers those that were displayed. */
    async hide(tx: Transaction, sessionId: string, sequenceNumbers: number[]): Promise<number[]> {
      const hidden = await tx.client.sessionMessage.updateManyAndReturn({
        where: { sessionId, sequenceNumber: { in: sequenceNumbers }, isDisplay: true },
        data: { isDisplay: false },
        select: { sequenceNumber: true },
      });
      await tx.client.session.update({
        where: { id: sessionId },
        data: { displayMessageCount: { decrement: hidden.length } },
        select: { id: true },
      });
      return hidden.map((row) => row.sequenceNumber);
    },

    async lastSequence(sessionId: string, client: Client = prisma): Promise<number> {
      const [session] = await client.$queryRaw<{ lastSequence: number }[]>`
        SELECT next_sequence - 1 AS "lastSequence" FROM sessions WHERE id = ${sessionId}`;
      return session?.lastSequence ?? 0;
    },

    /** Current messages by their numbers, hot and archived, by sequence. */
    async readSequences(sessionId: string, sequences: readonly number[], client: Client = prisma): Promise<Message[]> {
      if (sequences.length === 0) return [];
      const where = Prisma.sql`session_id = ${sessionId} AND sequence_number = ANY(${sequences}::int[])`;
      const rows = await client.$queryRaw<StoredMessage[]>`
        SELECT ${columns} FROM session_messages WHERE ${where}
        UNION ALL SELECT ${columns} FROM session_messages_archive WHERE ${where}`;
      return rows.map(toMessage).sort((a, b) => a.sequenceNumber - b.sequenceNumber);
    },

    /** Current messages of a range, displayed or not, hot and archived, by sequence. */
    async readSpan(sessionId: string, from: number, to: number, limit: number): Promise<Message[]> {
      const where = Prisma.sql`session_id = ${sessionId} AND sequence_number BETWEEN ${from} AND ${to} AND superseded_by IS NULL`;
      const rows = await prisma.$queryRaw<StoredMessage[]>`
        SELECT * FROM (
          (SELECT ${columns} FROM session_messages WHERE ${where} ORDER BY sequence_number LIMIT ${limit})
          UNION ALL
          (SELECT ${columns} FROM session_messages_archive WHERE ${where} ORDER BY sequence_number LIMIT ${limit})
        ) merged ORDER BY "sequenceNumber" LIMIT ${limit}`;
      return rows.map(toMessage);
    },

    /** Summaries of compressions on the current branch, those that a later one replaced included. */
    async readSummaries(sessionId: string): Promise<Message[]> {
      const where = Prisma.sql`session_id = ${sessionId} AND is_summary AND NOT is_display AND superseded_by IS NULL`;
      const rows = await prisma.$queryRaw<StoredMessage[]>`
        SELECT ${columns} FROM session_messages WHERE ${where}
        UNION ALL SELECT ${columns} FROM session_messages_archive WHERE ${where} ORDER BY "sequenceNumber"`;
      return rows.map(toMessage);
    },

    /** Takes exactly these out of the context. Answers how many were in it: fewer when the context changed meanwhile. */
    async demote(tx: Transaction, sessionId: string, sequences: readonly number[]): Promise<number> {
      return tx.client.$executeRaw`
        UPDATE session_messages SET is_context = false
        WHERE session_id = ${sessionId} AND sequence_number = ANY(${sequences}::int[]) AND is_context AND superseded_by IS NULL`;
    },

    previewOf: (text: string) => previewOf(storable(text)),
  };
}

export type MessageStore = ReturnType<typeof createMessageStore>;

/** The only code that knows the message tables. Reads merge hot and archived rows by sequence and assume no boundary. */
import type { Transaction } from '../../database/transaction';
import { Prisma, type PrismaClient, type SessionMessage } from '../../generated/prisma/client';
import { previewOf, storable, storableDeep } from '../../lib/text';
import type { Attachment, Message, MessageMetadata, MessageRole, ToolCall } from './schema';
import { attachmentSchema, messageMetadataSchema, toolCallSchema } from './schema';

type Client = Prisma.TransactionClient | PrismaClient;
type Row = Omit<SessionMessage, 'id'>;

/** A message before it has a number. Flags default to a plain message: displayed and in context. */
export interface MessageDraft {
  role: MessageRole;
  content: string;
  thinking?: string | null;
  toolCalls?: ToolCall[] | null;
  toolCallId?: string | null;
  name?: string | null;
  files?: Attachment[] | null;
  images?: Attachment[] | null;
  metadata?: MessageMetadata;
  isDisplay?: boolean;
  isContext?: boolean;
  isPlan?: boolean;
  isCompressionCritical?: boolean;
  isSummary?: boolean;
  isCompression?: boolean;
  tokenCount?: number | null;
}

const columns = Prisma.sql`session_id AS "sessionId", sequence_number AS "sequenceNumber", role, content, created_at AS "createdAt",
  is_display AS "isDisplay", is_context AS "isContext", is_plan AS "isPlan", is_compression AS "isCompression",
  is_summary AS "isSummary", is_compression_critical AS "isCompressionCritical", is_recall AS "isRecall", thinking,
  tool_calls AS "toolCalls", tool_call_id AS "toolCallId", name, files, images, elapsed_seconds AS "elapsedSeconds",
  tool_call_count AS "toolCallCount", token_count AS "tokenCount", metadata, superseded_by AS "supersededBy", branch_id AS "branchId"`;

/** What a copy of a message keeps: everything but its id, its session and its branch. */
const copiedColumns = Prisma.sql`sequence_number, role, content, created_at, is_display, is_context, is_plan, is_compression,
  is_summary, is_compression_critical, is_recall, thinking, tool_calls, tool_call_id, name, files, images, elapsed_seconds,
  tool_call_count, token_count, metadata`;

export function toMessage(row: Row): Message {
  return {
    sequenceNumber: row.sequenceNumber,
    role: row.role,
    content: row.content,
    createdAt: row.createdAt.toISOString(),
    isDisplay: row.isDisplay,
    // A superseded message keeps its flag for the day its branch returns; it is in no context until then.
    isContext: row.isContext && row.supersededBy === null,
    isPlan: row.isPlan,
    isCompression: row.isCompression,
    isSummary: row.isSummary,
    isCompressionCritical: row.isCompressionCritical,
    isRecall: row.isRecall,
    thinking: row.thinking,
    toolCalls: row.toolCalls === null ? null : toolCallSchema.array().parse(row.toolCalls),
    toolCallId: row.toolCallId,
    name: row.name,
    files: row.files === null ? null : attachmentSchema.array().parse(row.files),
    images: row.images === null ? null : attachmentSchema.array().parse(row.images),
    elapsedSeconds: row.elapsedSeconds,
    toolCallCount: row.toolCallCount,
    tokenCount: row.tokenCount,
    metadata: messageMetadataSchema.parse(row.metadata),
    supersededBy: row.supersededBy,
    branchId: row.branchId,
  };
}

/** What only later work sets. */
const plainRow = {
  isRecall: false,
  elapsedSeconds: null,
  toolCallCount: null,
  supersededBy: null,
} as const;

/** A draft as the row it becomes, but for its number. */
function toNewRow(draft: MessageDraft, position: number) {
  const json = (value: unknown) => (value == null ? null : (storableDeep(value) as Prisma.JsonValue));
  return {
    position,
    role: draft.role,
    content: storable(draft.content),
    thinking: draft.thinking == null ? null : storable(draft.thinking),
    toolCalls: json(draft.toolCalls),
    toolCallId: draft.toolCallId == null ? null : storable(draft.toolCallId),
    name: draft.name == null ? null : storable(draft.name),
    files: json(draft.files),
    images: json(draft.images),
    metadata: json(draft.metadata ?? {}),
    isDisplay: draft.isDisplay ?? true,
    isContext: draft.isContext ?? true,
    isPlan: draft.isPlan ?? false,
    isCompressionCritical: draft.isCompressionCritical ?? false,
    isSummary: draft.isSummary ?? false,
    isCompression: draft.isCompression ?? false,
    tokenCount: draft.tokenCount ?? null,
  };
}

interface StoredRow {
  sequenceNumber: number;
  createdAt: Date;
  branchId: number | null;
  userId: string | null;
}

export function createMessageStore(prisma: PrismaClient) {
  /** Displayed rows of the current branch in `range`, from both tables. */
  async function readRange(sessionId: string, range: Prisma.Sql, order: Prisma.Sql, limit: number): Promise<Message[]> {
    const where = Prisma.sql`session_id = ${sessionId} AND is_display AND superseded_by IS NULL ${range}`;
    const rows = await prisma.$queryRaw<Row[]>`
      SELECT * FROM (
        (SELECT ${columns} FROM session_messages WHERE ${where} ORDER BY sequence_number ${order} LIMIT ${limit})
        UNION ALL
        (SELECT ${columns} FROM session_messages_archive WHERE ${where} ORDER BY sequence_number ${order} LIMIT ${limit})
      ) merged ORDER BY "sequenceNumber" ${order} LIMIT ${limit}`;
    return rows.map(toMessage);
  }

  return {
    /**
     * Appends in one transaction: takes the numbers from the session's row (which locks it), keeps the list's count and
     * preview in step, inserts. Null when the session is gone; a removed one still takes what its last run says, as it may
     * be taken back. Reads nothing of the history.
     */
    async append(
      tx: Transaction,
      sessionId: string,
      drafts: MessageDraft[],
    ): Promise<{ messages: Message[]; userId: string | null } | null> {
      const displayed = drafts.filter((draft) => draft.isDisplay !== false);
      const spoken = displayed.filter(
        (draft) => (draft.role === 'user' || draft.role === 'assistant') && draft.content !== '',
      );
      const preview = previewOf(storable(spoken[spoken.length - 1]?.content ?? ''));
      const rows = drafts.map(toNewRow);
      // One statement: each round trip of a transaction costs more than the rows themselves. The message comes back
      // without its text, which is known here.
      const stored = await tx.client.$queryRaw<StoredRow[]>`
        WITH session AS (
          UPDATE sessions SET
            next_sequence = next_sequence + ${drafts.length},
            display_message_count = display_message_count + ${displayed.length},
            preview = CASE WHEN ${preview} = '' THEN preview ELSE ${preview} END,
            last_active = now()
          WHERE id = ${sessionId}
          RETURNING next_sequence - ${drafts.length} AS first_sequence, branch_id, user_id
        ), inserted AS (
          INSERT INTO session_messages (session_id, sequence_number, role, content, thinking, tool_calls, tool_call_id, name,
            files, images, metadata, is_display, is_context, is_plan, is_compression_critical, is_summary, is_compression,
            token_count, branch_id, created_at)
          SELECT ${sessionId}, s.first_sequence + d.position, d.role::message_role, d.content, d.thinking, d."toolCalls",
            d."toolCallId", d.name, d.files, d.images, d.metadata, d."isDisplay", d."isContext", d."isPlan",
            d."isCompressionCritical", d."isSummary", d."isCompression", d."tokenCount", s.branch_id, now()
          FROM session s, jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS d(position int, role text, content text,
            thinking text, "toolCalls" jsonb, "toolCallId" text, name text, files jsonb, images jsonb, metadata jsonb,
            "isDisplay" bool, "isContext" bool, "isPlan" bool, "isCompressionCritical" bool, "isSummary" bool,
            "isCompression" bool, "tokenCount" int)
          RETURNING sequence_number, created_at
        )
        SELECT i.sequence_number AS "sequenceNumber", i.created_at AS "createdAt", s.branch_id AS "branchId", s.user_id AS "userId"
        FROM inserted i, session s ORDER BY i.sequence_number`;
      const [first] = stored;
      if (first === undefined) return null;
      return {
        messages: rows.flatMap((row, index) => {
          const numbers = stored[index];
          return numbers === undefined ? [] : [toMessage({ ...plainRow, ...row, ...numbers, sessionId })];
        }),
        userId: first.userId,
      };
    },

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
      const asImage = Prisma.sql`images IS NOT NULL AND images @> ${JSON.stringify([{ id: fileId }])}::jsonb`;
      const asArtifact = Prisma.sql`metadata ? 'artifact' AND metadata -> 'artifact' ->> 'id' = ${fileId}`;
      const selects = ['session_messages', 'session_messages_archive'].flatMap((table) =>
        [asImage, asArtifact].map(
          (names) => Prisma.sql`SELECT ${columns} FROM ${Prisma.raw(table)} WHERE ${names} AND ${isShown}`,
        ),
      );
      const rows = await prisma.$queryRaw<Row[]>`${Prisma.join(selects, ' UNION ALL ')}`;
      return rows.map(toMessage);
    },

    /** What the model may be sent, by sequence. Always hot: the archive holds nothing that is in a context. */
    async readContext(sessionId: string, client: Client = prisma): Promise<Message[]> {
      const rows = await client.sessionMessage.findMany({
        where: { sessionId, isContext: true, supersededBy: null },
        orderBy: { sequenceNumber: 'asc' },
        omit: { id: true },
      });
      return rows.map(toMessage);
    },

    async find(sessionId: string, sequenceNumber: number, client: Client = prisma): Promise<Message | null> {
      const rows = await client.$queryRaw<Row[]>`
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
      const rows = await client.$queryRaw<Row[]>`
        SELECT * FROM (
          (SELECT ${columns} FROM session_messages WHERE ${where} ORDER BY sequence_number DESC LIMIT 1)
          UNION ALL
          (SELECT ${columns} FROM session_messages_archive WHERE ${where} ORDER BY sequence_number DESC LIMIT 1)
        ) merged ORDER BY "sequenceNumber" DESC LIMIT 1`;
      return rows[0] === undefined ? null : toMessage(rows[0]);
    },

    /** Current messages after a sequence number, hot rows only: the tail of the turn in progress. */
    async readTail(client: Client, sessionId: string, afterSequence: number): Promise<Message[]> {
      const rows = await client.sessionMessage.findMany({
        where: { sessionId, supersededBy: null, sequenceNumber: { gt: afterSequence } },
        orderBy: { sequenceNumber: 'asc' },
        omit: { id: true },
      });
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
        tokenCount?: number | null;
      },
    ): Promise<Message | null> {
      const { metadata, ...columnsToSet } = changes;
      for (const table of ['sessionMessage', 'sessionMessageArchive'] as const) {
        const where = { sessionId_sequenceNumber: { sessionId, sequenceNumber } };
        // The two tables have the same columns; Prisma types them apart.
        const model = tx.client[table] as typeof tx.client.sessionMessage;
        const current = await model.findUnique({ where, select: { metadata: true } });
        if (current === null) continue;
        const merged = { ...(current.metadata as object), ...(metadata ?? {}) };
        const row = await model.update({
          where,
          data: { ...columnsToSet, metadata: storableDeep(merged) as Prisma.InputJsonObject },
          omit: { id: true },
        });
        return toMessage(row);
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
      const session = await client.session.findUnique({ where: { id: sessionId }, select: { nextSequence: true } });
      return (session?.nextSequence ?? 1) - 1;
    },

    /** Current messages by their numbers, hot and archived, by sequence. */
    async readSequences(sessionId: string, sequences: readonly number[], client: Client = prisma): Promise<Message[]> {
      if (sequences.length === 0) return [];
      const where = Prisma.sql`session_id = ${sessionId} AND sequence_number = ANY(${sequences}::int[])`;
      const rows = await client.$queryRaw<Row[]>`
        SELECT ${columns} FROM session_messages WHERE ${where}
        UNION ALL SELECT ${columns} FROM session_messages_archive WHERE ${where}`;
      return rows.map(toMessage).sort((a, b) => a.sequenceNumber - b.sequenceNumber);
    },

    /** Current messages of a range, displayed or not, hot and archived, by sequence. */
    async readSpan(sessionId: string, from: number, to: number, limit: number): Promise<Message[]> {
      const where = Prisma.sql`session_id = ${sessionId} AND sequence_number BETWEEN ${from} AND ${to} AND superseded_by IS NULL`;
      const rows = await prisma.$queryRaw<Row[]>`
        SELECT * FROM (
          (SELECT ${columns} FROM session_messages WHERE ${where} ORDER BY sequence_number LIMIT ${limit})
          UNION ALL
          (SELECT ${columns} FROM session_messages_archive WHERE ${where} ORDER BY sequence_number LIMIT ${limit})
        ) merged ORDER BY "sequenceNumber" LIMIT ${limit}`;
      return rows.map(toMessage);
    },

    /** Takes exactly these out of the context. Answers how many were in it: fewer when the context changed meanwhile. */
    async demote(tx: Transaction, sessionId: string, sequences: readonly number[]): Promise<number> {
      return tx.client.$executeRaw`
        UPDATE session_messages SET is_context = false
        WHERE session_id = ${sessionId} AND sequence_number = ANY(${sequences}::int[]) AND is_context AND superseded_by IS NULL`;
    },

    /** Brings exactly these back into the context, out of the archive where they lie there. */
    async promote(tx: Transaction, sessionId: string, sequences: readonly number[]): Promise<void> {
      const hot = Prisma.sql`id, session_id, sequence_number, role, content, created_at, is_display, is_context, is_plan, is_compression,
        is_summary, is_compression_critical, is_recall, thinking, tool_calls, tool_call_id, name, files, images, elapsed_seconds,
        tool_call_count, token_count, metadata, superseded_by, branch_id`;
      await tx.client.$executeRaw`
        WITH moved AS (
          DELETE FROM session_messages_archive
          WHERE session_id = ${sessionId} AND sequence_number = ANY(${sequences}::int[]) RETURNING *
        )
        INSERT INTO session_messages (${hot}) SELECT ${hot} FROM moved`;
      await tx.client.$executeRaw`
        UPDATE session_messages SET is_context = true
        WHERE session_id = ${sessionId} AND sequence_number = ANY(${sequences}::int[]) AND NOT is_context`;
    },

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
      const all = Prisma.sql`id, session_id, superseded_by, branch_id, ${copiedColumns}`;
      await tx.client.$executeRaw`
        WITH moved AS (
          DELETE FROM session_messages_archive WHERE session_id = ${sessionId} AND is_context AND superseded_by IS NULL
          RETURNING ${all}
        )
        INSERT INTO session_messages (${all}) SELECT ${all} FROM moved`;
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
      return { count: hot + archived, displayed: await this.countDisplayed(tx, toSessionId) };
    },

    previewOf: (text: string) => previewOf(storable(text)),

    async countDisplayed(tx: Transaction, sessionId: string): Promise<number> {
      const where = { sessionId, isDisplay: true, supersededBy: null };
      const hot = await tx.client.sessionMessage.count({ where });
      return hot + (await tx.client.sessionMessageArchive.count({ where }));
    },
  };
}

export type MessageStore = ReturnType<typeof createMessageStore>;

/**
 * Appending, at the heart of the history. A message takes its number from the session's row, which also orders all that
 * append; the row's count and preview are kept in step, and nothing is read of the history, however long it is.
 */
import type { Transaction } from '../../database/transaction';
import type { EventRow } from '../../events/bus';
import { columnsOf } from '../../events/store';
import type { StoredEvent } from '../../events/topics';
import { Prisma, type PrismaClient } from '../../generated/prisma/client';
import { previewOf, storable, storableDeep } from '../../lib/text';
import type { Message } from './schema';
import { type MessageDraft, toMessage, toNewRow } from './stored-message';

export interface Appended {
  messages: Message[];
  /** Owner of the session. */
  userId: string | null;
}

export interface FencedAppend {
  sessionId: string;
  drafts: MessageDraft[];
  /** What is told after the messages themselves. */
  events: StoredEvent[];
  /** The run's fence; null for what belongs to no run. */
  epoch: number | null;
}

/** What only the database knows of a new message. */
interface Numbers {
  sequenceNumber: number;
  createdAt: Date;
  branchId: number | null;
  userId: string | null;
}

/** What only later work sets. */
const plainRow = { isRecall: false, elapsedSeconds: null, toolCallCount: null, supersededBy: null } as const;
const unnumbered = { sequenceNumber: 0, createdAt: new Date(0), branchId: null } as const;

/** SET clauses: the next number, and what lists show of the session. Service records are nothing that somebody said. */
function sessionChanges(drafts: MessageDraft[]): Prisma.Sql {
  const displayed = drafts.filter((draft) => draft.isDisplay !== false);
  const spoken = displayed.findLast(
    (draft) => (draft.role === 'user' || draft.role === 'assistant') && draft.content !== '',
  );
  const preview = previewOf(storable(spoken?.content ?? ''));
  const opening = previewOf(
    storable(displayed.find(({ role, content }) => role === 'user' && content !== '')?.content ?? ''),
  );
  return Prisma.sql`next_sequence = next_sequence + ${drafts.length},
    display_message_count = display_message_count + ${displayed.length},
    preview = CASE WHEN ${preview} = '' THEN preview ELSE ${preview} END,
    opening = CASE WHEN opening = '' THEN ${opening} ELSE opening END,
    last_active = ${drafts.every(({ role }) => role === 'system') ? Prisma.sql`last_active` : Prisma.sql`now()`}`;
}

/** RETURNING of the same: the number of the first message, its branch, and whose list changed. */
const sessionFacts = (drafts: MessageDraft[]) =>
  Prisma.sql`id, next_sequence - ${drafts.length} AS first_sequence, branch_id, user_id`;

/** INSERT of the rows for the `session` that an earlier part of the statement has changed. */
const insertRows = (rows: ReturnType<typeof toNewRow>[]) => Prisma.sql`
  INSERT INTO session_messages (session_id, sequence_number, role, content, thinking, tool_calls, tool_call_id, name,
    files, images, metadata, is_display, is_context, is_plan, is_compression_critical, is_summary, is_compression,
    token_count, branch_id, created_at)
  SELECT s.id, s.first_sequence + d.position, d.role::message_role, d.content, d.thinking, d."toolCalls",
    d."toolCallId", d.name, d.files, d.images, d.metadata, d."isDisplay", d."isContext", d."isPlan",
    d."isCompressionCritical", d."isSummary", d."isCompression", d."tokenCount", s.branch_id, now()
  FROM session s, jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS d(position int, role text, content text,
    thinking text, "toolCalls" jsonb, "toolCallId" text, name text, files jsonb, images jsonb, metadata jsonb,
    "isDisplay" bool, "isContext" bool, "isPlan" bool, "isCompressionCritical" bool, "isSummary" bool,
    "isCompression" bool, "tokenCount" int)
  RETURNING sequence_number, created_at`;

/** A further part of the statement: which of the new messages show which images. Nothing for nearly all. */
function insertImages(drafts: MessageDraft[]): Prisma.Sql {
  const shown = drafts.flatMap(({ images }, position) => (images ?? []).map(({ id }) => ({ position, fileId: id })));
  if (shown.length === 0) return Prisma.empty;
  return Prisma.sql`, pictured AS (
    INSERT INTO session_images (session_id, sequence_number, file_id)
    SELECT s.id, s.first_sequence + p.position, p."fileId"
    FROM session s, jsonb_to_recordset(${JSON.stringify(shown)}::jsonb) AS p(position int, "fileId" text)
  )`;
}

const numbers = Prisma.sql`i.sequence_number AS "sequenceNumber", i.created_at AS "createdAt", s.branch_id AS "branchId",
  s.user_id AS "userId"`;

/** The messages come back without their text, which is known here. */
function toAppended(rows: ReturnType<typeof toNewRow>[], stored: Numbers[]): Appended | null {
  const messages = stored.flatMap(({ userId: _owner, ...given }, index) => {
    const row = rows[index];
    return row === undefined ? [] : [toMessage({ ...plainRow, ...row, ...given })];
  });
  return stored[0] === undefined ? null : { messages, userId: stored[0].userId };
}

export function createAppendStore(prisma: PrismaClient) {
  return {
    /**
     * Appends as a part of a larger transaction. Null when the session is gone; a removed one still takes what its last run
     * says, as it may be taken back. One statement: a round trip costs more than the rows themselves.
     */
    async append(tx: Transaction, sessionId: string, drafts: MessageDraft[]): Promise<Appended | null> {
      const rows = drafts.map(toNewRow);
      const stored = await tx.client.$queryRaw<Numbers[]>`
        WITH session AS (
          UPDATE sessions SET ${sessionChanges(drafts)} WHERE id = ${sessionId} RETURNING ${sessionFacts(drafts)}
        ), inserted AS (${insertRows(rows)})${insertImages(drafts)}
        SELECT ${numbers} FROM inserted i, session s ORDER BY i.sequence_number`;
      return toAppended(rows, stored);
    },

    /**
     * Appends messages with the events that tell of them: a whole transaction in one statement, which costs a third of the
     * same in four. Each part reads the one before it, so that the locks are taken in the order of all others (session,
     * then head), the fence is judged by the newest epoch, and a stale one leaves nothing behind, not even a number. Null
     * then, and when the session is gone.
     */
    async appendAndTell({
      sessionId,
      drafts,
      events,
      epoch,
    }: FencedAppend): Promise<(Appended & { told: EventRow[] }) | null> {
      const rows = drafts.map(toNewRow);
      const further = events.map(storableDeep);
      const told = [
        ...rows.map((row) => ({
          kind: 'message-added' as const,
          message: toMessage({ ...plainRow, ...unnumbered, ...row }),
        })),
        ...further,
      ].map((event, position) => ({ position, ...columnsOf(event) }));
      const stored = await prisma.$queryRaw<(Numbers & { lastId: number })[]>`
        WITH locked AS (
          SELECT id FROM sessions WHERE id = ${sessionId} FOR NO KEY UPDATE
        ), head AS (
          UPDATE session_event_heads h SET last_id = h.last_id + ${told.length} FROM locked
          WHERE h.session_id = locked.id AND ${epoch ?? -1}::int IN (-1, h.epoch)
          RETURNING h.session_id, h.last_id
        ), session AS (
          UPDATE sessions SET ${sessionChanges(drafts)} FROM head WHERE id = head.session_id
          RETURNING ${sessionFacts(drafts)}, head.last_id
        ), inserted AS (${insertRows(rows)})${insertImages(drafts)}, told AS (
          INSERT INTO session_events (session_id, id, kind, run_id, data)
          SELECT s.id, s.last_id - ${told.length} + 1 + e.position, e.kind, e.run_id,
            CASE WHEN i.sequence_number IS NULL THEN e.data ELSE jsonb_set(e.data, '{message}', e.data -> 'message'
              || jsonb_build_object('sequenceNumber', i.sequence_number, 'branchId', s.branch_id,
                'createdAt', to_char(i.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))) END
          FROM session s
          CROSS JOIN jsonb_to_recordset(${JSON.stringify(told)}::jsonb) AS e(position int, kind text, run_id text, data jsonb)
          LEFT JOIN inserted i ON i.sequence_number = s.first_sequence + e.position
        )
        SELECT ${numbers}, s.last_id AS "lastId" FROM inserted i, session s ORDER BY i.sequence_number`;
      const appended = toAppended(
        rows,
        stored.map(({ lastId: _, ...given }) => given),
      );
      const [first] = stored;
      if (appended === null || first === undefined) return null;
      const published = [
        ...appended.messages.map((message) => ({ kind: 'message-added' as const, message })),
        ...further,
      ];
      const firstId = first.lastId - published.length + 1;
      return { ...appended, told: published.map((event, index) => ({ id: firstId + index, event })) };
    },
  };
}

/** SQL of the event log. Appending is one statement: lock the heads in id order, check the fence, number, insert. */
import type { Prisma, PrismaClient } from '../generated/prisma/client';
import { storableDeep } from '../lib/text';
import type { EventRow } from './bus';
import { type StoredEvent, storedEventSchema } from './topics';

type Client = Prisma.TransactionClient | PrismaClient;

export interface EventDraft {
  sessionId: string;
  /** The run's fence; null for events that belong to no run. */
  epoch: number | null;
  event: StoredEvent;
}

export interface AppendedEvent extends EventRow {
  sessionId: string;
}

/** The run an event belongs to. A message of a run says so in its metadata: a snapshot must know that its text is stored. */
function runIdOf(event: StoredEvent): string | null {
  if (event.kind === 'message-added') return event.message.metadata.runId ?? null;
  return ('runId' in event ? event.runId : null) ?? null;
}

/** An event as the columns of its row, but for its session and its id. */
export const columnsOf = (event: StoredEvent) => ({
  kind: event.kind,
  run_id: runIdOf(event),
  data: { ...event, kind: undefined },
});

function toRow(row: { id: number; kind: string; data: unknown }): EventRow {
  return { id: row.id, event: storedEventSchema.parse({ kind: row.kind, ...(row.data as object) }) };
}

export function createEventStore(prisma: PrismaClient) {
  return {
    /**
     * Appends in the given order. Events whose epoch is no longer the session's are left out and answered as `refused`.
     * `locked` takes the row locks before `input` is compared, so the fence is checked against the newest epoch.
     */
    async append(
      drafts: EventDraft[],
      client: Client = prisma,
    ): Promise<{ rows: AppendedEvent[]; refused: EventDraft[] }> {
      if (drafts.length === 0) return { rows: [], refused: [] };
      const clean = drafts.map((draft) => ({ ...draft, event: storableDeep(draft.event) }));
      const columns = clean.map((draft) => columnsOf(draft.event));
      const rows = await client.$queryRaw<{ position: bigint; id: number }[]>`
        WITH input AS (
          SELECT * FROM unnest(
            ${clean.map((draft) => draft.sessionId)}::text[],
            ${clean.map((draft) => draft.epoch ?? -1)}::int[],
            ${columns.map(({ kind }) => kind)}::text[],
            ${columns.map(({ run_id: runId }) => runId ?? '')}::text[],
            ${columns.map(({ data }) => JSON.stringify(data))}::text[]
          ) WITH ORDINALITY AS i(session_id, epoch, kind, run_id, data, position)
        ), locked AS (
          SELECT session_id, last_id, epoch FROM session_event_heads
          WHERE session_id = ANY(${[...new Set(clean.map((draft) => draft.sessionId))]}::text[])
          ORDER BY session_id FOR UPDATE
        ), accepted AS (
          SELECT i.*, l.last_id + (row_number() OVER (PARTITION BY i.session_id ORDER BY i.position))::int AS id
          FROM input i JOIN locked l ON l.session_id = i.session_id AND i.epoch IN (-1, l.epoch)
        ), advanced AS (
          UPDATE session_event_heads h SET last_id = a.last_id
          FROM (SELECT session_id, max(id) AS last_id FROM accepted GROUP BY session_id) a
          WHERE h.session_id = a.session_id
        ), inserted AS (
          INSERT INTO session_events (session_id, id, kind, run_id, data)
          SELECT session_id, id, kind, nullif(run_id, ''), data::jsonb FROM accepted
        )
        SELECT position, id FROM accepted ORDER BY position`;
      const accepted = new Set(rows.map((row) => Number(row.position) - 1));
      return {
        rows: rows.map((row) => {
          const draft = clean[Number(row.position) - 1];
          if (draft === undefined) throw new Error('the database numbered an event that was not sent');
          return { sessionId: draft.sessionId, id: row.id, event: draft.event };
        }),
        refused: drafts.filter((_, position) => !accepted.has(position)),
      };
    },

    /** Events after a cursor, oldest first. */
    async readAfter(sessionId: string, afterId: number, limit: number): Promise<EventRow[]> {
      const rows = await prisma.sessionEvent.findMany({
        where: { sessionId, id: { gt: afterId } },
        orderBy: { id: 'asc' },
        take: limit,
      });
      return rows.map(toRow);
    },

    /** The same for several sessions at once, each from its own cursor. */
    async readManyAfter(
      cursors: { sessionId: string; afterId: number }[],
      limitEach: number,
    ): Promise<AppendedEvent[]> {
      const rows = await prisma.$queryRaw<{ session_id: string; id: number; kind: string; data: unknown }[]>`
        SELECT e.session_id, e.id, e.kind, e.data
        FROM unnest(${cursors.map((cursor) => cursor.sessionId)}::text[], ${cursors.map((cursor) => cursor.afterId)}::int[])
          AS c(session_id, after_id)
        CROSS JOIN LATERAL (
          SELECT * FROM session_events s WHERE s.session_id = c.session_id AND s.id > c.after_id ORDER BY s.id LIMIT ${limitEach}
        ) e
        ORDER BY e.session_id, e.id`;
      return rows.map((row) => ({ sessionId: row.session_id, ...toRow(row) }));
    },

    /** Whether every event after `lastEventId` is still there; false for an id that was pruned past or never given. */
    async canResume(sessionId: string, lastEventId: number): Promise<boolean> {
      const head = await prisma.sessionEventHead.findUnique({ where: { sessionId } });
      if (head === null || lastEventId > head.lastId || lastEventId < 0) return false;
      if (lastEventId === head.lastId) return true;
      const next = await prisma.sessionEvent.findUnique({
        where: { sessionId_id: { sessionId, id: lastEventId + 1 } },
        select: { id: true },
      });
      return next !== null;
    },

    /** Id of a session's newest event; 0 when it has none. */
    async readHead(sessionId: string, client: Client = prisma): Promise<number> {
      const head = await client.sessionEventHead.findUnique({ where: { sessionId }, select: { lastId: true } });
      return head?.lastId ?? 0;
    },

    /** The fence of the session's newest run; null for an unknown session. */
    async readEpoch(sessionId: string, client: Client): Promise<number | null> {
      const head = await client.sessionEventHead.findUnique({ where: { sessionId }, select: { epoch: true } });
      return head?.epoch ?? null;
    },

    /** Events of a run's current step: what it said and did so far. */
    async readRun(sessionId: string, runId: string, client: Client = prisma): Promise<EventRow[]> {
      const rows = await client.$queryRaw<{ id: number; kind: string; data: unknown }[]>`
        SELECT id, kind, data FROM session_events
        WHERE session_id = ${sessionId} AND run_id = ${runId} AND id >= coalesce((
          SELECT max(id) FROM session_events WHERE session_id = ${sessionId} AND run_id = ${runId} AND kind = 'step-start'
        ), 0)
        ORDER BY id`;
      return rows.map(toRow);
    },

    /**
     * Removes events older than `before` of sessions that have no live run. Returns how many went. By id, not by age alone:
     * `created_at` is when a transaction began, so ages and ids can cross, and a log with a hole could not be resumed.
     */
    async prune(before: Date): Promise<number> {
      return prisma.$executeRaw`
        DELETE FROM session_events e USING (
          SELECT o.session_id, max(o.id) AS last_id FROM session_events o
          JOIN session_event_heads h ON h.session_id = o.session_id AND h.run_id IS NULL
          WHERE o.created_at < ${before} GROUP BY o.session_id
        ) old
        WHERE e.session_id = old.session_id AND e.id <= old.last_id`;
    },
  };
}

export type EventStore = ReturnType<typeof createEventStore>;

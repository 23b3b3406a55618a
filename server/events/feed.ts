/**
 * What a subscriber gets: a snapshot or exactly what it missed, then every event in order, from its own cursor. Nothing is
 * held for it between wake-ups but a small buffer; a reader that is too slow reads on from the database.
 */
import type { SessionListItem } from '../domains/sessions/schema';
import { groupBy } from '../lib/collections';
import { isAppError } from '../lib/errors';
import type { Person } from '../lib/person';
import type { Bus, EventRow, Signal } from './bus';
import { createMailbox } from './mailbox';
import type { EventStore } from './store';
import type { SessionEvent, Snapshot, UserEvent } from './topics';

/** Rows read from the log at once while catching up. */
const READ_LIMIT = 500;
/** Signals that may wait for one slow subscriber; beyond, it re-reads. */
const BUFFER_LIMIT = 1_000;

export interface EventFeed {
  /**
   * Events of one session from a snapshot on, or from right after `lastEventId` while that is still in the log.
   * Ends after `session-removed` and when `signal` aborts. Throws not-found for a session that is not the person's.
   */
  session(
    person: Person,
    input: { sessionId: string; lastEventId: string | null; signal: AbortSignal },
  ): AsyncIterable<{ id: number; event: SessionEvent }>;
  /** Changes of the person's lists, beginning with `ready`. */
  user(person: Person, signal: AbortSignal): AsyncIterable<UserEvent>;
}

export interface EventFeedDependencies {
  bus: Bus;
  store: Pick<EventStore, 'readAfter' | 'readManyAfter' | 'canResume'>;
  /** Throws not-found unless the person may read the session. */
  authorise(person: Person, sessionId: string): Promise<void>;
  /** The live part of a session and the id of the newest event it includes, from one frozen view. */
  takeSnapshot(sessionId: string): Promise<{ lastEventId: number; snapshot: Snapshot }>;
  /** A row of the person's list; null when it is not listed any more. */
  findListItem(person: Person, sessionId: string): Promise<SessionListItem | null>;
}

type SessionSignal = Extract<Signal, { topic: 'session' }>;
type UserSignal = Extract<Signal, { topic: 'user' }>;

export function createEventFeed({
  bus,
  store,
  authorise,
  takeSnapshot,
  findListItem,
}: EventFeedDependencies): EventFeed {
  const remote = createRemoteReader({ store });

  async function* readOn(sessionId: string, afterId: number): AsyncGenerator<EventRow> {
    let cursor = afterId;
    for (;;) {
      const rows = await store.readAfter(sessionId, cursor, READ_LIMIT);
      yield* rows;
      const last = rows[rows.length - 1];
      if (last === undefined || rows.length < READ_LIMIT) return;
      cursor = last.id;
    }
  }

  const isThere = (person: Person, sessionId: string): Promise<boolean> =>
    authorise(person, sessionId).then(
      () => true,
      (error: unknown) => {
        if (isAppError(error, 'not-found')) return false;
        throw error;
      },
    );

  return {
    async *session(person, { sessionId, lastEventId, signal }) {
      await authorise(person, sessionId);
      const mailbox = createMailbox<SessionSignal | null>({ limit: BUFFER_LIMIT, whenFull: null });
      const leave = [
        // Attached before anything is read, so that nothing falls between the reading and the listening.
        bus.on(`session:${sessionId}`, (received) => mailbox.put(received as SessionSignal)),
        bus.onGap(() => mailbox.put(null)),
      ];
      try {
        let cursor = parseEventId(lastEventId);
        if (cursor === null || !(await store.canResume(sessionId, cursor))) {
          const { lastEventId: at, snapshot } = await takeSnapshot(sessionId);
          cursor = at;
          yield { id: cursor, event: snapshot };
        }
        mailbox.put(null);
        for await (const received of mailbox.read(signal)) {
          if (received !== null && received.lastId <= cursor) continue;
          let rows: Iterable<EventRow> | AsyncIterable<EventRow> = readOn(sessionId, cursor);
          if (received?.rows != null && (received.rows[0]?.id ?? 0) <= cursor + 1) rows = received.rows;
          else if (received !== null && received.rows === null) rows = await remote.read(sessionId, cursor);
          for await (const row of rows) {
            if (row.id <= cursor) continue;
            cursor = row.id;
            // A removal that was taken back since is no end for whoever reads of it late.
            if (row.event.kind === 'session-removed' && (await isThere(person, sessionId))) continue;
            yield { id: row.id, event: row.event };
            if (row.event.kind === 'session-removed') return;
          }
          if (received !== null && cursor < received.lastId) mailbox.put(null);
        }
      } finally {
        for (const stop of leave) stop();
      }
    },

    async *user(person, signal) {
      const mailbox = createMailbox<UserSignal | null>({ limit: BUFFER_LIMIT, whenFull: null });
      const leave = [
        bus.on(`user:${person.userId}`, (received) => mailbox.put(received as UserSignal)),
        bus.onGap(() => mailbox.put(null)),
      ];
      try {
        mailbox.put(null);
        for await (const received of mailbox.read(signal)) {
          if (received === null) {
            yield { kind: 'ready' };
            continue;
          }
          const session = received.change === 'removed' ? null : await findListItem(person, received.sessionId);
          if (session === null) yield { kind: 'session-removed', sessionId: received.sessionId };
          else yield { kind: received.change === 'created' ? 'session-created' : 'session-updated', session };
        }
      } finally {
        for (const stop of leave) stop();
      }
    },
  };
}

function parseEventId(text: string | null): number | null {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null;
}

/** Joins the reads of many subscribers, woken by other workers at the same moment, into one query at a time. */
function createRemoteReader({ store }: { store: Pick<EventStore, 'readManyAfter'> }) {
  interface Waiting {
    sessionId: string;
    afterId: number;
    resolve(rows: EventRow[]): void;
    reject(error: unknown): void;
  }
  let waiting: Waiting[] = [];
  let isReading = false;

  async function drain(): Promise<void> {
    isReading = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      const lowest = new Map<string, number>();
      for (const { sessionId, afterId } of batch) {
        lowest.set(sessionId, Math.min(afterId, lowest.get(sessionId) ?? afterId));
      }
      try {
        const cursors = [...lowest].map(([sessionId, afterId]) => ({ sessionId, afterId }));
        const rows = groupBy(await store.readManyAfter(cursors, READ_LIMIT), (row) => row.sessionId);
        for (const entry of batch) entry.resolve(rows.get(entry.sessionId) ?? []);
      } catch (error) {
        for (const entry of batch) entry.reject(error);
      }
    }
    isReading = false;
  }

  return {
    read: (sessionId: string, afterId: number) =>
      new Promise<EventRow[]>((resolve, reject) => {
        waiting.push({ sessionId, afterId, resolve, reject });
        if (!isReading) void drain();
      }),
  };
}

/** Sessions themselves: their list, their names, their life. What is said in them is the messages' business. */
import type { Transaction, UnitOfWork } from '../../database/transaction';
import type { EventLog } from '../../events/log';
import type { Clock } from '../../lib/clock';
import { AppError } from '../../lib/errors';
import type { Person } from '../../lib/person';
import { storable } from '../../lib/text';
import { decodeCursor, encodeCursor } from './cursor';
import { canAccessSession } from './policy';
import type { ChildSession, ListSessionsInput, Session, SessionListItem } from './schema';
import type { SessionStore, StoredSession } from './store';

/** How long a removal can be taken back (product §2), in milliseconds. */
export const REMOVAL_GRACE_MS = 60_000;
/** Age at which a session in which nothing was ever said is cleaned up. */
const PENDING_LIFETIME_MS = 24 * 60 * 60 * 1000;

export interface SessionServiceDependencies {
  store: SessionStore;
  unitOfWork: UnitOfWork;
  events: EventLog;
  clock: Clock;
  newId(): string;
  /** Window in tokens of the model that would answer in the session now. */
  windowOf(session: { model: string | null; profileId: string }): Promise<number>;
  /** Throws not-found for a profile that does not exist. */
  checkProfile(profileId: string): void;
  /** Stops whatever runs in a session that was just removed. */
  stopRuns(sessionId: string): Promise<void>;
  /** Re-keys what is stored under a session's owner beside its row: plans, key-value data. */
  onOwnerChange(tx: Transaction, sessionId: string, userId: string | null): Promise<void>;
  /** Deletes what no foreign key takes along with a session's row: key-value data. */
  onPurge(tx: Transaction, sessionId: string): Promise<void>;
}

export function createSessionService(dependencies: SessionServiceDependencies) {
  const { store, unitOfWork, events, clock, newId, windowOf, checkProfile } = dependencies;
  const { stopRuns, onOwnerChange, onPurge } = dependencies;
  const notFound = () => new AppError('not-found', 'This chat does not exist or was deleted.');

  /** What was found, if it is the person's; throws not-found otherwise. */
  function check<T extends Pick<StoredSession, 'userId'>>(person: Person, session: T | null): T {
    if (session === null || !canAccessSession(person, session)) throw notFound();
    return session;
  }

  async function toSession(stored: StoredSession): Promise<Session> {
    const {
      branchId: _branch,
      nextSequence: _next,
      isRemoved: _removed,
      metadata: _metadata,
      parentToolCallId: _call,
      ...session
    } = stored;
    return { ...session, contextWindow: await windowOf(stored) };
  }

  /** Locks, checks, changes and tells: the shape of every change of a session's own row. */
  async function change(
    person: Person,
    sessionId: string,
    changes: { name: string } | { pinned: boolean },
  ): Promise<Session> {
    const session = await unitOfWork.run(async (tx) => {
      const current = check(person, await store.lock(tx, sessionId));
      await store.update(tx, sessionId, changes);
      await events.append(tx, sessionId, [{ kind: 'session-updated', changes }]);
      events.touchUser(tx, current.userId, sessionId, 'updated');
      return { ...current, ...changes };
    });
    return toSession(session);
  }

  async function giveAll(tx: Transaction, sessionIds: readonly string[], userId: string | null): Promise<void> {
    await store.setOwner(tx, sessionIds, userId);
    for (const id of sessionIds) await onOwnerChange(tx, id, userId);
  }

  return {
    async create(
      person: Person,
      input: { profileId?: string | undefined; name?: string | undefined; parentId?: string | undefined },
    ): Promise<Session> {
      if (input.profileId !== undefined) checkProfile(input.profileId);
      const session = await unitOfWork.run(async (tx) => {
        if (input.parentId !== undefined) check(person, await store.find(input.parentId, tx.client));
        return store.insert(tx, {
          id: newId(),
          userId: person.userId,
          profileId: input.profileId ?? 'default',
          name: input.name === undefined ? null : storable(input.name),
          parentId: input.parentId ?? null,
          model: null,
        });
      });
      return toSession(session);
    },

    async list(
      person: Person,
      input: ListSessionsInput,
    ): Promise<{ items: SessionListItem[]; nextCursor: string | null }> {
      const after = input.cursor === undefined ? null : decodeCursor(input.cursor);
      const rows = await store.list(person.userId, { ...input, limit: input.limit + 1 }, after);
      const items = rows.slice(0, input.limit);
      const last = items[items.length - 1];
      return { items, nextCursor: rows.length > items.length && last !== undefined ? encodeCursor(last) : null };
    },

    /** Throws not-found for another person's session, and for one that was removed. */
    async get(person: Person, sessionId: string): Promise<Session> {
      return toSession(check(person, await store.find(sessionId)));
    },

    rename: (person: Person, input: { sessionId: string; name: string }) =>
      change(person, input.sessionId, { name: storable(input.name) }),
    setPinned: (person: Person, input: { sessionId: string; pinned: boolean }) =>
      change(person, input.sessionId, { pinned: input.pinned }),
    /** Hides the session and stops its run. `restorableUntil` is when it goes for good. */
    async remove(person: Person, sessionId: string): Promise<{ restorableUntil: string }> {
      const at = clock.now();
      await unitOfWork.run(async (tx) => {
        const session = check(person, await store.lock(tx, sessionId));
        for (const id of await store.markRemoved(tx, sessionId, at)) {
          await events.append(tx, id, [{ kind: 'session-removed' }]);
        }
        events.touchUser(tx, session.userId, sessionId, 'removed');
      });
      await stopRuns(sessionId);
      return { restorableUntil: new Date(at.getTime() + REMOVAL_GRACE_MS).toISOString() };
    },

    async restore(person: Person, sessionId: string): Promise<Session> {
      const since = new Date(clock.now().getTime() - REMOVAL_GRACE_MS);
      const session = await unitOfWork.run(async (tx) => {
        const removed = check(person, await store.lockEvenRemoved(tx, sessionId));
        if (!(await store.unmarkRemoved(tx, sessionId, since))) throw notFound();
        events.touchUser(tx, removed.userId, sessionId, 'created');
        return removed;
      });
      return toSession(session);
    },

    /** The sessions that the agent of a session started (subagents), oldest first. They are in no list. */
    async children(person: Person, sessionId: string): Promise<{ items: ChildSession[] }> {
      check(person, await store.find(sessionId));
      const rows = await store.listChildren(sessionId);
      return {
        items: rows.map((row) => ({
          id: row.id,
          name: row.name,
          profileId: row.profileId,
          runState: row.runState,
          toolCallId: row.parentToolCallId,
          createdAt: row.createdAt,
        })),
      };
    },

    /**
     * Clean-up: some of the sessions past their grace, and of those in which nothing was said for a day. Returns the purged
     * ids; none when nothing is left to do.
     */
    async purge(): Promise<string[]> {
      const now = clock.now().getTime();
      return unitOfWork.run(async (tx) => {
        const rows = await store.purge(tx, new Date(now - REMOVAL_GRACE_MS), new Date(now - PENDING_LIFETIME_MS));
        for (const { id } of rows) await onPurge(tx, id);
        return rows.map((row) => row.id);
      });
    },

    // For the services above: inside their transactions, or by authority of the server itself.

    /** For stores above that read a session's owner along with rows of their own. */
    check,
    /** The session if the person may see it; throws not-found otherwise. */
    authorise: async (person: Person, sessionId: string, tx?: Transaction): Promise<StoredSession> =>
      check(person, await store.find(sessionId, tx?.client)),
    lock: async (tx: Transaction, person: Person, sessionId: string): Promise<StoredSession> =>
      check(person, await store.lock(tx, sessionId)),
    /** Locks by authority of the server; null when the session is gone or removed. */
    lockAny: (tx: Transaction, sessionId: string) => store.lock(tx, sessionId),
    /** The same for whoever ends what still runs in a session that a person removed and may take back. */
    lockEvenRemoved: (tx: Transaction, sessionId: string) => store.lockEvenRemoved(tx, sessionId),
    findAny: (sessionId: string, tx?: Transaction) => store.find(sessionId, tx?.client),
    /** How many sessions stand above this one: 0 for a person's own, 1 for a subagent's. */
    async depthOf(session: Pick<StoredSession, 'parentId'>, tx?: Transaction): Promise<number> {
      let depth = 0;
      for (let parentId = session.parentId; parentId !== null; depth++) {
        parentId = (await store.find(parentId, tx?.client))?.parentId ?? null;
      }
      return depth;
    },
    /** The session at the top: the one that lists show for all that its subagents do. */
    async rootOf(sessionId: string, tx: Transaction): Promise<string> {
      const parentId = (await store.find(sessionId, tx.client))?.parentId ?? null;
      return parentId === null ? sessionId : this.rootOf(parentId, tx);
    },
    /**
     * Gives a session, with those of its subagents and everything stored under its owner, to somebody else: a legacy one is
     * claimed. Throws not-found for one that is gone. What runs in it was stopped before.
     */
    async changeOwner(tx: Transaction, sessionId: string, userId: string | null): Promise<void> {
      if ((await store.lockEvenRemoved(tx, sessionId)) === null) throw notFound();
      await giveAll(tx, [sessionId, ...(await store.listDescendants(sessionId, tx.client))], userId);
    },
    /** Before a person's row goes: their sessions belong to nobody then, and keep all they have (product §2). */
    async disownAllOf(tx: Transaction, userId: string): Promise<void> {
      await giveAll(tx, await store.lockAllOf(tx, userId), null);
    },
    listDescendants: (sessionId: string, tx?: Transaction) => store.listDescendants(sessionId, tx?.client),
    listChildren: store.listChildren,
    findListItem: (person: Person, sessionId: string) => store.findListItem(person.userId, sessionId),
    update: store.update,
    setNameIfUnnamed: store.setNameIfUnnamed,
    insert: store.insert,
    toSession,
  };
}

export type SessionService = ReturnType<typeof createSessionService>;

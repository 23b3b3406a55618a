/** The only code that knows `session_store`. Owners are names here: '' stands for none (seed 001). */
import { Prisma } from '../../generated/prisma/client';
import { storable } from '../../lib/text';
import { createTermMatcher } from './fold';
import type { KvMatch } from './schema';

/** Whose values, in which session, in which namespace. */
export interface KvScope {
  /** Owner of the session; null and '' both mean none. */
  userId: string | null;
  sessionId: string;
  scope: string;
}

export interface KvSearch {
  userId: string | null;
  scope: string;
  terms: readonly string[];
  limit?: number;
  sessionId?: string | undefined;
  preferSessionId?: string | undefined;
}

/** A transaction of a caller, as `UnitOfWork` hands it on. */
interface InTransaction {
  readonly client: Prisma.TransactionClient;
}

export interface KvStore {
  get(at: KvScope, key: string): Promise<string | null>;
  set(at: KvScope, key: string, value: string): Promise<void>;
  /** Adds to the end of a value in one statement, so that two writers at once both succeed. Answers the new value. */
  append(at: KvScope, key: string, added: string): Promise<string>;
  /** Keys in order. */
  getAll(at: KvScope): Promise<Record<string, string>>;
  /** Whether there was something to remove. */
  remove(at: KvScope, key: string): Promise<boolean>;
  /** How many values were removed. */
  clearScope(at: KvScope): Promise<number>;
  /**
   * Values whose key or text holds any of the terms, in every script and case, `%`, `_` and `\` being themselves. The
   * preferred session first, then the newest; without terms the most recent. Values of deleted sessions are not found.
   */
  searchValues(search: KvSearch): Promise<KvMatch[]>;
  /** Everything of a session, when it goes for good. */
  removeSession(sessionId: string, tx?: InTransaction): Promise<void>;
  /** Everything of a session belongs to somebody else from now on (a legacy session is claimed, a user is deleted). */
  changeOwner(sessionId: string, userId: string | null, tx?: InTransaction): Promise<void>;
}

/** Rows read at once, and looked at in all, by a search. Matching happens here and not in SQL: see `searchValues`. */
const SEARCH_PAGE_ROWS = 100;
const SEARCH_MAX_ROWS = 5000;

/** `prisma` may be a transaction's client: everything then happens inside it. */
export function createKvStore({ prisma }: { prisma: Prisma.TransactionClient }): KvStore {
  const ownerOf = (userId: string | null) => storable(userId ?? '');
  const placeOf = ({ userId, sessionId, scope }: KvScope) => ({
    userId: ownerOf(userId),
    sessionId: storable(sessionId),
    scope: storable(scope),
  });
  const uniqueOf = (at: KvScope, key: string) => ({
    userId_sessionId_scope_key: { ...placeOf(at), key: storable(key) },
  });

  /** The time is the database's, so that "newest" is one order for all workers. */
  async function write(at: KvScope, key: string, value: string, onConflict: Prisma.Sql): Promise<string> {
    const { userId, sessionId, scope } = placeOf(at);
    const [row] = await prisma.$queryRaw<{ value: string }[]>`
      INSERT INTO session_store (user_id, session_id, scope, key, value, updated_at)
      VALUES (${userId}, ${sessionId}, ${scope}, ${storable(key)}, ${storable(value)}, clock_timestamp())
      ON CONFLICT (user_id, session_id, scope, key)
      DO UPDATE SET value = ${onConflict}, updated_at = excluded.updated_at
      RETURNING value`;
    return row?.value ?? '';
  }

  return {
    async get(at, key) {
      const row = await prisma.sessionStore.findUnique({ where: uniqueOf(at, key), select: { value: true } });
      return row?.value ?? null;
    },
    async set(at, key, value) {
      await write(at, key, value, Prisma.sql`excluded.value`);
    },
    append: (at, key, added) => write(at, key, added, Prisma.sql`session_store.value || excluded.value`),
    async getAll(at) {
      const rows = await prisma.sessionStore.findMany({
        where: placeOf(at),
        select: { key: true, value: true },
        orderBy: { key: 'asc' },
      });
      return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
    },
    async remove(at, key) {
      const { count } = await prisma.sessionStore.deleteMany({ where: { ...placeOf(at), key: storable(key) } });
      return count > 0;
    },
    async clearScope(at) {
      return (await prisma.sessionStore.deleteMany({ where: placeOf(at) })).count;
    },
    async searchValues({ userId, scope, terms, limit = 10, sessionId, preferSessionId }) {
      // ILIKE folds only what the database's locale knows, which on the embedded engine is ASCII. An owner has few
      // values in a scope, so they are read in their final order and matched here, alike on every engine.
      const isMatch = createTermMatcher(terms);
      const found: KvMatch[] = [];
      for (let offset = 0; offset < SEARCH_MAX_ROWS; offset += SEARCH_PAGE_ROWS) {
        const rows = await prisma.$queryRaw<{ sessionId: string; key: string; value: string; updatedAt: Date }[]>`
          SELECT session_id AS "sessionId", key, value, updated_at AS "updatedAt"
          FROM session_store
          WHERE user_id = ${ownerOf(userId)} AND scope = ${storable(scope)}
            AND (${sessionId ?? null}::text IS NULL OR session_id = ${sessionId ?? null})
            AND NOT EXISTS (SELECT 1 FROM sessions WHERE sessions.id = session_id AND removed_at IS NOT NULL)
          ORDER BY (session_id = ${preferSessionId ?? ''}) DESC, updated_at DESC, id DESC
          LIMIT ${SEARCH_PAGE_ROWS} OFFSET ${offset}`;
        for (const { updatedAt, ...row } of rows) {
          if (!isMatch(row.key) && !isMatch(row.value)) continue;
          found.push({ ...row, updatedAt: updatedAt.toISOString() });
          if (found.length >= limit) return found;
        }
        if (rows.length < SEARCH_PAGE_ROWS) break;
      }
      return found;
    },
    async removeSession(sessionId, tx) {
      await (tx?.client ?? prisma).sessionStore.deleteMany({ where: { sessionId } });
    },
    async changeOwner(sessionId, userId, tx) {
      const client = tx?.client ?? prisma;
      const owner = ownerOf(userId);
      // Should both have a value under one key, the newer owner's stands.
      await client.$executeRaw`
        DELETE FROM session_store AS old USING session_store AS kept
        WHERE old.session_id = ${sessionId} AND old.user_id <> ${owner} AND kept.session_id = old.session_id
          AND kept.user_id = ${owner} AND kept.scope = old.scope AND kept.key = old.key`;
      await client.sessionStore.updateMany({ where: { sessionId, NOT: { userId: owner } }, data: { userId: owner } });
    },
  };
}

/** The only code that knows `session_todos` and `todo_revisions`. */
import type { Transaction } from '../../database/transaction';
import { Prisma, type PrismaClient, type SessionTodos } from '../../generated/prisma/client';
import { storableDeep } from '../../lib/text';
import type { Plan } from './engine/plan';
import { nextStepNumberOf, parseTasks, toStoredStep } from './engine/stored';
import { type PlanStep, type StepSource, stepSourceSchema, type TodoRevision } from './schema';

type Client = Prisma.TransactionClient | PrismaClient;

export interface StoredPlan extends Plan {
  revision: number;
  updatedAt: Date;
  recoveryNotedRevision: number | null;
}

/** Versions kept per plan. */
export const KEPT_REVISIONS = 100;

/** PK of the table: the owner's id, '' for none. */
export interface TodoKey {
  userId: string | null;
  sessionId: string;
}
const keyOf = ({ userId, sessionId }: TodoKey) => ({ userId: userId ?? '', sessionId });

/** Where plans live. The key-value fallback implements it as well. */
export interface TodoStore {
  /**
   * To be awaited before anything else, and never inside a transaction: plans of older versions are moved here once. On the
   * embedded engine a transaction that waited for that would wait for itself.
   */
  ready(): Promise<void>;
  load(key: TodoKey, tx?: Transaction): Promise<StoredPlan | null>;
  /** Saves as the next revision and answers it. The caller holds the session's row. */
  save(tx: Transaction, key: TodoKey, plan: Plan, author: StepSource): Promise<StoredPlan>;
  /** True for the first caller of this revision, durably; a newer revision is left alone. */
  claimRecoveryNote(key: TodoKey, revision: number, tx?: Transaction): Promise<boolean>;
  listRevisions(sessionId: string, limit: number, beforeRevision: number | null): Promise<TodoRevision[]>;
  /** Who made the versions after `revision`. */
  findAuthorsAfter(sessionId: string, revision: number): Promise<StepSource[]>;
  findRevision(tx: Transaction, sessionId: string, revision: number): Promise<PlanStep[] | null>;
  /** The session's plan belongs to somebody else from now on (a legacy session is claimed, a user is deleted). */
  changeOwner(tx: Transaction, sessionId: string, userId: string | null): Promise<void>;
}

/** The plan tables themselves, which stand beside the sessions' own. */
export interface TodoTables extends TodoStore {
  /** The plan of a session and who owns the session, in one query. Null for unknown and for removed sessions. */
  findOf(sessionId: string): Promise<{ userId: string | null; plan: StoredPlan | null } | null>;
}

type PlanRow = Pick<SessionTodos, 'tasks' | 'revision' | 'updatedAt' | 'nextStepNumber' | 'recoveryNotedRevision'>;

/** In SQL, because every step of a run and every look at a session reads a plan, and it costs half. */
const planColumns = Prisma.sql`t.tasks, t.revision, t.updated_at AS "updatedAt", t.next_step_number AS "nextStepNumber",
  t.recovery_noted_revision AS "recoveryNotedRevision"`;

function toPlan({ tasks: stored, nextStepNumber, revision, updatedAt, recoveryNotedRevision }: PlanRow): StoredPlan {
  const tasks = parseTasks(stored);
  return {
    tasks,
    revision,
    updatedAt,
    nextStepNumber: nextStepNumberOf(tasks, nextStepNumber),
    recoveryNotedRevision,
  };
}

interface SavedRow {
  revision: number;
  updatedAt: Date;
  recoveryNotedRevision: number | null;
}

/** `moveLegacyPlans` moves what older versions kept elsewhere; see `legacy-store.ts`. It runs once, at the first use. */
export function createTodoStore(
  prisma: PrismaClient,
  { moveLegacyPlans }: { moveLegacyPlans: () => Promise<void> },
): TodoTables {
  const clientOf = (tx?: Transaction): Client => tx?.client ?? prisma;
  let moved: Promise<void> | null = null;
  return {
    ready() {
      moved ??= moveLegacyPlans().catch((error: unknown) => {
        // The next use tries again.
        moved = null;
        throw error;
      });
      return moved;
    },

    async load(key, tx) {
      const { userId, sessionId } = keyOf(key);
      const [row] = await clientOf(tx).$queryRaw<PlanRow[]>`
        SELECT ${planColumns} FROM session_todos t WHERE t.user_id = ${userId} AND t.session_id = ${sessionId}`;
      return row === undefined ? null : toPlan(row);
    },

    async findOf(sessionId) {
      await this.ready();
      const [row] = await prisma.$queryRaw<({ userId: string | null } & (PlanRow | { revision: null }))[]>`
        SELECT s.user_id AS "userId", ${planColumns}
        FROM sessions s LEFT JOIN session_todos t ON t.session_id = s.id AND t.user_id = coalesce(s.user_id, '')
        WHERE s.id = ${sessionId} AND s.removed_at IS NULL`;
      if (row === undefined) return null;
      return { userId: row.userId, plan: row.revision === null ? null : toPlan(row) };
    },

    /** One statement, on the database's clock: what leases and runs are timed by. */
    async save(tx, key, plan, author) {
      const { userId, sessionId } = keyOf(key);
      const tasks = JSON.stringify(storableDeep(plan.tasks.map(toStoredStep)));
      const [row] = await tx.client.$queryRaw<SavedRow[]>`
        WITH saved AS (
          INSERT INTO session_todos (user_id, session_id, tasks, next_step_number, revision, updated_at)
          VALUES (${userId}, ${sessionId}, ${tasks}::jsonb, ${plan.nextStepNumber}, 1, now())
          ON CONFLICT (user_id, session_id) DO UPDATE SET tasks = excluded.tasks,
            next_step_number = excluded.next_step_number, revision = session_todos.revision + 1, updated_at = now()
          RETURNING session_id, tasks, revision, updated_at, recovery_noted_revision
        ), recorded AS (
          INSERT INTO todo_revisions (session_id, revision, tasks, author, created_at)
          SELECT session_id, revision, tasks, ${author}, updated_at FROM saved
        ), pruned AS (
          DELETE FROM todo_revisions old USING saved
          WHERE old.session_id = saved.session_id AND old.revision <= saved.revision - ${KEPT_REVISIONS}::int
        )
        SELECT revision, updated_at AS "updatedAt", recovery_noted_revision AS "recoveryNotedRevision" FROM saved`;
      if (row === undefined) throw new Error('the plan was not saved');
      return { tasks: plan.tasks, nextStepNumber: plan.nextStepNumber, ...row };
    },

    async claimRecoveryNote(key, revision, tx) {
      const { count } = await clientOf(tx).sessionTodos.updateMany({
        where: {
          ...keyOf(key),
          revision,
          OR: [{ recoveryNotedRevision: null }, { recoveryNotedRevision: { not: revision } }],
        },
        data: { recoveryNotedRevision: revision },
      });
      return count === 1;
    },

    async listRevisions(sessionId, limit, beforeRevision) {
      const rows = await prisma.todoRevision.findMany({
        where: { sessionId, ...(beforeRevision === null ? {} : { revision: { lt: beforeRevision } }) },
        orderBy: { revision: 'desc' },
        take: limit,
      });
      return rows.map((row) => ({
        revision: row.revision,
        author: stepSourceSchema.parse(row.author),
        createdAt: row.createdAt.toISOString(),
        tasks: parseTasks(row.tasks),
      }));
    },

    async findAuthorsAfter(sessionId, revision) {
      const rows = await prisma.todoRevision.findMany({
        where: { sessionId, revision: { gt: revision } },
        select: { author: true },
        distinct: ['author'],
      });
      return rows.map((row) => stepSourceSchema.parse(row.author));
    },

    async findRevision(tx, sessionId, revision) {
      const row = await tx.client.todoRevision.findUnique({ where: { sessionId_revision: { sessionId, revision } } });
      return row === null ? null : parseTasks(row.tasks);
    },

    async changeOwner(tx, sessionId, userId) {
      const owner = userId ?? '';
      // Should several owners have one, as in databases of older versions, the newest stands.
      await tx.client.$executeRaw`
        DELETE FROM session_todos old USING session_todos kept
        WHERE old.session_id = ${sessionId} AND kept.session_id = old.session_id
          AND (kept.updated_at, kept.user_id) > (old.updated_at, old.user_id)`;
      // No version number comes twice, whoever the versions were kept by.
      await tx.client.$executeRaw`
        UPDATE session_todos SET user_id = ${owner}, revision = greatest(revision,
          (SELECT max(revision) FROM todo_revisions kept WHERE kept.session_id = session_todos.session_id))
        WHERE session_id = ${sessionId}`;
    },
  };
}

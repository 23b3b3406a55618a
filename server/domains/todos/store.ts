/** The only code that knows `session_todos` and `todo_revisions`. */
import * as z from 'zod';
import type { Transaction } from '../../database/transaction';
import type { Prisma, PrismaClient } from '../../generated/prisma/client';
import { storableDeep } from '../../lib/text';
import type { Plan } from './engine/plan';
import { type PlanStep, planStepSchema, type StepSource, stepSourceSchema, type TodoRevision } from './schema';

type Client = Prisma.TransactionClient | PrismaClient;

export interface StoredPlan extends Plan {
  revision: number;
  updatedAt: Date;
  recoveryNotedRevision: number | null;
}

/** Versions kept per plan. */
const KEPT_REVISIONS = 100;

/** Rows of the seeds name two fields in snake case, and may lack ids. */
const storedStepSchema = z.record(z.string(), z.unknown()).transform(({ protocol_run_id, step_id, ...step }) => ({
  protocolRunId: protocol_run_id ?? null,
  stepId: step_id ?? null,
  ...step,
}));

/** Reads a row's steps; missing fields take their defaults, a step without an id is numbered by its place. */
export function parseTasks(raw: unknown): PlanStep[] {
  return storedStepSchema
    .array()
    .parse(raw)
    .map((step, index) => planStepSchema.parse({ id: `step-${index + 1}`, ...step }));
}

/** The names that the seeds gave the row's fields. */
function toStored({ protocolRunId, stepId, ...step }: PlanStep) {
  return { ...step, protocol_run_id: protocolRunId, step_id: stepId };
}

/** PK of the table: the owner's id, '' for none. */
export interface TodoKey {
  userId: string | null;
  sessionId: string;
}
const keyOf = ({ userId, sessionId }: TodoKey) => ({ userId: userId ?? '', sessionId });

/** Where plans live. The key-value fallback implements it as well. */
export interface TodoStore {
  load(key: TodoKey, tx?: Transaction): Promise<StoredPlan | null>;
  /** Saves as the next revision and answers it. The caller holds the session's row. */
  save(tx: Transaction, key: TodoKey, plan: Plan, author: StepSource): Promise<StoredPlan>;
  /** True for the first caller of this revision, durably. */
  claimRecoveryNote(key: TodoKey, revision: number): Promise<boolean>;
  listRevisions(sessionId: string, limit: number, beforeRevision: number | null): Promise<TodoRevision[]>;
  findRevision(tx: Transaction, sessionId: string, revision: number): Promise<PlanStep[] | null>;
}

export function createTodoStore(prisma: PrismaClient): TodoStore {
  const clientOf = (tx?: Transaction): Client => tx?.client ?? prisma;
  return {
    async load(key, tx) {
      const row = await clientOf(tx).sessionTodos.findUnique({ where: { userId_sessionId: keyOf(key) } });
      if (row === null) return null;
      const { revision, updatedAt, nextStepNumber, recoveryNotedRevision } = row;
      return { tasks: parseTasks(row.tasks), revision, updatedAt, nextStepNumber, recoveryNotedRevision };
    },

    async save(tx, key, plan, author) {
      const tasks = storableDeep(plan.tasks.map(toStored)) as unknown as Prisma.InputJsonArray;
      const row = await tx.client.sessionTodos.upsert({
        where: { userId_sessionId: keyOf(key) },
        create: { ...keyOf(key), tasks, nextStepNumber: plan.nextStepNumber, revision: 1 },
        update: { tasks, nextStepNumber: plan.nextStepNumber, revision: { increment: 1 }, updatedAt: new Date() },
      });
      await tx.client.todoRevision.create({
        data: { sessionId: key.sessionId, revision: row.revision, tasks, author },
        select: { revision: true },
      });
      await tx.client.todoRevision.deleteMany({
        where: { sessionId: key.sessionId, revision: { lte: row.revision - KEPT_REVISIONS } },
      });
      const { revision, updatedAt, nextStepNumber, recoveryNotedRevision } = row;
      return { tasks: plan.tasks, revision, updatedAt, nextStepNumber, recoveryNotedRevision };
    },

    async claimRecoveryNote(key, revision) {
      const { count } = await prisma.sessionTodos.updateMany({
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

    async findRevision(tx, sessionId, revision) {
      const row = await tx.client.todoRevision.findUnique({ where: { sessionId_revision: { sessionId, revision } } });
      return row === null ? null : parseTasks(row.tasks);
    },
  };
}

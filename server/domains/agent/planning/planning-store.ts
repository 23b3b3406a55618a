/** The only code that knows `planning_logs`. */
import * as z from 'zod';
import type { Transaction } from '../../../database/transaction';
import type { Prisma, PrismaClient } from '../../../generated/prisma/client';
import { storableDeep } from '../../../lib/text';

export const planningPhaseLogSchema = z.object({
  phase: z.enum(['analysis', 'review', 'plan']),
  /** What was asked, and what came back, raw. */
  prompt: z.string(),
  output: z.string(),
  thinking: z.string(),
  durationMs: z.number(),
  tokensIn: z.number().nullable(),
  tokensOut: z.number().nullable(),
});
export type PlanningPhaseLog = z.infer<typeof planningPhaseLogSchema>;

/** `running` on a log whose run is over: it was cut off there. */
export type PlanningOutcome = 'running' | 'direct' | 'analysed' | 'planned' | 'unreadable';

export interface PlanningLog {
  id: number;
  runId: string;
  afterSequence: number;
  phases: PlanningPhaseLog[];
  outcome: PlanningOutcome;
  planSequence: number | null;
  createdAt: string;
}

/** Logs kept per session. */
const KEPT_LOGS = 50;

export function createPlanningStore(prisma: PrismaClient) {
  return {
    async insert(tx: Transaction, log: { sessionId: string; runId: string; afterSequence: number }): Promise<number> {
      const { id } = await tx.client.planningLog.create({ data: log, select: { id: true } });
      await tx.client.$executeRaw`
        DELETE FROM planning_logs WHERE session_id = ${log.sessionId} AND id <= (
          SELECT id FROM planning_logs WHERE session_id = ${log.sessionId} ORDER BY id DESC OFFSET ${KEPT_LOGS} LIMIT 1)`;
      return id;
    },
    async addPhase(tx: Transaction, id: number, phase: PlanningPhaseLog): Promise<void> {
      await tx.client.$executeRaw`
        UPDATE planning_logs SET phases = phases || ${JSON.stringify([storableDeep(phase)])}::jsonb WHERE id = ${id}`;
    },
    async end(
      tx: Transaction,
      id: number,
      outcome: Exclude<PlanningOutcome, 'running'>,
      planSequence: number | null,
    ): Promise<void> {
      await tx.client.planningLog.updateMany({
        where: { id },
        data: { outcome, planSequence } satisfies Prisma.PlanningLogUpdateManyMutationInput,
      });
    },
    /** Whether the planning for this message came to its end. */
    async isDone(sessionId: string, afterSequence: number): Promise<boolean> {
      const done = { sessionId, afterSequence, outcome: { not: 'running' } };
      return (await prisma.planningLog.count({ where: done })) > 0;
    },
    /** Newest first. */
    async list(sessionId: string, limit: number): Promise<PlanningLog[]> {
      const rows = await prisma.planningLog.findMany({ where: { sessionId }, orderBy: { id: 'desc' }, take: limit });
      return rows.map(({ id, runId, afterSequence, phases, outcome, planSequence, createdAt }) => ({
        id,
        runId,
        afterSequence,
        phases: planningPhaseLogSchema.array().parse(phases),
        outcome: outcome as PlanningOutcome,
        planSequence,
        createdAt: createdAt.toISOString(),
      }));
    },
  };
}

export type PlanningStore = ReturnType<typeof createPlanningStore>;

/**
 * How tools reach a plan: the one of the session that they were called in, or, for callers without any session, a plan in
 * memory of its own. A session that is named is never answered from there (product §13).
 */
import type { Clock } from '../../lib/clock';
import { emptyPlan, type Plan } from './engine/plan';
import type { StepSource, TodoSnapshot } from './schema';
import type { PlanChange, TodoService } from './service';

/** What a snapshot of the plan without a session is labelled with. */
export const SESSIONLESS = '';

export interface PlanAccess {
  load(sessionId: string | null): Promise<TodoSnapshot>;
  change(sessionId: string | null, source: StepSource, change: PlanChange): Promise<TodoSnapshot>;
}

/** Null when a caller names no session at all; every other value, the empty text included, is the name of one. */
export const todoSessionId = (caller: { sessionId?: string | null | undefined }): string | null =>
  caller.sessionId ?? null;

export function createPlanAccess({
  todos,
  clock,
}: {
  todos: Pick<TodoService, 'load' | 'change'>;
  clock: Clock;
}): PlanAccess {
  let plan: Plan = emptyPlan;
  let revision = 0;
  let updatedAt: string | null = null;
  const snapshot = (): TodoSnapshot => ({ sessionId: SESSIONLESS, revision, updatedAt, tasks: [...plan.tasks] });

  return {
    load: async (sessionId) => (sessionId === null ? snapshot() : todos.load(sessionId)),
    async change(sessionId, source, change) {
      if (sessionId !== null) return todos.change(sessionId, source, change);
      const at = clock.now().toISOString();
      plan = change(plan, { source, at });
      revision += 1;
      updatedAt = at;
      return snapshot();
    },
  };
}

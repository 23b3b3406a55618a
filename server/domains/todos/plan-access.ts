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

/** Who asks: the call of a tool, as a rule. */
export interface PlanCaller {
  sessionId?: string | null | undefined;
  /** The fence of the run that the call belongs to; null for callers outside of a run. */
  epoch: number | null;
}

export interface PlanAccess {
  load(caller: Pick<PlanCaller, 'sessionId'>): Promise<TodoSnapshot>;
  /** Throws `LeaseLostError`, and changes nothing, once the caller's run is over. */
  change(caller: PlanCaller, source: StepSource, change: PlanChange): Promise<TodoSnapshot>;
}

/** Null when a caller names no session at all; every other value, the empty text included, is the name of one. */
export const todoSessionId = (caller: Pick<PlanCaller, 'sessionId'>): string | null => caller.sessionId ?? null;

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
    async load(caller) {
      const sessionId = todoSessionId(caller);
      return sessionId === null ? snapshot() : todos.load(sessionId);
    },
    async change(caller, source, change) {
      const sessionId = todoSessionId(caller);
      if (sessionId !== null) return todos.change(sessionId, source, change, { epoch: caller.epoch });
      const at = clock.now().toISOString();
      plan = change(plan, { source, at });
      revision += 1;
      updatedAt = at;
      return snapshot();
    },
  };
}

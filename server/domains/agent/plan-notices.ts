import { recoveryNote } from '../todos/engine/recovery';
import { planReminder } from '../todos/engine/reminder';
import type { TodoService } from '../todos/service';
import type { Run } from './run';
import type { AgentStore } from './store';

/** The plan as the model is reminded of it before each call, with the recovery note once per plan version. */
export function createPlanNotices({
  todos,
  store,
  processStartedAt,
}: {
  todos: Pick<TodoService, 'loadStored' | 'claimRecoveryNote'>;
  store: Pick<AgentStore, 'findPreviousStatus'>;
  processStartedAt: Date;
}) {
  /** The reminder that the next call would carry, without claiming the recovery note. */
  async function peek(sessionId: string): Promise<string[]> {
    const plan = await todos.loadStored(sessionId);
    const reminder = plan === null ? null : planReminder(plan.tasks, { isFirstStep: true });
    return reminder === null ? [] : [reminder];
  }

  async function take(run: Run, isFirstStep: boolean): Promise<string[]> {
    const plan = await todos.loadStored(run.sessionId);
    if (plan === null) return [];
    const reminder = planReminder(plan.tasks, { isFirstStep });
    if (reminder === null) return [];
    const note = recoveryNote({
      tasks: plan.tasks,
      revision: plan.revision,
      updatedAt: plan.updatedAt,
      notedRevision: plan.recoveryNotedRevision,
      runStartedAt: run.startedAt,
      processStartedAt,
      wasPreviousRunInterrupted: (await store.findPreviousStatus(run.sessionId, run.id)) === 'interrupted',
      // This run holds the session's only lease.
      isAnotherRunLive: false,
    });
    if (note === null || !(await todos.claimRecoveryNote(run.sessionId, plan.revision))) return [reminder];
    return [`${reminder}\n${note}`];
  }

  return { peek, take };
}

/**
 * What a run is told about its plan before each call, built fresh and stored nowhere: the reminder, the recovery note once
 * per plan version, a word when a person changed the plan, and what the profile's discipline has to say.
 */
import type { Transaction } from '../../database/transaction';
import type { Message } from '../messages/schema';
import type { Profile } from '../profiles/schema';
import { isUnderWay } from '../todos/engine/plan';
import { recoveryNote } from '../todos/engine/recovery';
import { planReminder } from '../todos/engine/reminder';
import type { TodoService } from '../todos/service';
import { judgeStep } from './planning/engine/discipline';
import type { Run, RunProgress } from './run';
import type { AgentStore } from './store';

export interface PlanNoticesInput {
  run: Run;
  profile: Profile;
  /** `step` counts the steps begun so far; its `plan` is brought up to date. */
  progress: RunProgress;
  context: readonly Message[];
  maxSteps: number;
}

export interface PlanNotices {
  notices: string[];
  isStalled: boolean;
  /** The version whose recovery note stands in the notices: to be confirmed with the step that saw it. Null for none. */
  notedRevision: number | null;
}

const EDITED_NOTICE = 'The person changed the plan since your last step. It is shown as it is now: go by it.';

export function createPlanNotices({
  todos,
  store,
  processStartedAt,
}: {
  todos: Pick<TodoService, 'loadStored' | 'noteRecovery' | 'wasChangedByPerson'>;
  store: Pick<AgentStore, 'wasInterrupted'>;
  processStartedAt: Date;
}) {
  type StoredPlan = NonNullable<Awaited<ReturnType<typeof todos.loadStored>>>;

  /** The reminder that the next call would carry. */
  async function peek(sessionId: string): Promise<string[]> {
    const plan = await todos.loadStored(sessionId);
    const reminder = plan === null ? null : planReminder(plan.tasks, { isFirstStep: true });
    return reminder === null ? [] : [reminder];
  }

  /** Judged by the plan as the run found it: a planning phase of its own may have written it anew since. */
  async function findRecoveryNote(run: Run, progress: RunProgress, plan: StoredPlan): Promise<string | null> {
    progress.plan.found ??= { revision: plan.revision, updatedAt: plan.updatedAt };
    const { revision, updatedAt } = progress.plan.found;
    // Most plans need no look at the run before.
    if (updatedAt >= run.startedAt || !plan.tasks.some((step) => step.status === 'in_progress')) return null;
    return recoveryNote({
      tasks: plan.tasks,
      revision,
      updatedAt,
      notedRevision: plan.recoveryNotedRevision,
      runStartedAt: run.startedAt,
      processStartedAt,
      wasPreviousRunInterrupted: await store.wasInterrupted(run.sessionId, run.id, updatedAt),
    });
  }

  /**
   * What each call of a planning phase is told, so that nobody plans over work that they do not see. The note is not
   * confirmed by it: whoever does the work is told too.
   */
  async function forPlanning(run: Run, progress: RunProgress): Promise<{ notices: string[]; isUnderWay: boolean }> {
    const plan = await todos.loadStored(run.sessionId);
    const reminder = plan === null ? null : planReminder(plan.tasks, { isFirstStep: false, tools: null });
    if (plan === null || reminder === null) return { notices: [], isUnderWay: false };
    const note = await findRecoveryNote(run, progress, plan);
    return { notices: [note === null ? reminder : `${reminder}\n${note}`], isUnderWay: isUnderWay(plan.tasks) };
  }

  /** What the next step is told; brings what the run has seen of its plan up to date. */
  async function take(input: PlanNoticesInput): Promise<PlanNotices> {
    const { run, profile, progress, context, maxSteps } = input;
    const plan = await todos.loadStored(run.sessionId);
    const isFirstStep = progress.step === 0;
    const revision = plan?.revision ?? 0;
    const lines: string[] = [];
    let notedRevision: number | null = null;
    const reminder =
      plan === null ? null : planReminder(plan.tasks, { isFirstStep, tools: profile.discipline.planTools });
    if (reminder !== null) lines.push(reminder);
    if (plan !== null && reminder !== null && isFirstStep) {
      const note = await findRecoveryNote(run, progress, plan);
      if (note !== null) {
        lines.push(note);
        notedRevision = revision;
      }
    }
    const seen = progress.plan.seenRevision;
    if (seen !== null && revision > seen && (await todos.wasChangedByPerson(run.sessionId, seen))) {
      lines.push(EDITED_NOTICE);
    }
    const judgement = judgeStep(progress.plan.discipline, {
      tasks: plan?.tasks ?? [],
      step: progress.step + 1,
      maxSteps,
      goal: context.findLast((message) => message.role === 'user' && !message.isSummary)?.content ?? null,
      switches: profile.discipline,
    });
    progress.plan = { ...progress.plan, seenRevision: revision, discipline: judgement.state };
    return {
      notices: [...(lines.length === 0 ? [] : [lines.join('\n')]), ...judgement.notices],
      isStalled: judgement.isStalled,
      notedRevision,
    };
  }

  return {
    peek,
    forPlanning,
    take,
    /**
     * In the transaction that stores the step which was given the note. Not before: the gate or the call may fail, or the
     * server die, and then the next run must be told.
     */
    confirm: (tx: Transaction, run: Run, revision: number) => todos.noteRecovery(tx, run.sessionId, revision),
  };
}

export type PlanNoticesReader = ReturnType<typeof createPlanNotices>;

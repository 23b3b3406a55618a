/**
 * Keeps an agent at its plan, before each step of a turn: tells it when the plan stands still and stops it when that does
 * not help, reminds it of what the person asked for, of the steps it has left, of a step that failed. Pure; every rule is a
 * switch of the profile.
 */
import type { Profile } from '../../../profiles/schema';
import type { PlanStep } from '../../../todos/schema';

/** What is remembered from step to step of one run. */
export interface DisciplineState {
  /** The plan as it was before the last step; null before the first. */
  fingerprint: string | null;
  /** Steps since the plan last changed. */
  idleSteps: number;
  /** The plan is this turn's work: it was made or changed in it, or one of its steps is in progress. */
  isInUse: boolean;
  /** Ids of steps whose failure was spoken of. */
  knownFailures: readonly string[];
}

export const initialDiscipline: DisciplineState = {
  fingerprint: null,
  idleSteps: 0,
  isInUse: false,
  knownFailures: [],
};

export interface DisciplineFacts {
  tasks: readonly Pick<PlanStep, 'id' | 'text' | 'status' | 'note' | 'validation'>[];
  /** The step that is about to begin, 1-based. */
  step: number;
  /** Most steps of this turn. */
  maxSteps: number;
  /** The person's last words; null when there are none. */
  goal: string | null;
  switches: Profile['discipline'];
}

export interface Judgement {
  state: DisciplineState;
  notices: string[];
  /** The agent was told and went on without touching its plan: the run ends. */
  isStalled: boolean;
}

/** Steps before the end of the budget at which it is spoken of. */
const BUDGET_NOTICE_STEPS = 5;
/** Characters of the goal that a reminder repeats. */
const GOAL_CHARS = 400;

/** Steps without a change of the plan at which the run ends: half as many again as those that brought the notice. */
export const stallStopSteps = (limit: number): number => limit + Math.ceil(limit / 2);

/**
 * Looks at the plan before a step. Any change counts as progress: a status, a note, a new step, a person's edit. Only a plan
 * that this turn works on can stall it; of one that was open before and stays untouched it is told every `stallLimitSteps`.
 */
export function judgeStep(before: DisciplineState, facts: DisciplineFacts): Judgement {
  const { tasks, step, maxSteps, goal, switches } = facts;
  const fingerprint = JSON.stringify(
    tasks.map(({ id, text, status, note, validation }) => [id, text, status, note, validation]),
  );
  const isFirst = before.fingerprint === null;
  const hasChanged = !isFirst && before.fingerprint !== fingerprint;
  const isOpenPlan = tasks.some(({ status }) => status === 'pending' || status === 'in_progress');
  const isInUse = before.isInUse || hasChanged || tasks.some(({ status }) => status === 'in_progress');
  const idleSteps = isFirst || hasChanged || !isOpenPlan ? 0 : before.idleSteps + 1;
  const failed = tasks.flatMap((task, index) => (task.status === 'failed' ? [{ ...task, position: index + 1 }] : []));
  const newFailures = isFirst ? [] : failed.filter((task) => !before.knownFailures.includes(task.id));

  const notices: string[] = [];
  const limit = switches.stallLimitSteps;
  const isStalled = isInUse && limit !== null && idleSteps >= stallStopSteps(limit);
  if (limit !== null && idleSteps >= limit) {
    if (isInUse) notices.push(stallNotice(idleSteps, stallStopSteps(limit) - idleSteps));
    else if (idleSteps % limit === 0) notices.push(untouchedNotice(idleSteps));
  }
  if (switches.replansAfterFailure && newFailures.length > 0) notices.push(replanNotice(newFailures));
  const done = step - 1;
  if (switches.anchorEverySteps !== null && done > 0 && done % switches.anchorEverySteps === 0 && goal !== null) {
    notices.push(
      `[Goal] ${done} steps are done. The person asked: "${shorten(goal)}" Does what you do now serve that?`,
    );
  }
  const left = maxSteps - done;
  if (done > 0 && left <= BUDGET_NOTICE_STEPS) notices.push(budgetNotice(left));
  const knownFailures = failed.map((task) => task.id);
  return { state: { fingerprint, idleSteps, isInUse, knownFailures }, notices, isStalled };
}

function stallNotice(idleSteps: number, left: number): string {
  return (
    `[Stalled plan] ${idleSteps} steps went by and the plan did not change. Mark what you finished (with its validation), note what keeps ` +
    `you, or change the plan; if it is not about this task, skip its steps or clear it. In ${left} more steps the run is stopped.`
  );
}

/** A turn may have nothing to do with the plan that it found, which may be the person's: it is spoken of and stops nobody. */
function untouchedNotice(idleSteps: number): string {
  return (
    `[Open plan] ${idleSteps} steps went by and the plan that was there before is untouched. If this work is a part of it, mark the step ` +
    'that you are at; if not, leave it as it is.'
  );
}

function replanNotice(
  failures: readonly { position: number; text: string; note: string | null; validation: string | null }[],
): string {
  const list = failures.map(({ position, text, note, validation }) => {
    const reason = note ?? validation;
    return `step ${position} (${shorten(text, 80)})${reason === null ? '' : `: ${shorten(reason, 160)}`}`;
  });
  return (
    `[Re-plan] Failed: ${list.join('; ')}. Before you go on, change the rest of the plan with your plan tool: another way to the same ` +
    'end, steps that no longer make sense skipped. If there is no way, tell the person why.'
  );
}

function budgetNotice(left: number): string {
  if (left <= 1)
    return '[Budget] This is the last step of this turn: answer now with what you have, without calling tools.';
  return `[Budget] ${left} steps are left in this turn. Finish what matters most, and leave one for the answer.`;
}

function shorten(text: string, limit = GOAL_CHARS): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > limit ? `${line.slice(0, limit - 1).trimEnd()}…` : line;
}

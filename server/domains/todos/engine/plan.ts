/**
 * Plan surgery, pure: a plan goes in, a plan comes out. Positions that people and agents see are 1-based; indexes in code
 * are 0-based. A step keeps its id through every change, and no id is ever given twice.
 */
import { type Executor, MAX_STEPS, type PlanStep, type StepChanges, type StepDraft, type StepSource } from '../schema';

export interface Plan {
  tasks: readonly PlanStep[];
  /** Number of the next id. */
  nextStepNumber: number;
}

export interface ChangeContext {
  source: StepSource;
  /** ISO time of the change. */
  at: string;
}

export const emptyPlan: Plan = { tasks: [], nextStepNumber: 1 };

export const isOpen = (step: Pick<PlanStep, 'status'>) => step.status === 'pending' || step.status === 'in_progress';

const normal = (text: string) => text.trim().toLowerCase();

function makeStep(number: number, draft: StepDraft, { source, at }: ChangeContext): PlanStep {
  return {
    id: `step-${number}`,
    text: draft.text,
    status: draft.status ?? 'pending',
    priority: draft.priority ?? 'medium',
    validation: draft.validation ?? null,
    note: draft.note ?? null,
    source,
    protocolRunId: null,
    stepId: null,
    executor: null,
    changedAt: at,
  };
}

/**
 * Fields that were given replace what stood there; `changedAt` moves when something really changed. A closed step that is
 * opened again has to be verified again.
 */
function changeStep(step: PlanStep, changes: StepChanges, at: string): PlanStep {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as StepChanges;
  const next = { ...step, ...given };
  if (!isOpen(step) && isOpen(next) && given.validation === undefined) next.validation = null;
  const isSame = (Object.keys(given) as (keyof StepChanges)[]).every((key) => step[key] === next[key]);
  return isSame ? step : { ...next, changedAt: at };
}

/**
 * Replaces the list. A draft with the id or, failing that, the text of an existing step is that step: it keeps its id, its
 * source and whatever the draft leaves out, so that an agent that writes its list anew does not lose what was verified.
 */
export function setSteps(plan: Plan, drafts: readonly StepDraft[], context: ChangeContext): Plan {
  const free = new Map(plan.tasks.map((step) => [step.id, step]));
  const claimed = drafts.map((draft) => {
    const byId = draft.id === undefined ? undefined : free.get(draft.id);
    if (byId !== undefined) free.delete(byId.id);
    return byId;
  });
  let number = plan.nextStepNumber;
  const tasks = drafts.map((draft, index) => {
    const { id: _id, ...changes } = draft;
    const known = claimed[index] ?? [...free.values()].find((step) => normal(step.text) === normal(draft.text));
    if (known !== undefined) {
      free.delete(known.id);
      return changeStep(known, changes, context.at);
    }
    return makeStep(number++, draft, context);
  });
  return { tasks, nextStepNumber: number };
}

/** Adds one step at a 0-based index, at the end by default. */
export function addStep(plan: Plan, draft: StepDraft, index: number | null, context: ChangeContext): Plan {
  const step = makeStep(plan.nextStepNumber, draft, context);
  const at = index === null ? plan.tasks.length : Math.min(Math.max(index, 0), plan.tasks.length);
  return { tasks: plan.tasks.toSpliced(at, 0, step), nextStepNumber: plan.nextStepNumber + 1 };
}

/** The 0-based index of a step named by its id or by its 1-based position; -1 when there is none. */
export function findStep(plan: Plan, reference: { id?: string | undefined; position?: number | undefined }): number {
  if (reference.id !== undefined) return plan.tasks.findIndex((step) => step.id === reference.id);
  const index = (reference.position ?? 0) - 1;
  return index >= 0 && index < plan.tasks.length ? index : -1;
}

export function updateStep(plan: Plan, index: number, changes: StepChanges, at: string): Plan {
  return { ...plan, tasks: plan.tasks.map((step, i) => (i === index ? changeStep(step, changes, at) : step)) };
}

export function removeStep(plan: Plan, index: number): Plan {
  return { ...plan, tasks: plan.tasks.toSpliced(index, 1) };
}

/** Moves a step; `to` is its 0-based index afterwards. */
export function moveStep(plan: Plan, from: number, to: number): Plan {
  const step = plan.tasks[from];
  if (step === undefined) return plan;
  const without = plan.tasks.toSpliced(from, 1);
  return { ...plan, tasks: without.toSpliced(Math.min(Math.max(to, 0), without.length), 0, step) };
}

export function clearSteps(plan: Plan): Plan {
  return { ...plan, tasks: [] };
}

/** How many steps the agent has reached: the 1-based position of the last done, in_progress or failed one, 0 for none (seed 000). */
export function currentPosition(tasks: readonly PlanStep[]): number {
  return (
    tasks.findLastIndex((step) => step.status === 'done' || step.status === 'in_progress' || step.status === 'failed') +
    1
  );
}

export interface Insertion {
  texts: readonly string[];
  /** 1-based position after which to insert, 0 for the front; null: after the last step that was reached. */
  after: number | null;
  protocolRunId: string | null;
  /** The protocol's own ids, one per text. */
  stepIds: readonly string[] | null;
}

/** Splices a block into the plan. Existing steps and statuses stay. Answers the new 1-based positions (seed 000). */
export function insertSteps(
  plan: Plan,
  { texts, after, protocolRunId, stepIds }: Insertion,
  context: ChangeContext,
): { plan: Plan; positions: number[] } {
  const at = Math.min(Math.max(after ?? currentPosition(plan.tasks), 0), plan.tasks.length);
  const steps = texts.map((text, index) => ({
    ...makeStep(plan.nextStepNumber + index, { text }, context),
    protocolRunId,
    stepId: stepIds?.[index] ?? null,
  }));
  return {
    plan: { tasks: plan.tasks.toSpliced(at, 0, ...steps), nextStepNumber: plan.nextStepNumber + steps.length },
    positions: steps.map((_, index) => at + index + 1),
  };
}

export interface ProtocolStepState {
  /** 1-based. */
  position: number;
  id: string;
  stepId: string | null;
  text: string;
  status: PlanStep['status'];
}

/** The steps that a protocol's run put into the plan, with their positions and statuses: what `finish` is judged by. */
export function protocolStepStates(tasks: readonly PlanStep[], protocolRunId: string): ProtocolStepState[] {
  return tasks.flatMap((step, index) =>
    step.protocolRunId === protocolRunId
      ? [{ position: index + 1, id: step.id, stepId: step.stepId, text: step.text, status: step.status }]
      : [],
  );
}

/** Marks a run's open steps as skipped, with the note. Answers their 1-based positions. */
export function closeProtocolSteps(
  plan: Plan,
  protocolRunId: string,
  note: string | null,
  at: string,
): { plan: Plan; positions: number[] } {
  const positions: number[] = [];
  const tasks = plan.tasks.map((step, index) => {
    if (step.protocolRunId !== protocolRunId || !isOpen(step)) return step;
    positions.push(index + 1);
    return { ...step, status: 'skipped' as const, note: note ?? step.note, changedAt: at };
  });
  return { plan: { ...plan, tasks }, positions };
}

/** A step of a freshly made plan. */
export interface PlannedStep {
  text: string;
  executor: Executor | null;
}

/** Whether a plan is half done: open in it is more than what a person noted down for later. */
export const isUnderWay = (tasks: readonly PlanStep[]): boolean =>
  tasks.some((step) => isOpen(step) && (step.source !== 'user' || step.status === 'in_progress'));

/**
 * Fills the list from a planning phase, whose model was shown the plan. Of a plan under way everything stays that was begun
 * or closed, before the new steps; a finished one makes room. Pending steps of the agent are what was planned anew; those of
 * people and of protocols stay, behind the new ones: nobody asked for them to go. A new step with the text of an open one is
 * that step.
 */
export function fillFromPlanning(plan: Plan, steps: readonly PlannedStep[], context: ChangeContext): Plan {
  const open = plan.tasks.filter(isOpen);
  const taken = new Set<string>();
  let number = plan.nextStepNumber;
  const planned = steps.map(({ text, executor }) => {
    const known = open.find((step) => !taken.has(step.id) && normal(step.text) === normal(text));
    if (known === undefined) return { ...makeStep(number++, { text }, context), executor };
    taken.add(known.id);
    return { ...known, executor };
  });
  const others = open.filter((step) => !taken.has(step.id));
  const begun = others.filter((step) => step.status === 'in_progress');
  const waiting = others.filter(
    (step) => step.status === 'pending' && (step.source === 'user' || step.protocolRunId !== null),
  );
  const closed = isUnderWay(plan.tasks) ? plan.tasks.filter((step) => !isOpen(step)) : [];
  // However often it is planned over, a list has its limit: the oldest go, and past versions hold them.
  const tooMany = Math.max(0, closed.length + begun.length + planned.length + waiting.length - MAX_STEPS);
  return { tasks: [...closed.slice(tooMany), ...begun, ...planned, ...waiting], nextStepNumber: number };
}

/**
 * What a person does to a plan, as values: shown at once on top of what the server said, sent one after the other, and
 * judged again when the plan changed meanwhile. Pure.
 */
import type { PlanStep, StepChanges, StepDraft } from '../../../../server/domains/todos/schema';

export type Tasks = readonly PlanStep[];

/** `afterId` names the step above the place; null is the front. It stays true when the list grows. */
export type PlanOperation =
  | { kind: 'add'; temporaryId: string; draft: StepDraft }
  | { kind: 'update'; stepId: string; changes: StepChanges }
  | { kind: 'move'; stepId: string; afterId: string | null }
  | { kind: 'remove'; stepId: string }
  | { kind: 'clear' }
  | { kind: 'restore'; revision: number; tasks: Tasks }
  /** Steps of a past version, whose list is `tasks`, into the plan as it is now. */
  | { kind: 'bring-back'; revision: number; tasks: Tasks; stepIds: readonly string[] };

function makeStep(id: string, draft: StepDraft): PlanStep {
  const { text, status = 'pending', priority = 'medium', validation = null, note = null } = draft;
  return {
    id,
    text: text.trim(),
    status,
    priority,
    validation,
    note,
    source: 'user',
    protocolRunId: null,
    stepId: null,
    executor: null,
    changedAt: null,
  };
}

/** 0-based index of a moved step in the list as it is afterwards; -1 when the move means nothing any more. */
export function moveIndex(tasks: Tasks, { stepId, afterId }: { stepId: string; afterId: string | null }): number {
  if (afterId === null) return 0;
  const at = tasks.filter((step) => step.id !== stepId).findIndex((step) => step.id === afterId);
  return at === -1 ? -1 : at + 1;
}

/** The list after an operation, as the server will make it. An operation whose target is gone changes nothing. */
export function applyOperation(tasks: Tasks, operation: PlanOperation): Tasks {
  switch (operation.kind) {
    case 'add':
      return [...tasks, makeStep(operation.temporaryId, operation.draft)];
    case 'update': {
      const given = Object.fromEntries(Object.entries(operation.changes).filter(([, value]) => value !== undefined));
      return tasks.map((step) => (step.id === operation.stepId ? { ...step, ...given } : step));
    }
    case 'move': {
      const step = tasks.find((other) => other.id === operation.stepId);
      const at = moveIndex(tasks, operation);
      if (step === undefined || at === -1) return tasks;
      return tasks.filter((other) => other !== step).toSpliced(at, 0, step);
    }
    case 'remove':
      return tasks.filter((step) => step.id !== operation.stepId);
    case 'clear':
      return [];
    case 'restore':
      return operation.tasks;
    case 'bring-back':
      return bringBack(tasks, operation);
  }
}

/** Each behind the nearest step that stood before it and is still there; what is there stays as it is. */
function bringBack(now: Tasks, { tasks: past, stepIds }: { tasks: Tasks; stepIds: readonly string[] }): Tasks {
  const missing = past.filter((step) => stepIds.includes(step.id) && !now.some((other) => other.id === step.id));
  return missing.reduce<Tasks>((list, step) => {
    const places = past.slice(0, past.indexOf(step)).map(({ id }) => list.findIndex((other) => other.id === id));
    return list.toSpliced((places.findLast((place) => place !== -1) ?? -1) + 1, 0, step);
  }, now);
}

const lookOf = ({ text, status, priority, validation, note }: PlanStep) =>
  JSON.stringify([text, status, priority, validation, note]);

/** Whether two lists read the same; ids and dates aside, which the server gives. */
export function readsTheSame(a: Tasks, b: Tasks): boolean {
  return a.length === b.length && a.every((step, index) => lookOf(step) === lookOf(b[index] as PlanStep));
}

/**
 * Whether an operation still means on `now` what the person meant when they looked at `seen`: what they touched is as it
 * was. Then it can be sent again on the newer plan without overwriting anybody.
 */
export function meansTheSame(operation: PlanOperation, seen: Tasks, now: Tasks): boolean {
  const find = (tasks: Tasks, id: string) => tasks.find((step) => step.id === id);
  switch (operation.kind) {
    case 'add':
    case 'bring-back':
      return true;
    case 'update': {
      const [before, after] = [find(seen, operation.stepId), find(now, operation.stepId)];
      if (before === undefined || after === undefined) return false;
      return (Object.keys(operation.changes) as (keyof StepChanges)[]).every((key) => before[key] === after[key]);
    }
    case 'move':
      return find(now, operation.stepId) !== undefined && moveIndex(now, operation) !== -1;
    case 'remove': {
      const [before, after] = [find(seen, operation.stepId), find(now, operation.stepId)];
      return before !== undefined && after !== undefined && lookOf(before) === lookOf(after);
    }
    case 'clear':
    case 'restore':
      return readsTheSame(seen, now);
  }
}

/** Makes an operation speak of a step by the id that the server gave it. */
export function renameStep(operation: PlanOperation, from: string, to: string): PlanOperation {
  const renamed = { ...operation };
  if ('stepId' in renamed && renamed.stepId === from) renamed.stepId = to;
  if ('afterId' in renamed && renamed.afterId === from) renamed.afterId = to;
  return renamed;
}

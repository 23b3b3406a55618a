/**
 * What a person does to a plan, as values: shown at once on top of what the server said, sent one after the other, and
 * judged again when the plan changed meanwhile. Pure.
 */
import type { PlanStep, StepChanges, StepDraft } from '../../../../server/domains/todos/schema';

export type Tasks = readonly PlanStep[];

/** `afterId` names the step above the place; null is the front, undefined the end. It stays true when the list grows. */
export type PlanOperation =
  | { kind: 'add'; temporaryId: string; draft: StepDraft; afterId?: string | null }
  | { kind: 'update'; stepId: string; changes: StepChanges }
  | { kind: 'move'; stepId: string; afterId: string | null }
  | { kind: 'remove'; stepId: string }
  | { kind: 'clear' }
  | { kind: 'set'; drafts: readonly StepDraft[] }
  | { kind: 'restore'; revision: number; tasks: Tasks };

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

/** The 0-based index behind the step `afterId`, in a list without the step that is placed. -1 when that step is gone. */
export function placeAfter(tasks: Tasks, afterId: string | null | undefined): number {
  if (afterId === undefined) return tasks.length;
  if (afterId === null) return 0;
  const at = tasks.findIndex((step) => step.id === afterId);
  return at === -1 ? -1 : at + 1;
}

/** 0-based index of a moved step in the list as it is afterwards; -1 when the move means nothing any more. */
export function moveIndex(tasks: Tasks, operation: { stepId: string; afterId: string | null }): number {
  return placeAfter(
    tasks.filter((step) => step.id !== operation.stepId),
    operation.afterId,
  );
}

/** The list after an operation, as the server will make it. An operation whose target is gone changes nothing. */
export function applyOperation(tasks: Tasks, operation: PlanOperation): Tasks {
  switch (operation.kind) {
    case 'add': {
      const at = placeAfter(tasks, operation.afterId);
      const step = makeStep(operation.temporaryId, operation.draft);
      return tasks.toSpliced(at === -1 ? tasks.length : at, 0, step);
    }
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
    case 'set':
      return operation.drafts.map((draft, index) => {
        const known = tasks.find((step) => step.id === draft.id);
        return known ?? makeStep(draft.id ?? `temporary-set-${index}`, draft);
      });
    case 'restore':
      return operation.tasks;
  }
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
    case 'set':
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

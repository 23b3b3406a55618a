/** What changed between two versions of a plan, in the order in which a person reads it. Pure. */
import type { PlanStep } from '../../../../server/domains/todos/schema';
import type { Tasks } from './operations';
import { statusWords } from './words';

export type RevisionChange =
  | { kind: 'added' | 'removed'; stepId: string; text: string }
  | { kind: 'status'; stepId: string; text: string; from: PlanStep['status']; to: PlanStep['status'] }
  | { kind: 'reworded'; stepId: string; text: string; from: string }
  | { kind: 'changed'; stepId: string; text: string; what: string }
  | { kind: 'moved'; stepId: string; text: string };

/** From the older list to the newer one. A step is the same step while it keeps its id. */
export function diffTasks(before: Tasks, after: Tasks): RevisionChange[] {
  const old = new Map(before.map((step) => [step.id, step]));
  const kept = new Set(after.map((step) => step.id));
  const changes: RevisionChange[] = [];
  for (const step of after) {
    const was = old.get(step.id);
    const { id: stepId, text } = step;
    if (was === undefined) {
      changes.push({ kind: 'added', stepId, text });
      continue;
    }
    if (was.status !== step.status) changes.push({ kind: 'status', stepId, text, from: was.status, to: step.status });
    if (was.text !== step.text) changes.push({ kind: 'reworded', stepId, text, from: was.text });
    if (was.priority !== step.priority) {
      changes.push({ kind: 'changed', stepId, text, what: `${step.priority} priority` });
    }
    if (was.status === step.status && (was.validation !== step.validation || was.note !== step.note)) {
      changes.push({ kind: 'changed', stepId, text, what: was.note === step.note ? 'how it was checked' : 'note' });
    }
  }
  for (const step of before) {
    if (!kept.has(step.id)) changes.push({ kind: 'removed', stepId: step.id, text: step.text });
  }
  return [...changes, ...movedSteps(before, after)];
}

/** The fewest steps that must have been moved: all that are not in the longest run that kept its order. */
function movedSteps(before: Tasks, after: Tasks): RevisionChange[] {
  const place = new Map(before.map((step, index) => [step.id, index]));
  const common = after.filter((step) => place.has(step.id));
  const places = common.map((step) => place.get(step.id) as number);
  const stayed = longestRising(places);
  return common
    .filter((_, index) => !stayed.has(index))
    .map((step) => ({ kind: 'moved', stepId: step.id, text: step.text }));
}

/** Indexes of a longest rising subsequence. */
function longestRising(values: readonly number[]): Set<number> {
  /** `ends[n]` is the index at which the best run of length n + 1 ends. */
  const ends: number[] = [];
  const previous: number[] = [];
  values.forEach((value, index) => {
    let at = ends.findIndex((end) => (values[end] as number) >= value);
    if (at === -1) at = ends.length;
    previous[index] = at === 0 ? -1 : (ends[at - 1] as number);
    ends[at] = index;
  });
  const chosen = new Set<number>();
  for (let index = ends.at(-1) ?? -1; index !== -1; index = previous[index] as number) chosen.add(index);
  return chosen;
}

/** One change in words; the step's own text stands behind it. */
export function changeWords(change: RevisionChange): string {
  switch (change.kind) {
    case 'added':
      return 'Added';
    case 'removed':
      return 'Removed';
    case 'status':
      return change.to === 'pending' ? 'Opened again' : capital(statusWords[change.to]);
    case 'reworded':
      return 'Reworded';
    case 'changed':
      return capital(change.what);
    case 'moved':
      return 'Moved';
  }
}

const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

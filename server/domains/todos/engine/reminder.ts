/** What the agent is shown of its plan before each model call (product §7): short, the rules only on a turn's first step. */
import type { PlanStep, StepStatus } from '../schema';
import { isOpen } from './plan';

export const statusIcons: Readonly<Record<StepStatus, string>> = {
  pending: '○',
  in_progress: '◎',
  done: '✓',
  failed: '✗',
  skipped: '—',
};

/** Characters of one step, of one remark: a reminder is no archive, `todo view` shows all. */
const TEXT_LIMIT = 120;
const REMARK_LIMIT = 60;
/** Steps shown around the current one in a long plan. */
const SHOWN_BEFORE = 6;
const SHOWN_AFTER = 14;

const RULES = [
  'Keep the plan true with the todo tool: one step in_progress at a time, set when you begin it.',
  'Mark a step done only with its validation: how you checked the result. Mark it failed with the reason.',
  'Add steps that turn up; skip those that are no longer needed.',
].join('\n');

const cut = (text: string, limit: number) => (text.length > limit ? `${text.slice(0, limit - 1).trimEnd()}…` : text);

export function formatStep(
  step: PlanStep,
  position: number,
  limits = { text: TEXT_LIMIT, remark: REMARK_LIMIT },
): string {
  const remark = step.validation ?? step.note;
  const priority = step.priority === 'high' ? ' (high)' : '';
  const tail = remark === null || remark === '' ? '' : ` [${cut(remark, limits.remark)}]`;
  return `${position}. ${statusIcons[step.status]} ${cut(step.text, limits.text)}${priority}${tail}`;
}

/** Null for an empty plan: an agent without a plan is not reminded of one. */
export function planReminder(tasks: readonly PlanStep[], { isFirstStep }: { isFirstStep: boolean }): string | null {
  if (tasks.length === 0) return null;
  const closed = tasks.filter((step) => !isOpen(step)).length;
  const current = Math.max(0, tasks.findIndex(isOpen));
  const from = Math.max(0, current - SHOWN_BEFORE);
  const to = Math.min(tasks.length, current + SHOWN_AFTER);
  const lines = tasks.slice(from, to).map((step, index) => formatStep(step, from + index + 1));
  if (from > 0) lines.unshift(`… ${from} earlier, all closed`);
  if (to < tasks.length) lines.push(`… ${tasks.length - to} more`);
  return [`[Plan, ${closed} of ${tasks.length} closed]`, ...lines, ...(isFirstStep ? [RULES] : [])].join('\n');
}

/** Steps in words and numbers, the same ones on screen and for screen readers. Pure. */
import type { PlanStep, StepSource, StepStatus } from '../../../../server/domains/todos/schema';
import type { Tasks } from './operations';

/** A step in progress that nothing is working on is shown as paused; the data stays. */
export type ShownStatus = StepStatus | 'paused';

export const statusWords: Record<ShownStatus, string> = {
  pending: 'open',
  in_progress: 'in progress',
  paused: 'paused',
  done: 'done',
  failed: 'failed',
  skipped: 'skipped',
};

/** For menus, where a person chooses. */
export const statusNames: Record<StepStatus, string> = {
  pending: 'Open',
  in_progress: 'In progress',
  done: 'Done',
  failed: 'Failed',
  skipped: 'Skipped',
};

export const statusSigns: Record<ShownStatus, string> = {
  pending: '○',
  in_progress: '◎',
  paused: '◎',
  done: '✓',
  failed: '✗',
  skipped: '—',
};

export const sourceWords: Record<StepSource, string | null> = {
  agent: null,
  protocol: 'from a protocol',
  user: 'added by a person',
  plan: 'from the plan phase',
  remote: 'from a remote agent',
};

/** Who made a version, for the history. */
export const authorWords: Record<StepSource, string> = {
  agent: 'Navi',
  protocol: 'A protocol',
  user: 'You',
  plan: 'The planning phase',
  remote: 'A remote agent',
};

export const shownStatus = ({ status }: Pick<PlanStep, 'status'>, isRunLive: boolean): ShownStatus =>
  status === 'in_progress' && !isRunLive ? 'paused' : status;

const executorKinds = { tool: 'by the tool', agent: 'by the agent', self: null };

/** `by the tool web_fetch`; null for what the agent does itself, which is the rule. */
function executorWords({ executor }: Pick<PlanStep, 'executor'>): string | null {
  const kind = executor === null ? null : executorKinds[executor.kind];
  return kind === null ? null : [kind, executor?.name].filter((part) => part != null).join(' ');
}

/** `Step 3 of 9, in progress, high priority, by the tool web_fetch`. */
export function stepWords(step: PlanStep, position: number, total: number, status: ShownStatus): string {
  const priority = step.priority === 'medium' ? null : `${step.priority} priority`;
  return [`Step ${position} of ${total}`, statusWords[status], priority, executorWords(step), sourceWords[step.source]]
    .filter((part) => part !== null)
    .join(', ');
}

export interface Progress {
  done: number;
  failed: number;
  skipped: number;
  total: number;
}

export function progressOf(tasks: Tasks): Progress {
  const count = (status: StepStatus) => tasks.filter((step) => step.status === status).length;
  return { done: count('done'), failed: count('failed'), skipped: count('skipped'), total: tasks.length };
}

/** The 0-based index of the step that matters now: the one in progress, else the first open one; -1 when all are closed. */
export function currentIndex(tasks: Tasks): number {
  const active = tasks.findIndex((step) => step.status === 'in_progress');
  return active === -1 ? tasks.findIndex((step) => step.status === 'pending') : active;
}

/** `4 / 9 done`; what failed or was skipped is said, not hidden in a sum. */
export function progressWords({ done, failed, total }: Progress): string {
  return `${done} / ${total} done${failed > 0 ? ` · ${failed} failed` : ''}`;
}

const boxes: Record<StepStatus, string> = { pending: ' ', in_progress: ' ', done: 'x', failed: ' ', skipped: '-' };

/** The plan as a task list, to paste elsewhere. */
export function planAsMarkdown(tasks: Tasks): string {
  return tasks
    .map((step) => {
      const state = step.status === 'in_progress' || step.status === 'failed' ? ` (${statusWords[step.status]})` : '';
      const remarks = [step.validation, step.note].filter((remark) => remark !== null && remark !== '');
      return [`- [${boxes[step.status]}] ${step.text}${state}`, ...remarks.map((remark) => `  ${remark}`)].join('\n');
    })
    .join('\n');
}

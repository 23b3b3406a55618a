/**
 * AgentPool's plan tools over the same plan as `todo`: declarative (`set_plan`) or granular (`add_`, `update_` and
 * `remove_plan_entry`), 0-based, with its words and its three statuses. A status that is none of them is refused, which
 * AgentPool left to chance. A profile chooses the mode; both are off by default.
 */
import * as z from 'zod';
import { AppError } from '../../../lib/errors';
import { addStep, type Plan, removeStep, setSteps, updateStep } from '../../todos/engine/plan';
import type { PlanAccess } from '../../todos/plan-access';
import { MAX_STEP_CHARS, MAX_STEPS, type PlanStep, type StepStatus, type TodoSnapshot } from '../../todos/schema';
import { keepProtocolSteps, planMetadata } from './todo';
import { defineTool, type Tool, type ToolContext, ToolError, type ToolOutput } from './types';

const statusSchema = z.enum(['pending', 'in_progress', 'completed']);
type EntryStatus = z.infer<typeof statusSchema>;
const prioritySchema = z.enum(['high', 'medium', 'low']);
const content = z.string().max(MAX_STEP_CHARS);

/** Product §13: done, skipped and failed are all completed to AgentPool, which has no other word. */
const toEntryStatus: Readonly<Record<StepStatus, EntryStatus>> = {
  pending: 'pending',
  in_progress: 'in_progress',
  done: 'completed',
  failed: 'completed',
  skipped: 'completed',
};

/** `completed` said of a step that is closed already keeps what it was closed as. */
function toStepStatus(status: EntryStatus | undefined, current?: PlanStep): StepStatus | undefined {
  if (status !== 'completed') return status;
  return current !== undefined && toEntryStatus[current.status] === 'completed' ? current.status : 'done';
}

const icons: Readonly<Record<EntryStatus, string>> = { pending: '⬚', in_progress: '◐', completed: '✓' };
const priorityLabels = { high: '🔴', medium: '🟡', low: '🟢' } as const;

/** The plan as `get_plan` shows it. */
export function formatPlan(tasks: readonly PlanStep[]): string {
  const lines = tasks.map((step, index) => {
    const status = toEntryStatus[step.status];
    return `${index}. ${icons[status]} ${priorityLabels[step.priority]} ${step.text} *(${status})*`;
  });
  return ['## Plan', '', ...lines].join('\n');
}

const outputOf = (text: string, title: string, snapshot: TodoSnapshot): ToolOutput => ({
  text,
  metadata: {
    ...planMetadata(snapshot),
    title,
    todos: snapshot.tasks.map((step) => ({ content: step.text, status: toEntryStatus[step.status] })),
  },
});

const common = { timeoutMs: 10_000, resultLimitChars: 20_000, isCompressionCritical: false, isOffByDefault: true };

/** All five tools; the profile's mode decides which of them a model sees. */
export function createPlanTools(plans: PlanAccess): Tool[] {
  const change = async (context: ToolContext, work: (plan: Plan, at: { source: 'agent'; at: string }) => Plan) => {
    try {
      return await plans.change(context, 'agent', (plan, { at }) =>
        keepProtocolSteps(plan, work(plan, { source: 'agent', at })),
      );
    } catch (error) {
      if (error instanceof AppError) throw new ToolError(error.message);
      throw error;
    }
  };
  const need = (plan: Plan, index: number): PlanStep => {
    const step = plan.tasks[index];
    if (step !== undefined) return step;
    const range = plan.tasks.length === 0 ? 'the plan is empty' : `0-${plan.tasks.length - 1}`;
    throw new ToolError(`Error: Index ${index} out of range (${range})`);
  };

  return [
    defineTool({
      name: 'get_plan',
      description: 'Get the current plan formatted as markdown, with 0-based numbers.',
      class: 'read',
      input: z.object({}),
      ...common,
      async run(_input, context) {
        const snapshot = await plans.load(context);
        const completed = snapshot.tasks.filter((step) => toEntryStatus[step.status] === 'completed').length;
        const title =
          snapshot.tasks.length === 0
            ? 'Fetched plan (empty)'
            : `Fetched plan with ${snapshot.tasks.length} tasks (${completed} completed)`;
        const text = snapshot.tasks.length === 0 ? '## Plan\n\n*No plan entries yet.*' : formatPlan(snapshot.tasks);
        return outputOf(text, title, snapshot);
      },
    }),

    defineTool({
      name: 'set_plan',
      description:
        'Replace the whole plan. Use it for work of three steps or more, keep one entry in_progress, mark entries completed as soon as they are.',
      class: 'read',
      input: z.object({
        entries: z
          .array(z.object({ content, priority: prioritySchema.optional(), status: statusSchema.optional() }))
          .max(MAX_STEPS),
      }),
      ...common,
      async run({ entries }, context) {
        // As in AgentPool: entries without content are left out without a word.
        const given = entries.filter((entry) => entry.content.trim() !== '');
        const snapshot = await change(context, (plan, at) =>
          setSteps(
            plan,
            given.map((entry) => {
              const text = entry.content.trim();
              const known = plan.tasks.find((step) => step.text === text);
              return { text, priority: entry.priority, status: toStepStatus(entry.status, known) };
            }),
            at,
          ),
        );
        const title = given.length === 0 ? 'Cleared plan' : `Set plan with ${count(given.length, 'task')}`;
        return outputOf(`Plan updated with ${given.length} entries`, title, snapshot);
      },
    }),

    defineTool({
      name: 'add_plan_entry',
      description: 'Add one pending entry to the plan, at a 0-based index or at the end.',
      class: 'read',
      input: z.object({
        content: content.trim().min(1),
        priority: prioritySchema.default('medium'),
        index: z.int().optional(),
      }),
      ...common,
      async run(input, context) {
        let at = 0;
        const snapshot = await change(context, (plan, time) => {
          at = Math.min(Math.max(input.index ?? plan.tasks.length, 0), plan.tasks.length);
          return addStep(plan, { text: input.content, priority: input.priority }, at, time);
        });
        return outputOf(`Added plan entry at index ${at}: ${input.content}`, `Added task ${at + 1}`, snapshot);
      },
    }),

    defineTool({
      name: 'update_plan_entry',
      description:
        'Change content, status (pending, in_progress, completed) or priority of the entry at a 0-based index.',
      class: 'read',
      input: z.object({
        index: z.int(),
        content: content.trim().min(1).optional(),
        status: statusSchema.optional(),
        priority: prioritySchema.optional(),
      }),
      ...common,
      async run(input, context) {
        const { index, status, priority } = input;
        if (input.content === undefined && status === undefined && priority === undefined) {
          const snapshot = await plans.load(context);
          need({ tasks: snapshot.tasks, nextStepNumber: 1 }, index);
          return { text: 'No changes specified', metadata: planMetadata(snapshot) };
        }
        const changed: string[] = [];
        if (input.content !== undefined) changed.push(`content to '${input.content}'`);
        if (status !== undefined) changed.push(`status to '${status}'`);
        if (priority !== undefined) changed.push(`priority to '${priority}'`);
        const snapshot = await change(context, (plan, { at }) => {
          const step = need(plan, index);
          return updateStep(plan, index, { text: input.content, status: toStepStatus(status, step), priority }, at);
        });
        const icon = icons[toEntryStatus[snapshot.tasks[index]?.status ?? 'pending']];
        return outputOf(
          `Updated plan entry ${index}: ${changed.join(', ')}`,
          `Updated task ${index + 1} ${icon}`,
          snapshot,
        );
      },
    }),

    defineTool({
      name: 'remove_plan_entry',
      description: 'Remove the entry at a 0-based index.',
      class: 'read',
      input: z.object({ index: z.int() }),
      ...common,
      async run({ index }, context) {
        let removed = '';
        const snapshot = await change(context, (plan) => {
          removed = need(plan, index).text;
          return removeStep(plan, index);
        });
        const rest = snapshot.tasks.length === 0 ? 'plan is now empty' : 'remaining entries reindexed';
        return outputOf(`Removed plan entry ${index} ('${removed}'), ${rest}`, `Removed task ${index + 1}`, snapshot);
      },
    }),
  ];
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;

/** The agent's own way to its plan: `todo`, 1-based. A session's id decides which plan; a subagent never reaches its parent's. */
import * as z from 'zod';
import { AppError } from '../../../lib/errors';
import {
  addStep,
  clearSteps,
  findStep,
  isOpen,
  type Plan,
  removeStep,
  setSteps,
  updateStep,
} from '../../todos/engine/plan';
import { formatStep } from '../../todos/engine/reminder';
import { type PlanAccess, todoSessionId } from '../../todos/plan-access';
import {
  MAX_STEP_CHARS,
  stepDraftSchema,
  stepPrioritySchema,
  stepStatusSchema,
  type TodoSnapshot,
} from '../../todos/schema';
import { defineTool, type Tool, type ToolContext, ToolError } from './types';

const reference = {
  index: z.int().min(1).optional().describe('1-based position of the step'),
  id: z.string().optional().describe('id of the step, instead of its position'),
};
const draft = stepDraftSchema.extend({
  text: stepDraftSchema.shape.text.describe('what is to be done, in one sentence'),
  validation: stepDraftSchema.shape.validation.describe('how the result was checked; demanded for done'),
});

const inputSchema = z.object({
  action: z.enum(['set', 'view', 'update', 'add', 'remove', 'clear']),
  tasks: z
    .array(z.union([draft, z.string().min(1)]))
    .optional()
    .describe('set: the whole list, in order'),
  text: z.string().max(MAX_STEP_CHARS).optional().describe('add, update: the text of the step'),
  status: stepStatusSchema.optional(),
  priority: stepPrioritySchema.optional(),
  validation: z
    .string()
    .max(MAX_STEP_CHARS)
    .optional()
    .describe('update: how the result was checked; demanded for done'),
  note: z.string().max(MAX_STEP_CHARS).optional().describe('update: the reason, for failed and skipped'),
  after: z.int().min(0).optional().describe('add: 1-based position after which to add; default at the end'),
  ...reference,
});
type Input = z.infer<typeof inputSchema>;

function need(plan: Plan, { index, id }: Input): number {
  const at = findStep(plan, { id, position: index });
  if (at !== -1) return at;
  if (index === undefined && id === undefined) throw new ToolError('Say which step: index (1-based) or id.');
  throw new ToolError(`There is no step ${id ?? index}. The plan has ${plan.tasks.length} steps.`);
}

/** The tool demands a validation for done, so that "done" means checked; people and remote agents need none (product §7). */
function demandValidation(status: string | undefined, validation: string | null | undefined, text: string): void {
  if (status === 'done' && (validation === undefined || validation === null || validation.trim() === '')) {
    throw new ToolError(
      `"${text}" cannot be done without a validation: say in \`validation\` how you checked the result. Use in_progress until you did.`,
    );
  }
}

/**
 * The agent may not drop what a protocol still asks for, or `finish` would find nothing left to ask about. People may.
 */
export function keepProtocolSteps(before: Plan, after: Plan): Plan {
  const kept = new Set(after.tasks.map((step) => step.id));
  const dropped = before.tasks.findIndex((step) => step.protocolRunId !== null && isOpen(step) && !kept.has(step.id));
  if (dropped === -1) return after;
  throw new ToolError(
    `Step ${dropped + 1} (${JSON.stringify(before.tasks[dropped]?.text)}) belongs to a protocol and is still open: do it, mark it ` +
      'skipped with a note, or cancel the protocol. Nothing was changed.',
  );
}

export function describePlan(snapshot: TodoSnapshot): string {
  if (snapshot.tasks.length === 0) return 'The plan is empty.';
  const limits = { open: MAX_STEP_CHARS, closed: MAX_STEP_CHARS, remark: 400 };
  return snapshot.tasks.map((step, index) => formatStep(step, index + 1, limits)).join('\n');
}

/** Numbers of a plan for the tool's card; the list itself is a click away and always newer. */
export function planMetadata({ revision, tasks }: TodoSnapshot): Record<string, unknown> {
  return { todoRevision: revision, todoTotal: tasks.length, todoClosed: tasks.filter((step) => !isOpen(step)).length };
}

export function createTodoTool(plans: PlanAccess): Tool {
  async function apply(input: Input, context: ToolContext): Promise<TodoSnapshot> {
    const sessionId = todoSessionId(context);
    switch (input.action) {
      case 'view':
        return plans.load(sessionId);
      case 'clear':
        return plans.change(sessionId, 'agent', (plan) => keepProtocolSteps(plan, clearSteps(plan)));
      case 'set': {
        if (input.tasks === undefined) throw new ToolError('set needs `tasks`, the whole list.');
        const drafts = input.tasks.map((task) => (typeof task === 'string' ? { text: task } : task));
        return plans.change(sessionId, 'agent', (plan, change) => {
          const next = keepProtocolSteps(plan, setSteps(plan, drafts, change));
          for (const step of next.tasks) {
            const before = plan.tasks.find((old) => old.id === step.id);
            if (before?.status !== 'done') demandValidation(step.status, step.validation, step.text);
          }
          return next;
        });
      }
      case 'add': {
        const { text } = input;
        if (text === undefined || text.trim() === '') throw new ToolError('add needs `text`.');
        demandValidation(input.status, input.validation, text);
        const step = {
          text,
          status: input.status,
          priority: input.priority,
          validation: input.validation,
          note: input.note,
        };
        return plans.change(sessionId, 'agent', (plan, change) => addStep(plan, step, input.after ?? null, change));
      }
      case 'update':
        return plans.change(sessionId, 'agent', (plan, { at }) => {
          const index = need(plan, input);
          const step = plan.tasks[index];
          demandValidation(input.status, input.validation ?? step?.validation, step?.text ?? '');
          const { text, status, priority, validation, note } = input;
          return updateStep(plan, index, { text, status, priority, validation, note }, at);
        });
      case 'remove':
        return plans.change(sessionId, 'agent', (plan) => keepProtocolSteps(plan, removeStep(plan, need(plan, input))));
    }
  }

  return defineTool({
    name: 'todo',
    description:
      'Your plan for this chat: a list of steps that the person sees and may change. set writes the whole list, add, update and remove change one step ' +
      '(1-based index or id), view shows it, clear empties it. Use it for work of three steps or more. A step is done only with its validation.',
    // The plan is the agent's own notebook, shown to the person at once: no call of it asks.
    class: 'read',
    input: inputSchema,
    timeoutMs: 10_000,
    resultLimitChars: 20_000,
    isCompressionCritical: false,
    async run(input, context) {
      try {
        const snapshot = await apply(input, context);
        const hint =
          input.status === 'failed' && input.note === undefined && input.validation === undefined
            ? '\nSay in `note` why it failed, so that the next attempt can be another one.'
            : '';
        return { text: `${describePlan(snapshot)}${hint}`, metadata: planMetadata(snapshot) };
      } catch (error) {
        if (error instanceof AppError) throw new ToolError(error.message);
        throw error;
      }
    },
  });
}

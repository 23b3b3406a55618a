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
  type StepDraft,
  stepChangesSchema,
  stepDraftSchema,
  stepPrioritySchema,
  stepStatusSchema,
  type TodoSnapshot,
} from '../../todos/schema';
import { defineTool, type Tool, type ToolContext, ToolError } from './types';

/** Sent with every call, so it says what a model must know and no more; limits are checked by the plan itself. */
const inputSchema = z.object({
  action: z.enum(['set', 'view', 'update', 'add', 'remove', 'clear']),
  tasks: z
    .array(
      z.union([
        z.string(),
        z.object({
          text: z.string(),
          id: z.string().optional(),
          status: z.string().optional(),
          priority: z.string().optional(),
          validation: z.string().nullish(),
          note: z.string().nullish(),
        }),
      ]),
    )
    .optional()
    .describe('set: the whole list'),
  index: z.int().min(1).optional().describe('1-based; or id'),
  id: z.string().optional(),
  text: z.string().optional(),
  status: stepStatusSchema.optional(),
  priority: stepPrioritySchema.optional(),
  validation: z.string().optional().describe('how it was checked; demanded for done'),
  note: z.string().optional().describe('reason, for failed and skipped'),
  after: z.int().min(0).optional().describe('add: position before it; default the end'),
});
type Input = z.infer<typeof inputSchema>;

/** The plan's own rules for a step; what breaks one is told to the model. */
function checked<T>(schema: z.ZodType<T>, value: unknown, name: string): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new ToolError(`${[name, ...(issue?.path ?? [])].join('.')}: ${issue?.message ?? 'not valid'}`);
}

const toDraft = (task: unknown, index: number): StepDraft =>
  checked(stepDraftSchema, typeof task === 'string' ? { text: task } : task, `tasks.${index}`);

function need(plan: Plan, { index, id }: Input): number {
  const at = findStep(plan, { id, position: index });
  if (at !== -1) return at;
  if (index === undefined && id === undefined) throw new ToolError('Say which step: index (1-based) or id.');
  throw new ToolError(`There is no step ${id ?? index}. The plan has ${plan.tasks.length} steps.`);
}

const isSaid = (validation: string | null | undefined): boolean => (validation ?? '').trim() !== '';

/**
 * The tool demands a validation for done, so that "done" means checked, and it stays with the step; people and remote agents
 * need none (product §7). What was said when a step failed or was skipped proves nothing of its success.
 */
export function demandValidations(before: Plan, after: Plan): Plan {
  for (const step of after.tasks) {
    if (step.status !== 'done') continue;
    const old = before.tasks.find(({ id }) => id === step.id);
    if (old?.status === 'done') {
      if (!isSaid(old.validation) || isSaid(step.validation)) continue;
      throw new ToolError(`"${step.text}" is done: its validation can be replaced, not removed.`);
    }
    const isStale = old !== undefined && !isOpen(old) && step.validation === old.validation;
    if (isSaid(step.validation) && !isStale) continue;
    throw new ToolError(
      `"${step.text}" cannot be done without a validation: say in \`validation\` how you checked the result. Use in_progress until you did.`,
    );
  }
  return after;
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
        const drafts = input.tasks.map(toDraft);
        return plans.change(sessionId, 'agent', (plan, change) =>
          demandValidations(plan, keepProtocolSteps(plan, setSteps(plan, drafts, change))),
        );
      }
      case 'add': {
        if (input.text === undefined || input.text.trim() === '') throw new ToolError('add needs `text`.');
        const { text, status, priority, validation, note } = input;
        const step = toDraft({ text, status, priority, validation, note }, 0);
        return plans.change(sessionId, 'agent', (plan, change) =>
          demandValidations(plan, addStep(plan, step, input.after ?? null, change)),
        );
      }
      case 'update':
        return plans.change(sessionId, 'agent', (plan, { at }) => {
          const index = need(plan, input);
          const { text, status, priority, validation, note } = input;
          const changes = checked(stepChangesSchema, { text, status, priority, validation, note }, 'step');
          return demandValidations(plan, updateStep(plan, index, changes, at));
        });
      case 'remove':
        return plans.change(sessionId, 'agent', (plan) => keepProtocolSteps(plan, removeStep(plan, need(plan, input))));
    }
  }

  return defineTool({
    name: 'todo',
    description:
      'Your plan for this chat, which the person sees and may change. set writes the whole list; add, update, remove change one step; view; clear. ' +
      'Use it for work of three steps or more.',
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

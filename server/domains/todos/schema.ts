/** Shapes of plans as every way in, the agent's tools and the web client see them. */
import * as z from 'zod';
import { idSchema, ordinalSchema } from '../../lib/input-schemas';

export const stepStatusSchema = z.enum(['pending', 'in_progress', 'done', 'failed', 'skipped']);
export type StepStatus = z.infer<typeof stepStatusSchema>;
export const stepPrioritySchema = z.enum(['high', 'medium', 'low']);
export const stepSourceSchema = z.enum(['agent', 'plan', 'protocol', 'user', 'remote']);
export type StepSource = z.infer<typeof stepSourceSchema>;

export const MAX_STEP_CHARS = 2_000;
/** Steps of one plan. Far above any plan that helps; it bounds the reminder and the row. */
export const MAX_STEPS = 500;

const text = z
  .string()
  .trim()
  .min(1, 'a step needs a text')
  .max(MAX_STEP_CHARS, `a step has at most ${MAX_STEP_CHARS} characters`);
const remark = z.string().trim().max(MAX_STEP_CHARS).nullable();

/** Who does a step of a planned task: a tool, a subagent under a profile, or the agent itself. */
export const executorSchema = z.object({ kind: z.enum(['tool', 'agent', 'self']), name: z.string().nullable() });
export type Executor = z.infer<typeof executorSchema>;

/** One step of a plan. */
export const planStepSchema = z.object({
  /** Stable, never used again in this plan. */
  id: z.string(),
  text: z.string(),
  status: stepStatusSchema.default('pending'),
  priority: stepPrioritySchema.default('medium'),
  /** How it was verified. The `todo` tool demands it for done. */
  validation: z.string().nullable().default(null),
  note: z.string().nullable().default(null),
  source: stepSourceSchema.default('agent'),
  /** The run of a protocol that put the step here, and the protocol's own id of it. */
  protocolRunId: z.string().nullable().default(null),
  stepId: z.string().nullable().default(null),
  /** As the planning phase decided; null for steps that came another way. */
  executor: executorSchema.nullable().default(null),
  /** When status or text last changed, ISO; null in rows written before this was kept. */
  changedAt: z.string().nullable().default(null),
});
export type PlanStep = z.infer<typeof planStepSchema>;

/** The one snapshot everywhere. Clients drop a revision that is not newer; an empty list with a revision is a clear. */
export const todoSnapshotSchema = z.object({
  sessionId: z.string(),
  revision: z.int(),
  updatedAt: z.iso.datetime().nullable(),
  tasks: z.array(planStepSchema),
});
export type TodoSnapshot = z.infer<typeof todoSnapshotSchema>;

/** A step as writers give it; what is left out takes its default, or keeps its value in an update. */
export const stepDraftSchema = z.object({
  /** Keeps an existing step's identity in `set`. */
  id: z.string().max(50).optional(),
  text,
  status: stepStatusSchema.optional(),
  priority: stepPrioritySchema.optional(),
  validation: remark.optional(),
  note: remark.optional(),
});
export type StepDraft = z.infer<typeof stepDraftSchema>;
export const stepChangesSchema = stepDraftSchema.omit({ id: true }).partial();
export type StepChanges = z.infer<typeof stepChangesSchema>;

const target = {
  sessionId: idSchema(),
  /** Refuses with CONFLICT, and the current snapshot, when the plan has another revision. */
  expectedRevision: ordinalSchema.optional(),
};
const stepId = idSchema(50);
export const sessionIdInput = z.object({ sessionId: target.sessionId });
export const setTodosInput = z.object({ ...target, tasks: z.array(stepDraftSchema).max(MAX_STEPS) });
export const addStepInput = z.object({
  ...target,
  step: stepDraftSchema.omit({ id: true }),
  index: ordinalSchema.optional(),
});
export const updateStepInput = z.object({ ...target, stepId, changes: stepChangesSchema });
export const removeStepInput = z.object({ ...target, stepId });
/** `index` is 0-based, in the list as it is after the move. */
export const moveStepInput = z.object({ ...target, stepId, index: ordinalSchema });
export const clearTodosInput = z.object(target);
export const listRevisionsInput = z.object({
  sessionId: target.sessionId,
  limit: z.int().min(1).max(100).default(30),
  beforeRevision: ordinalSchema.optional(),
});
/** `stepIds`: only these steps come back, into the plan as it is now. Without it the whole version does, in place of the plan. */
export const restoreRevisionInput = z.object({
  ...target,
  revision: ordinalSchema,
  stepIds: z.array(stepId).max(MAX_STEPS).optional(),
});

export const todoRevisionSchema = z.object({
  revision: z.int(),
  author: stepSourceSchema,
  createdAt: z.iso.datetime(),
  tasks: z.array(planStepSchema),
});
export type TodoRevision = z.infer<typeof todoRevisionSchema>;

export const protocolRunStatusSchema = z.enum(['active', 'finished', 'cancelled', 'failed']);
export type ProtocolRunStatus = z.infer<typeof protocolRunStatusSchema>;

/** A protocol that can be started: a built-in one, or a file of the person's own. */
export const protocolSummarySchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  origin: z.enum(['built-in', 'own']),
  stepCount: z.int(),
});
export type ProtocolSummary = z.infer<typeof protocolSummarySchema>;

/** Without a session: what could be started in a new one. */
export const listProtocolsInput = z.object({ sessionId: target.sessionId.optional() }).default({});
/** `after`: 0-based count of steps before those of the protocol; else they follow the last one that was reached. */
export const startProtocolInput = z.object({
  sessionId: target.sessionId,
  protocolId: idSchema(100),
  after: ordinalSchema.optional(),
});

export const protocolRunSchema = z.object({
  id: z.string(),
  protocolId: z.string(),
  name: z.string(),
  status: protocolRunStatusSchema,
  note: z.string().nullable(),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
});
export type ProtocolRun = z.infer<typeof protocolRunSchema>;

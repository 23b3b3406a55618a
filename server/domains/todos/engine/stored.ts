/** Plans as rows hold them, of every age: reading what older versions wrote, and the names that the seeds gave the fields. */
import * as z from 'zod';
import { type PlanStep, planStepSchema } from '../schema';
import type { Plan } from './plan';

/** Rows of the seeds name two fields in snake case, and may lack ids. */
const storedStepSchema = z.record(z.string(), z.unknown()).transform(
  ({ protocol_run_id, step_id, ...step }): Record<string, unknown> => ({
    protocolRunId: protocol_run_id ?? null,
    stepId: step_id ?? null,
    ...step,
  }),
);

const { shape } = planStepSchema;
/** A field that holds nothing we know (null, another version's word) takes its default: one odd word costs nobody a plan. */
const tolerantStepSchema = planStepSchema.extend({
  status: shape.status.catch('pending'),
  priority: shape.priority.catch('medium'),
  validation: shape.validation.catch(null),
  note: shape.note.catch(null),
  source: shape.source.catch('agent'),
  protocolRunId: shape.protocolRunId.catch(null),
  stepId: shape.stepId.catch(null),
  executor: shape.executor.catch(null),
  changedAt: shape.changedAt.catch(null),
});

const numberOf = (id: unknown): number => Number(/^step-(\d+)$/.exec(typeof id === 'string' ? id : '')?.[1] ?? 0);

/**
 * Reads a row's steps; missing and odd fields take their defaults (seed 000). A step without an id gets the next free number,
 * in order, so that the ids of one row are the same at every reading. Throws a ZodError for what is no list of texts.
 */
export function parseTasks(raw: unknown): PlanStep[] {
  const stored = storedStepSchema.array().parse(raw);
  let number = Math.max(0, ...stored.map((step) => numberOf(step.id)));
  return stored.map((step) => {
    const id = typeof step.id === 'string' && step.id !== '' ? step.id : `step-${++number}`;
    return tolerantStepSchema.parse({ ...step, id });
  });
}

/** Above every number that a step of the list has, whatever the row's own counter says: no id is ever given twice. */
export function nextStepNumberOf(tasks: readonly PlanStep[], counter: number): number {
  return Math.max(counter, 1 + Math.max(0, ...tasks.map((step) => numberOf(step.id))));
}

/** One step under the names that the seeds gave the fields. */
export function toStoredStep({ protocolRunId, stepId, ...step }: PlanStep): Record<string, unknown> {
  return { ...step, protocol_run_id: protocolRunId, step_id: stepId };
}

const storedObjectSchema = z.object({
  tasks: z.unknown(),
  revision: z.int().min(0).default(0),
  updatedAt: z.iso.datetime().nullable().default(null),
  nextStepNumber: z.int().min(1).default(1),
  recoveryNotedRevision: z.int().nullable().default(null),
});

/** A plan in a key-value row: since seed 000 a bare list, in the fallback store an object with its revision. */
export interface KeyValuePlan extends Plan {
  revision: number;
  updatedAt: string | null;
  recoveryNotedRevision: number | null;
}

/** Null for text that is no plan. */
export function parseKeyValuePlan(text: string): KeyValuePlan | null {
  try {
    const raw: unknown = JSON.parse(text);
    const stored = storedObjectSchema.parse(Array.isArray(raw) ? { tasks: raw } : raw);
    const tasks = parseTasks(stored.tasks);
    return { ...stored, tasks, nextStepNumber: nextStepNumberOf(tasks, stored.nextStepNumber) };
  } catch {
    return null;
  }
}

export function formatKeyValuePlan(plan: KeyValuePlan): string {
  return JSON.stringify({ ...plan, tasks: plan.tasks.map(toStoredStep) });
}

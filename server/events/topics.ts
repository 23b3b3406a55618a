/**
 * Every event of Navi, in one union per stream. Events are the only way that changes reach a screen: they are written in
 * the transaction that makes the change, ordered per session, and published after it commits.
 * Deltas carry only new text, so the bytes of an answer are linear in its length.
 */
import * as z from 'zod';
import { compressionPhaseSchema, compressionSchema, liveCompressionSchema } from '../domains/compression/schema';
import { messageSchema, queuedMessageSchema, turnEndSchema } from '../domains/messages/schema';
import { runStateSchema, sessionListItemSchema, sessionSchema } from '../domains/sessions/schema';
import { todoSnapshotSchema } from '../domains/todos/schema';

export const runStatusSchema = z.enum(['running', 'done', 'stopped', 'interrupted', 'failed']);
export type RunStatus = z.infer<typeof runStatusSchema>;

/** A tool call waiting for a person. `risk` is the tool's class. */
export const approvalSchema = z.object({
  toolCallId: z.string(),
  toolName: z.string(),
  arguments: z.unknown(),
  risk: z.enum(['read', 'write', 'execute', 'network']),
  /** The answer may allow the tool for the rest of the session. Missing in events of earlier versions. */
  mayHoldForSession: z.boolean().optional(),
});
export type Approval = z.infer<typeof approvalSchema>;

export const liveToolCallSchema = z.object({
  toolCallId: z.string(),
  toolName: z.string(),
  arguments: z.unknown(),
  startedAt: z.iso.datetime(),
  /** The session of the subagent that does the work: subscribe to it for its steps. */
  childSessionId: z.string().optional(),
});

/** What a subscriber starts from: the live part of the session, not its history. */
export const snapshotSchema = z.object({
  kind: z.literal('snapshot'),
  /** Sequence number of the newest message, 0 when there is none. Messages up to here are read through pages. */
  lastSequence: z.int(),
  runState: runStateSchema,
  run: z
    .object({
      runId: z.string(),
      startedAt: z.iso.datetime(),
      model: z.string(),
      step: z.int(),
      /** Text of the current step so far, not yet a message. */
      text: z.string(),
      thinking: z.string(),
      /** Calls of the current step without a result yet. */
      toolCalls: z.array(liveToolCallSchema),
      /** While the planning phase goes on. */
      planning: z.object({ phase: z.enum(['analysis', 'review', 'plan']), text: z.string() }).nullish(),
    })
    .nullable(),
  /** Calls that wait for a person. They can outlive the run that asked: answering then resumes the turn. */
  approvals: z.array(approvalSchema),
  queue: z.array(queuedMessageSchema),
  /** The compression that is under way, in a run or between two. */
  compression: liveCompressionSchema.nullable().optional(),
});
export type Snapshot = z.infer<typeof snapshotSchema>;

const run = { runId: z.string() };
const step = { runId: z.string(), step: z.int() };

export const storedEventSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('message-added'), message: messageSchema }),
  /** Only the fields that changed. Several at once when a branch is switched. */
  z.object({
    kind: z.literal('message-updated'),
    sequenceNumbers: z.array(z.int()),
    changes: messageSchema.partial(),
  }),
  /** The current branch changed: pages that are loaded must be read again. */
  z.object({ kind: z.literal('branch-switched'), branchId: z.int().nullable(), lastSequence: z.int() }),
  z.object({ kind: z.literal('run-start'), ...run, model: z.string(), startedAt: z.iso.datetime() }),
  z.object({ kind: z.literal('step-start'), ...step }),
  z.object({ kind: z.literal('text-delta'), ...step, text: z.string() }),
  z.object({ kind: z.literal('thinking-delta'), ...step, text: z.string() }),
  z.object({ kind: z.literal('tool-call'), ...step, ...liveToolCallSchema.shape }),
  z.object({
    kind: z.literal('tool-progress'),
    ...step,
    toolCallId: z.string(),
    text: z.string(),
    childSessionId: z.string().optional(),
  }),
  z.object({ kind: z.literal('tool-result'), ...step, toolCallId: z.string(), status: z.string() }),
  z.object({ kind: z.literal('approval-asked'), ...step, approval: approvalSchema }),
  z.object({
    kind: z.literal('approval-answered'),
    toolCallId: z.string(),
    decision: z.enum(['approved', 'denied']),
  }),
  /** The model call failed for a passing reason and is tried again. */
  z.object({ kind: z.literal('retrying'), ...step, attempt: z.int(), delayMs: z.int(), reason: z.string() }),
  /** The planning phase goes on: a phase begins, says something, ends. `text` is for people. */
  z.object({
    kind: z.literal('planning-status'),
    ...run,
    phase: z.enum(['analysis', 'review', 'plan']),
    state: z.enum(['running', 'done', 'direct', 'failed']),
    text: z.string(),
  }),
  /** The plan card stands in the transcript and the plan is filled. */
  z.object({
    kind: z.literal('plan-ready'),
    ...run,
    sequenceNumber: z.int(),
    revision: z.int(),
    stepCount: z.int(),
  }),
  z.object({ kind: z.literal('todo-updated'), snapshot: todoSnapshotSchema }),
  /** One compression, from start to end keyed by its id. Exactly one end follows each start. */
  z.object({ kind: z.literal('compression-start'), ...liveCompressionSchema.shape }),
  z.object({
    kind: z.literal('compression-progress'),
    compressionId: z.string(),
    phase: compressionPhaseSchema,
    /** 1, or 2 after a summary that could not be used. */
    attempt: z.int(),
    /** While summarising in parts, counted from 1. */
    part: z.int().nullable(),
    parts: z.int().nullable(),
  }),
  z.object({ kind: z.literal('compression-end'), compressionId: z.string(), compression: compressionSchema }),
  /** A file came, went, got other bytes or was published: the list of the session's files is to be read again. */
  z.object({ kind: z.literal('files-changed') }),
  z.object({ kind: z.literal('queue-updated'), queue: z.array(queuedMessageSchema) }),
  /** `changes` holds only what changed of the session's own row. */
  z.object({
    kind: z.literal('session-updated'),
    changes: sessionListItemSchema
      .extend({
        model: z.string().nullable(),
        contextTokenCount: z.int(),
        contextTokenSource: sessionSchema.shape.contextTokenSource,
        contextWindow: z.int(),
      })
      .partial(),
  }),
  z.object({ kind: z.literal('session-removed') }),
  z.object({ kind: z.literal('error'), runId: z.string().optional(), code: z.string(), message: z.string() }),
  z.object({
    kind: z.literal('run-end'),
    ...run,
    status: runStatusSchema.exclude(['running']),
    turnEnd: turnEndSchema.nullable(),
    /** What the session is in now: another run may start from the queue at once. */
    runState: runStateSchema,
  }),
]);
export type StoredEvent = z.infer<typeof storedEventSchema>;
export type SessionEvent = StoredEvent | Snapshot;
export type EventKind = SessionEvent['kind'];

/** The light stream per person, for lists: current values, no history; a lost one is mended by reading the list again. */
export const userEventSchema = z.discriminatedUnion('kind', [
  /** First of every subscription: the list may have changed while nobody listened, read it again. */
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('session-created'), session: sessionListItemSchema }),
  z.object({ kind: z.literal('session-updated'), session: sessionListItemSchema }),
  z.object({ kind: z.literal('session-removed'), sessionId: z.string() }),
]);
export type UserEvent = z.infer<typeof userEventSchema>;

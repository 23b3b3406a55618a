/** Shapes of messages as every way in and the web client see them. Column names are those of seed 004 in camelCase. */
import * as z from 'zod';
import { hasText, idSchema, ordinalSchema } from '../../lib/input-schemas';
import type { FileKind } from '../files/schema';

export const messageRoleSchema = z.enum(['user', 'assistant', 'tool', 'system']);
export type MessageRole = z.infer<typeof messageRoleSchema>;

/** One tool call that an assistant message asked for. `arguments` is what the model wrote, parsed when it was JSON. */
export const toolCallSchema = z.object({ id: z.string(), name: z.string(), arguments: z.unknown() });
export type ToolCall = z.infer<typeof toolCallSchema>;

/** A session file as a message names it. */
export const attachmentSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** What it opens as; the closed set belongs to the files. */
  kind: z.custom<FileKind>((kind) => typeof kind === 'string').default('other'),
  mimeType: z.string(),
  sizeBytes: z.number(),
  /** Pixels of images whose size is known. */
  width: z.int().optional(),
  height: z.int().optional(),
});
export type Attachment = z.infer<typeof attachmentSchema>;

/** What a model failure looks like on its card. `code` is the closed code of the error model. */
export const messageErrorSchema = z.object({
  code: z.string(),
  /** One sentence in plain words. */
  message: z.string(),
  /** What the provider said, for the folded part of the card. */
  details: z.string().optional(),
});

/** Written on the last assistant message of a turn (product §3, `turn-end`). */
export const turnEndSchema = z.object({
  elapsedSeconds: z.number(),
  toolCalls: z.number(),
  tokensIn: z.number().nullable(),
  tokensOut: z.number().nullable(),
  contextTokens: z.number(),
  windowTokens: z.number(),
  model: z.string(),
});
export type TurnEnd = z.infer<typeof turnEndSchema>;

/** A step on a plan card: what it says and who does it, as it was planned. The plan itself goes its own way from there. */
export const planCardStepSchema = z.object({
  text: z.string(),
  executor: z.object({ kind: z.enum(['tool', 'agent', 'self']), name: z.string().nullable() }).nullable(),
});

/** Known keys of `metadata`; others pass through. */
export const messageMetadataSchema = z.looseObject({
  runId: z.string().optional(),
  step: z.number().optional(),
  model: z.string().optional(),
  clientMessageId: z.string().optional(),
  /** On user messages: the person asked for a planning phase before the answer. */
  plan: z.boolean().optional(),
  /** On plan cards: the steps as they were planned. */
  planSteps: z.array(planCardStepSchema).optional(),
  /** Service records (role system): compression, synapse_event, task_note, memory_recall, model_switched, … */
  source: z.string().optional(),
  stopped: z.boolean().optional(),
  interrupted: z.boolean().optional(),
  /** On answers that the model did not bring to their end: no room was left, or a content filter stepped in. */
  cutBy: z.enum(['length', 'content-filter']).optional(),
  error: messageErrorSchema.optional(),
  turnEnd: turnEndSchema.optional(),
  thinkingMs: z.number().optional(),
  /** On messages with images: ids of those that models are sent, once that was decided. */
  imagesSent: z.array(z.string()).optional(),
  /** And of those that they are not, with the reason: no room, a model that sees nothing, bytes that cannot be shown. */
  imagesWithheld: z
    .array(
      z.object({
        id: z.string(),
        reason: z.enum(['no-room', 'no-vision', 'unreadable']),
        detail: z.string().optional(),
      }),
    )
    .optional(),
  /** On tool messages. */
  toolStatus: z.enum(['done', 'failed', 'denied', 'timed-out', 'stopped', 'interrupted']).optional(),
  durationMs: z.number().optional(),
});
export type MessageMetadata = z.infer<typeof messageMetadataSchema>;

export const messageSchema = z.object({
  sequenceNumber: z.int(),
  role: messageRoleSchema,
  content: z.string(),
  createdAt: z.iso.datetime(),
  isDisplay: z.boolean(),
  isContext: z.boolean(),
  isPlan: z.boolean(),
  isCompression: z.boolean(),
  isSummary: z.boolean(),
  isCompressionCritical: z.boolean(),
  isRecall: z.boolean(),
  thinking: z.string().nullable(),
  toolCalls: z.array(toolCallSchema).nullable(),
  toolCallId: z.string().nullable(),
  /** The tool's name on tool messages. */
  name: z.string().nullable(),
  files: z.array(attachmentSchema).nullable(),
  images: z.array(attachmentSchema).nullable(),
  elapsedSeconds: z.number().nullable(),
  toolCallCount: z.int().nullable(),
  tokenCount: z.int().nullable(),
  metadata: messageMetadataSchema,
  /** Id of the branch that replaced this message, null while it is on the current branch. */
  supersededBy: z.int().nullable(),
  /** The branch the message belongs to, null for the trunk. */
  branchId: z.int().nullable(),
});
export type Message = z.infer<typeof messageSchema>;

/** The ‹ 2 / 3 › switcher on the first message of a branch: which of its siblings this one is. `index` is 0-based. */
export const variantsSchema = z.object({ index: z.int(), branchIds: z.array(z.int()) });
export const pagedMessageSchema = messageSchema.extend({ variants: variantsSchema.nullable() });
export type PagedMessage = z.infer<typeof pagedMessageSchema>;

const sessionId = idSchema();
const sequence = ordinalSchema;

export const messagesPageInput = z
  .object({
    sessionId,
    limit: z.int().min(1).max(200).default(50),
    beforeSeq: sequence.optional(),
    afterSeq: sequence.optional(),
    aroundSeq: sequence.optional(),
  })
  .refine((input) => [input.beforeSeq, input.afterSeq, input.aroundSeq].filter((at) => at !== undefined).length <= 1, {
    message: 'give at most one of beforeSeq, afterSeq and aroundSeq',
  });
export type MessagesPageInput = z.infer<typeof messagesPageInput>;

export const messagesPageOutput = z.object({
  messages: z.array(pagedMessageSchema),
  /** Pass as `beforeSeq` for the page above; null when nothing older exists. */
  nextBeforeSeq: z.int().nullable(),
  /** Pass as `afterSeq` for the page below; null when nothing newer exists. */
  nextAfterSeq: z.int().nullable(),
});
export type MessagesPage = z.infer<typeof messagesPageOutput>;

/** Longest message a person may send, in characters. Far above any window; it bounds memory, not thought. */
export const MAX_MESSAGE_CHARS = 1_000_000;
const text = z.string().max(MAX_MESSAGE_CHARS);
const someText = text.refine(hasText, 'a message needs text');
const clientMessageId = idSchema();

export const sendInput = z
  .object({
    sessionId,
    clientMessageId,
    text,
    fileIds: z.array(idSchema()).max(100).optional(),
    /** A planning phase comes first (`/plan`). */
    plan: z.boolean().optional(),
  })
  .refine((input) => hasText(input.text) || (input.fileIds?.length ?? 0) > 0, {
    path: ['text'],
    message: 'a message needs text or a file',
  });
export type SendInput = z.infer<typeof sendInput>;

export const queuedMessageSchema = z.object({
  queuedId: z.string(),
  text: z.string(),
  fileIds: z.array(z.string()),
  /** The person asked for a plan first. */
  plan: z.boolean().optional(),
  createdAt: z.iso.datetime(),
});
export type QueuedMessage = z.infer<typeof queuedMessageSchema>;

export const sendOutput = z.object({
  /** Null while the message waits in the queue. */
  message: messageSchema.nullable(),
  runId: z.string().nullable(),
  /** Set while the message waits; the handle of `cancelQueued` and `editQueued`. */
  queuedId: z.string().nullable(),
});
export type SendResult = z.infer<typeof sendOutput>;

export const sessionIdInput = z.object({ sessionId });
export const cancelQueuedInput = z.object({ sessionId, queuedId: clientMessageId });
export const editQueuedInput = z.object({ sessionId, queuedId: clientMessageId, text: someText });
/** `sequenceNumber` of any message of the turn whose answer is to be made anew; default: the last turn. */
export const regenerateInput = z.object({ sessionId, sequenceNumber: sequence.optional() });
export const editAndResendInput = z.object({
  sessionId,
  sequenceNumber: sequence,
  clientMessageId,
  text: someText,
});
export const selectVariantInput = z.object({ sessionId, branchId: sequence });
export const rateInput = z.object({
  sessionId,
  sequenceNumber: sequence,
  rating: z.enum(['up', 'down']).nullable(),
});

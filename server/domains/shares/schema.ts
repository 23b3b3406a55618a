/** Shapes of public read-only shares. The payload is an allowlist: what is not named here never leaves (product §10). */
import * as z from 'zod';
import { idSchema } from '../../lib/input-schemas';
import { artifactSchema, fileRefSchema } from '../files/schema';

export const sharesIssueInput = z.object({ sessionId: idSchema() });
/** The address carries the token behind `#`, so that no server ever sees it in a request line. */
export const shareSchema = z.object({ token: z.string(), url: z.string() });
export type Share = z.infer<typeof shareSchema>;

/** A likely secret in the text that the share would show. The secret itself is masked. */
export const secretFindingSchema = z.object({
  kind: z.string(),
  sequenceNumber: z.int(),
  /** Where in the message: its text, its thinking, a tool call's arguments, or a file's name. */
  place: z.enum(['text', 'thinking', 'tool-call', 'tool-result', 'plan', 'name']),
  excerpt: z.string(),
});
export type SecretFinding = z.infer<typeof secretFindingSchema>;
export const sharesCheckOutput = z.object({
  findings: z.array(secretFindingSchema),
  isShared: z.boolean(),
  isComplete: z.boolean(),
});

export const shareViewInput = z.object({ token: z.string().min(1).max(200) });
export const shareMessagesInput = shareViewInput.extend({ beforeSeq: z.int().min(0).max(2_000_000_000) });

/** One message of a shared transcript. Files have ids only where their bytes may be fetched with the token. */
export const sharedMessageSchema = z.strictObject({
  sequenceNumber: z.int(),
  role: z.enum(['user', 'assistant', 'tool', 'system']),
  content: z.string(),
  createdAt: z.iso.datetime(),
  isPlan: z.boolean(),
  isCompression: z.boolean(),
  isRecall: z.boolean(),
  thinking: z.string().nullable(),
  toolCalls: z.array(z.strictObject({ id: z.string(), name: z.string(), arguments: z.unknown() })).nullable(),
  toolCallId: z.string().nullable(),
  name: z.string().nullable(),
  files: z
    .array(z.strictObject({ name: z.string(), kind: fileRefSchema.shape.kind, sizeBytes: z.number() }))
    .nullable(),
  images: z.array(z.strictObject(fileRefSchema.shape)).nullable(),
  artifact: z.strictObject(artifactSchema.shape).nullable(),
  elapsedSeconds: z.number().nullable(),
  toolCallCount: z.int().nullable(),
  toolStatus: z.string().nullable(),
  durationMs: z.number().nullable(),
  thinkingMs: z.number().nullable(),
  source: z.string().nullable(),
  isStopped: z.boolean(),
  isInterrupted: z.boolean(),
  error: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
  planSteps: z
    .array(
      z.strictObject({
        text: z.string(),
        executor: z.strictObject({ kind: z.string(), name: z.string().nullable() }).nullable(),
      }),
    )
    .nullable(),
  /** On compression markers: the card's numbers. */
  compression: z
    .strictObject({
      trigger: z.string(),
      state: z.string(),
      model: z.string().nullable(),
      durationMs: z.number().nullable(),
      tokensBefore: z.number().nullable(),
      tokensAfter: z.number().nullable(),
      messagesBefore: z.number().nullable(),
      messagesAfter: z.number().nullable(),
    })
    .nullable(),
});
export type SharedMessage = z.infer<typeof sharedMessageSchema>;

export const sharedPageSchema = z.strictObject({
  messages: z.array(sharedMessageSchema),
  nextBeforeSeq: z.int().nullable(),
});
export const shareViewSchema = z.strictObject({
  name: z.string(),
  profileName: z.string(),
  createdAt: z.iso.datetime(),
  lastActive: z.iso.datetime(),
  page: sharedPageSchema,
});
export type ShareView = z.infer<typeof shareViewSchema>;

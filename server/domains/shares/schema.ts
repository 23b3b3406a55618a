/** Shapes of public read-only shares. The payload is an allowlist: what is not named here never leaves (product §10). */
import * as z from 'zod';
import { idSchema, ordinalSchema } from '../../lib/input-schemas';
import { fileKindSchema } from '../files/schema';
import { messageMetadataSchema, messageRoleSchema } from '../messages/schema';

export const sessionIdInput = z.object({ sessionId: idSchema() });

/** The address carries the token behind `#`, so that no server ever sees it in a request line. */
export const shareSchema = z.object({ token: z.string(), url: z.string() });
export type Share = z.infer<typeof shareSchema>;

/** A likely secret in what the share would show. The secret itself is masked. */
export const secretFindingSchema = z.object({
  /** What it looks like, in words: `AWS access key`. */
  kind: z.string(),
  /** The message; null for the chat's own name. */
  sequenceNumber: z.int().nullable(),
  place: z.enum(['name', 'text', 'thinking', 'tool-call', 'tool-result', 'plan', 'file-name', 'artifact']),
  excerpt: z.string(),
});
export type SecretFinding = z.infer<typeof secretFindingSchema>;
export const sharesCheckOutput = z.object({
  /** Newest message first. */
  findings: z.array(secretFindingSchema),
  /** False when time or room ran out before everything was read: older messages were not looked at. */
  isComplete: z.boolean(),
  checkedMessages: z.int(),
  /** Published files that could not be looked into, or not to their end: no text, or too long. */
  uncheckedFiles: z.int(),
  isShared: z.boolean(),
});
export type SharesCheck = z.infer<typeof sharesCheckOutput>;

/** A shared session in its owner's list. */
export const sharedSessionSchema = shareSchema.extend({
  sessionId: z.string(),
  name: z.string().nullable(),
  preview: z.string(),
  /** What an unnamed chat is called. */
  opening: z.string(),
  displayMessageCount: z.int(),
  lastActive: z.iso.datetime(),
  sharedAt: z.iso.datetime(),
});
export type SharedSession = z.infer<typeof sharedSessionSchema>;
/** `shares.list`: the person's shared sessions, newest share first. */
export const sharesListOutput = z.object({ items: z.array(sharedSessionSchema) });

/** Anything may be asked for; what is no token of ours is simply unknown. */
const token = z.string().max(1000);
export const shareViewInput = z.object({ token });
export const shareMessagesInput = z.object({ token, beforeSeq: ordinalSchema });
/** Body of `POST /api/shared/files`. */
export const sharedFileInput = z.object({
  token,
  fileId: z.string().max(1000),
  /** The small rendition of an image, for those that no browser draws. */
  asThumbnail: z.boolean().optional(),
});

/** A file beside a shared message. `id` is set only where its bytes may be fetched with the token. */
const sharedFileSchema = z.strictObject({
  id: z.string().nullable(),
  name: z.string(),
  kind: fileKindSchema,
  mimeType: z.string(),
  sizeBytes: z.number(),
});
export type SharedFile = z.infer<typeof sharedFileSchema>;

/** One message of a shared transcript. `arguments` is what the model wrote; everything else is named. */
export const sharedMessageSchema = z.strictObject({
  sequenceNumber: z.int(),
  role: messageRoleSchema,
  content: z.string(),
  createdAt: z.iso.datetime(),
  isPlan: z.boolean(),
  thinking: z.string().nullable(),
  thinkingMs: z.number().nullable(),
  toolCalls: z.array(z.strictObject({ id: z.string(), name: z.string(), arguments: z.unknown() })).nullable(),
  /** On tool messages: the call this is the result of, the tool, how it ended and how long it took. */
  toolCallId: z.string().nullable(),
  name: z.string().nullable(),
  toolStatus: z.string().nullable(),
  durationMs: z.number().nullable(),
  images: z.array(sharedFileSchema).nullable(),
  files: z.array(sharedFileSchema).nullable(),
  artifact: sharedFileSchema.extend({ title: z.string().nullable() }).nullable(),
  /** Of the turn, on its last answer. */
  elapsedSeconds: z.number().nullable(),
  toolCallCount: z.int().nullable(),
  isStopped: z.boolean(),
  isInterrupted: z.boolean(),
  /** What ended the answer before its end: no room left, or a filter of the model's. */
  cutBy: messageMetadataSchema.shape.cutBy.unwrap().nullable(),
  /** Code of a failed answer; the words are the reader's own, as the server's may name machines. */
  errorCode: z.string().nullable(),
  /** On service records (role system): one of `sharedSources`. */
  source: z.string().nullable(),
  planSteps: z
    .array(
      z.strictObject({
        text: z.string(),
        executor: z.strictObject({ kind: z.string(), name: z.string().nullable() }).nullable(),
      }),
    )
    .nullable(),
  /** On compression markers: the card's numbers. Never the summary, which is the model's context. */
  compression: z
    .strictObject({
      trigger: z.string(),
      method: z.string().nullable(),
      model: z.string(),
      durationMs: z.number().nullable(),
      tokensBefore: z.number(),
      tokensAfter: z.number().nullable(),
      messagesBefore: z.number(),
      messagesAfter: z.number().nullable(),
      isUndone: z.boolean(),
    })
    .nullable(),
});
export type SharedMessage = z.infer<typeof sharedMessageSchema>;

export const sharedPageSchema = z.strictObject({
  /** Ascending. May be empty although older messages exist: a page may hold only what a share does not show. */
  messages: z.array(sharedMessageSchema),
  nextBeforeSeq: z.int().nullable(),
});
export type SharedPage = z.infer<typeof sharedPageSchema>;
export const shareViewSchema = z.strictObject({
  /** Null for a chat that has no name yet. */
  name: z.string().nullable(),
  profileName: z.string(),
  createdAt: z.iso.datetime(),
  lastActive: z.iso.datetime(),
  page: sharedPageSchema,
});
export type ShareView = z.infer<typeof shareViewSchema>;

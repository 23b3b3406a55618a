/** Shapes of sessions as every way in and the web client see them. */
import * as z from 'zod';
import { hasText, idSchema } from '../../lib/input-schemas';

export const runStateSchema = z.enum(['idle', 'queued', 'running', 'stopping', 'interrupted']);
export type RunState = z.infer<typeof runStateSchema>;

/** A row of the sidebar: what lists need and nothing that grows with the history. */
export const sessionListItemSchema = z.object({
  id: z.string(),
  name: z.string().nullable(),
  profileId: z.string(),
  pinned: z.boolean(),
  createdAt: z.iso.datetime(),
  lastActive: z.iso.datetime(),
  displayMessageCount: z.int(),
  /** First line of the last displayed message, at most 140 characters. */
  preview: z.string(),
  /** First line of the first thing that the person said: the name of a session that has none yet. */
  opening: z.string(),
  runState: runStateSchema,
  /** In lists: a call of its agent, or of a subagent of it, waits for the person's yes. */
  waitsForPerson: z.boolean().optional(),
});
export type SessionListItem = z.infer<typeof sessionListItemSchema>;

export const sessionSchema = sessionListItemSchema.extend({
  userId: z.string().nullable(),
  parentId: z.string().nullable(),
  /** The session's own model as `connection/model`; null follows the profile and the default. */
  model: z.string().nullable(),
  contextTokenCount: z.int(),
  /** Window in tokens of the model that would answer now. */
  contextWindow: z.int(),
  /** Where `contextTokenCount` comes from: the provider's count, or our estimate. */
  contextTokenSource: z.enum(['real', 'calibrated', 'estimated']),
});
export type Session = z.infer<typeof sessionSchema>;

const sessionId = idSchema();
export const MAX_NAME_CHARS = 200;
const name = z
  .string()
  .trim()
  .refine(hasText, 'a name needs at least one character')
  .max(MAX_NAME_CHARS, `a name has at most ${MAX_NAME_CHARS} characters`);

/** A subagent's session, as the card of the call that started it needs it. */
export const childSessionSchema = sessionListItemSchema
  .pick({ id: true, name: true, profileId: true, runState: true, createdAt: true })
  .extend({ toolCallId: z.string().nullable() });
export type ChildSession = z.infer<typeof childSessionSchema>;

export const createSessionInput = z
  .object({ profileId: idSchema().optional(), name: name.optional(), parentId: sessionId.optional() })
  .default({});
export const listSessionsInput = z
  .object({
    cursor: z.string().max(500).optional(),
    limit: z.int().min(1).max(200).default(50),
    profileId: idSchema().optional(),
  })
  .default({ limit: 50 });
export type ListSessionsInput = z.infer<typeof listSessionsInput>;
export const listSessionsOutput = z.object({
  items: z.array(sessionListItemSchema),
  nextCursor: z.string().nullable(),
});

export const sessionIdInput = z.object({ sessionId });
export const renameSessionInput = z.object({ sessionId, name });
export const setPinnedInput = z.object({ sessionId, pinned: z.boolean() });
export const setModelInput = z.object({ sessionId, model: idSchema(300).nullable() });
export const switchProfileInput = z.object({ sessionId, profileId: idSchema() });
export const forkSessionInput = z.object({ sessionId, sequenceNumber: z.int().min(0).max(2_000_000_000).optional() });
export const exportSessionInput = z.object({ sessionId, format: z.enum(['markdown', 'json']) });
export const exportSessionOutput = z.object({ fileName: z.string(), mimeType: z.string(), content: z.string() });

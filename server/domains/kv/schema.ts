/** Inputs of the key-value store (seed 001), shared by the router, the tools and the web client. */
import * as z from 'zod';
import { idSchema } from '../../lib/input-schemas';

/** Longest value in characters. A page of notes is a thousandth of it. */
export const MAX_VALUE_CHARS = 1_000_000;

const sessionId = idSchema();
const scope = idSchema();
const key = idSchema(500);

export const kvScopeInput = z.object({ sessionId, scope });
export const kvKeyInput = z.object({ sessionId, scope, key });
export const kvSetInput = z.object({ sessionId, scope, key, value: z.string().max(MAX_VALUE_CHARS) });
export const kvSearchInput = z.object({
  scope,
  terms: z.array(z.string().max(500)).max(50).default([]),
  limit: z.int().min(1).max(100).default(10),
  /** Only values of this session. */
  sessionId: sessionId.optional(),
  /** Values of this session first. */
  preferSessionId: sessionId.optional(),
});
export type KvSearchInput = z.infer<typeof kvSearchInput>;

export const kvMatchSchema = z.object({
  sessionId: z.string(),
  key: z.string(),
  value: z.string(),
  updatedAt: z.iso.datetime(),
});
export type KvMatch = z.infer<typeof kvMatchSchema>;

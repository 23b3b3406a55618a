/** Shapes of memory searches as every way in and the web client see them. */
import * as z from 'zod';
import { idSchema, ordinalSchema } from '../../lib/input-schemas';

export const memoryScopeSchema = z.enum(['raw', 'sketches', 'sessions']);
export type MemoryScope = z.infer<typeof memoryScopeSchema>;

/** A piece of history that was found. */
export const memoryHitSchema = z.object({
  scope: memoryScopeSchema,
  sessionId: z.string(),
  /** Name of the session, for hits elsewhere; null when it has none. */
  sessionName: z.string().nullable(),
  /** Null for sketches, which are no messages. */
  firstSequence: z.int().nullable(),
  lastSequence: z.int().nullable(),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime(),
  /** Verbatim. */
  text: z.string(),
  /** Name of the section, for sketches. */
  section: z.string().nullable(),
  /** 0 to 1; null where nothing was asked for. */
  similarity: z.number().nullable(),
});
export type MemoryHit = z.infer<typeof memoryHitSchema>;

const sessionId = idSchema();
const time = z.iso.datetime({ offset: true });

export const searchMemoryInput = z.object({
  sessionId,
  scope: memoryScopeSchema.default('raw'),
  /** Words to look for: any of them, better matches first. Without any, the newest. */
  query: z.string().max(2000).default(''),
  after: time.optional(),
  before: time.optional(),
  limit: z.int().min(1).max(50).default(10),
});
export type SearchMemoryInput = z.infer<typeof searchMemoryInput>;
export const searchMemoryOutput = z.object({ items: z.array(memoryHitSchema) });

export const readMemoryInput = z.object({
  sessionId,
  fromSeq: ordinalSchema,
  toSeq: ordinalSchema,
  limit: z.int().min(1).max(200).default(50),
});
export type ReadMemoryInput = z.infer<typeof readMemoryInput>;

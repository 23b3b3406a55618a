/** Shapes of compressions as every way in and the web client see them. */
import * as z from 'zod';
import { idSchema, ordinalSchema } from '../../lib/input-schemas';

export const compressionTriggerSchema = z.enum(['preturn', 'midturn', 'postturn', 'forced']);
export const compressionStatusSchema = z.enum(['running', 'done', 'failed']);
export const compressionMethodSchema = z.enum(['summary', 'hard-truncate']);

/** What a compression is doing right now (the machine's states that take time). */
export const compressionPhaseSchema = z.enum(['planning', 'summarising', 'truncating', 'applying']);
export type CompressionPhase = z.infer<typeof compressionPhaseSchema>;

/** One compression with its numbers: what the card shows. Tokens are of whole prompts, by one estimator. */
export const compressionSchema = z.object({
  id: z.string(),
  trigger: compressionTriggerSchema,
  status: compressionStatusSchema,
  model: z.string(),
  focus: z.string().nullable(),
  method: compressionMethodSchema.nullable(),
  /** Attempts that came to nothing, oldest first. */
  faults: z.array(z.string()),
  /** Why it failed, as a code; `explanation` says it in words. */
  reason: z.string().nullable(),
  explanation: z.string().nullable(),
  windowTokens: z.int(),
  tokensBefore: z.int(),
  tokensAfter: z.int().nullable(),
  messagesBefore: z.int(),
  messagesAfter: z.int().nullable(),
  /** How many messages left the context. */
  coveredCount: z.int(),
  /** Which ones, as inclusive ranges of sequence numbers. */
  coveredRanges: z.array(z.tuple([z.int(), z.int()])),
  summarySequence: z.int().nullable(),
  markerSequence: z.int().nullable(),
  breadcrumbs: z.array(z.string()),
  durationMs: z.int().nullable(),
  createdAt: z.iso.datetime(),
  undoneAt: z.iso.datetime().nullable(),
});
export type Compression = z.infer<typeof compressionSchema>;

/** The live card: `compression-start`, and in snapshots. */
export const liveCompressionSchema = z.object({
  compressionId: z.string(),
  trigger: compressionTriggerSchema,
  model: z.string(),
  focus: z.string().nullable(),
  windowTokens: z.int(),
  tokensBefore: z.int(),
  messagesBefore: z.int(),
  startedAt: z.iso.datetime(),
});
export type LiveCompression = z.infer<typeof liveCompressionSchema>;

/** Most characters of the text that says what to keep in particular. */
export const MAX_FOCUS_CHARS = 2000;
const sessionId = idSchema();
const compressionId = idSchema();

export const runCompressionInput = z.object({
  sessionId,
  focus: z.string().trim().max(MAX_FOCUS_CHARS).optional(),
  /** False answers as soon as it has begun; events tell the rest. */
  wait: z.boolean().default(true),
});
export type RunCompressionInput = z.infer<typeof runCompressionInput>;

/** Why a compression does not begin. `busy`: an answer is being written. */
export const compressionRefusalSchema = z.enum(['nothing-to-compress', 'busy']);
export const runCompressionOutput = z.discriminatedUnion('kind', [
  /** Begun by this call, or by somebody else a moment before (`isJoined`). */
  z.object({
    kind: z.literal('compression'),
    compressionId: z.string(),
    isJoined: z.boolean(),
    compression: compressionSchema,
  }),
  z.object({ kind: z.literal('refused'), reason: compressionRefusalSchema, message: z.string() }),
]);
export type RunCompressionResult = z.infer<typeof runCompressionOutput>;

export const compressionIdInput = z.object({ sessionId, compressionId });
export const listCompressionsInput = z.object({ sessionId });
/** Pages through the messages that a compression covered, oldest first. */
export const coveredInput = z.object({
  sessionId,
  compressionId,
  afterSeq: ordinalSchema.default(0),
  limit: z.int().min(1).max(200).default(50),
});

/** What a prompt is made of, in tokens; `reserve` is kept free for the answer. */
export const contextBreakdownSchema = z.object({
  system: z.int(),
  tools: z.int(),
  plan: z.int(),
  summaries: z.int(),
  recalled: z.int(),
  history: z.int(),
  images: z.int(),
  reserve: z.int(),
});
export type ContextBreakdown = z.infer<typeof contextBreakdownSchema>;

export const contextMeterSchema = z.object({
  model: z.string(),
  tokens: z.int(),
  source: z.enum(['real', 'calibrated', 'estimated']),
  windowTokens: z.int(),
  /** Tokens from which a context is compressed, and at most fit beside the answer. */
  triggerTokens: z.int(),
  limitTokens: z.int(),
  breakdown: contextBreakdownSchema,
});
export type ContextMeter = z.infer<typeof contextMeterSchema>;

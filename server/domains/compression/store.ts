/** The only code that knows the tables of compressions, calibrations and context states. */
import * as z from 'zod';
import type { Transaction } from '../../database/transaction';
import { Prisma, type PrismaClient, type SessionCompression } from '../../generated/prisma/client';
import { storable } from '../../lib/text';
import type { RealBaseline } from './engine/baseline';
import type { Breaker } from './engine/breaker';
import type { CalibrationObservation } from './engine/calibration';
import type { CompressionTrigger } from './engine/settings';

type Client = Prisma.TransactionClient | PrismaClient;

/** A compression as the services use it. */
export interface StoredCompression {
  id: string;
  sessionId: string;
  runId: string;
  trigger: CompressionTrigger;
  model: string;
  status: 'running' | 'done' | 'failed';
  focus: string | null;
  method: 'summary' | 'hard-truncate' | null;
  faults: string[];
  reason: string | null;
  coveredSequences: number[];
  summarySequence: number | null;
  markerSequence: number | null;
  windowTokens: number;
  tokensBefore: number;
  tokensAfter: number | null;
  messagesBefore: number;
  messagesAfter: number | null;
  breadcrumbs: string[];
  durationMs: number | null;
  hasChunks: boolean;
  createdAt: Date;
  undoneAt: Date | null;
}

/** What a session knows of its context beside the messages. */
export interface ContextState {
  baseline: RealBaseline | null;
  breaker: Breaker;
  isTruncated: boolean;
}

const observationsSchema = z
  .array(
    z.object({
      chars: z.number(),
      tokens: z.number(),
      tools: z.object({ fingerprint: z.string(), tokens: z.number() }).optional(),
    }),
  )
  .catch([]);
const baselineSchema = z
  .object({ model: z.string(), tokens: z.number(), throughSequence: z.number(), messageCount: z.number() })
  .nullable()
  .catch(null);
const breakerSchema = z
  .object({
    reason: z.enum(['fixed-overhead', 'no-progress']),
    openedUnder: z.object({
      windowTokens: z.number(),
      model: z.string(),
      profileId: z.string(),
      toolsFingerprint: z.string(),
      contextTokens: z.number(),
    }),
  })
  .nullable()
  .catch(null);

function toStored(row: SessionCompression): StoredCompression {
  const { endedAt: _, method, ...rest } = row;
  return { ...rest, method: method === 'hard_truncate' ? 'hard-truncate' : method };
}

const nullable = (value: object | null) => (value === null ? Prisma.DbNull : (value as Prisma.InputJsonObject));

export function createCompressionStore(prisma: PrismaClient) {
  return {
    async insert(
      tx: Transaction,
      compression: Pick<
        StoredCompression,
        | 'id'
        | 'sessionId'
        | 'runId'
        | 'trigger'
        | 'model'
        | 'focus'
        | 'windowTokens'
        | 'tokensBefore'
        | 'messagesBefore'
      >,
    ): Promise<StoredCompression> {
      const { focus } = compression;
      const data = { ...compression, focus: focus === null ? null : storable(focus) };
      return toStored(await tx.client.sessionCompression.create({ data }));
    },

    /** Ends one that runs. False when somebody else has ended it. */
    async end(
      tx: Transaction,
      id: string,
      result: Partial<
        Pick<
          StoredCompression,
          | 'method'
          | 'faults'
          | 'reason'
          | 'coveredSequences'
          | 'summarySequence'
          | 'markerSequence'
          | 'tokensBefore'
          | 'tokensAfter'
          | 'messagesBefore'
          | 'messagesAfter'
          | 'breadcrumbs'
          | 'durationMs'
          | 'hasChunks'
        >
      > & { status: 'done' | 'failed' },
    ): Promise<boolean> {
      const { method, breadcrumbs, ...rest } = result;
      const { count } = await tx.client.sessionCompression.updateMany({
        where: { id, status: 'running' },
        data: {
          ...rest,
          ...(method === undefined ? {} : { method: method === 'hard-truncate' ? 'hard_truncate' : method }),
          ...(breadcrumbs === undefined ? {} : { breadcrumbs: breadcrumbs.map(storable) }),
          endedAt: new Date(),
        },
      });
      return count === 1;
    },

    /** Ends whatever a run left running; answers what that was. */
    async failRunning(tx: Transaction, runId: string, reason: string): Promise<StoredCompression[]> {
      const rows = await tx.client.sessionCompression.updateManyAndReturn({
        where: { runId, status: 'running' },
        data: { status: 'failed', reason, endedAt: new Date() },
      });
      return rows.map(toStored);
    },

    async find(sessionId: string, id: string, client: Client = prisma): Promise<StoredCompression | null> {
      const row = await client.sessionCompression.findFirst({ where: { id, sessionId } });
      return row === null ? null : toStored(row);
    },

    async findRunning(sessionId: string, client: Client = prisma): Promise<StoredCompression | null> {
      const row = await client.sessionCompression.findFirst({
        where: { sessionId, status: 'running' },
        orderBy: { createdAt: 'desc' },
      });
      return row === null ? null : toStored(row);
    },

    /** Newest first. */
    async list(sessionId: string, limit: number): Promise<StoredCompression[]> {
      const rows = await prisma.sessionCompression.findMany({
        where: { sessionId },
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        take: limit,
      });
      return rows.map(toStored);
    },

    /** Those whose result was not taken back, in the order in which they were made. */
    async listInForce(sessionId: string, client: Client = prisma): Promise<StoredCompression[]> {
      const rows = await client.sessionCompression.findMany({
        where: { sessionId, status: 'done', undoneAt: null },
        orderBy: { summarySequence: 'asc' },
      });
      return rows.map(toStored);
    },

    async markUndone(tx: Transaction, id: string): Promise<boolean> {
      const { count } = await tx.client.sessionCompression.updateMany({
        where: { id, status: 'done', undoneAt: null },
        data: { undoneAt: new Date() },
      });
      return count === 1;
    },

    /** Copies one into a fork, under another id. */
    async copy(tx: Transaction, compression: StoredCompression, id: string, sessionId: string): Promise<void> {
      const { method, ...rest } = compression;
      await tx.client.sessionCompression.create({
        data: {
          ...rest,
          id,
          sessionId,
          // No run of the fork made it.
          runId: '',
          method: method === 'hard-truncate' ? 'hard_truncate' : method,
          endedAt: compression.createdAt,
        },
        select: { id: true },
      });
    },

    /** Those whose chunks are still to be written. */
    async findWithoutChunks(limit: number): Promise<StoredCompression[]> {
      const rows = await prisma.sessionCompression.findMany({
        where: { status: 'done', hasChunks: false, session: { removedAt: null } },
        orderBy: { createdAt: 'asc' },
        take: limit,
      });
      return rows.map(toStored);
    },

    async markChunked(tx: Transaction, id: string): Promise<void> {
      await tx.client.sessionCompression.updateMany({ where: { id }, data: { hasChunks: true } });
    },

    // What was learned of models and sessions

    async readObservations(model: string, client: Client = prisma): Promise<CalibrationObservation[]> {
      const [row] = await client.$queryRaw<{ observations: unknown }[]>`
        SELECT observations FROM model_calibrations WHERE model = ${model}`;
      return row === undefined ? [] : observationsSchema.parse(row.observations);
    },

    /**
     * Of two calls that end at the same moment one observation is lost, and that is no harm: nobody waits for the row, which
     * all sessions of a model share and a writer holds until its transaction ends.
     */
    async writeObservations(
      model: string,
      observations: readonly CalibrationObservation[],
      client: Client = prisma,
    ): Promise<void> {
      const json = JSON.stringify(observations.map(({ chars, tokens, tools }) => ({ chars, tokens, tools })));
      await client.$executeRaw`
        WITH free AS (
          SELECT model FROM model_calibrations WHERE model = ${model} FOR UPDATE SKIP LOCKED
        ), learned AS (
          UPDATE model_calibrations c SET observations = ${json}::jsonb, updated_at = now() FROM free WHERE c.model = free.model
        )
        INSERT INTO model_calibrations (model, observations, updated_at) SELECT ${model}, ${json}::jsonb, now()
        WHERE NOT EXISTS (SELECT FROM model_calibrations WHERE model = ${model}) ON CONFLICT DO NOTHING`;
    },

    async readState(sessionId: string, client: Client = prisma): Promise<ContextState> {
      const [row] = await client.$queryRaw<{ baseline: unknown; breaker: unknown; isTruncated: boolean }[]>`
        SELECT baseline, breaker, is_truncated AS "isTruncated" FROM session_context_states WHERE session_id = ${sessionId}`;
      return {
        baseline: baselineSchema.parse(row?.baseline ?? null),
        breaker: breakerSchema.parse(row?.breaker ?? null),
        isTruncated: row?.isTruncated ?? false,
      };
    },

    async writeState(tx: Transaction, sessionId: string, changes: Partial<ContextState>): Promise<void> {
      const { baseline, breaker, isTruncated } = changes;
      const data = {
        ...(baseline === undefined ? {} : { baseline: nullable(baseline) }),
        ...(breaker === undefined ? {} : { breaker: nullable(breaker) }),
        ...(isTruncated === undefined ? {} : { isTruncated }),
      };
      await tx.client.sessionContextState.upsert({
        where: { sessionId },
        create: { sessionId, ...data },
        update: data,
        select: { sessionId: true },
      });
    },
  };
}

export type CompressionStore = ReturnType<typeof createCompressionStore>;

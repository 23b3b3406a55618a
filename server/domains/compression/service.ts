/**
 * Compressions as the rest of Navi sees them: made by `pipeline.ts`, kept true to branches and forks by `history.ts`. Who
 * may begin one, and under which lease, is the agent's business.
 */
import type { Transaction, UnitOfWork } from '../../database/transaction';
import type { EventLog } from '../../events/log';
import type { StoredEvent } from '../../events/topics';
import type { Clock } from '../../lib/clock';
import { AppError } from '../../lib/errors';
import type { Person } from '../../lib/person';
import type { Message } from '../messages/schema';
import type { MessageService } from '../messages/service';
import type { SessionService } from '../sessions/service';
import { type CompressionJob, createApplier, type FindStop, type MemoryOfCompression } from './apply';
import type { CompressionSettings } from './engine/settings';
import { createCompressionHistory, type MemoryOfHistory } from './history';
import { createContextMeter, type MeterSubject } from './meter';
import { createPipeline, type Prospect } from './pipeline';
import { toCompression, toLive } from './present';
import type { Compression, LiveCompression } from './schema';
import type { CompressionStore } from './store';
import { createSummariser, type SummariserDependencies } from './summarise';

export interface CompressionServiceDependencies extends SummariserDependencies {
  store: CompressionStore;
  sessions: SessionService;
  messages: MessageService;
  memory: MemoryOfCompression & MemoryOfHistory;
  findStop: FindStop;
  unitOfWork: UnitOfWork;
  events: EventLog;
  clock: Clock;
  newId(): string;
  settings: CompressionSettings;
  reportUnexpected(error: unknown): void;
}

/** Compressions that one list answers; sessions with more are rare, and the newest are those that matter. */
const LIST_LIMIT = 200;
/** Compressions whose chunks one repair pass writes. */
const REPAIR_LIMIT = 20;

export function createCompressionService(dependencies: CompressionServiceDependencies) {
  const { store, sessions, messages, memory, unitOfWork, reportUnexpected } = dependencies;
  const meter = createContextMeter(dependencies);
  const applier = createApplier(dependencies);
  const pipeline = createPipeline({
    ...dependencies,
    meter,
    applier,
    summarise: createSummariser(dependencies),
  });
  const history = createCompressionHistory({ ...dependencies, meter });

  async function find(person: Person, sessionId: string, compressionId: string) {
    await sessions.authorise(person, sessionId);
    const stored = await store.find(sessionId, compressionId);
    if (stored === null) throw new AppError('not-found', 'This compression does not exist.');
    return stored;
  }

  return {
    // For people

    async list(person: Person, sessionId: string): Promise<{ items: Compression[] }> {
      await sessions.authorise(person, sessionId);
      return { items: (await store.list(sessionId, LIST_LIMIT)).map(toCompression) };
    },

    /** One compression with the text that stands for what it covered. */
    async get(
      person: Person,
      input: { sessionId: string; compressionId: string },
    ): Promise<Compression & { summary: string | null; canUndo: boolean }> {
      const stored = await find(person, input.sessionId, input.compressionId);
      const { summarySequence } = stored;
      const summary = summarySequence === null ? null : await messages.find(input.sessionId, summarySequence);
      return {
        ...toCompression(stored),
        summary: summary?.content ?? null,
        canUndo: (await history.latest(input.sessionId))?.id === stored.id,
      };
    },

    /** The messages that a compression covered, as they were said. */
    async covered(
      person: Person,
      input: { sessionId: string; compressionId: string; afterSeq: number; limit: number },
    ): Promise<{ messages: Message[]; nextAfterSeq: number | null }> {
      const { sessionId, compressionId, afterSeq, limit } = input;
      const stored = await find(person, sessionId, compressionId);
      const wanted = stored.coveredSequences.filter((sequence) => sequence > afterSeq);
      const page = await messages.readSequences(sessionId, wanted.slice(0, limit));
      return { messages: page, nextAfterSeq: wanted.length > limit ? (wanted[limit - 1] ?? null) : null };
    },

    // For the agent

    meter,
    /** The size of a session's context now. */
    read: async (subject: MeterSubject, context?: readonly Message[]) =>
      meter.read(subject, context ?? (await messages.readContext(subject.sessionId))),
    look: pipeline.look,
    pass: pipeline.pass.bind(pipeline),
    carryOut: pipeline.carryOut,
    settle: applier.settle,
    fail: applier.fail,

    /** Announces a compression under a run that was just claimed; the events are the caller's to append. */
    begin: (tx: Transaction, job: CompressionJob, prospect: Prospect): Promise<StoredEvent[]> =>
      applier.begin(tx, job, pipeline.factsOf(prospect)),

    async findLive(sessionId: string, tx?: Transaction): Promise<LiveCompression | null> {
      const stored = await store.findRunning(sessionId, tx?.client);
      return stored === null ? null : toLive(stored);
    },

    async findById(sessionId: string, compressionId: string): Promise<Compression | null> {
      const stored = await store.find(sessionId, compressionId);
      return stored === null ? null : toCompression(stored);
    },

    ...history,

    // For jobs

    /** Writes the chunks that a compression could not. Answers how many compressions were made good. */
    async repairChunks(): Promise<number> {
      let repaired = 0;
      for (const stored of await store.findWithoutChunks(REPAIR_LIMIT)) {
        const covered = await messages.readSequences(stored.sessionId, stored.coveredSequences);
        const demoted = covered.filter((message) => !message.isSummary && message.metadata.source !== 'memory_recall');
        const isWritten = await unitOfWork
          .run(async (tx) => {
            const { id: compressionId, sessionId } = stored;
            const isDone = await memory.writeChunks(tx, { sessionId, compressionId, messages: demoted });
            if (isDone) await store.markChunked(tx, compressionId);
            return isDone;
          })
          .catch((error: unknown) => {
            reportUnexpected(error);
            return false;
          });
        if (isWritten) repaired += 1;
      }
      return repaired;
    },
  };
}

export type CompressionService = ReturnType<typeof createCompressionService>;

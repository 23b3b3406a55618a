/**
 * The writing half of a compression. Each function is one short transaction's work: the new context, its card, its record
 * and the events that tell of it appear together or not at all.
 */
import type { Transaction } from '../../database/transaction';
import type { EventLog } from '../../events/log';
import type { StoredEvent } from '../../events/topics';
import type { Clock } from '../../lib/clock';
import type { Message } from '../messages/schema';
import type { MessageService } from '../messages/service';
import type { SessionService } from '../sessions/service';
import { changeOfPlan, changeOfTruncation, coverageOf } from './engine/apply';
import { type BreakerConditions, breakerAfter } from './engine/breaker';
import { hardTruncationText } from './engine/hard-truncate';
import type { CompressionResult } from './engine/machine';
import type { CompressionTrigger } from './engine/settings';
import { summaryMessageText } from './engine/summary-prompt';
import type { ContextReading } from './meter';
import { toCompression } from './present';
import type { Compression } from './schema';
import type { CompressionStore, StoredCompression } from './store';
import { type EndReason, markerText } from './words';

/** A compression under the lease of a run. */
export interface CompressionJob {
  id: string;
  sessionId: string;
  runId: string;
  /** The fence of every write. */
  epoch: number;
  trigger: CompressionTrigger;
  focus: string | null;
}

/** What the raw index does for a compression. */
export interface MemoryOfCompression {
  /** Names, paths, amounts and the like in what left, with the summary's keys in front. */
  breadcrumbs(messages: readonly Message[], keys: readonly string[]): string[];
  /**
   * Writes the verbatim chunks of what left; the same ones twice are written once. Behind a savepoint: false when it failed,
   * and then nothing of it stays and the transaction goes on.
   */
  writeChunks(
    tx: Transaction,
    input: { sessionId: string; compressionId: string; messages: readonly Message[] },
  ): Promise<boolean>;
  /** Frees the ids of recalled excerpts that are not in the context any more. */
  forgetRecalls(tx: Transaction, sessionId: string, context: readonly Message[]): Promise<void>;
}

/** The run was asked to stop and does not know it yet. `reason` is what its signal will say. */
export class StopRequestedError extends Error {
  override readonly name = 'StopRequestedError';
  constructor(readonly reason: Error) {
    super('the run of this compression was asked to stop');
  }
}

/** Locks a run's row against a later request and answers the reason of an earlier one; null when it may go on. */
export type FindStop = (tx: Transaction, runId: string) => Promise<Error | null>;

/** What stands in the context for what left, before it has a number. */
export interface Replacement {
  content: string;
  breadcrumbs: string[];
  coveredSequences: number[];
  demoted: Message[];
  kept: Message[];
}

export function replacementOf(
  result: CompressionResult,
  memory: Pick<MemoryOfCompression, 'breadcrumbs'>,
): Replacement {
  const change = result.method === 'summary' ? changeOfPlan(result.plan) : changeOfTruncation(result.truncation);
  const coverage = coverageOf(change);
  const covered = new Set(change.coveredSequences);
  const context = result.method === 'summary' ? result.plan.toSummarise : result.truncation.dropped;
  // What earlier summaries pointed at stays pointed at.
  const earlier = context
    .filter((message) => message.isSummary && covered.has(message.sequenceNumber))
    .flatMap((message) => (message.metadata.breadcrumbs as string[] | undefined) ?? []);
  const keys = result.method === 'summary' ? result.summary.keys : [];
  const breadcrumbs = memory.breadcrumbs(change.demoted, [...keys, ...earlier]);
  return {
    content:
      result.method === 'summary'
        ? summaryMessageText(result.summary.text, coverage)
        : hardTruncationText({ ...coverage, breadcrumbs }),
    breadcrumbs,
    coveredSequences: change.coveredSequences,
    demoted: change.demoted,
    kept: change.kept,
  };
}

export function createApplier(dependencies: {
  store: CompressionStore;
  sessions: SessionService;
  messages: MessageService;
  events: EventLog;
  memory: MemoryOfCompression;
  findStop: FindStop;
  clock: Clock;
}) {
  const { store, sessions, messages, events, memory, findStop, clock } = dependencies;

  async function endEvents(
    tx: Transaction,
    sessionId: string,
    id: string,
  ): Promise<{ event: StoredEvent; compression: Compression }> {
    const stored = await store.find(sessionId, id, tx.client);
    if (stored === null) throw new Error('a compression that just ended is gone');
    const compression = toCompression(stored);
    return { event: { kind: 'compression-end', compressionId: id, compression }, compression };
  }

  /** The card: a message of the display history at whose place the compression happened. */
  async function appendMarker(
    tx: Transaction,
    stored: StoredCompression,
  ): Promise<{ sequence: number; told: StoredEvent[] }> {
    const { coveredCount, ...numbers } = toCompression(stored);
    const appended = await messages.append(tx, stored.sessionId, [
      {
        role: 'system',
        content: markerText(stored),
        isContext: false,
        isCompression: true,
        metadata: { source: 'compression', compressionId: stored.id, compression: { ...numbers, coveredCount } },
      },
    ]);
    return { sequence: appended.messages[0]?.sequenceNumber ?? 0, told: appended.events };
  }

  return {
    async begin(
      tx: Transaction,
      job: CompressionJob,
      facts: { model: string; windowTokens: number; tokensBefore: number; messagesBefore: number },
    ): Promise<StoredEvent[]> {
      const { id, sessionId, runId, trigger, focus } = job;
      const stored = await store.insert(tx, { id, sessionId, runId, trigger, focus, ...facts });
      return [
        {
          kind: 'compression-start',
          compressionId: id,
          trigger,
          focus,
          ...facts,
          startedAt: stored.createdAt.toISOString(),
        },
      ];
    },

    /**
     * Replaces the context. Null when the context is not what it was planned for: then nothing is written. Throws
     * `StopRequestedError` when a stop was asked for anywhere before this wrote: the signal may still be under way.
     */
    async apply(
      tx: Transaction,
      job: CompressionJob,
      input: {
        result: CompressionResult;
        replacement: Replacement;
        reading: ContextReading;
        tokensBefore: number;
        tokensAfter: number;
        faults: string[];
        conditions: BreakerConditions;
        startedAt: Date;
      },
    ): Promise<Compression | null> {
      const { sessionId, id, epoch } = job;
      const { replacement, reading, tokensAfter } = input;
      const session = await sessions.lockAny(tx, sessionId);
      if (session === null) return null;
      const stop = await findStop(tx, job.runId);
      if (stop !== null) throw new StopRequestedError(stop);
      if (
        (await messages.demote(tx, sessionId, replacement.coveredSequences)) !== replacement.coveredSequences.length
      ) {
        return null;
      }
      const appended = await messages.append(tx, sessionId, [
        {
          role: 'user',
          content: replacement.content,
          isDisplay: false,
          isSummary: true,
          metadata: { source: 'compression_summary', compressionId: id, breadcrumbs: replacement.breadcrumbs },
        },
      ]);
      const summarySequence = appended.messages[0]?.sequenceNumber ?? 0;
      const hasChunks = await memory.writeChunks(tx, {
        sessionId,
        compressionId: id,
        messages: replacement.demoted,
      });
      const numbers = {
        method: input.result.method,
        faults: input.faults,
        coveredSequences: replacement.coveredSequences,
        summarySequence,
        markerSequence: summarySequence + 1,
        tokensBefore: input.tokensBefore,
        tokensAfter,
        messagesBefore: reading.context.length,
        messagesAfter: replacement.kept.length + 1,
        breadcrumbs: replacement.breadcrumbs,
        durationMs: clock.now().getTime() - input.startedAt.getTime(),
        hasChunks,
      };
      if (!(await store.end(tx, id, { status: 'done', ...numbers }))) return null;
      const stored = await store.find(sessionId, id, tx.client);
      if (stored === null) return null;
      const marker = await appendMarker(tx, stored);
      const { estimator, triggerTokens, fixedTokens } = reading;
      await store.writeState(tx, sessionId, {
        baseline: null,
        isTruncated: false,
        breaker: breakerAfter(
          { kind: 'compressed', tokensAfter },
          { fixedTokens, triggerTokens, conditions: input.conditions },
        ),
      });
      await memory.forgetRecalls(tx, sessionId, replacement.kept);
      const measured = { contextTokenCount: tokensAfter, contextTokenSource: estimator.source };
      await sessions.update(tx, sessionId, measured);
      const end = await endEvents(tx, sessionId, id);
      const told: StoredEvent[] = [
        { kind: 'message-updated', sequenceNumbers: replacement.coveredSequences, changes: { isContext: false } },
        ...appended.events,
        ...marker.told,
        { kind: 'session-updated', changes: { ...measured, contextWindow: stored.windowTokens } },
        end.event,
      ];
      await events.append(tx, sessionId, told, epoch);
      return end.compression;
    },

    /** Ends it without a change. `breaker` holds later automatic passes back; `hasCard` tells the person in the chat. */
    async fail(
      tx: Transaction,
      job: CompressionJob,
      input: {
        reason: EndReason;
        faults: string[];
        hasCard: boolean;
        breaker?: { fixedTokens: number; triggerTokens: number; conditions: BreakerConditions };
        startedAt: Date;
      },
    ): Promise<Compression | null> {
      const { sessionId, id, epoch } = job;
      if ((await sessions.lockAny(tx, sessionId)) === null) return null;
      const durationMs = clock.now().getTime() - input.startedAt.getTime();
      const { reason, faults } = input;
      if (!(await store.end(tx, id, { status: 'failed', reason, faults, durationMs }))) return null;
      const told: StoredEvent[] = [];
      const stored = await store.find(sessionId, id, tx.client);
      if (input.hasCard && stored !== null) {
        const marker = await appendMarker(tx, stored);
        told.push(...marker.told);
      }
      if (input.breaker !== undefined) {
        await store.writeState(tx, sessionId, { breaker: breakerAfter({ kind: 'discarded' }, input.breaker) });
      }
      const end = await endEvents(tx, sessionId, id);
      await events.append(tx, sessionId, [...told, end.event], epoch);
      return end.compression;
    },

    /**
     * For the settlement of a run: what it left running is over, and the context is the old one. Answers the events; the
     * caller appends them.
     */
    async settle(tx: Transaction, runId: string): Promise<StoredEvent[]> {
      const ended = await store.failRunning(tx, runId, 'interrupted');
      return ended.map((stored) => ({
        kind: 'compression-end',
        compressionId: stored.id,
        compression: toCompression(stored),
      }));
    },
  };
}

export type Applier = ReturnType<typeof createApplier>;

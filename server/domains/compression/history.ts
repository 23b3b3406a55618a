/**
 * Compressions over time: which of them hold on the current branch, what a fork takes along, and taking the latest back.
 * All of it follows `contextAt`: the flags of the rows are its result for the current branch, kept up to date here.
 */
import type { Transaction } from '../../database/transaction';
import type { EventLog } from '../../events/log';
import type { StoredEvent } from '../../events/topics';
import type { Clock } from '../../lib/clock';
import { AppError } from '../../lib/errors';
import type { Message } from '../messages/schema';
import type { MessageService } from '../messages/service';
import type { SessionService } from '../sessions/service';
import { canUndo } from './engine/outcome';
import type { ContextMeterService, MeterSubject } from './meter';
import { toCompression } from './present';
import type { Compression } from './schema';
import type { CompressionStore, StoredCompression } from './store';

/** What the raw index does when history branches off. */
export interface MemoryOfHistory {
  /** Copies the chunks of these compressions into a fork. `compressionIds` maps the source's ids to the fork's. */
  copyChunks(
    tx: Transaction,
    fork: { fromSessionId: string; toSessionId: string; compressionIds: ReadonlyMap<string, string> },
  ): Promise<void>;
  forgetRecalls(tx: Transaction, sessionId: string, context: readonly Message[]): Promise<void>;
}

export function createCompressionHistory(dependencies: {
  store: CompressionStore;
  meter: ContextMeterService;
  sessions: SessionService;
  messages: MessageService;
  memory: MemoryOfHistory;
  events: EventLog;
  clock: Clock;
  newId(): string;
}) {
  const { store, meter, sessions, messages, memory, events, clock, newId } = dependencies;

  /** Those in force whose summary stands on the current branch, oldest first. */
  async function listCurrent(
    sessionId: string,
    tx?: Transaction,
  ): Promise<{ current: StoredCompression[]; others: StoredCompression[] }> {
    const inForce = await store.listInForce(sessionId, tx?.client);
    if (inForce.length === 0) return { current: [], others: [] };
    const summaries = await messages.readSequences(
      sessionId,
      inForce.flatMap(({ summarySequence }) => summarySequence ?? []),
      tx,
    );
    const standing = new Set(
      summaries.filter((message) => message.supersededBy === null).map((message) => message.sequenceNumber),
    );
    const isCurrent = ({ summarySequence }: StoredCompression) => standing.has(summarySequence ?? 0);
    return { current: inForce.filter(isCurrent), others: inForce.filter((one) => !isCurrent(one)) };
  }

  const union = (compressions: readonly StoredCompression[]): Set<number> =>
    new Set(compressions.flatMap(({ coveredSequences }) => coveredSequences));

  return {
    /**
     * After the current branch changed: what only compressions of another branch had covered is in the context again, what
     * those of this branch cover is not. The caller holds the session's row.
     */
    async followBranch(tx: Transaction, sessionId: string): Promise<void> {
      const { current, others } = await listCurrent(sessionId, tx);
      const covered = union(current);
      const freed = [...union(others)].filter((sequence) => !covered.has(sequence));
      if (freed.length > 0) await messages.promote(tx, sessionId, freed);
      if (covered.size > 0) await messages.demote(tx, sessionId, [...covered]);
      await store.writeState(tx, sessionId, { baseline: null });
      await memory.forgetRecalls(tx, sessionId, await messages.readContextIn(tx, sessionId));
    },

    /** A fork's compressions, chunks and context are those that its source had at that message. */
    async onFork(
      tx: Transaction,
      { fromSessionId, toSessionId, upTo }: { fromSessionId: string; toSessionId: string; upTo: number },
    ): Promise<void> {
      const { current } = await listCurrent(fromSessionId, tx);
      const isThere = ({ summarySequence }: StoredCompression) => (summarySequence ?? 0) <= upTo;
      const carried = current.filter(isThere);
      const covered = union(carried);
      const later = union(current.filter((one) => !isThere(one)));
      const freed = [...later].filter((sequence) => sequence <= upTo && !covered.has(sequence));
      if (freed.length > 0) await messages.promote(tx, toSessionId, freed);
      const ids = new Map(carried.map(({ id }) => [id, newId()]));
      for (const compression of carried) {
        const id = ids.get(compression.id) ?? newId();
        await store.copy(tx, compression, id, toSessionId);
        for (const sequence of [compression.summarySequence, compression.markerSequence]) {
          if (sequence === null || sequence > upTo) continue;
          await messages.annotate(tx, toSessionId, sequence, { metadata: { compressionId: id } });
        }
      }
      await memory.copyChunks(tx, { fromSessionId, toSessionId, compressionIds: ids });
      await memory.forgetRecalls(tx, toSessionId, await messages.readContextIn(tx, toSessionId));
    },

    /** The compression that could be taken back, if it still fits. */
    async latest(sessionId: string): Promise<StoredCompression | null> {
      const { current } = await listCurrent(sessionId);
      return current[current.length - 1] ?? null;
    },

    /** What the latest compression took out and could still give back; the archive must not have it. */
    async undoableSequences(sessionId: string): Promise<number[]> {
      const { current } = await listCurrent(sessionId);
      return current[current.length - 1]?.coveredSequences ?? [];
    },

    /**
     * Takes the latest compression back: exactly what it covered is in the context again, its summary is not. The caller
     * holds the session's row and made sure that nothing is live. Throws `conflict` when it is not the latest or was taken
     * back before, `too-large` when the old context does not fit beside an answer any more.
     */
    async undo(tx: Transaction, subject: MeterSubject, compressionId: string): Promise<Compression> {
      const { sessionId } = subject;
      const stored = await store.find(sessionId, compressionId, tx.client);
      if (stored === null) throw new AppError('not-found', 'This compression does not exist.');
      const { current } = await listCurrent(sessionId, tx);
      const isLatest = current[current.length - 1]?.id === compressionId;
      if (stored.status !== 'done' || stored.undoneAt !== null || !isLatest) {
        throw new AppError('conflict', 'Only the latest compression of a chat can be undone, and only once.');
      }
      const { summarySequence, markerSequence, coveredSequences } = stored;
      await messages.promote(tx, sessionId, coveredSequences);
      await messages.demote(tx, sessionId, summarySequence === null ? [] : [summarySequence]);
      const context = await messages.readContextIn(tx, sessionId);
      await store.writeState(tx, sessionId, { baseline: null, isTruncated: false });
      const reading = await meter.read(subject, context, { ignoreBaseline: true, tx });
      const { tokens, source } = reading.estimate;
      if (!canUndo({ tokensRestored: tokens, limitTokens: reading.limitTokens, isLatest, isUndone: false })) {
        throw new AppError(
          'too-large',
          `The earlier context of about ${tokens.toLocaleString('en')} tokens does not fit the window of ${subject.windowTokens.toLocaleString('en')} any more.`,
          { details: { tokens, limitTokens: reading.limitTokens } },
        );
      }
      await store.markUndone(tx, compressionId);
      const told: StoredEvent[] = [
        { kind: 'message-updated', sequenceNumbers: coveredSequences, changes: { isContext: true } },
      ];
      const undone = { undoneAt: clock.now().toISOString() };
      if (markerSequence !== null) {
        const marker = await messages.annotate(tx, sessionId, markerSequence, { metadata: undone });
        if (marker !== null) {
          told.push({
            kind: 'message-updated',
            sequenceNumbers: [markerSequence],
            changes: { metadata: marker.metadata },
          });
        }
      }
      await memory.forgetRecalls(tx, sessionId, context);
      const measured = { contextTokenCount: tokens, contextTokenSource: source };
      await sessions.update(tx, sessionId, measured);
      told.push({ kind: 'session-updated', changes: { ...measured, contextWindow: subject.windowTokens } });
      await events.append(tx, sessionId, told);
      return toCompression({ ...stored, undoneAt: clock.now() });
    },
  };
}

export type CompressionHistory = ReturnType<typeof createCompressionHistory>;

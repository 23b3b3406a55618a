/**
 * How turns begin and end, each as one transaction under the session's row: a message and the run that answers it; the
 * partial answer, the freed session and the next message of the queue. Everybody who starts or ends a run comes here.
 */
import type { Transaction } from '../../database/transaction';
import type { Bus } from '../../events/bus';
import type { EventLog } from '../../events/log';
import type { RunStatus, StoredEvent } from '../../events/topics';
import { AppError } from '../../lib/errors';
import type { ResolvedModel } from '../../providers/types';
import type { CompressionService } from '../compression/service';
import type { FileService } from '../files/service';
import type { Message, MessageMetadata, QueuedMessage } from '../messages/schema';
import type { MessageService } from '../messages/service';
import type { MessageDraft } from '../messages/stored-message';
import type { Profile } from '../profiles/schema';
import type { RunState } from '../sessions/schema';
import type { SessionService } from '../sessions/service';
import type { StoredSession } from '../sessions/store';
import { findOpenCalls } from './engine/tool-pairs';
import type { Run } from './run';
import type { AgentStore } from './store';

export interface TurnsDependencies {
  store: AgentStore;
  sessions: SessionService;
  messages: MessageService;
  files: Pick<FileService, 'attachmentsOf'>;
  events: EventLog;
  bus: Bus;
  compressions: Pick<CompressionService, 'settle'>;
  /** What the session runs under, subagents aside. In memory: it is asked inside a transaction. */
  profileOf(session: StoredSession, depth: number): Profile;
  workerId: string;
  leaseMs: number;
  newId(): string;
}

export interface NewMessage {
  clientMessageId: string;
  text: string;
  fileIds: string[];
  /** A file that is gone refuses the message; one that waited in the queue goes without it. */
  isStrict: boolean;
  /** A planning phase comes first. */
  plan?: boolean;
}

export interface TurnOutcome {
  status: Exclude<RunStatus, 'running'>;
  /** What was said and not yet stored. */
  partial: () => Promise<{ text: string; thinking: string; step: number; thinkingMs: number }>;
  /** A failure, in the words of its card. */
  error: { code: string; message: string; details?: string | undefined } | null;
  /** Written on the turn's last assistant message. */
  turnEnd: NonNullable<MessageMetadata['turnEnd']> | null;
  lastAssistantSequence: number | null;
}

export function createTurns(dependencies: TurnsDependencies) {
  const { store, sessions, messages, files, events, bus, compressions, profileOf } = dependencies;
  const { workerId, leaseMs, newId } = dependencies;

  /** Claims the session for a new run. The caller holds the session's row and made sure that nothing is live. */
  async function claim(
    tx: Transaction,
    session: StoredSession,
    {
      model,
      kind,
      afterSequence,
      compression = null,
    }: { model: ResolvedModel; kind: Run['kind']; afterSequence: number; compression?: Run['compression'] },
  ): Promise<{ run: Run; events: StoredEvent[] }> {
    const id = newId();
    const claimed = await store.claim(tx, {
      id,
      sessionId: session.id,
      kind: kind === 'compression' ? kind : 'turn',
      workerId,
      model: model.id,
      afterSequence,
      leaseMs,
    });
    if (claimed === null) throw new AppError('busy', 'An answer is already being written in this chat.');
    await sessions.update(tx, session.id, { runState: 'running' });
    events.touchUser(tx, session.userId, session.id, 'updated');
    const profile = profileOf(session, await sessions.depthOf(session, tx));
    const windowTokens = model.windowTokens(profile.contextWindowTokens);
    return {
      run: {
        id,
        sessionId: session.id,
        userId: session.userId,
        epoch: claimed.epoch,
        model,
        profile,
        windowTokens,
        startedAt: claimed.startedAt,
        kind,
        compression,
        afterSequence,
      },
      events: [
        kind === 'compression'
          ? { kind: 'session-updated', changes: { runState: 'running' } }
          : { kind: 'run-start', runId: id, model: model.id, startedAt: claimed.startedAt.toISOString() },
      ],
    };
  }

  /**
   * Gives every open call of the turn a result that says why there is none. `keepWaiting` leaves those that wait for a
   * person: their approval outlives the run.
   */
  async function closeOpenCalls(
    tx: Transaction,
    session: StoredSession,
    status: 'stopped' | 'interrupted',
    keepWaiting: boolean,
  ): Promise<{ drafts: MessageDraft[] }> {
    const open = findOpenCalls(await messages.readTurn(tx, session.id));
    if (open === null) return { drafts: [] };
    const waiting = new Set((await store.readApprovals(session.id, tx.client)).map((approval) => approval.toolCallId));
    if (!keepWaiting) await store.dropApprovals(tx, session.id);
    // Results stand in the order of the calls: from the first one that waits on, all of them wait.
    const firstWaiting = keepWaiting ? open.calls.findIndex((call) => waiting.has(call.id)) : -1;
    const closing = firstWaiting === -1 ? open.calls : open.calls.slice(0, firstWaiting);
    const text =
      status === 'stopped'
        ? 'No result: the person stopped the run.'
        : 'No result: the server stopped during this call.';
    return {
      drafts: closing.map((call) => ({
        role: 'tool',
        content: text,
        toolCallId: call.id,
        name: call.name,
        metadata: {
          toolStatus: status,
          ...(open.message.metadata.runId === undefined ? {} : { runId: open.message.metadata.runId }),
        },
      })),
    };
  }

  /** A user message and the run that answers it. Calls left open by the turn before are closed first. */
  async function begin(
    tx: Transaction,
    session: StoredSession,
    message: NewMessage,
    model: ResolvedModel,
  ): Promise<{ message: Message; run: Run; events: StoredEvent[] }> {
    const { drafts } = await closeOpenCalls(tx, session, 'interrupted', false);
    const attached = await files.attachmentsOf(tx, session.id, message.fileIds, { isStrict: message.isStrict });
    const appended = await messages.append(tx, session.id, [
      ...drafts,
      {
        role: 'user',
        content: message.text,
        ...attached,
        metadata: {
          clientMessageId: message.clientMessageId,
          ...(message.plan === true ? { plan: true } : {}),
        },
      },
    ]);
    const stored = appended.messages[appended.messages.length - 1];
    if (stored === undefined) throw new AppError('internal', 'the message was not stored');
    const claimed = await claim(tx, session, { model, kind: 'turn', afterSequence: stored.sequenceNumber });
    return { message: stored, run: claimed.run, events: [...appended.events, ...claimed.events] };
  }

  /** Starts the first message of the queue, if one waits. The caller holds the session's row; nothing is live. */
  async function beginNext(
    tx: Transaction,
    session: StoredSession,
    [next, ...rest]: readonly QueuedMessage[],
    model: ResolvedModel,
  ): Promise<{ run: Run; events: StoredEvent[] } | null> {
    if (next === undefined) return null;
    const begun = await begin(
      tx,
      session,
      {
        clientMessageId: next.queuedId,
        text: next.text,
        fileIds: next.fileIds,
        isStrict: false,
        plan: next.plan ?? false,
      },
      model,
    );
    await store.markDelivered(tx, {
      sessionId: session.id,
      clientMessageId: next.queuedId,
      sequenceNumber: begun.message.sequenceNumber,
      runId: begun.run.id,
    });
    return { run: begun.run, events: [{ kind: 'queue-updated', queue: rest }, ...begun.events] };
  }

  /** The last words of a run: what was said, why it ended, its numbers. */
  async function appendClosing(
    tx: Transaction,
    session: StoredSession,
    run: { id: string; model: string },
    outcome: TurnOutcome,
  ): Promise<StoredEvent[]> {
    const { status, error } = outcome;
    const partial = await outcome.partial();
    const cut = status === 'stopped' ? { stopped: true } : status === 'interrupted' ? { interrupted: true } : {};
    const common = { runId: run.id, model: run.model };
    const drafts: MessageDraft[] = [];
    if (partial.text !== '' || partial.thinking !== '') {
      drafts.push({
        role: 'assistant',
        content: partial.text,
        thinking: partial.thinking === '' ? null : partial.thinking,
        metadata: {
          ...common,
          step: partial.step,
          ...cut,
          ...(partial.thinking === '' ? {} : { thinkingMs: Math.round(partial.thinkingMs) }),
          ...(status === 'failed' ? { interrupted: true } : {}),
        },
      });
    } else if (status !== 'done') {
      const callStatus = status === 'stopped' ? 'stopped' : 'interrupted';
      const open = await closeOpenCalls(tx, session, callStatus, status === 'interrupted');
      drafts.push(...open.drafts);
      if (status !== 'failed') {
        const content = status === 'stopped' ? 'Stopped' : 'Interrupted when the server stopped';
        drafts.push({ role: 'system', content, isContext: false, metadata: { ...common, source: status } });
      }
    }
    if (error !== null) {
      const { code, message, details } = error;
      drafts.push({
        role: 'assistant',
        content: '',
        isContext: false,
        metadata: { ...common, error: { code, message, ...(details === undefined ? {} : { details }) } },
      });
    }
    const told: StoredEvent[] = [];
    let lastAssistant = outcome.lastAssistantSequence;
    if (drafts.length > 0) {
      const appended = await messages.append(tx, session.id, drafts);
      told.push(...appended.events);
      lastAssistant =
        appended.messages.findLast((message) => message.role === 'assistant')?.sequenceNumber ?? lastAssistant;
    }
    if (outcome.turnEnd !== null && lastAssistant !== null) {
      const turnEnd = outcome.turnEnd;
      const message = await messages.annotate(tx, session.id, lastAssistant, {
        metadata: { turnEnd },
        elapsedSeconds: turnEnd.elapsedSeconds,
        toolCallCount: turnEnd.toolCalls,
        ...(turnEnd.tokensOut === null ? {} : { tokenCount: turnEnd.tokensOut }),
      });
      if (message !== null) {
        const { metadata, elapsedSeconds, toolCallCount, tokenCount } = message;
        told.push({
          kind: 'message-updated',
          sequenceNumbers: [lastAssistant],
          changes: { metadata, elapsedSeconds, toolCallCount, tokenCount },
        });
      }
    }
    return told;
  }

  return {
    claim,
    begin,
    beginNext,
    closeOpenCalls,

    /**
     * Ends a run: the rest of its text, its status, the free session, and the next message of the queue unless the server
     * is going down. False when somebody else has ended it. One transaction; `next` is to be executed after it.
     */
    async end(
      tx: Transaction,
      run: { id: string; sessionId: string; epoch: number; model: string; kind: Run['kind'] },
      outcome: TurnOutcome,
      next: { model: ResolvedModel } | null,
    ): Promise<{ ended: boolean; next: Run | null }> {
      const session = await sessions.lockEvenRemoved(tx, run.sessionId);
      const ended = await store.end(tx, run, outcome.status, outcome.error);
      if (!ended) return { ended, next: null };
      // A compression that was cut off with its run left the old context; it says so before anything else is said.
      const told = await compressions.settle(tx, run.id);
      if (session === null) return { ended, next: null };
      const isTurn = run.kind !== 'compression';
      if (isTurn) told.push(...(await appendClosing(tx, session, run, outcome)));
      const queue = await store.readQueue(session.id, tx.client);
      const following = next === null || session.isRemoved ? null : await beginNext(tx, session, queue, next.model);
      const waits = following === null && queue.length > 0;
      const last = isTurn ? outcome.status : (await store.findLatest(session.id, tx.client))?.status;
      const runState: RunState =
        following !== null ? 'running' : last === 'interrupted' ? 'interrupted' : waits ? 'queued' : 'idle';
      if (following === null) await sessions.update(tx, session.id, { runState });
      events.touchUser(tx, session.userId, session.id, 'updated');
      told.push(
        isTurn
          ? { kind: 'run-end', runId: run.id, status: outcome.status, turnEnd: outcome.turnEnd, runState }
          : { kind: 'session-updated', changes: { runState } },
      );
      await events.append(tx, session.id, [...told, ...(following?.events ?? [])]);
      return { ended, next: following?.run ?? null };
    },

    /** Starts the queue of a session in which nothing is live; null when something is, or nothing waits. */
    async startQueue(tx: Transaction, sessionId: string, model: ResolvedModel): Promise<Run | null> {
      const session = await sessions.lockAny(tx, sessionId);
      if (session === null || (await store.findLive(sessionId, tx.client)) !== null) return null;
      const next = await beginNext(tx, session, await store.readQueue(sessionId, tx.client), model);
      if (next !== null) await events.append(tx, sessionId, next.events);
      return next?.run ?? null;
    },

    /** Wakes the owner of a run, wherever it is. */
    wake: (tx: Transaction, runId: string) => tx.afterCommit(() => bus.publish({ topic: 'run', runId })),
  };
}

export type Turns = ReturnType<typeof createTurns>;

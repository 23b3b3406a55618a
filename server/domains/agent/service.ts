/** What people ask of the agent: send, queue, stop, resume, approve, make anew. Each is one short transaction. */
import type { Transaction, UnitOfWork } from '../../database/transaction';
import type { EventLog } from '../../events/log';
import type { StoredEvent } from '../../events/topics';
import { AppError } from '../../lib/errors';
import type { Person } from '../../lib/person';
import type { ConnectionState, ModelRegistry, ResolvedModel } from '../../providers/types';
import type { CompressionService } from '../compression/service';
import type { FileService } from '../files/service';
import type { QueuedMessage, SendInput, SendResult } from '../messages/schema';
import type { MessageService } from '../messages/service';
import type { RunState } from '../sessions/schema';
import type { SessionService } from '../sessions/service';
import type { StoredSession } from '../sessions/store';
import type { Compactor } from './compactor';
import type { Run } from './run';
import type { Runner } from './runner';
import type { ApproveInput } from './schema';
import type { AgentStore, StoredSend } from './store';
import type { NewMessage, Turns } from './turns';

export interface AgentServiceDependencies {
  store: AgentStore;
  sessions: SessionService;
  messages: MessageService;
  files: Pick<FileService, 'attachmentsOf'>;
  unitOfWork: UnitOfWork;
  events: EventLog;
  turns: Turns;
  runner: Runner;
  models: ModelRegistry;
  /** The model that answers in a session. */
  modelFor(session: { model: string | null; profileId: string }): Promise<ResolvedModel>;
  compressions: Pick<CompressionService, 'followBranch'>;
  compactor: Pick<Compactor, 'refreshMeter'>;
}

/** Messages that may wait in one session. */
const QUEUE_LIMIT = 100;

export function createAgentService(dependencies: AgentServiceDependencies) {
  const { store, sessions, messages, files, unitOfWork, events, turns, runner, models, modelFor } = dependencies;
  const { compressions, compactor } = dependencies;

  /** Under the session's row: nothing may be live. */
  async function requireFree(tx: Transaction, sessionId: string): Promise<void> {
    if ((await store.findLive(sessionId, tx.client)) !== null) {
      throw new AppError('busy', 'An answer is being written in this chat. Stop it first, or wait for its end.');
    }
  }

  /** A run whose worker is dead ends here and now instead of when somebody looks: what follows finds the session free. */
  async function settleIfAbandoned(sessionId: string): Promise<void> {
    const live = await store.findLive(sessionId);
    if (live?.isLeaseExpired === true) await runner.sweep();
  }

  /** What the same send answered the first time. */
  async function repeatAnswer(sessionId: string, send: StoredSend): Promise<SendResult> {
    if (send.status === 'queued') return { message: null, runId: null, queuedId: send.clientMessageId };
    const message = send.sequenceNumber === null ? null : await messages.find(sessionId, send.sequenceNumber);
    return { message, runId: send.runId, queuedId: null };
  }

  /** A turn for a message that starts at once, and the record that makes sending it again answer the same. */
  async function beginSend(
    tx: Transaction,
    session: StoredSession,
    message: NewMessage,
    model: ResolvedModel,
  ): ReturnType<Turns['begin']> {
    const begun = await turns.begin(tx, session, message, model);
    await store.insertSend(tx, {
      sessionId: session.id,
      clientMessageId: message.clientMessageId,
      status: 'delivered',
      sequenceNumber: begun.message.sequenceNumber,
      runId: begun.run.id,
    });
    return begun;
  }

  /** Checks, changes the queue, tells, answers it. */
  async function changeQueue(
    person: Person,
    input: { sessionId: string; queuedId: string },
    change: { text: string } | { status: 'cancelled' },
  ): Promise<{ queue: QueuedMessage[] }> {
    return unitOfWork.run(async (tx) => {
      const session = await sessions.lock(tx, person, input.sessionId);
      const key = { sessionId: session.id, clientMessageId: input.queuedId };
      if (!(await store.updateQueued(tx, key, change))) {
        throw new AppError('conflict', 'This message does not wait any more: it was sent or taken back.');
      }
      const queue = await store.readQueue(session.id, tx.client);
      if (queue.length === 0 && session.runState === 'queued') {
        await sessions.update(tx, session.id, { runState: 'idle' });
        events.touchUser(tx, session.userId, session.id, 'updated');
      }
      await events.append(tx, session.id, [{ kind: 'queue-updated', queue }]);
      return { queue };
    });
  }

  /** A run without a new message: the turn goes on, or its answer is made anew. */
  async function startRun(
    person: Person,
    sessionId: string,
    prepare: (
      tx: Transaction,
      session: StoredSession,
    ) => Promise<{ kind: Run['kind']; events: StoredEvent[]; afterSequence: number }>,
  ): Promise<{ runId: string }> {
    const model = await modelFor(await sessions.authorise(person, sessionId));
    await settleIfAbandoned(sessionId);
    const run = await unitOfWork.run(async (tx) => {
      const session = await sessions.lock(tx, person, sessionId);
      await requireFree(tx, sessionId);
      const prepared = await prepare(tx, session);
      const claimed = await turns.claim(tx, session, {
        model,
        kind: prepared.kind,
        afterSequence: prepared.afterSequence,
      });
      await events.append(tx, sessionId, [...prepared.events, ...claimed.events]);
      return claimed.run;
    });
    runner.start(run);
    return { runId: run.id };
  }

  /** Error cards of the turn leave the display once it goes on; they stay stored. */
  async function hideErrors(tx: Transaction, session: StoredSession): Promise<StoredEvent[]> {
    const turn = await messages.readTurn(tx, session.id);
    const cards = turn.filter((message) => message.metadata.error !== undefined && message.isDisplay);
    if (cards.length === 0) return [];
    const sequenceNumbers = await messages.hide(
      tx,
      session.id,
      cards.map((message) => message.sequenceNumber),
    );
    events.touchUser(tx, session.userId, session.id, 'updated');
    return [{ kind: 'message-updated', sequenceNumbers, changes: { isDisplay: false } }];
  }

  /** Calls that the branch in view left open get their results before it is left: they can never run any more. */
  async function leaveBranch(tx: Transaction, session: StoredSession): Promise<StoredEvent[]> {
    const { drafts } = await turns.closeOpenCalls(tx, session, 'interrupted', false);
    await store.dropApprovals(tx, session.id);
    return drafts.length === 0 ? [] : (await messages.append(tx, session.id, drafts)).events;
  }

  /** Opens a new branch after `forkSequence` and tells that loaded pages are to be read again. */
  async function fork(tx: Transaction, session: StoredSession, forkSequence: number): Promise<StoredEvent[]> {
    const told = await leaveBranch(tx, session);
    const at = forkSequence === 0 ? null : await messages.find(session.id, forkSequence, tx);
    const branchId = await messages.openBranch(tx, session.id, forkSequence, at?.branchId ?? null);
    await compressions.followBranch(tx, session.id);
    await messages.refreshListing(tx, session.id, session.userId);
    const lastSequence = await messages.lastSequence(tx, session.id);
    return [...told, { kind: 'branch-switched', branchId, lastSequence }];
  }

  /** Whatever runs in these sessions is asked to stop; their owners, on any worker, are woken. */
  async function requestStops(tx: Transaction, sessionIds: readonly string[]): Promise<void> {
    for (const sessionId of sessionIds) {
      const live = await store.findLive(sessionId, tx.client);
      if (live === null) continue;
      await store.requestStop(tx, live.id);
      turns.wake(tx, live.id);
    }
  }

  return {
    /**
     * Stores the message and starts a run, or queues it while one is live. The same `clientMessageId` again answers as the
     * first time, for ever.
     */
    async send(person: Person, input: SendInput): Promise<SendResult> {
      const { sessionId, clientMessageId, text } = input;
      const session = await sessions.authorise(person, sessionId);
      // Whether it can answer matters to a new message only.
      const [model] = await Promise.allSettled([modelFor(session)]);
      const fileIds = input.fileIds ?? [];
      const plan = input.plan ?? false;
      const outcome = await unitOfWork.run(async (tx) => {
        const locked = await sessions.lock(tx, person, sessionId);
        const raced = await store.findSend(sessionId, clientMessageId, tx.client);
        if (raced !== null) return { kind: 'repeated' as const, send: raced };
        if (model.status === 'rejected') throw model.reason;
        // An idle session has neither; were it otherwise, the claim below would refuse.
        const isIdle = locked.runState === 'idle';
        const live = isIdle ? null : await store.findLive(sessionId, tx.client);
        const queue = isIdle ? [] : await store.readQueue(sessionId, tx.client);
        if (live !== null || queue.length > 0) {
          if (queue.length >= QUEUE_LIMIT) {
            throw new AppError('busy', `${QUEUE_LIMIT} messages already wait in this chat.`);
          }
          await files.attachmentsOf(tx, sessionId, fileIds, { isStrict: true });
          await store.insertSend(tx, { sessionId, clientMessageId, status: 'queued', text, fileIds, isPlanned: plan });
          const updated = await store.readQueue(sessionId, tx.client);
          await events.append(tx, sessionId, [{ kind: 'queue-updated', queue: updated }]);
          return { kind: 'queued' as const, isStranded: live === null || live.isLeaseExpired };
        }
        const begun = await beginSend(
          tx,
          locked,
          { clientMessageId, text, fileIds, isStrict: true, plan },
          model.value,
        );
        await events.append(tx, sessionId, begun.events);
        return { kind: 'started' as const, ...begun };
      });
      if (outcome.kind === 'repeated') return repeatAnswer(sessionId, outcome.send);
      if (outcome.kind === 'queued') {
        if (outcome.isStranded) runner.sweepSoon();
        return { message: null, runId: null, queuedId: clientMessageId };
      }
      runner.start(outcome.run);
      return { message: outcome.message, runId: outcome.run.id, queuedId: null };
    },

    async queue(person: Person, sessionId: string): Promise<{ queue: QueuedMessage[] }> {
      await sessions.authorise(person, sessionId);
      return { queue: await store.readQueue(sessionId) };
    },
    cancelQueued: (person: Person, input: { sessionId: string; queuedId: string }) =>
      changeQueue(person, input, { status: 'cancelled' }),
    editQueued: (person: Person, input: { sessionId: string; queuedId: string; text: string }) =>
      changeQueue(person, input, { text: input.text }),

    /** Makes the answer of a turn anew, beside the old one: a new branch after the turn's user message. */
    regenerate: (person: Person, input: { sessionId: string; sequenceNumber?: number | undefined }) =>
      startRun(person, input.sessionId, async (tx, session) => {
        const question = await messages.findLast(tx, session.id, {
          role: 'user',
          ...(input.sequenceNumber === undefined ? {} : { atOrBefore: input.sequenceNumber }),
        });
        if (question === null) throw new AppError('not-found', 'There is no message to answer again.');
        const switched = await fork(tx, session, question.sequenceNumber);
        return { kind: 'turn', events: switched, afterSequence: question.sequenceNumber };
      }),

    /** Sends a changed copy of a user message, in a new branch beside the old one. */
    async editAndResend(
      person: Person,
      input: { sessionId: string; sequenceNumber: number; clientMessageId: string; text: string },
    ): Promise<SendResult> {
      const { sessionId, clientMessageId, text } = input;
      const session = await sessions.authorise(person, sessionId);
      // As for a send: the same one again answers as the first time, although its model is gone by now.
      const [model] = await Promise.allSettled([modelFor(session)]);
      await settleIfAbandoned(sessionId);
      const outcome = await unitOfWork.run(async (tx) => {
        const locked = await sessions.lock(tx, person, sessionId);
        const earlier = await store.findSend(sessionId, clientMessageId, tx.client);
        if (earlier !== null) return { earlier };
        if (model.status === 'rejected') throw model.reason;
        await requireFree(tx, sessionId);
        const edited = await messages.find(sessionId, input.sequenceNumber, tx);
        if (edited?.role !== 'user' || edited.supersededBy !== null) {
          throw new AppError('not-found', 'This message is not part of the chat any more.');
        }
        const before = await messages.findLast(tx, sessionId, { atOrBefore: input.sequenceNumber, isStrict: true });
        const switched = await fork(tx, locked, before?.sequenceNumber ?? 0);
        // What was attached goes along: only the words were changed.
        const fileIds = [...(edited.files ?? []), ...(edited.images ?? [])].map((file) => file.id);
        const message = { clientMessageId, text, fileIds, isStrict: false };
        const begun = await beginSend(tx, locked, message, model.value);
        await events.append(tx, sessionId, [...switched, ...begun.events]);
        return { begun };
      });
      if (outcome.begun === undefined) return repeatAnswer(sessionId, outcome.earlier);
      runner.start(outcome.begun.run);
      return { message: outcome.begun.message, runId: outcome.begun.run.id, queuedId: null };
    },

    async selectVariant(
      person: Person,
      input: { sessionId: string; branchId: number },
    ): Promise<{ lastSequence: number }> {
      const answer = await unitOfWork.run(async (tx) => {
        const session = await sessions.lock(tx, person, input.sessionId);
        await requireFree(tx, session.id);
        const told = await leaveBranch(tx, session);
        const selected = await messages.selectBranch(tx, session.id, input.branchId);
        if (selected === null) throw new AppError('not-found', 'This variant does not exist.');
        await compressions.followBranch(tx, session.id);
        await messages.refreshListing(tx, session.id, session.userId);
        const lastSequence = await messages.lastSequence(tx, session.id);
        await events.append(tx, session.id, [
          ...told,
          { kind: 'branch-switched', branchId: input.branchId, lastSequence },
        ]);
        return { lastSequence };
      });
      await compactor.refreshMeter(input.sessionId);
      return answer;
    },

    /** Answers at once; the run ends within a second. `stopped` is false when nothing was running. */
    async stop(person: Person, sessionId: string): Promise<{ stopped: boolean; runState: RunState }> {
      await sessions.authorise(person, sessionId);
      await settleIfAbandoned(sessionId);
      return unitOfWork.run(async (tx) => {
        const session = await sessions.lock(tx, person, sessionId);
        await requestStops(tx, await sessions.listDescendants(sessionId, tx));
        const live = await store.findLive(sessionId, tx.client);
        if (live === null) return { stopped: false, runState: session.runState };
        await store.requestStop(tx, live.id);
        await sessions.update(tx, sessionId, { runState: 'stopping' });
        events.touchUser(tx, session.userId, sessionId, 'updated');
        await events.append(tx, sessionId, [{ kind: 'session-updated', changes: { runState: 'stopping' } }]);
        turns.wake(tx, live.id);
        return { stopped: true, runState: 'stopping' };
      });
    },

    /** Goes on with the last turn after an interruption, a stop or a failure. */
    resume: (person: Person, sessionId: string) =>
      startRun(person, sessionId, async (tx, session) => {
        const latest = await store.findLatest(sessionId, tx.client);
        const [last] = (await messages.readTurn(tx, sessionId)).slice(-1);
        if (latest === null || (latest.status === 'done' && last?.metadata.cutBy !== 'length')) {
          throw new AppError('conflict', 'There is nothing to resume: the last answer came to its end.');
        }
        const hidden = await hideErrors(tx, session);
        return { kind: 'resume', events: hidden, afterSequence: session.nextSequence - 1 };
      }),

    /** Answers a tool call that waits. When its run died meanwhile, the turn is resumed. */
    async approve(
      person: Person,
      input: ApproveInput,
    ): Promise<{ toolCallId: string; decision: 'approved' | 'denied' }> {
      const { sessionId, ...answer } = input;
      const { toolCallId, decision } = answer;
      await sessions.authorise(person, sessionId);
      // Before the answer: a settlement after it could not tell a call that never began from one that did.
      await settleIfAbandoned(sessionId);
      const isLive = await unitOfWork.run(async (tx) => {
        const session = await sessions.lock(tx, person, sessionId);
        if (!(await store.answerApproval(tx, sessionId, answer))) {
          throw new AppError('conflict', 'This call does not wait for an answer any more.');
        }
        const live = await store.findLive(sessionId, tx.client);
        await events.append(tx, sessionId, [{ kind: 'approval-answered', toolCallId, decision }]);
        events.touchUser(tx, session.userId, await sessions.rootOf(sessionId, tx), 'updated');
        if (live !== null) turns.wake(tx, live.id);
        return live !== null;
      });
      if (!isLive) await this.resume(person, sessionId);
      return { toolCallId, decision };
    },

    /**
     * Connections with their state and models. `defaultModelId` answers where a session chose none; it is null, and
     * `waitsFor` says why, while the connection that would answer cannot be reached.
     */
    async models(): Promise<{
      connections: ConnectionState[];
      defaultModelId: string | null;
      isDemo: boolean;
      waitsFor: string | null;
    }> {
      // First what answers: asking for it refreshes what is known of its connection.
      const { id, isDemo, waitsFor } = await models.defaultModel();
      const connections = await models.list();
      return { connections, defaultModelId: waitsFor === null ? id : null, isDemo, waitsFor };
    },

    /** For a session that was just removed, or whose work nobody waits for: what runs in it and below it is asked to stop. */
    async stopRuns(sessionId: string): Promise<void> {
      await unitOfWork.run(async (tx) =>
        requestStops(tx, [sessionId, ...(await sessions.listDescendants(sessionId, tx))]),
      );
    },
  };
}

export type AgentService = ReturnType<typeof createAgentService>;

/** The history of sessions: appending, paging, branches, forks, exports. Who runs and what is said is the agent's business. */
import type { Transaction, UnitOfWork } from '../../database/transaction';
import { type EventLog, LeaseLostError } from '../../events/log';
import type { StoredEvent } from '../../events/topics';
import { AppError } from '../../lib/errors';
import type { Person } from '../../lib/person';
import type { Session } from '../sessions/schema';
import type { SessionService } from '../sessions/service';
import type { TodoSnapshot } from '../todos/schema';
import type { FencedAppend } from './append-store';
import type { BranchStore } from './branch-store';
import { inContextOrder } from './engine/context-at';
import { type ExportedChild, type ExportedContent, exportFileName, toJson, toMarkdown } from './engine/export';
import { withVariants } from './engine/variants';
import type { Message, MessagesPage, MessagesPageInput } from './schema';
import type { MessageStore } from './store';
import type { MessageDraft } from './stored-message';

export interface MessageServiceDependencies {
  store: MessageStore;
  branches: BranchStore;
  sessions: SessionService;
  unitOfWork: UnitOfWork;
  events: EventLog;
  newId(): string;
  /** Brings along what lies outside of the database, before the transaction that names it. */
  prepareFork(
    fromSessionId: string,
    toSessionId: string,
  ): Promise<{ insert(tx: Transaction): Promise<void>; discard(): Promise<void> }>;
  /** Brings along what the domains above keep of the source; the fork's rows are there. */
  onFork(tx: Transaction, fork: { fromSessionId: string; toSessionId: string; upTo: number }): Promise<void>;
  /** After the fork is there: its meter. */
  afterFork(sessionId: string): Promise<void>;
  /** The session's plan, for exports. */
  readPlan(sessionId: string): Promise<TodoSnapshot>;
  /** Rows of one session beyond which old ones are archived (`session_messages_window`). */
  hotWindow: number;
}

/** Messages read at once while a whole history is walked. */
const EXPORT_PAGE = 500;
/** Rows that one archive pass moves, so that its transaction stays short. */
const ARCHIVE_BATCH = 500;

export function createMessageService(dependencies: MessageServiceDependencies) {
  const { store, branches, sessions, unitOfWork, events, newId, hotWindow } = dependencies;
  const { prepareFork, onFork, afterFork, readPlan } = dependencies;
  const noSession = () => new AppError('not-found', 'This chat does not exist or was deleted.');
  const noMessage = () => new AppError('not-found', 'This message does not exist any more.');

  /** Appends and answers the events that tell of it; the caller writes them last in its transaction. */
  async function append(
    tx: Transaction,
    sessionId: string,
    drafts: MessageDraft[],
  ): Promise<{ messages: Message[]; events: StoredEvent[] }> {
    const appended = await store.append(tx, sessionId, drafts);
    if (appended === null) throw noSession();
    events.touchUser(tx, appended.userId, sessionId, 'updated');
    return {
      messages: appended.messages,
      events: appended.messages.map((message) => ({ kind: 'message-added', message })),
    };
  }

  /**
   * Appends and tells, as a transaction of its own: for who has nothing else to write. `events` follow those of the messages.
   * With an `epoch`, throws `LeaseLostError` when it is stale, and nothing was written.
   */
  async function appendAndTell(append: FencedAppend): Promise<Message[]> {
    const { sessionId, epoch } = append;
    const appended = await store.appendAndTell(append);
    if (appended === null) throw epoch === null ? noSession() : new LeaseLostError(sessionId);
    events.publish(sessionId, appended.told, appended.userId);
    return appended.messages;
  }

  /** After a switch of branches: count and preview of the list are those of the branch that is current now. */
  async function refreshListing(tx: Transaction, sessionId: string, userId: string | null): Promise<void> {
    const last = await store.findLast(tx.client, sessionId, { isSpoken: true });
    await sessions.update(tx, sessionId, {
      displayMessageCount: await store.countDisplayed(tx, sessionId),
      preview: store.previewOf(last?.content ?? ''),
    });
    events.touchUser(tx, userId, sessionId, 'updated');
  }

  async function readHistory(sessionId: string): Promise<Message[]> {
    const messages: Message[] = [];
    for (;;) {
      const page = await store.readAfter(sessionId, messages[messages.length - 1]?.sequenceNumber ?? 0, EXPORT_PAGE);
      messages.push(...page);
      if (page.length < EXPORT_PAGE) return messages;
    }
  }

  /** The display history and, at their places, the summaries that stand for parts of it before the model. */
  async function readWithSummaries(sessionId: string): Promise<Message[]> {
    const messages = [...(await readHistory(sessionId)), ...(await store.readSummaries(sessionId))];
    return messages.sort((a, b) => a.sequenceNumber - b.sequenceNumber);
  }

  /** All that was said, planned and done in a session, and by its subagents, and theirs. */
  async function readContent(sessionId: string): Promise<ExportedContent> {
    const messages = await readWithSummaries(sessionId);
    const { sessionId: _id, ...plan } = await readPlan(sessionId);
    const children: ExportedChild[] = [];
    for (const child of await sessions.listChildren(sessionId)) {
      const { id, name, profileId, createdAt, parentToolCallId: toolCallId } = child;
      children.push({ id, name, profileId, createdAt, toolCallId, ...(await readContent(id)) });
    }
    return { messages, plan, children };
  }

  /** A page with the current message right before it and right after it, where there is one. */
  async function readSlice(
    input: MessagesPageInput,
  ): Promise<{ messages: Message[]; previous: Message | undefined; next: Message | undefined }> {
    const { sessionId, limit, beforeSeq, afterSeq, aroundSeq } = input;
    if (afterSeq !== undefined) {
      const [rows, [before]] = await Promise.all([
        store.readAfter(sessionId, afterSeq, limit + 1),
        store.readBefore(sessionId, afterSeq + 1, 1),
      ]);
      return { messages: rows.slice(0, limit), previous: before, next: rows[limit] };
    }
    if (aroundSeq !== undefined) {
      const half = Math.floor(limit / 2);
      const [older, newer] = await Promise.all([
        store.readBefore(sessionId, aroundSeq, half + 1),
        store.readAfter(sessionId, aroundSeq - 1, limit - half + 1),
      ]);
      return {
        messages: [...older.slice(0, half).reverse(), ...newer.slice(0, limit - half)],
        previous: older[half],
        next: newer[limit - half],
      };
    }
    const [rows, [after]] = await Promise.all([
      store.readBefore(sessionId, beforeSeq ?? null, limit + 1),
      beforeSeq === undefined ? [] : store.readAfter(sessionId, beforeSeq - 1, 1),
    ]);
    return { messages: rows.slice(0, limit).reverse(), previous: rows[limit], next: after };
  }

  return {
    async page(person: Person, input: MessagesPageInput): Promise<MessagesPage> {
      // Side by side: three short reads that need nothing of one another. A stranger gets nothing of them but the refusal.
      const [, { messages, previous, next }, groups] = await Promise.all([
        sessions.authorise(person, input.sessionId),
        readSlice(input),
        branches.readGroups(input.sessionId),
      ]);
      const { afterSeq, beforeSeq } = input;
      return {
        messages: withVariants(messages, groups, previous?.sequenceNumber ?? 0),
        // An empty page lies beyond one end of the history: the way back begins where it was asked for.
        nextBeforeSeq: previous === undefined ? null : (messages[0]?.sequenceNumber ?? (afterSeq ?? 0) + 1),
        nextAfterSeq:
          next === undefined
            ? null
            : (messages[messages.length - 1]?.sequenceNumber ?? Math.max(0, (beforeSeq ?? 0) - 1)),
      };
    },

    /** "Fork from here": a new session with the current branch up to a message, its context as it was there. */
    async forkSession(
      person: Person,
      input: { sessionId: string; sequenceNumber?: number | undefined },
    ): Promise<Session> {
      const id = newId();
      await sessions.authorise(person, input.sessionId);
      const carried = await prepareFork(input.sessionId, id);
      const work = unitOfWork.run(async (tx) => {
        const source = await sessions.authorise(person, input.sessionId, tx);
        const upTo = input.sequenceNumber ?? source.nextSequence - 1;
        const last = await store.findLast(tx.client, input.sessionId, { atOrBefore: upTo, isSpoken: true });
        if (input.sequenceNumber !== undefined) {
          const chosen = await store.find(input.sessionId, upTo, tx.client);
          if (chosen === null || chosen.supersededBy !== null) throw noMessage();
        }
        await sessions.insert(tx, {
          id,
          userId: person.userId,
          profileId: source.profileId,
          name: source.name === null ? null : `${source.name} (fork)`.slice(0, 200),
          parentId: null,
          model: source.model,
        });
        const { displayed } = await store.copy(tx, input.sessionId, id, upTo);
        await sessions.update(tx, id, {
          nextSequence: upTo + 1,
          displayMessageCount: displayed,
          preview: store.previewOf(last?.content ?? ''),
          opening: source.opening,
        });
        await carried.insert(tx);
        await onFork(tx, { fromSessionId: input.sessionId, toSessionId: id, upTo });
        events.touchUser(tx, person.userId, id, 'created');
      });
      await work.catch(async (error: unknown) => {
        await carried.discard();
        throw error;
      });
      await afterFork(id);
      return sessions.get(person, id);
    },

    async exportSession(
      person: Person,
      input: { sessionId: string; format: 'markdown' | 'json' },
    ): Promise<{ fileName: string; mimeType: string; content: string }> {
      const session = await sessions.get(person, input.sessionId);
      const content = await readContent(session.id);
      return input.format === 'markdown'
        ? {
            fileName: exportFileName(session.name, 'md'),
            mimeType: 'text/markdown',
            content: toMarkdown(session, content),
          }
        : {
            fileName: exportFileName(session.name, 'json'),
            mimeType: 'application/json',
            content: toJson(session, content),
          };
    },

    async rate(
      person: Person,
      input: { sessionId: string; sequenceNumber: number; rating: 'up' | 'down' | null },
    ): Promise<Message> {
      return unitOfWork.run(async (tx) => {
        await sessions.lock(tx, person, input.sessionId);
        const current = await store.find(input.sessionId, input.sequenceNumber, tx.client);
        if (current?.role !== 'assistant') throw noMessage();
        const message = await store.annotate(tx, input.sessionId, input.sequenceNumber, {
          metadata: { rating: input.rating },
        });
        if (message === null) throw noMessage();
        await events.append(tx, input.sessionId, [
          { kind: 'message-updated', sequenceNumbers: [input.sequenceNumber], changes: { metadata: message.metadata } },
        ]);
        return message;
      });
    },

    /**
     * Moves old rows to the archive, a batch at a time, until the hot table holds at most its window. What `exceptions` answers
     * stays: what a compression took out and can still give back. Most sessions never grow so long, and are not asked.
     */
    async archiveOld(sessionId: string, exceptions: () => Promise<readonly number[]>): Promise<number> {
      if ((await store.lastSequence(sessionId)) <= hotWindow) return 0;
      const options = { keep: hotWindow, limit: ARCHIVE_BATCH, exceptSequences: await exceptions() };
      let total = 0;
      for (;;) {
        const moved = await unitOfWork.run((tx) => store.archive(tx, sessionId, options));
        total += moved;
        if (moved < ARCHIVE_BATCH) return total;
      }
    },

    // For the services above.
    append,
    appendAndTell,
    refreshListing,
    openBranch: branches.open,
    /** Makes a branch and everything before it current. Null when the session has no such branch. */
    async selectBranch(tx: Transaction, sessionId: string, branchId: number): Promise<{ tipBranchId: number } | null> {
      const selected = await branches.select(tx, sessionId, branchId);
      if (selected !== null) await store.unarchiveContext(tx, sessionId);
      return selected;
    },
    hide: store.hide,
    annotate: store.annotate,
    find: (sessionId: string, sequenceNumber: number, tx?: Transaction) =>
      store.find(sessionId, sequenceNumber, tx?.client),
    findLast: (tx: Transaction, sessionId: string, which: Parameters<MessageStore['findLast']>[2]) =>
      store.findLast(tx.client, sessionId, which),
    /** What the model may be sent, in context order. */
    readContext: async (sessionId: string) => inContextOrder(await store.readContext(sessionId)),
    readContextIn: async (tx: Transaction, sessionId: string) =>
      inContextOrder(await store.readContext(sessionId, tx.client)),
    readSequences: (sessionId: string, sequences: readonly number[], tx?: Transaction) =>
      store.readSequences(sessionId, sequences, tx?.client),
    readSpan: store.readSpan,
    /** Displayed messages of the current branch, newest first, below `beforeSeq` or from the end. */
    readDisplayed: store.readBefore,
    readNamingFile: store.readNamingFile,
    demote: store.demote,
    promote: store.promote,
    readTurn: (tx: Transaction, sessionId: string) => store.readTurn(tx.client, sessionId),
    lastSequence: (tx: Transaction, sessionId: string) => store.lastSequence(sessionId, tx.client),
  };
}

export type MessageService = ReturnType<typeof createMessageService>;

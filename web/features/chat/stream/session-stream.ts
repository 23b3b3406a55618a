/**
 * Feeds one session's state: holds the subscription, reads pages, and hands events on in batches of a frame or more, so
 * that a fast answer paints sixty times a second at most. Knows nothing of React.
 */
import type { PagedMessage } from '../../../../server/domains/messages/schema';
import type { SessionEvent } from '../../../../server/events/topics';
import { appCodeOf } from '../../../lib/error-words';
import type { Client } from '../../../lib/trpc';
import { createFlushSchedule } from './flush-schedule';
import { chatReducer } from './reducer';
import { type ChatAction, type ChatState, initialChatState } from './state';

const PAGE_SIZE = 50;
/** The server's own limit of one page. */
const MAX_PAGE_SIZE = 200;
const MAX_RETRY_DELAY_MS = 5_000;

export type SessionChanges = Extract<SessionEvent, { kind: 'session-updated' }>['changes'];

export interface SessionStream {
  getState(): ChatState;
  subscribe(listener: () => void): () => void;
  /** Opens the subscription; the returned function closes it. May be called again afterwards. */
  start(): () => void;
  /** Reads the page above, once at a time. */
  loadOlder(): Promise<void>;
  /** Reads pages until a message is among them or the beginning is reached; answers whether it went that far. */
  loadBackTo(sequenceNumber: number): Promise<boolean>;
}

interface SessionStreamOptions {
  client: Client;
  sessionId: string;
  /** Every event, as it arrives and before it is folded in. */
  onEvent(event: SessionEvent): void;
  /** The session's own row changed (name, model, context). */
  onSessionChanges(changes: SessionChanges): void;
  /** A fresh start: whatever else is known of the session may be old. */
  onSnapshot(): void;
  /** The session is unknown to the server, or was removed. */
  onGone(): void;
}

export function createSessionStream(options: SessionStreamOptions): SessionStream {
  const { client, sessionId } = options;
  const listeners = new Set<() => void>();
  let state = initialChatState(sessionId);
  let pending: ChatAction[] = [];
  const flushes = createFlushSchedule(flush);
  /** Rises with each start and stop: answers of an earlier life are ignored. */
  let life = 0;
  let isStarted = false;
  let isLoadingOlder = false;
  let readingEpoch = -1;

  function dispatch(actions: ChatAction[]) {
    const next = actions.reduce(chatReducer, state);
    if (next === state) return;
    state = next;
    for (const listener of listeners) listener();
  }

  function flush() {
    flushes.cancel();
    const actions = pending;
    pending = [];
    dispatch(actions);
    readIfStale();
  }

  function onEvent(id: number, event: SessionEvent) {
    pending.push({ type: 'event', sessionId, id, event });
    options.onEvent(event);
    if (event.kind === 'session-updated') options.onSessionChanges(event.changes);
    if (event.kind === 'snapshot') options.onSnapshot();
    if (event.kind === 'session-removed') options.onGone();
    flushes.request();
  }

  /** Reads from the newest message back to the oldest one that is loaded, as one change of the screen. */
  async function readAll() {
    const { epoch, seenEventId: sinceEventId, messages: before } = state;
    const oldest = before[0]?.sequenceNumber ?? Number.POSITIVE_INFINITY;
    const startedIn = life;
    readingEpoch = epoch;
    dispatch([{ type: 'read-started', sessionId }]);
    try {
      let messages: PagedMessage[] = [];
      let nextBeforeSeq: number | null = null;
      const limit = Math.min(MAX_PAGE_SIZE, Math.max(PAGE_SIZE, before.length));
      do {
        const page: Awaited<ReturnType<typeof client.messages.page.query>> = await client.messages.page.query({
          sessionId,
          limit,
          ...(nextBeforeSeq === null ? {} : { beforeSeq: nextBeforeSeq }),
        });
        messages = [...(page.messages as PagedMessage[]), ...messages];
        nextBeforeSeq = page.nextBeforeSeq;
      } while (nextBeforeSeq !== null && (messages[0]?.sequenceNumber ?? 0) > oldest);
      flushPending();
      dispatch([{ type: 'page-loaded', sessionId, mode: 'replace', epoch, sinceEventId, messages, nextBeforeSeq }]);
    } catch (error) {
      dispatch([{ type: 'read-failed', sessionId }]);
      if (appCodeOf(error) === 'not-found') return options.onGone();
      readingEpoch = -1;
      await delay(1_000);
    }
    if (startedIn === life) readIfStale();
  }

  /** Events that wait for their frame are older than the page that has just arrived. */
  function flushPending() {
    if (pending.length > 0) flush();
  }

  function readIfStale() {
    if (!isStarted || state.isRemoved) return;
    if (state.loadedEpoch !== state.epoch && readingEpoch !== state.epoch) void readAll();
  }

  function start() {
    life += 1;
    isStarted = true;
    const mine = life;
    let attempt = 0;
    let unsubscribe = () => {};
    const stopWatchingKeys = flushes.start();
    const open = () => {
      if (mine !== life) return;
      const lastEventId = state.seenEventId < 0 ? null : String(state.seenEventId);
      const subscription = client.events.session.subscribe(
        { sessionId, lastEventId },
        {
          onData: (data) => {
            if (mine !== life) return;
            attempt = 0;
            // tRPC's types make `unknown` fields optional on the wire; the values are the same.
            onEvent(Number(data.id), data.data as SessionEvent);
          },
          onError: (error) => {
            if (mine !== life) return;
            if (appCodeOf(error) === 'not-found') return options.onGone();
            attempt += 1;
            setTimeout(open, Math.min(MAX_RETRY_DELAY_MS, 250 * 2 ** attempt));
          },
          // The server ended the stream (a restart, say): go on from the last id.
          onComplete: () => void setTimeout(open, 250),
        },
      );
      unsubscribe = () => subscription.unsubscribe();
    };
    open();
    readIfStale();
    return () => {
      life += 1;
      isStarted = false;
      stopWatchingKeys();
      flush();
      unsubscribe();
    };
  }

  async function loadOlder(limit = PAGE_SIZE) {
    const { nextBeforeSeq: beforeSeq, epoch, seenEventId: sinceEventId } = state;
    if (isLoadingOlder || beforeSeq === null) return;
    isLoadingOlder = true;
    dispatch([{ type: 'read-started', sessionId }]);
    try {
      const page = await client.messages.page.query({ sessionId, limit, beforeSeq });
      flushPending();
      const { nextBeforeSeq } = page;
      const messages = page.messages as PagedMessage[];
      dispatch([{ type: 'page-loaded', sessionId, mode: 'older', epoch, sinceEventId, messages, nextBeforeSeq }]);
    } catch {
      // Not reachable now: scrolling up asks again.
      dispatch([{ type: 'read-failed', sessionId }]);
    } finally {
      isLoadingOlder = false;
    }
  }

  async function loadBackTo(sequenceNumber: number) {
    const startedIn = life;
    while ((state.messages[0]?.sequenceNumber ?? 0) > sequenceNumber && state.nextBeforeSeq !== null) {
      const before = state.nextBeforeSeq;
      // The page above may be on its way already.
      if (isLoadingOlder) await delay(50);
      else await loadOlder(MAX_PAGE_SIZE);
      if (startedIn !== life) return false;
      if (state.nextBeforeSeq === before && !isLoadingOlder) return false;
    }
    return state.isLoaded;
  }

  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start,
    loadOlder: () => loadOlder(),
    loadBackTo,
  };
}

const delay = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

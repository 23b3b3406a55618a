/**
 * Feeds one session's state: holds the subscription, reads pages, and hands events on in batches of a frame or more, so
 * that a fast answer paints sixty times a second at most. Knows nothing of React.
 */
import type { Message, PagedMessage } from '../../../../server/domains/messages/schema';
import type { SessionEvent } from '../../../../server/events/topics';
import { appCodeOf } from '../../../lib/error-words';
import type { Client } from '../../../lib/trpc';
import { createFlushSchedule } from './flush-schedule';
import { isWithinReach } from './gap';
import { chatReducer } from './reducer';
import { type ChatAction, type ChatState, initialChatState } from './state';

const PAGE_SIZE = 50;
/** The server's own limit of one page. */
const MAX_PAGE_SIZE = 200;
const MAX_RETRY_DELAY_MS = 5_000;
const CLOCK_MS = 1_000;
/** Waits of 50 ms for pages that are on their way, before a place counts as out of reach: 10 s. */
const REACH_ATTEMPTS = 200;

type PageAsked = { limit: number; beforeSeq?: number; afterSeq?: number; aroundSeq?: number };

export type SessionChanges = Extract<SessionEvent, { kind: 'session-updated' }>['changes'];

export interface SessionStream {
  getState(): ChatState;
  subscribe(listener: () => void): () => void;
  /** Calls back with every batch of events, and once a second without any: what counts seconds changes in the frame of the text. */
  watchTime(listener: () => void): () => void;
  /** Opens the subscription; the returned function closes it. May be called again afterwards. */
  start(): () => void;
  /** Reads the page above, once at a time. */
  loadOlder(): Promise<void>;
  /** Reads the page around a message that is not there, however far away it is; answers whether it, or its place, is there. */
  reach(sequenceNumber: number): Promise<boolean>;
  /** Reads on behind the upper edge of the gap, once at a time. */
  loadBetween(): Promise<void>;
  /** Lets go of what is above the gap. */
  leaveGap(): void;
}

interface SessionStreamOptions {
  client: Client;
  sessionId: string;
  /** The message that the chat was just created with: shown until its page is read. */
  first?: Message | undefined;
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
  const clocks = new Set<() => void>();
  let state = initialChatState(sessionId, options.first);
  let pending: ChatAction[] = [];
  const flushes = createFlushSchedule(flush);
  /** Rises with each start and stop: answers of an earlier life are ignored. */
  let life = 0;
  let isStarted = false;
  let isLoading = false;
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
    for (const tell of clocks) tell();
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

  /** Reads what lies from before a message (null: the newest) back to `oldest`. */
  async function readBack(beforeSeq: number | null, oldest: number, limit: number) {
    let messages: PagedMessage[] = [];
    let nextBeforeSeq = beforeSeq;
    do {
      const page: Awaited<ReturnType<typeof client.messages.page.query>> = await client.messages.page.query({
        sessionId,
        limit,
        ...(nextBeforeSeq === null ? {} : { beforeSeq: nextBeforeSeq }),
      });
      messages = [...(page.messages as PagedMessage[]), ...messages];
      nextBeforeSeq = page.nextBeforeSeq;
    } while (nextBeforeSeq !== null && (messages[0]?.sequenceNumber ?? 0) > oldest);
    return { messages, nextBeforeSeq };
  }

  /** Reads from the newest message back to the oldest one that is loaded, as one change of the screen. */
  async function readAll() {
    const { epoch, seenEventId: sinceEventId, messages: before, gap } = state;
    const oldest = before[0]?.sequenceNumber ?? Number.POSITIVE_INFINITY;
    const startedIn = life;
    readingEpoch = epoch;
    dispatch([{ type: 'read-started', sessionId }]);
    try {
      const limit = Math.min(MAX_PAGE_SIZE, Math.max(PAGE_SIZE, before.length));
      const tail = await readBack(null, gap?.beforeSeq ?? oldest, limit);
      // Where the pages of both sides meet, nothing is missing any more.
      const isApart = gap !== null && (tail.messages[0]?.sequenceNumber ?? 0) > gap.afterSeq;
      const upper = isApart ? await readBack(gap.afterSeq + 1, oldest, limit) : null;
      const pages = upper === null ? tail : { ...upper, messages: [...upper.messages, ...tail.messages] };
      const edge = upper === null ? undefined : tail.messages[0];
      flushPending();
      dispatch([
        {
          type: 'page-loaded',
          sessionId,
          mode: 'replace',
          epoch,
          sinceEventId,
          ...pages,
          gap: gap === null || edge === undefined ? null : { ...gap, beforeSeq: edge.sequenceNumber },
        },
      ]);
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

  /** One page, once at a time. One that cannot be had now is asked for again by the next scroll. */
  async function load(mode: 'older' | 'around' | 'between', ask: PageAsked) {
    if (isLoading) return;
    const { epoch, seenEventId: sinceEventId } = state;
    isLoading = true;
    dispatch([{ type: 'read-started', sessionId }]);
    try {
      const page = await client.messages.page.query({ sessionId, ...ask });
      flushPending();
      const { nextBeforeSeq } = page;
      const messages = page.messages as PagedMessage[];
      const fromSeq = ask.beforeSeq ?? ask.afterSeq;
      const edge = fromSeq === undefined ? {} : { fromSeq };
      dispatch([{ type: 'page-loaded', sessionId, mode, epoch, sinceEventId, messages, nextBeforeSeq, ...edge }]);
    } catch {
      dispatch([{ type: 'read-failed', sessionId }]);
    } finally {
      isLoading = false;
    }
  }

  async function loadOlder(limit = PAGE_SIZE) {
    const { nextBeforeSeq: beforeSeq } = state;
    if (beforeSeq !== null) await load('older', { limit, beforeSeq });
  }

  async function reach(sequenceNumber: number) {
    const startedIn = life;
    for (let attempt = 0; attempt < REACH_ATTEMPTS && startedIn === life; attempt++) {
      if (isWithinReach(state, sequenceNumber)) return true;
      // The first page, or the one above, is on its way: it may bring it.
      if (isLoading || !state.isLoaded) {
        await delay(50);
        continue;
      }
      if ((state.messages[0]?.sequenceNumber ?? 0) - sequenceNumber < MAX_PAGE_SIZE && state.gap === null) {
        await loadOlder(MAX_PAGE_SIZE);
      } else await load('around', { limit: PAGE_SIZE, aroundSeq: sequenceNumber });
      if (!isWithinReach(state, sequenceNumber)) await delay(50);
    }
    return isWithinReach(state, sequenceNumber);
  }

  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    watchTime(listener) {
      clocks.add(listener);
      const timer = setInterval(flushes.request, CLOCK_MS);
      return () => {
        clearInterval(timer);
        clocks.delete(listener);
      };
    },
    start,
    loadOlder: () => loadOlder(),
    reach,
    async loadBetween() {
      if (state.gap !== null) await load('between', { limit: PAGE_SIZE, afterSeq: state.gap.afterSeq });
    },
    leaveGap: () => dispatch([{ type: 'gap-left', sessionId }]),
  };
}

const delay = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

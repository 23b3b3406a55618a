/**
 * Folds snapshot, pages and events into what a chat shows. Pure: no time, no network, no React.
 *
 * What makes it exact: events carry ascending ids and each is folded once; a snapshot replaces the live part and marks
 * the pages as stale (`epoch`); a page that was on its way while messages changed gets those changes on top; anything that
 * belongs to another session is ignored. So every order of arrival ends in the same state.
 */
import type { Message } from '../../../../server/domains/messages/schema';
import type { SessionEvent, StoredEvent } from '../../../../server/events/topics';
import { compressionFromSnapshot, foldCompression } from './compression';
import { addAround, addBetween, leaveGap } from './gap';
import { foldLive, liveFromSnapshot } from './live';
import { applyChange, isMessageOfStep, keepIdentity } from './messages';
import type { ChatAction, ChatState, LiveStep } from './state';

export function chatReducer(state: ChatState, action: ChatAction): ChatState {
  if (action.sessionId !== state.sessionId) return state;
  switch (action.type) {
    case 'event':
      return foldEvent(state, action.id, action.event);
    case 'read-started':
      return { ...state, readsInFlight: state.readsInFlight + 1 };
    case 'read-failed':
      return endRead(state);
    case 'page-loaded':
      return endRead(foldPage(state, action));
    case 'gap-left':
      return { ...state, ...leaveGap(state) };
  }
}

function endRead(state: ChatState): ChatState {
  const readsInFlight = Math.max(0, state.readsInFlight - 1);
  return { ...state, readsInFlight, changesDuringReads: readsInFlight === 0 ? [] : state.changesDuringReads };
}

type PageLoaded = Extract<ChatAction, { type: 'page-loaded' }>;

function foldPage(state: ChatState, page: PageLoaded): ChatState {
  if (page.epoch !== state.epoch) {
    // Stale as the truth, but better than an empty screen until the newer read arrives.
    if (state.isLoaded || page.mode !== 'replace') return state;
  }
  const known = addPage(state, page);
  let { messages } = known;
  for (const change of state.changesDuringReads) {
    if (change.id > page.sinceEventId) messages = applyChange(messages, change.event);
  }
  return {
    ...state,
    ...known,
    messages: page.mode === 'replace' ? keepIdentity(state.messages, messages) : messages,
    isLoaded: true,
    loadedEpoch: page.mode === 'replace' ? page.epoch : state.loadedEpoch,
  };
}

function addPage(state: ChatState, page: PageLoaded): Pick<ChatState, 'messages' | 'gap' | 'nextBeforeSeq'> {
  const { messages, gap } = state;
  switch (page.mode) {
    case 'replace':
      return { messages: page.messages, gap: page.gap ?? null, nextBeforeSeq: page.nextBeforeSeq };
    case 'older': {
      const last = page.messages.at(-1);
      // It was asked for above a place that was left meanwhile.
      if (last !== undefined && isBefore(last, messages[0]) && page.fromSeq !== state.nextBeforeSeq) return state;
      const added = page.messages.filter((message) => isBefore(message, messages[0]));
      return { messages: [...added, ...messages], gap, nextBeforeSeq: page.nextBeforeSeq };
    }
    case 'around':
      return addAround(state, page);
    case 'between':
      return page.fromSeq === gap?.afterSeq ? addBetween(state, page) : state;
  }
}

const isBefore = (message: Message, first: Message | undefined): boolean =>
  first === undefined || message.sequenceNumber < first.sequenceNumber;

function foldEvent(state: ChatState, id: number, event: SessionEvent): ChatState {
  if (event.kind === 'snapshot') {
    return {
      ...state,
      ...liveFromSnapshot(event),
      compression: compressionFromSnapshot(event),
      seenEventId: id,
      runState: event.runState,
      queue: event.queue,
      failure: null,
      epoch: state.epoch + 1,
    };
  }
  if (id <= state.seenEventId) return state;
  return foldStored({ ...state, seenEventId: id }, id, event);
}

function foldStored(state: ChatState, id: number, event: StoredEvent): ChatState {
  switch (event.kind) {
    case 'message-added':
    case 'message-updated': {
      const changed: ChatState = {
        ...state,
        messages: applyChange(state.messages, event),
        changesDuringReads: state.readsInFlight > 0 ? [...state.changesDuringReads, { id, event }] : [],
      };
      return event.kind === 'message-added'
        ? settleLive(markNewBranch(changed, state, event.message), event.message)
        : changed;
    }
    case 'branch-switched':
      return { ...state, epoch: state.epoch + 1 };
    case 'run-start': {
      const { runId, model, startedAt } = event;
      const live: LiveStep = { runId, model, startedAt, step: 0, text: '', thinking: '', retry: null };
      const compression = state.compression?.end === null ? state.compression : null;
      const lastRun = { runId, status: 'running' as const };
      return { ...state, live, tools: [], compression, runState: 'running', failure: null, lastRun };
    }
    case 'approval-answered':
      return { ...state, approvals: withoutApproval(state, event.toolCallId) };
    case 'queue-updated':
      return { ...state, queue: event.queue };
    case 'session-updated':
      return event.changes.runState === undefined ? state : { ...state, runState: event.changes.runState };
    case 'compression-start':
    case 'compression-progress':
    case 'compression-end':
      return { ...state, compression: foldCompression(state, event) };
    // The plan, its making and the files have panels and cards of their own.
    case 'files-changed':
    case 'todo-updated':
    case 'planning-status':
    case 'plan-ready':
      return state;
    case 'session-removed':
      return { ...state, isRemoved: true, live: null, tools: [], approvals: [] };
    case 'error':
      return { ...state, failure: { code: event.code, message: event.message } };
    case 'run-end':
      return {
        ...state,
        live: null,
        tools: [],
        runState: event.runState,
        lastRun: { runId: event.runId, status: event.status },
      };
    default:
      return foldLive(state, event);
  }
}

/** The first message of a branch brings no switcher along: only pages know the other versions. They are read again. */
function markNewBranch(state: ChatState, before: ChatState, message: Message): ChatState {
  const last = before.messages.findLast((other) => other.supersededBy === null);
  const isNewBranch = message.branchId !== null && message.branchId !== (last?.branchId ?? null);
  return isNewBranch && before.isLoaded ? { ...state, epoch: state.epoch + 1 } : state;
}

/** What became a message is no longer live: text and thinking of its step, or the call that it answers. */
function settleLive(state: ChatState, message: Message): ChatState {
  if (message.role === 'tool') {
    const tools = state.tools.filter((tool) => tool.toolCallId !== message.toolCallId);
    return { ...state, tools, approvals: withoutApproval(state, message.toolCallId) };
  }
  if (message.role !== 'assistant' || state.live === null || !isMessageOfStep(message, state.live)) return state;
  return { ...state, live: { ...state.live, text: '', thinking: '', retry: null } };
}

function withoutApproval(state: ChatState, toolCallId: string | null): ChatState['approvals'] {
  const others = state.approvals.filter((approval) => approval.toolCallId !== toolCallId);
  return others.length === state.approvals.length ? state.approvals : others;
}

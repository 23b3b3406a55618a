/** What a chat shows, as one value. `reducer.ts` is the only thing that makes a new one. */
import type { Compression, CompressionPhase, LiveCompression } from '../../../../server/domains/compression/schema';
import type { Message, PagedMessage, QueuedMessage } from '../../../../server/domains/messages/schema';
import type { RunState } from '../../../../server/domains/sessions/schema';
import type { Approval, RunStatus, SessionEvent, StoredEvent } from '../../../../server/events/topics';

/** The step that is being written now: what streams before its message exists. */
export interface LiveStep {
  runId: string;
  /** ISO time at which the run began; null when this tab only saw a later part. */
  startedAt: string | null;
  model: string | null;
  step: number;
  text: string;
  thinking: string;
  /** The model call failed for a passing reason and is made again. */
  retry: { attempt: number; delayMs: number; reason: string } | null;
}

/** A call whose result is not a message yet. */
export interface LiveTool {
  toolCallId: string;
  toolName: string;
  arguments: unknown;
  startedAt: string | null;
  progress: string | null;
  /** Set between the result and its message. */
  status: string | null;
}

/** The compression that is under way, or the last one that ended without leaving a card among the messages. */
export interface CompressionInView {
  facts: LiveCompression;
  /** Null until it is told. */
  progress: { phase: CompressionPhase; attempt: number; part: number | null; parts: number | null } | null;
  end: Compression | null;
  /** It is a run of its own: no answer is being written meanwhile. */
  isBetweenTurns: boolean;
}

/** Sequence numbers of the messages at its edges: the last before it, the first behind it. */
export interface Gap {
  afterSeq: number;
  beforeSeq: number;
}

export interface ChatState {
  sessionId: string;
  /** Ascending by sequence, from the oldest one that was read to the newest; nothing is missing in between but the `gap`. */
  messages: readonly PagedMessage[];
  /** What was not read between a place that somebody was taken to and the newest messages. */
  gap: Gap | null;
  /** Cursor of the page above; null when the beginning is here. */
  nextBeforeSeq: number | null;
  isLoaded: boolean;
  /** Highest event id that is folded in. */
  seenEventId: number;
  live: LiveStep | null;
  tools: readonly LiveTool[];
  /** Calls that wait for a person. They can outlive the run that asked. */
  approvals: readonly Approval[];
  queue: readonly QueuedMessage[];
  compression: CompressionInView | null;
  runState: RunState;
  lastRun: { runId: string; status: RunStatus } | null;
  /** A failure that left no message behind. */
  failure: { code: string; message: string } | null;
  isRemoved: boolean;
  /** Rises when what was read from pages can no longer be trusted. A page read under an older epoch is refused. */
  epoch: number;
  /** The epoch under which `messages` was read. */
  loadedEpoch: number;
  readsInFlight: number;
  /** Changes of messages that arrived while a page was on its way: they are newer than the page may be. */
  changesDuringReads: readonly { id: number; event: MessageChange }[];
}

export type MessageChange = Extract<StoredEvent, { kind: 'message-added' | 'message-updated' }>;

export type ChatAction =
  | { type: 'event'; sessionId: string; id: number; event: SessionEvent }
  | { type: 'read-started'; sessionId: string }
  | { type: 'read-failed'; sessionId: string }
  | {
      type: 'page-loaded';
      sessionId: string;
      /**
       * `replace`: everything that was loaded, again. `older`: the page above. `around`: a place far above. `between`: the
       * page behind the upper edge of the gap.
       */
      mode: 'replace' | 'older' | 'around' | 'between';
      /** `epoch` and `seenEventId` of the state when the read began. */
      epoch: number;
      sinceEventId: number;
      messages: readonly PagedMessage[];
      nextBeforeSeq: number | null;
      /** Of `older` and `between`: the edge that it was asked for. */
      fromSeq?: number;
      /** Of `replace`: the gap in what was read again. */
      gap?: Gap | null;
    }
  /** What is above the gap is let go: the reader comes from below, and reads on upwards page by page. */
  | { type: 'gap-left'; sessionId: string };

/** Nothing is known yet; but for the first message of a chat that was just created with it, whose answer is on its way. */
export function initialChatState(sessionId: string, first?: Message): ChatState {
  return {
    sessionId,
    messages: first === undefined ? [] : [{ ...first, variants: null }],
    gap: null,
    nextBeforeSeq: null,
    isLoaded: false,
    seenEventId: -1,
    live: null,
    tools: [],
    approvals: [],
    queue: [],
    compression: null,
    runState: first === undefined ? 'idle' : 'running',
    lastRun: null,
    failure: null,
    isRemoved: false,
    epoch: 0,
    loadedEpoch: -1,
    readsInFlight: 0,
    changesDuringReads: [],
  };
}

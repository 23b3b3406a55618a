/**
 * From state to the rows of the transcript. Pure. Rows that did not change keep their identity, so that only what
 * changed is painted; streamed text is not part of a row, the live row reads it by itself.
 */
import type { PagedMessage, ToolCall } from '../../../../server/domains/messages/schema';
import type { Approval } from '../../../../server/events/topics';
import { coverageOf, readMarker } from './compression';
import { isSameItem } from './item-identity';
import { isMessageOfStep } from './messages';
import type { ChatState, CompressionInView, LiveTool } from './state';

/** One call with what is known of it. `result` is its tool message. */
export interface CallView {
  call: ToolCall;
  result: PagedMessage | null;
  live: LiveTool | null;
  /** Set while the call waits for a person. */
  approval: Approval | null;
}

export type StepEntry =
  | { kind: 'call'; key: string; view: CallView }
  | { kind: 'thought'; key: string; thinking: string; thinkingMs: number | null };

export type TurnEnding = 'stopped' | 'interrupted' | 'length' | 'content-filter' | null;

/** Whether the model still reads what a row shows; where it does not, the card of the compression that took it out. */
interface Placed {
  key: string;
  isInContext: boolean;
  coveredBy: PagedMessage | null;
}

export type TranscriptItem =
  | (Placed & { kind: 'user'; message: PagedMessage })
  /** An answer's text. `message` is null while it is only live. */
  | (Placed & { kind: 'assistant'; message: PagedMessage | null })
  | (Placed & { kind: 'steps'; entries: readonly StepEntry[]; isOpenEnded: boolean })
  | (Placed & { kind: 'service'; message: PagedMessage })
  | (Placed & { kind: 'recalled'; message: PagedMessage })
  /** What a tool published or shared: the tool's message. It stands below the row of its call. */
  | (Placed & { kind: 'artifact'; message: PagedMessage })
  /** The live card and the one that it becomes share a key. `marker` is null while it is only live. */
  | {
      kind: 'compression';
      key: string;
      compressionId: string;
      marker: PagedMessage | null;
      live: CompressionInView | null;
      /** The latest in force: it can be undone. */
      isLatest: boolean;
    }
  | (Placed & {
      kind: 'foot';
      /** The turn's last answer. */
      message: PagedMessage;
      variants: PagedMessage['variants'];
      userSequence: number | null;
      /** Why the turn ended early. */
      ending: TurnEnding;
      isLast: boolean;
    })
  /** What was not read between the rows above and those below. */
  | { kind: 'gap'; key: string }
  | { kind: 'status'; key: string };

const isShown = (message: PagedMessage): boolean => message.isDisplay && message.supersededBy === null;

/** Whether the live step has something to show that is not a message yet. */
export function isLiveTextShown(state: ChatState): boolean {
  const { live, messages } = state;
  if (live === null || (live.text === '' && live.thinking === '')) return false;
  return !messages.some((message) => isMessageOfStep(message, live));
}

/** Whether a turn is under way. A compression between two turns is none: it has its card. */
export const isTurnRunning = (state: ChatState): boolean =>
  state.live !== null ||
  ((state.runState === 'running' || state.runState === 'stopping') && state.compression?.isBetweenTurns !== true);

/** Builds the rows; `before` are the rows of the previous state, whose identities are kept where nothing changed. */
export function buildItems(state: ChatState, before: readonly TranscriptItem[]): readonly TranscriptItem[] {
  const items = rows(state);
  const known = new Map(before.map((item) => [item.key, item]));
  let isSame = items.length === before.length;
  const kept = items.map((item, index) => {
    const old = known.get(item.key);
    const result = old !== undefined && isSameItem(old, item) ? old : item;
    if (result !== before[index]) isSame = false;
    return result;
  });
  return isSame ? before : kept;
}

interface Turn {
  /** Its last answer; or the record that there was none. */
  last: PagedMessage | null;
  variants: PagedMessage['variants'];
  userSequence: number | null;
  ending: TurnEnding;
}

const emptyTurn: Turn = { last: null, variants: null, userSequence: null, ending: null };

function rows(state: ChatState): TranscriptItem[] {
  const shown = state.messages.filter(isShown);
  const results = new Map<string, PagedMessage>();
  for (const message of shown) if (message.toolCallId !== null) results.set(message.toolCallId, message);
  const live = new Map(state.tools.map((tool) => [tool.toolCallId, tool]));
  const approvals = new Map(state.approvals.map((approval) => [approval.toolCallId, approval]));
  const viewOf = (call: ToolCall): CallView => ({
    call,
    result: results.get(call.id) ?? null,
    live: live.get(call.id) ?? null,
    approval: approvals.get(call.id) ?? null,
  });
  const markers = shown.filter((message) => readMarker(message) !== null);
  const latestMarker = markers.findLast((marker) => isInForce(marker)) ?? null;
  const coverOf = coverageOf(markers);
  const items: TranscriptItem[] = [];
  const placed = new Set<string>();
  /** Ids of calls come from models, and some use one twice. */
  const placedArtifacts = new Set<PagedMessage>();
  let turn: Turn = { ...emptyTurn };

  const coveredBy = (message: PagedMessage) => (message.isContext ? null : coverOf(message.sequenceNumber));

  const endTurn = (isLast: boolean) => {
    if (turn.last === null || (isLast && isTurnRunning(state))) return;
    const { last: message, variants, userSequence, ending } = turn;
    // Service lines that follow the answer (a model was switched, say) stand below its foot.
    const end = items.findLastIndex((item) => !isBetween.has(item.kind));
    items.splice(end + 1, 0, {
      kind: 'foot',
      key: `foot-${userSequence ?? message.sequenceNumber}`,
      isInContext: message.isContext,
      coveredBy: coveredBy(message),
      message,
      variants,
      userSequence,
      ending,
      isLast,
    });
  };

  let gap = state.gap;
  for (const message of shown) {
    if (gap !== null && message.sequenceNumber >= gap.beforeSeq) {
      // What stands on either side are parts of turns, each without its other half.
      items.push({ kind: 'gap', key: 'gap' });
      turn = { ...emptyTurn };
      gap = null;
    }
    const place = { key: keyOf(message), isInContext: message.isContext, coveredBy: coveredBy(message) };
    const marked = readMarker(message);
    if (message.role === 'user' && !message.isSummary) {
      endTurn(false);
      turn = { ...emptyTurn, userSequence: message.sequenceNumber };
      items.push({ kind: 'user', ...place, message });
    } else if (message.role === 'assistant') {
      turn.last = message;
      turn.ending = endingOf(message);
      // The switcher belongs to the first message of a branch, which may be a step; it stands at the end of the turn.
      turn.variants ??= message.variants;
      const calls = message.toolCalls ?? [];
      const hasText = message.content.trim() !== '' || message.metadata.error !== undefined;
      if (hasText || (message.thinking !== null && message.thinking !== '' && calls.length === 0)) {
        items.push({ kind: 'assistant', ...place, message });
      }
      const entries: StepEntry[] = [];
      if (!hasText && calls.length > 0 && message.thinking !== null && message.thinking.trim() !== '') {
        const thinkingMs = message.metadata.thinkingMs ?? null;
        entries.push({
          kind: 'thought',
          key: `thought-${message.sequenceNumber}`,
          thinking: message.thinking,
          thinkingMs,
        });
      }
      for (const call of calls) {
        placed.add(call.id);
        entries.push({ kind: 'call', key: call.id, view: viewOf(call) });
      }
      addEntries(items, entries, place);
      for (const { id } of calls) {
        const result = results.get(id);
        if (result?.metadata.artifact === undefined || placedArtifacts.has(result)) continue;
        placedArtifacts.add(result);
        const { isContext: isInContext } = result;
        items.push({
          kind: 'artifact',
          key: `artifact-${result.sequenceNumber}`,
          message: result,
          isInContext,
          coveredBy: coveredBy(result),
        });
      }
    } else if (marked !== null) {
      const live = state.compression?.facts.compressionId === marked.id ? state.compression : null;
      const isLatest = message === latestMarker;
      items.push({ ...compressionItem(marked.id), marker: message, live, isLatest });
    } else if (message.metadata.source === 'memory_recall') {
      items.push({ kind: 'recalled', ...place, message });
    } else if (message.role === 'system' && isEndingRecord(message)) {
      turn.last ??= message;
      turn.ending = message.metadata.source === 'stopped' ? 'stopped' : 'interrupted';
    } else if (message.role === 'system' || (message.role === 'user' && message.isSummary)) {
      items.push({ kind: 'service', ...place, message });
    }
  }

  if (isLiveTextShown(state) && state.live !== null) {
    const key = `step-${state.live.runId}-${state.live.step}`;
    items.push({ kind: 'assistant', key, message: null, isInContext: true, coveredBy: null });
  }
  // Calls whose message is not here: it comes with the next event, or its page is on the way.
  const open = new Map<string, ToolCall>();
  for (const { toolCallId: id, toolName: name, arguments: args } of [...state.approvals, ...state.tools]) {
    if (!placed.has(id)) open.set(id, { id, name, arguments: args });
  }
  const openEntries = [...open.values()].map((call) => ({ kind: 'call' as const, key: call.id, view: viewOf(call) }));
  addEntries(items, openEntries, { isInContext: true, coveredBy: null });
  const { compression } = state;
  if (compression !== null && isCardOpen(compression, markers)) {
    items.push({
      ...compressionItem(compression.facts.compressionId),
      marker: null,
      live: compression,
      isLatest: false,
    });
  }
  endTurn(true);
  if (isTurnRunning(state) || state.failure !== null || isInterruptedBare(state, turn.last)) {
    items.push({ kind: 'status', key: 'status' });
  }
  return withUniqueKeys(markOpenEnded(items, isTurnRunning(state)));
}

/** Ids of calls come from models, and some use one twice: two rows under one key would be painted over each other. */
function withUniqueKeys(items: TranscriptItem[]): TranscriptItem[] {
  const counts = new Map<string, number>();
  const unique = <Keyed extends { key: string }>(keyed: Keyed): Keyed => {
    const count = (counts.get(keyed.key) ?? 0) + 1;
    counts.set(keyed.key, count);
    return count === 1 ? keyed : { ...keyed, key: `${keyed.key}~${count}` };
  };
  return items.map((item) => unique(item.kind === 'steps' ? { ...item, entries: item.entries.map(unique) } : item));
}

/** What may stand between two turns: the foot of a turn stands above it. */
const isBetween: ReadonlySet<TranscriptItem['kind']> = new Set(['service', 'compression']);

const compressionItem = (compressionId: string) => ({
  kind: 'compression' as const,
  key: `compression-${compressionId}`,
  compressionId,
});

function isInForce(marker: PagedMessage): boolean {
  const compression = readMarker(marker);
  return compression?.status === 'done' && compression.undoneAt === null;
}

/** Whether a card stands at the end: while it runs, and when it came to nothing and left no card among the messages. */
function isCardOpen({ facts, end }: CompressionInView, markers: readonly PagedMessage[]): boolean {
  if (markers.some((marker) => readMarker(marker)?.id === facts.compressionId)) return false;
  return end === null || (end.status === 'failed' && end.markerSequence === null);
}

/** The quiet record of a run that ended before it said anything more. */
const isEndingRecord = (message: PagedMessage): boolean =>
  message.metadata.source === 'stopped' || message.metadata.source === 'interrupted';

function endingOf({ metadata }: PagedMessage): TurnEnding {
  // A failure has its own card, which says more.
  if (metadata.error !== undefined) return null;
  return metadata.interrupted ? 'interrupted' : metadata.stopped ? 'stopped' : (metadata.cutBy ?? null);
}

/** Interrupted before anything of the answer was kept: the status row offers to go on. */
function isInterruptedBare(state: ChatState, last: PagedMessage | null): boolean {
  return state.runState === 'interrupted' && last === null && state.approvals.length === 0;
}

/** The live step and the message that it becomes share a key: the row stays, nothing flickers. */
function keyOf(message: PagedMessage): string {
  const { runId, step } = message.metadata;
  return message.role === 'assistant' && runId !== undefined && step !== undefined
    ? `step-${runId}-${step}`
    : `message-${message.sequenceNumber}`;
}

/** Consecutive calls are one row of steps; text between them starts another. */
function addEntries(items: TranscriptItem[], entries: readonly StepEntry[], place: Omit<Placed, 'key'>): void {
  const first = entries[0];
  if (first === undefined) return;
  const last = items.at(-1);
  if (last?.kind === 'steps') {
    items[items.length - 1] = {
      ...last,
      entries: [...last.entries, ...entries],
      isInContext: last.isInContext && place.isInContext,
      coveredBy: last.coveredBy ?? place.coveredBy,
    };
    return;
  }
  items.push({ kind: 'steps', key: `steps-${first.key}`, entries, ...place, isOpenEnded: false });
}

/** More may still join the last row of steps while the run goes on. */
function markOpenEnded(items: TranscriptItem[], isLive: boolean): TranscriptItem[] {
  const at = items.findLastIndex((item) => item.kind !== 'status');
  const last = items[at];
  if (isLive && last?.kind === 'steps') items[at] = { ...last, isOpenEnded: true };
  return items;
}

/**
 * From state to the rows of the transcript. Pure. Rows that did not change keep their identity, so that only what
 * changed is painted; streamed text is not part of a row, the live row reads it by itself.
 */
import type { PagedMessage, ToolCall } from '../../../../server/domains/messages/schema';
import type { Approval } from '../../../../server/events/topics';
import { isMessageOfStep } from './reducer';
import type { ChatState, LiveTool } from './state';

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

export type TurnEnding = 'stopped' | 'interrupted' | null;

export type TranscriptItem =
  | { kind: 'user'; key: string; message: PagedMessage; isInContext: boolean }
  /** An answer's text. `message` is null while it is only live. */
  | { kind: 'assistant'; key: string; message: PagedMessage | null; isInContext: boolean }
  | { kind: 'steps'; key: string; entries: readonly StepEntry[]; isInContext: boolean; isOpenEnded: boolean }
  | { kind: 'service'; key: string; message: PagedMessage; isInContext: boolean }
  | {
      kind: 'foot';
      key: string;
      /** The turn's last answer. */
      message: PagedMessage;
      variants: PagedMessage['variants'];
      userSequence: number | null;
      /** Why the turn ended early. */
      ending: TurnEnding;
      isLast: boolean;
    }
  | { kind: 'status'; key: string };

const isShown = (message: PagedMessage): boolean => message.isDisplay && message.supersededBy === null;

/** Whether the live step has something to show that is not a message yet. */
export function isLiveTextShown(state: ChatState): boolean {
  const { live, messages } = state;
  if (live === null || (live.text === '' && live.thinking === '')) return false;
  return !messages.some((message) => isMessageOfStep(message, live));
}

const isRunning = (state: ChatState): boolean =>
  state.live !== null || state.runState === 'running' || state.runState === 'stopping';

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
  const items: TranscriptItem[] = [];
  const placed = new Set<string>();
  let turn: Turn = { ...emptyTurn };

  const endTurn = (isLast: boolean) => {
    if (turn.last === null || (isLast && isRunning(state))) return;
    const { last: message, variants, userSequence, ending } = turn;
    // Service lines that follow the answer (a model was switched, say) stand below its foot.
    const end = items.findLastIndex((item) => item.kind !== 'service');
    items.splice(end + 1, 0, {
      kind: 'foot',
      key: `foot-${userSequence ?? message.sequenceNumber}`,
      message,
      variants,
      userSequence,
      ending,
      isLast,
    });
  };

  for (const message of shown) {
    const isInContext = message.isContext;
    const key = keyOf(message);
    if (message.role === 'user' && !message.isSummary) {
      endTurn(false);
      turn = { ...emptyTurn, userSequence: message.sequenceNumber };
      items.push({ kind: 'user', key, message, isInContext });
    } else if (message.role === 'assistant') {
      turn.last = message;
      turn.ending = endingOf(message);
      // The switcher belongs to the first message of a branch, which may be a step; it stands at the end of the turn.
      turn.variants ??= message.variants;
      const calls = message.toolCalls ?? [];
      const hasText = message.content.trim() !== '' || message.metadata.error !== undefined;
      if (hasText || (message.thinking !== null && message.thinking !== '' && calls.length === 0)) {
        items.push({ kind: 'assistant', key, message, isInContext });
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
      addEntries(items, entries, isInContext);
    } else if (message.role === 'system' && isEndingRecord(message)) {
      turn.last ??= message;
      turn.ending = message.metadata.source === 'stopped' ? 'stopped' : 'interrupted';
    } else if (message.role === 'system' || (message.role === 'user' && message.isSummary)) {
      items.push({ kind: 'service', key, message, isInContext });
    }
  }

  if (isLiveTextShown(state) && state.live !== null) {
    const key = `step-${state.live.runId}-${state.live.step}`;
    items.push({ kind: 'assistant', key, message: null, isInContext: true });
  }
  // Calls whose message is not here: it comes with the next event, or its page is on the way.
  const open = new Map<string, ToolCall>();
  for (const { toolCallId: id, toolName: name, arguments: args } of [...state.approvals, ...state.tools]) {
    if (!placed.has(id)) open.set(id, { id, name, arguments: args });
  }
  const openEntries = [...open.values()].map((call) => ({ kind: 'call' as const, key: call.id, view: viewOf(call) }));
  addEntries(items, openEntries, true);
  endTurn(true);
  if (isRunning(state) || state.failure !== null || isInterruptedBare(state, turn.last)) {
    items.push({ kind: 'status', key: 'status' });
  }
  return markOpenEnded(items, isRunning(state));
}

/** The quiet record of a run that ended before it said anything more. */
const isEndingRecord = (message: PagedMessage): boolean =>
  message.metadata.source === 'stopped' || message.metadata.source === 'interrupted';

function endingOf({ metadata }: PagedMessage): TurnEnding {
  // A failure has its own card, which says more.
  if (metadata.error !== undefined) return null;
  return metadata.interrupted ? 'interrupted' : metadata.stopped ? 'stopped' : null;
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
function addEntries(items: TranscriptItem[], entries: readonly StepEntry[], isInContext: boolean): void {
  const first = entries[0];
  if (first === undefined) return;
  const last = items.at(-1);
  if (last?.kind === 'steps') {
    items[items.length - 1] = {
      ...last,
      entries: [...last.entries, ...entries],
      isInContext: last.isInContext && isInContext,
    };
    return;
  }
  items.push({ kind: 'steps', key: `steps-${first.key}`, entries, isInContext, isOpenEnded: false });
}

/** More may still join the last row of steps while the run goes on. */
function markOpenEnded(items: TranscriptItem[], isLive: boolean): TranscriptItem[] {
  const at = items.findLastIndex((item) => item.kind !== 'status');
  const last = items[at];
  if (isLive && last?.kind === 'steps') items[at] = { ...last, isOpenEnded: true };
  return items;
}

function isSameItem(a: TranscriptItem, b: TranscriptItem): boolean {
  if (a.kind === 'steps' && b.kind === 'steps') {
    return (
      a.isInContext === b.isInContext &&
      a.isOpenEnded === b.isOpenEnded &&
      a.entries.length === b.entries.length &&
      a.entries.every((entry, index) => isSameEntry(entry, b.entries[index]))
    );
  }
  return isShallowEqual(a, b);
}

function isSameEntry(a: StepEntry, b: StepEntry | undefined): boolean {
  if (b === undefined) return false;
  if (a.kind === 'call' && b.kind === 'call') return isShallowEqual(a.view, b.view);
  return isShallowEqual(a, b);
}

function isShallowEqual(a: object, b: object): boolean {
  const left = Object.entries(a);
  const right = b as Record<string, unknown>;
  return left.length === Object.keys(b).length && left.every(([key, value]) => Object.is(value, right[key]));
}

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message, PagedMessage } from '../../../../server/domains/messages/schema';
import type { Snapshot, StoredEvent } from '../../../../server/events/topics';
import { createPagedMessage } from '../../../testing/messages';
import { chatReducer } from './reducer';
import { type ChatAction, type ChatState, initialChatState } from './state';

const SESSION = 'a';

const message = (sequenceNumber: number, changes: Partial<Message> = {}): PagedMessage =>
  createPagedMessage(sequenceNumber, { content: `message ${sequenceNumber}`, ...changes });

const added = (sequenceNumber: number, changes: Partial<Message> = {}): StoredEvent => {
  const { variants: _, ...plain } = message(sequenceNumber, changes);
  return { kind: 'message-added', message: plain };
};
const delta = (step: number, text: string): StoredEvent => ({ kind: 'text-delta', runId: 'r', step, text });
const runStart: StoredEvent = {
  kind: 'run-start',
  runId: 'r',
  model: 'demo/agent',
  startedAt: '2026-01-01T00:00:00.000Z',
};
const runEnd: StoredEvent = { kind: 'run-end', runId: 'r', status: 'done', turnEnd: null, runState: 'idle' };
const call = { toolCallId: 't1', toolName: 'read_file', arguments: { path: 'a.md' } };

/** A whole turn: what the log of a session holds, in order. Event n has id n + 1. */
const log: StoredEvent[] = [
  added(1, { content: 'look around' }),
  runStart,
  { kind: 'step-start', runId: 'r', step: 1 },
  { kind: 'thinking-delta', runId: 'r', step: 1, text: 'hm ' },
  delta(1, 'I '),
  delta(1, 'look.'),
  added(2, { role: 'assistant', content: 'I look.', metadata: { runId: 'r', step: 1 } }),
  { kind: 'tool-call', runId: 'r', step: 1, ...call, startedAt: '2026-01-01T00:00:01.000Z' },
  { kind: 'approval-asked', runId: 'r', step: 1, approval: { ...call, risk: 'read' } },
  {
    kind: 'queue-updated',
    queue: [{ queuedId: 'q', text: 'next', fileIds: [], createdAt: '2026-01-01T00:00:01.000Z' }],
  },
  { kind: 'approval-answered', toolCallId: 't1', decision: 'approved' },
  { kind: 'tool-progress', runId: 'r', step: 1, toolCallId: 't1', text: 'half' },
  added(3, { role: 'tool', toolCallId: 't1', name: 'read_file', content: 'text' }),
  { kind: 'tool-result', runId: 'r', step: 1, toolCallId: 't1', status: 'done' },
  { kind: 'step-start', runId: 'r', step: 2 },
  delta(2, 'There '),
  { kind: 'message-updated', sequenceNumbers: [1, 2], changes: { isContext: false } },
  delta(2, 'is one file.'),
  added(4, { role: 'assistant', content: 'There is one file.', metadata: { runId: 'r', step: 2 } }),
  { kind: 'message-updated', sequenceNumbers: [4], changes: { tokenCount: 12 } },
  { kind: 'queue-updated', queue: [] },
  { kind: 'session-updated', changes: { runState: 'idle' } },
  runEnd,
];

const fold = (state: ChatState, ...actions: ChatAction[]) => actions.reduce(chatReducer, state);
const event = (id: number, of: StoredEvent | Snapshot, sessionId = SESSION): ChatAction => ({
  type: 'event',
  sessionId,
  id,
  event: of,
});

/** The server at one point of the log: what a page and a snapshot read then would say. */
function serverAt(count: number): { messages: PagedMessage[]; snapshot: Snapshot } {
  let messages: PagedMessage[] = [];
  let state = { ...initialChatState(SESSION), isLoaded: true };
  log.slice(0, count).forEach((of, index) => {
    if (of.kind === 'message-added') messages.push({ ...of.message, variants: null });
    if (of.kind === 'message-updated') {
      messages = messages.map((m) => (of.sequenceNumbers.includes(m.sequenceNumber) ? { ...m, ...of.changes } : m));
    }
    state = fold(state, event(index + 1, of));
  });
  const { live, tools, approvals, queue, runState } = state;
  const toolCalls = tools
    .filter((tool) => tool.status === null)
    .map(({ toolCallId, toolName, arguments: args, startedAt }) => ({
      toolCallId,
      toolName,
      arguments: args,
      startedAt: startedAt ?? '',
    }));
  const run = live && {
    runId: live.runId,
    startedAt: live.startedAt ?? '',
    model: live.model ?? '',
    step: live.step,
    text: live.text,
    thinking: live.thinking,
    toolCalls,
  };
  const lastSequence = messages.at(-1)?.sequenceNumber ?? 0;
  return {
    messages,
    snapshot: { kind: 'snapshot', lastSequence, runState, run, approvals: [...approvals], queue: [...queue] },
  };
}

const snapshotAt = (count: number) => event(count, serverAt(count).snapshot);

/** A client that reads one page whenever its pages are stale, and gets the answer some events later. */
function play(steps: { kind: 'events' | 'reload' | 'repeat'; by: number; pageDelay: number }[]): ChatState {
  let state = initialChatState(SESSION);
  let at = 0;
  let reads: { epoch: number; since: number; readAt: number; due: number }[] = [];
  const settle = (isAll: boolean) => {
    for (const read of reads.filter((one) => isAll || one.due <= at)) {
      const { messages } = serverAt(read.readAt);
      const page = {
        mode: 'replace' as const,
        epoch: read.epoch,
        sinceEventId: read.since,
        messages,
        nextBeforeSeq: null,
      };
      state = fold(state, { type: 'page-loaded', sessionId: SESSION, ...page });
      reads = reads.filter((one) => one !== read);
    }
  };
  const readIfStale = (delay: number) => {
    if (state.loadedEpoch === state.epoch || reads.some((read) => read.epoch === state.epoch)) return;
    // The server may be ahead of the events that have arrived.
    const readAt = Math.min(log.length, at + (delay % 3));
    reads.push({ epoch: state.epoch, since: state.seenEventId, readAt, due: at + delay });
    state = fold(state, { type: 'read-started', sessionId: SESSION });
  };
  const advance = (to: number, delay: number) => {
    for (; at < to; at++) {
      const next = log[at];
      if (next !== undefined) state = fold(state, event(at + 1, next));
      readIfStale(delay);
      settle(false);
    }
  };
  state = fold(state, snapshotAt(0));
  readIfStale(steps[0]?.pageDelay ?? 0);
  for (const { kind, by, pageDelay } of steps) {
    if (kind === 'events') advance(Math.min(log.length, at + by), pageDelay);
    if (kind === 'reload') {
      // A cursor that is too old: the stream starts afresh, further on.
      at = Math.min(log.length, at + by);
      state = fold(state, snapshotAt(at));
      readIfStale(pageDelay);
    }
    if (kind === 'repeat') {
      // A reconnect that delivers again what was seen already.
      for (let id = Math.max(1, at - by); id <= at; id++) {
        const again = log[id - 1];
        if (again !== undefined) state = fold(state, event(id, again));
      }
    }
  }
  advance(log.length, 1);
  settle(true);
  readIfStale(0);
  settle(true);
  return state;
}

const shownOf = ({ messages, live, tools, approvals, queue, runState }: ChatState) => ({
  messages,
  live,
  tools,
  approvals,
  queue,
  runState,
});

describe('chatReducer', () => {
  it('ends in the same state whatever the order of pages, snapshots, reconnects and repeats', () => {
    const truth = serverAt(log.length);
    const expected = {
      messages: truth.messages,
      live: null,
      tools: [],
      approvals: [],
      queue: truth.snapshot.queue,
      runState: 'idle',
    };
    const step = fc.record({
      kind: fc.constantFrom('events' as const, 'events' as const, 'reload' as const, 'repeat' as const),
      by: fc.nat({ max: 8 }),
      pageDelay: fc.nat({ max: 12 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 14 }), (steps) => {
        expect(shownOf(play(steps))).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  it('shows the text from its first character after a reload at every point of a stream', () => {
    for (let cut = 0; cut <= log.length; cut++) {
      let whole = initialChatState(SESSION);
      log.slice(0, cut).forEach((of, index) => {
        whole = fold(whole, event(index + 1, of));
      });
      const reloaded = fold(initialChatState(SESSION), snapshotAt(cut));
      expect(reloaded.live?.text ?? '').toBe(whole.live?.text ?? '');
      expect(reloaded.live?.thinking ?? '').toBe(whole.live?.thinking ?? '');
      expect(reloaded.approvals).toEqual(whole.approvals);
    }
  });

  it('folds each event once, however often a reconnect or a second mount delivers it', () => {
    const once = fold(initialChatState(SESSION), snapshotAt(3), event(4, delta(1, 'a')), event(5, delta(1, 'b')));
    const repeated = fold(once, event(4, delta(1, 'a')), event(5, delta(1, 'b')));
    const mountedAgain = fold(repeated, snapshotAt(3), event(4, delta(1, 'a')), event(5, delta(1, 'b')));
    expect(once.live?.text).toBe('ab');
    expect(repeated).toBe(once);
    expect(mountedAgain.live?.text).toBe('ab');
  });

  it('ignores late events of another session', () => {
    const before = fold(initialChatState(SESSION), snapshotAt(3));
    expect(fold(before, event(99, delta(1, 'from b'), 'b'))).toBe(before);
  });

  it('replaces the live text by its message in one change, without a moment of both or neither', () => {
    const streaming = fold(initialChatState(SESSION), snapshotAt(6));
    const next = log[6];
    if (next === undefined) throw new Error('the log is shorter than this test thinks');
    const after = fold(streaming, event(7, next));
    expect(streaming.live?.text).toBe('I look.');
    expect(after.live?.text).toBe('');
    expect(after.messages.at(-1)?.content).toBe('I look.');
  });

  it('reads its pages again after a branch was switched, and refuses a page that was asked for before', () => {
    const page = { mode: 'replace' as const, sinceEventId: 0, nextBeforeSeq: null };
    const loaded = fold(initialChatState(SESSION), snapshotAt(0), {
      type: 'page-loaded',
      sessionId: SESSION,
      ...page,
      epoch: 1,
      messages: [message(1)],
    });
    const switched = fold(loaded, event(1, { kind: 'branch-switched', branchId: 2, lastSequence: 5 }));
    expect(switched.epoch).not.toBe(switched.loadedEpoch);
    const stale = { type: 'page-loaded' as const, sessionId: SESSION, ...page, epoch: 1, messages: [message(9)] };
    expect(fold(switched, stale).messages).toEqual(loaded.messages);
    expect(fold(switched, { ...stale, epoch: 2 }).messages.map((m) => m.sequenceNumber)).toEqual([9]);
  });

  it('keeps an approval open when the run that asked for it is interrupted', () => {
    const asked = fold(initialChatState(SESSION), snapshotAt(9));
    const interrupted = fold(
      asked,
      event(10, { ...runEnd, status: 'interrupted', runState: 'interrupted' } as StoredEvent),
    );
    expect(interrupted.live).toBeNull();
    expect(interrupted.approvals.map((approval) => approval.toolCallId)).toEqual(['t1']);
  });

  it('adds an older page above without touching what is there', () => {
    const loaded = fold(initialChatState(SESSION), {
      type: 'page-loaded',
      sessionId: SESSION,
      mode: 'replace',
      epoch: 0,
      sinceEventId: -1,
      messages: [message(51), message(52)],
      nextBeforeSeq: 51,
    });
    const both = fold(loaded, {
      type: 'page-loaded',
      sessionId: SESSION,
      mode: 'older',
      epoch: 0,
      sinceEventId: -1,
      messages: [message(49), message(50), message(51)],
      nextBeforeSeq: null,
    });
    expect(both.messages.map((m) => m.sequenceNumber)).toEqual([49, 50, 51, 52]);
    expect(both.messages[2]).toBe(loaded.messages[0]);
  });
});

import { describe, expect, it } from 'vitest';
import type { Compression } from '../../../../server/domains/compression/schema';
import type { PagedMessage } from '../../../../server/domains/messages/schema';
import type { SessionEvent, StoredEvent } from '../../../../server/events/topics';
import { createPagedMessage } from '../../../testing/messages';
import { coverageOf } from './compression';
import { buildItems, isTurnRunning } from './items';
import { chatReducer } from './reducer';
import { type ChatState, initialChatState } from './state';

const AT = '2026-01-01T00:00:00.000Z';
const at = (sequenceNumber: number, changes: Partial<PagedMessage> = {}): PagedMessage =>
  createPagedMessage(sequenceNumber, { content: 'text', ...changes });
const answer = (sequenceNumber: number, changes: Partial<PagedMessage> = {}) =>
  at(sequenceNumber, { role: 'assistant', ...changes });

const facts = {
  compressionId: 'c',
  trigger: 'forced' as const,
  model: 'demo/agent',
  focus: null,
  windowTokens: 8192,
  tokensBefore: 5000,
  messagesBefore: 6,
  startedAt: AT,
};
const ended = (changes: Partial<Compression> = {}): Compression => ({
  id: 'c',
  trigger: 'forced',
  status: 'done',
  model: 'demo/agent',
  focus: null,
  method: 'summary',
  faults: [],
  reason: null,
  explanation: null,
  windowTokens: 8192,
  tokensBefore: 5000,
  tokensAfter: 1200,
  messagesBefore: 6,
  messagesAfter: 3,
  coveredCount: 4,
  coveredRanges: [[1, 4]],
  summarySequence: 7,
  markerSequence: 8,
  breadcrumbs: [],
  durationMs: 900,
  createdAt: AT,
  undoneAt: null,
  ...changes,
});
const marker = (sequenceNumber: number, of: Compression, metadata: Record<string, unknown> = {}) =>
  at(sequenceNumber, {
    role: 'system',
    isCompression: true,
    isContext: false,
    metadata: { source: 'compression', compressionId: of.id, compression: of, ...metadata },
  });
const start: StoredEvent = { kind: 'compression-start', ...facts };
const running: StoredEvent = { kind: 'session-updated', changes: { runState: 'running' } };
const plain = ({ variants: _, ...message }: PagedMessage) => message;

const history = [at(1), answer(2), at(3), answer(4), at(5), answer(6)];
const loaded: ChatState = { ...initialChatState('a'), isLoaded: true, loadedEpoch: 0, messages: history };
const fold = (state: ChatState, ...events: SessionEvent[]) =>
  events.reduce(
    (now, event) => chatReducer(now, { type: 'event', sessionId: 'a', id: now.seenEventId + 1, event }),
    state,
  );
const cards = (state: ChatState) => buildItems(state, []).filter((item) => item.kind === 'compression');

describe('a compression in the chat', () => {
  it('is one card from start to end: the live one becomes the one among the messages, under one key', () => {
    const live = fold(loaded, running, start);
    const progressed = fold(live, {
      kind: 'compression-progress',
      compressionId: 'c',
      phase: 'summarising',
      attempt: 2,
      part: 1,
      parts: 3,
    });
    const demoted = fold(progressed, {
      kind: 'message-updated',
      sequenceNumbers: [1, 2, 3, 4],
      changes: { isContext: false },
    });
    const marked = fold(demoted, { kind: 'message-added', message: plain(marker(8, ended())) });
    const done = fold(marked, { kind: 'compression-end', compressionId: 'c', compression: ended() });
    for (const state of [live, progressed, demoted, marked, done]) {
      expect(cards(state).map((card) => card.key)).toEqual(['compression-c']);
      expect(buildItems(state, []).at(-1)?.key).toBe('compression-c');
    }
    expect(progressed.compression?.progress).toEqual({ phase: 'summarising', attempt: 2, part: 1, parts: 3 });
    expect(cards(done)[0]).toMatchObject({ isLatest: true, marker: { sequenceNumber: 8 } });
  });

  it('between two turns leaves the foot of the last one where it is, and is no answer under way', () => {
    const kinds = (state: ChatState) => buildItems(state, []).map((item) => item.kind);
    const live = fold(loaded, running, start);
    expect(isTurnRunning(live)).toBe(false);
    expect(kinds(live).slice(-2)).toEqual(['foot', 'compression']);
    // It has ended, and the session is not yet told to be idle.
    const done = fold(live, { kind: 'compression-end', compressionId: 'c', compression: ended() });
    expect(isTurnRunning(done)).toBe(false);
  });

  it('in a turn stands after the question, above what the turn still shows', () => {
    const state = fold(
      { ...loaded, messages: [...history, at(7)] },
      { kind: 'run-start', runId: 'r', model: 'demo/agent', startedAt: AT },
      start,
    );
    expect(isTurnRunning(state)).toBe(true);
    expect(
      buildItems(state, [])
        .map((item) => item.kind)
        .slice(-3),
    ).toEqual(['user', 'compression', 'status']);
  });

  it('that failed without a card among the messages says so until the next turn', () => {
    const failed = ended({ status: 'failed', reason: 'cancelled', markerSequence: null, coveredRanges: [] });
    const state = fold(loaded, start, { kind: 'compression-end', compressionId: 'c', compression: failed });
    expect(cards(state)).toHaveLength(1);
    const next = fold(state, { kind: 'run-start', runId: 'r', model: 'demo/agent', startedAt: AT });
    expect(cards(next)).toHaveLength(0);
  });

  it('is there after a reload in the middle of it, and gone when the server knows of none', () => {
    const snapshot = {
      kind: 'snapshot' as const,
      lastSequence: 6,
      runState: 'running' as const,
      run: null,
      approvals: [],
      queue: [],
    };
    const there = fold(loaded, { ...snapshot, compression: facts });
    expect(cards(there)).toHaveLength(1);
    expect(isTurnRunning(there)).toBe(false);
    expect(cards(fold(there, { ...snapshot, runState: 'idle', compression: null }))).toHaveLength(0);
  });

  it('shows for each message which compression took it out, and nothing of it once that is undone', () => {
    const messages = history.map((message) => ({ ...message, isContext: message.sequenceNumber > 4 }));
    const card = marker(8, ended());
    const covers = (state: ChatState) =>
      buildItems(state, []).flatMap((item) => ('coveredBy' in item && item.kind !== 'foot' ? [item.coveredBy] : []));
    const compressed = { ...loaded, messages: [...messages, card] };
    expect(covers(compressed)).toEqual([card, card, card, card, null, null]);
    const undone = fold(
      compressed,
      { kind: 'message-updated', sequenceNumbers: [1, 2, 3, 4], changes: { isContext: true } },
      {
        kind: 'message-updated',
        sequenceNumbers: [8],
        changes: { metadata: { ...card.metadata, undoneAt: AT } },
      },
    );
    expect(covers(undone)).toEqual([null, null, null, null, null, null]);
    expect(cards(undone)[0]).toMatchObject({ isLatest: false });
  });
});

describe('coverageOf', () => {
  it('finds the right card where ranges of several compressions interleave', () => {
    const first = marker(
      10,
      ended({
        id: 'one',
        coveredRanges: [
          [1, 2],
          [5, 6],
        ],
      }),
    );
    const second = marker(
      20,
      ended({
        id: 'two',
        coveredRanges: [
          [3, 4],
          [7, 9],
          [12, 15],
        ],
      }),
    );
    const undone = marker(30, ended({ id: 'three', coveredRanges: [[16, 18]] }), { undoneAt: AT });
    const coverOf = coverageOf([first, second, undone]);
    const found = Array.from({ length: 20 }, (_, sequence) => coverOf(sequence)?.sequenceNumber ?? 0);
    expect(found).toEqual([0, 10, 10, 20, 20, 10, 10, 20, 20, 20, 0, 0, 20, 20, 20, 20, 0, 0, 0, 0]);
  });

  it('does without ranges, as cards of other versions may', () => {
    const { coveredRanges: _, ...older } = ended();
    expect(coverageOf([marker(8, older as Compression)])(1)).toBeNull();
  });
});

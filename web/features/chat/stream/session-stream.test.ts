import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createMessage } from '../../../../server/domains/messages/testing/messages';
import type { SessionEvent } from '../../../../server/events/topics';
import type { Client } from '../../../lib/trpc';
import { buildItems } from './items';
import { createSessionStream, type SessionStream } from './session-stream';

const SESSION = 'a';

interface Subscription {
  input: { sessionId: string; lastEventId: string | null };
  deliver(id: number, data: SessionEvent): void;
  fail(): void;
  isClosed: boolean;
}

/** A server's end of the subscriptions, by hand. Pages never answer: these tests are about what is live. */
function createServer() {
  const subscriptions: Subscription[] = [];
  const client = {
    events: {
      session: {
        subscribe(
          input: Subscription['input'],
          handlers: { onData(data: { id: string; data: SessionEvent }): void; onError(error: Error): void },
        ) {
          const subscription: Subscription = {
            input,
            deliver: (id, data) => handlers.onData({ id: String(id), data }),
            fail: () => handlers.onError(new Error('the connection broke')),
            isClosed: false,
          };
          subscriptions.push(subscription);
          return {
            unsubscribe() {
              subscription.isClosed = true;
            },
          };
        },
      },
    },
    messages: { page: { query: () => new Promise(() => {}) } },
  };
  return { client: client as unknown as Client, subscriptions };
}

const first = createMessage(1, { content: 'Tell me a story' });

const snapshot: SessionEvent = {
  kind: 'snapshot',
  lastSequence: 1,
  runState: 'running',
  run: {
    runId: 'r',
    startedAt: '2026-01-01T00:00:00.000Z',
    model: 'demo/agent',
    step: 1,
    text: 'Once ',
    thinking: '',
    toolCalls: [],
  },
  approvals: [],
  queue: [],
};
const delta = (text: string): SessionEvent => ({ kind: 'text-delta', runId: 'r', step: 1, text });

let server: ReturnType<typeof createServer>;
let stream: SessionStream;
let seen: string[];
const open = () => server.subscriptions.filter((one) => !one.isClosed);
const liveText = () => stream.getState().live?.text;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('window', { addEventListener: () => {}, removeEventListener: () => {} });
  vi.stubGlobal('requestAnimationFrame', (run: (at: number) => void) => setTimeout(() => run(performance.now()), 16));
  vi.stubGlobal('cancelAnimationFrame', (id: ReturnType<typeof setTimeout>) => clearTimeout(id));
  server = createServer();
  seen = [];
  stream = createSessionStream({
    client: server.client,
    sessionId: SESSION,
    onEvent: ({ kind }) => seen.push(kind),
    onSessionChanges: () => {},
    onSnapshot: () => {},
    onGone: () => {},
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('shows the message that the chat was created with before anything is read, and its answer as on its way', () => {
  const created = createSessionStream({
    client: server.client,
    sessionId: SESSION,
    first,
    onEvent: () => {},
    onSessionChanges: () => {},
    onSnapshot: () => {},
    onGone: () => {},
  });
  const rows = () => buildItems(created.getState(), []).map(({ kind, key }) => [kind, key]);
  const before = [
    ['user', 'message-1'],
    ['status', 'status'],
  ];
  expect(rows()).toEqual(before);
  created.start();
  // The log tells of it as well: it stands there once, in the same row.
  server.subscriptions[0]?.deliver(1, { kind: 'message-added', message: first });
  vi.advanceTimersByTime(100);
  expect(rows()).toEqual(before);
  // Of a chat that was there before, nothing is known yet.
  expect(buildItems(stream.getState(), [])).toEqual([]);
});

it('a strict double mount leaves one subscription, and no text twice (F06)', () => {
  const unmount = stream.start();
  const [first] = server.subscriptions;
  unmount();
  stream.start();
  const [second] = open();
  expect(open()).toHaveLength(1);
  expect(first?.isClosed).toBe(true);
  // The first one's answers were on their way already.
  for (const subscription of [first, second]) {
    subscription?.deliver(4, snapshot);
    subscription?.deliver(5, delta('upon a time'));
  }
  vi.advanceTimersByTime(300);
  expect(liveText()).toBe('Once upon a time');
  expect(seen).toEqual(['snapshot', 'text-delta']);
});

it('a mount after events goes on from the last one instead of starting over', () => {
  const unmount = stream.start();
  server.subscriptions[0]?.deliver(4, snapshot);
  server.subscriptions[0]?.deliver(5, delta('upon '));
  unmount();
  stream.start();
  expect(open().map(({ input }) => input.lastEventId)).toEqual(['5']);
  open()[0]?.deliver(6, delta('a time'));
  vi.advanceTimersByTime(300);
  expect(liveText()).toBe('Once upon a time');
});

it('a subscription that broke while its component went away is not opened again', () => {
  const unmount = stream.start();
  server.subscriptions[0]?.fail();
  unmount();
  vi.advanceTimersByTime(60_000);
  expect(server.subscriptions).toHaveLength(1);
});

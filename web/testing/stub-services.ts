/** The services behind the router, in memory. */
import { AppError } from '../../server/lib/errors';
import type { Services } from '../../server/trpc/context';
import { playTurn } from './stub-agent';
import type { StubSession, StubStore } from './stub-store';

/** What routers call; the rest of the services is for the server's own use. */
type StubServices = { [Name in 'sessions' | 'messages' | 'agent' | 'feed']: Partial<Services[Name]> };

export function createStubServices(store: StubStore): StubServices {
  const sent = new Map<string, { queuedId: string | null; runId: string | null }>();
  const get = (sessionId: string): StubSession => {
    const stored = store.sessions.get(sessionId);
    if (stored === undefined || stored.isRemoved) throw new AppError('not-found', 'This chat does not exist.');
    return stored;
  };
  const change = (stored: StubSession, changes: Parameters<StubStore['change']>[1]) => {
    store.change(stored, changes);
    return stored.session;
  };
  const queueOf = (stored: StubSession) => {
    store.emit(stored, { kind: 'queue-updated', queue: [...stored.queue] });
    return { queue: stored.queue };
  };
  return {
    sessions: {
      create: async () => store.create(crypto.randomUUID()).session,
      list: async (_person, { cursor, limit }) => {
        const all = [...store.sessions.values()]
          .filter((stored) => !stored.isRemoved && stored.session.displayMessageCount > 0)
          .map(store.listItem)
          .sort((a, b) => Number(b.pinned) - Number(a.pinned) || b.lastActive.localeCompare(a.lastActive));
        const from = Number(cursor ?? 0);
        return {
          items: all.slice(from, from + limit),
          nextCursor: from + limit < all.length ? String(from + limit) : null,
        };
      },
      get: async (_person, id) => get(id).session,
      rename: async (_person, { sessionId, name }) => change(get(sessionId), { name }),
      setPinned: async (_person, { sessionId, pinned }) => change(get(sessionId), { pinned }),
      setModel: async (_person, { sessionId, model }) => change(get(sessionId), { model }),
      remove: async (_person, id) => {
        get(id).isRemoved = true;
        store.publish({ kind: 'session-removed', sessionId: id });
        return { restorableUntil: new Date(Date.now() + 60_000).toISOString() };
      },
      restore: async (_person, id) => {
        const stored = store.sessions.get(id);
        if (stored === undefined) throw new AppError('not-found', 'This chat does not exist.');
        stored.isRemoved = false;
        return stored.session;
      },
    },
    messages: {
      page: async (_person, { sessionId, limit, beforeSeq }) => {
        const { messages } = get(sessionId);
        const older = messages.filter((message) => beforeSeq === undefined || message.sequenceNumber < beforeSeq);
        const page = older.slice(-limit);
        const first = page[0]?.sequenceNumber;
        return {
          messages: page,
          nextBeforeSeq: first !== undefined && older.length > limit ? first : null,
          nextAfterSeq: null,
        };
      },
      forkSession: async (_person, { sessionId }) => {
        const copy = store.create(crypto.randomUUID(), { name: `${get(sessionId).session.name} (copy)` });
        copy.messages = structuredClone(get(sessionId).messages);
        copy.session.displayMessageCount = copy.messages.length;
        return copy.session;
      },
      exportSession: async () => ({ fileName: 'chat.md', mimeType: 'text/markdown', content: '# Chat' }),
      rate: async () => {
        throw new AppError('internal', 'not in the stub');
      },
    },
    agent: {
      send: async (_person, { sessionId, clientMessageId, text }) => {
        const stored = get(sessionId);
        const known = sent.get(clientMessageId);
        if (known !== undefined) return { message: null, ...known };
        if (stored.run !== null) {
          stored.queue.push({ queuedId: clientMessageId, text, fileIds: [], createdAt: new Date().toISOString() });
          sent.set(clientMessageId, { queuedId: clientMessageId, runId: null });
          queueOf(stored);
          return { message: null, runId: null, queuedId: clientMessageId };
        }
        sent.set(clientMessageId, { queuedId: null, runId: 'stub' });
        const message = store.message(stored, { role: 'user', content: text });
        store.emit(stored, { kind: 'message-added', message });
        change(stored, { lastActive: new Date().toISOString() });
        void playTurn(store, stored, text);
        return { message, runId: 'stub', queuedId: null };
      },
      queue: async (_person, sessionId) => ({ queue: get(sessionId).queue }),
      cancelQueued: async (_person, { sessionId, queuedId }) => {
        const stored = get(sessionId);
        stored.queue = stored.queue.filter((message) => message.queuedId !== queuedId);
        return queueOf(stored);
      },
      editQueued: async (_person, { sessionId, queuedId, text }) => {
        const stored = get(sessionId);
        stored.queue = stored.queue.map((message) => (message.queuedId === queuedId ? { ...message, text } : message));
        return queueOf(stored);
      },
      regenerate: async () => ({ runId: 'stub' }),
      editAndResend: async () => ({ message: null, runId: null, queuedId: null }),
      selectVariant: async () => ({ lastSequence: 0 }),
      stop: async (_person, sessionId) => {
        const stored = get(sessionId);
        change(stored, { runState: 'stopping' });
        setTimeout(() => stored.abort?.abort(), 400);
        return { stopped: true, runState: 'stopping' };
      },
      resume: async (_person, sessionId) => {
        void playTurn(store, get(sessionId), '');
        return { runId: 'stub' };
      },
      approve: async (_person, { sessionId, toolCallId, decision }) => {
        const stored = get(sessionId);
        stored.approvals = [];
        store.emit(stored, { kind: 'approval-answered', toolCallId, decision });
        return { toolCallId, decision };
      },
      models: async () => ({
        connections: [
          {
            id: 'ollama',
            kind: 'ollama',
            label: 'Ollama',
            state: 'unreachable',
            reason: 'Nothing answers at this address. Is Ollama running?',
            address: 'http://127.0.0.1:11434',
            models: [],
          },
          {
            id: 'demo',
            kind: 'demo',
            label: 'Built-in demo',
            state: 'connected',
            reason: null,
            address: null,
            models: [{ id: 'demo/agent', name: 'agent', advertisedWindowTokens: 8192 }],
          },
        ],
        defaultModelId: 'demo/agent',
        isDemo: true,
        waitsFor: null,
      }),
    },
    feed: {
      async *session(_person, { sessionId, lastEventId, signal }) {
        const stored = get(sessionId);
        let seen = lastEventId === null ? stored.lastEventId : Number(lastEventId);
        if (lastEventId === null) {
          const lastSequence = stored.messages.at(-1)?.sequenceNumber ?? 0;
          const { run, approvals, queue } = structuredClone(stored);
          yield {
            id: seen,
            event: { kind: 'snapshot', lastSequence, runState: stored.session.runState, run, approvals, queue },
          };
        }
        while (!signal.aborted) {
          for (const { id, event } of stored.events.filter((entry) => entry.id > seen)) {
            seen = id;
            yield { id, event };
          }
          if (stored.lastEventId > seen) continue;
          await new Promise<void>((resolve) => {
            const wake = () => {
              stored.waiters.delete(wake);
              signal.removeEventListener('abort', wake);
              resolve();
            };
            stored.waiters.add(wake);
            signal.addEventListener('abort', wake);
          });
        }
      },
      async *user(_person, signal) {
        yield { kind: 'ready' };
        const pending: Parameters<Parameters<typeof store.userListeners.add>[0]>[0][] = [];
        let wake = () => {};
        const listener = (event: (typeof pending)[number]) => {
          pending.push(event);
          wake();
        };
        store.userListeners.add(listener);
        signal.addEventListener('abort', () => wake());
        try {
          while (!signal.aborted) {
            for (let event = pending.shift(); event !== undefined; event = pending.shift()) yield event;
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
          }
        } finally {
          store.userListeners.delete(listener);
        }
      },
    },
  };
}

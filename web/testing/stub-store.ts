/** The memory of the stub server: sessions, messages and an ordered event log with live readers. For looking at screens only. */
import type { Message, PagedMessage, QueuedMessage } from '../../server/domains/messages/schema';
import type { Session, SessionListItem } from '../../server/domains/sessions/schema';
import type { Approval, Snapshot, StoredEvent, UserEvent } from '../../server/events/topics';
import { createPagedMessage } from './messages';

export interface StubSession {
  session: Session;
  messages: PagedMessage[];
  events: { id: number; event: StoredEvent }[];
  lastEventId: number;
  run: Snapshot['run'];
  approvals: Approval[];
  queue: QueuedMessage[];
  waiters: Set<() => void>;
  isRemoved: boolean;
  abort: AbortController | null;
}

export type StubStore = ReturnType<typeof createStubStore>;

export function createStubStore() {
  const sessions = new Map<string, StubSession>();
  const userListeners = new Set<(event: UserEvent) => void>();

  const publish = (event: UserEvent) => {
    for (const listener of userListeners) listener(event);
  };

  function listItem({ session }: StubSession): SessionListItem {
    const { id, name, profileId, pinned, createdAt, lastActive, displayMessageCount, preview, opening, runState } =
      session;
    return { id, name, profileId, pinned, createdAt, lastActive, displayMessageCount, preview, opening, runState };
  }

  return {
    sessions,
    userListeners,
    publish,
    listItem,
    create(id: string, changes: Partial<Session> = {}): StubSession {
      const now = new Date().toISOString();
      const stored: StubSession = {
        session: {
          id,
          name: null,
          profileId: 'default',
          pinned: false,
          createdAt: now,
          lastActive: now,
          displayMessageCount: 0,
          preview: '',
          opening: '',
          runState: 'idle',
          userId: 'anonymous',
          parentId: null,
          model: null,
          contextTokenCount: 0,
          contextWindow: 8192,
          contextTokenSource: 'estimated',
          ...changes,
        },
        messages: [],
        events: [],
        lastEventId: 0,
        run: null,
        approvals: [],
        queue: [],
        waiters: new Set(),
        isRemoved: false,
        abort: null,
      };
      sessions.set(id, stored);
      return stored;
    },
    emit(stored: StubSession, event: StoredEvent) {
      stored.lastEventId += 1;
      stored.events.push({ id: stored.lastEventId, event });
      for (const wake of stored.waiters) wake();
    },
    message(stored: StubSession, changes: Partial<Message> & Pick<Message, 'role' | 'content'>): PagedMessage {
      const sequenceNumber = (stored.messages.at(-1)?.sequenceNumber ?? 0) + 1;
      const message = createPagedMessage(sequenceNumber, { createdAt: new Date().toISOString(), ...changes });
      stored.messages.push(message);
      stored.session.displayMessageCount += 1;
      stored.session.preview = message.content.slice(0, 120) || stored.session.preview;
      return message;
    },
    change(stored: StubSession, changes: Partial<Session>) {
      Object.assign(stored.session, changes);
      this.emit(stored, { kind: 'session-updated', changes });
      publish({ kind: 'session-updated', session: listItem(stored) });
    },
  };
}

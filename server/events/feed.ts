import type { Person } from '../lib/person';
import type { SessionEvent, UserEvent } from './topics';

export interface EventFeed {
  session(
    person: Person,
    input: { sessionId: string; lastEventId: string | null; signal: AbortSignal },
  ): AsyncIterable<{ id: number; event: SessionEvent }>;
  user(person: Person, signal: AbortSignal): AsyncIterable<UserEvent>;
}

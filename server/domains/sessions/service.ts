import type { Person } from '../../lib/person';
import type { ListSessionsInput, Session, SessionListItem } from './schema';

export interface SessionService {
  create(person: Person, input: { profileId?: string; name?: string; parentId?: string }): Promise<Session>;
  list(person: Person, input: ListSessionsInput): Promise<{ items: SessionListItem[]; nextCursor: string | null }>;
  /** Throws not-found for another person's session, and for one that was removed. */
  get(person: Person, sessionId: string): Promise<Session>;
  rename(person: Person, input: { sessionId: string; name: string }): Promise<Session>;
  setPinned(person: Person, input: { sessionId: string; pinned: boolean }): Promise<Session>;
  setModel(person: Person, input: { sessionId: string; model: string | null }): Promise<Session>;
  /** Hides the session and stops its run. `restorableUntil` is when it goes for good. */
  remove(person: Person, sessionId: string): Promise<{ restorableUntil: string }>;
  restore(person: Person, sessionId: string): Promise<Session>;
}

import type { Person } from '../../lib/person';

/** Owners see their own; sessions without an owner (legacy) are for admins (product §13). */
export function canAccessSession(person: Person, session: { userId: string | null }): boolean {
  return session.userId === null ? person.isAdmin : session.userId === person.userId;
}

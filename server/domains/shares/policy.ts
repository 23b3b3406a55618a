import { anonymous, type Person } from '../../lib/person';
import { canAccessSession } from '../sessions/policy';

/**
 * Who may make a session public (seed 004): whoever it belongs to, or an admin. With accounts off everybody is one person
 * with an admin's rights, who still does not own what belongs to accounts of earlier days (product §13).
 */
export function canShareSession(person: Person, session: { userId: string | null }): boolean {
  const isAccount = person.userId !== anonymous.userId;
  return canAccessSession(person, session) || (person.isAdmin && isAccount);
}

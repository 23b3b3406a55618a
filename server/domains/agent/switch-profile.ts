import type { UnitOfWork } from '../../database/transaction';
import type { EventLog } from '../../events/log';
import type { Person } from '../../lib/person';
import type { MessageService } from '../messages/service';
import type { ProfileService } from '../profiles/service';
import type { Session } from '../sessions/schema';
import type { SessionService } from '../sessions/service';

/** `sessions.switchProfile`: in mid-session too. A turn that is going on ends under the profile it began with. */
export function createSwitchProfile(dependencies: {
  sessions: SessionService;
  messages: MessageService;
  profiles: ProfileService;
  unitOfWork: UnitOfWork;
  events: EventLog;
  windowOf(session: { model: string | null; profileId: string }): Promise<number>;
}) {
  const { sessions, messages, profiles, unitOfWork, events, windowOf } = dependencies;

  /** Throws not-found for an unknown profile. In a session with messages it leaves one quiet line (product §2). */
  return async (person: Person, input: { sessionId: string; profileId: string }): Promise<Session> => {
    const { sessionId, profileId } = input;
    const profile = profiles.get(profileId);
    const before = await sessions.authorise(person, sessionId);
    const contextWindow = await windowOf({ ...before, profileId });
    await unitOfWork.run(async (tx) => {
      const session = await sessions.lock(tx, person, sessionId);
      if (session.profileId === profileId) return;
      await sessions.update(tx, sessionId, { profileId });
      const line = {
        role: 'system' as const,
        content: `Profile: ${profile.name}`,
        isContext: false,
        metadata: { source: 'profile_switched', profileId, profileName: profile.name },
      };
      // A line alone would make a chat in which nothing was said appear in the list.
      const appended =
        session.displayMessageCount === 0 ? { events: [] } : await messages.append(tx, sessionId, [line]);
      events.touchUser(tx, session.userId, sessionId, 'updated');
      await events.append(tx, sessionId, [
        ...appended.events,
        { kind: 'session-updated', changes: { profileId, contextWindow } },
      ]);
    });
    return sessions.get(person, sessionId);
  };
}

export type SwitchProfile = ReturnType<typeof createSwitchProfile>;

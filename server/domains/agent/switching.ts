import type { Transaction, UnitOfWork } from '../../database/transaction';
import type { EventLog } from '../../events/log';
import type { Person } from '../../lib/person';
import type { ModelRegistry } from '../../providers/types';
import type { MessageService } from '../messages/service';
import type { ProfileService } from '../profiles/service';
import type { Session } from '../sessions/schema';
import type { SessionService } from '../sessions/service';
import type { StoredSession } from '../sessions/store';

type Measured = Pick<StoredSession, 'contextTokenCount' | 'contextTokenSource'>;

/**
 * `sessions.setModel` and `sessions.switchProfile`: in mid-session too. A turn that is going on ends under what it began
 * with. In a session with messages a switch leaves one quiet line (product §2).
 */
export function createSwitching(dependencies: {
  sessions: SessionService;
  messages: MessageService;
  profiles: ProfileService;
  models: Pick<ModelRegistry, 'check'>;
  unitOfWork: UnitOfWork;
  events: EventLog;
  windowOf(session: { model: string | null; profileId: string }): Promise<number>;
  /** Size of the context that this model would be sent for the session, and where the number comes from. */
  measure(session: StoredSession): Promise<Measured>;
}) {
  const { sessions, messages, profiles, models, unitOfWork, events, windowOf, measure } = dependencies;

  async function change(
    tx: Transaction,
    session: StoredSession,
    changes: { model: string | null } | { profileId: string },
    measured: Partial<Measured> & { contextWindow: number },
    line: { content: string; metadata: { source: string; [key: string]: unknown } },
  ): Promise<void> {
    const { contextWindow, ...counted } = measured;
    await sessions.update(tx, session.id, { ...changes, ...counted });
    // A line alone would make a chat in which nothing was said appear in the list.
    const appended =
      session.displayMessageCount === 0
        ? { events: [] }
        : await messages.append(tx, session.id, [{ role: 'system', isContext: false, ...line }]);
    events.touchUser(tx, session.userId, session.id, 'updated');
    await events.append(tx, session.id, [
      ...appended.events,
      { kind: 'session-updated', changes: { ...changes, contextWindow, ...counted } },
    ]);
  }

  return {
    /**
     * `model` as `connection/model`; null follows profile and default again. Throws invalid-input for one whose connection
     * does not exist.
     */
    async setModel(
      person: Person,
      { sessionId, model }: { sessionId: string; model: string | null },
    ): Promise<Session> {
      if (model !== null) models.check(model);
      // Before the transaction: it may ask a model's endpoint, and nobody may wait for that.
      const after = { ...(await sessions.authorise(person, sessionId)), model };
      const measured = { contextWindow: await windowOf(after), ...(await measure(after)) };
      await unitOfWork.run(async (tx) => {
        const session = await sessions.lock(tx, person, sessionId);
        if (session.model === model) return;
        const content = model === null ? 'Model: default' : `Model: ${model}`;
        await change(tx, session, { model }, measured, { content, metadata: { source: 'model_switched', model } });
      });
      return sessions.get(person, sessionId);
    },

    /** Throws not-found for an unknown profile. */
    async switchProfile(person: Person, input: { sessionId: string; profileId: string }): Promise<Session> {
      const { sessionId, profileId } = input;
      const { name } = profiles.get(profileId);
      const before = await sessions.authorise(person, sessionId);
      const contextWindow = await windowOf({ ...before, profileId });
      await unitOfWork.run(async (tx) => {
        const session = await sessions.lock(tx, person, sessionId);
        if (session.profileId === profileId) return;
        const metadata = { source: 'profile_switched', profileId, profileName: name };
        await change(tx, session, { profileId }, { contextWindow }, { content: `Profile: ${name}`, metadata });
      });
      return sessions.get(person, sessionId);
    },
  };
}

export type Switching = ReturnType<typeof createSwitching>;

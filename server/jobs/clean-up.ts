/** Removes what nobody can want any more: sessions past their grace, sessions nobody spoke in, old events. */
import type { JobDefinition } from './definition';

export interface CleanUpDependencies {
  sessions: { purge(): Promise<string[]> };
  events: { prune(before: Date): Promise<number> };
  /** Deletes the files of a session that is gone. What a failure leaves is found by the clean-up of files. */
  removeFiles(sessionId: string): Promise<void>;
  now(): Date;
}

/** How long the events of an ended run can still be resumed from; an older cursor gets a snapshot. */
const EVENT_LIFETIME_MS = 60 * 60 * 1000;

export const cleanUpJob = {
  name: 'clean-up',
  cron: '* * * * *',
} as const satisfies JobDefinition;

export function createCleanUp({ sessions, events, removeFiles, now }: CleanUpDependencies) {
  return async (): Promise<void> => {
    for (;;) {
      const purged = await sessions.purge();
      if (purged.length === 0) break;
      for (const sessionId of purged) await removeFiles(sessionId);
    }
    await events.prune(new Date(now().getTime() - EVENT_LIFETIME_MS));
  };
}

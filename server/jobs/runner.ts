/** Wakes jobs by pg-boss, the same on both engines. The queue only wakes; it guarantees nothing that matters. */

import type pg from 'pg';
import PgBoss from 'pg-boss';
import type { JobDefinition, JobHandler } from './definition';

export interface JobRunner {
  close(): Promise<void>;
}

/** Seconds between looks at the queue. Nobody waits for these jobs. */
const POLLING_SECONDS = 20;

export async function startJobs(
  pool: pg.Pool,
  jobs: readonly { definition: JobDefinition; handler: JobHandler }[],
  onError: (error: unknown) => void,
): Promise<JobRunner> {
  const boss = new PgBoss({
    db: { executeSql: async (text, values) => pool.query(text, values) },
    clockMonitorIntervalMinutes: 10,
    maintenanceIntervalMinutes: 30,
    archiveCompletedAfterSeconds: 300,
    deleteAfterHours: 1,
  });
  // A look at the queue that is under way when the process ends fails on the closed pool; that is no fault.
  let isClosed = false;
  const report = (error: unknown) => {
    if (!isClosed) onError(error);
  };
  boss.on('error', report);
  await boss.start();
  for (const { definition, handler } of jobs) {
    // `short`: at most one waits, however many wake-ups were missed.
    await boss.createQueue(definition.name, {
      name: definition.name,
      policy: 'short',
      retryLimit: 0,
      expireInSeconds: 300,
    });
    await boss.schedule(definition.name, definition.cron);
    await boss.work(definition.name, { pollingIntervalSeconds: POLLING_SECONDS }, async () => {
      try {
        await handler();
      } catch (error) {
        report(error);
      }
    });
  }
  return {
    async close() {
      isClosed = true;
      await boss.stop({ graceful: false, close: false });
    },
  };
}

/** Wakes jobs by pg-boss, the same on both engines. The queue only wakes; it guarantees nothing that matters. */

import PgBoss from 'pg-boss';
import type { Database } from '../db';
import type { JobDefinition, JobHandler } from './definition';

export interface JobRunner {
  close(): Promise<void>;
}

/** Seconds between looks at the queue. Nobody waits for these jobs. */
const POLLING_SECONDS = 20;

export async function startJobs(
  database: Pick<Database, 'pool' | 'engine'>,
  jobs: readonly { definition: JobDefinition; handler: JobHandler }[],
  onError: (error: unknown) => void,
): Promise<JobRunner> {
  const boss = new PgBoss({
    db: { executeSql: async (text, values) => database.pool.query(text, values) },
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
  await oneAtATime(database, async () => {
    await boss.start();
    for (const { definition } of jobs) {
      // `short`: at most one waits, however many wake-ups were missed.
      const queue = { name: definition.name, policy: 'short', retryLimit: 0, expireInSeconds: 300 } as const;
      await boss.createQueue(definition.name, queue);
    }
  });
  for (const { definition, handler } of jobs) {
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

/** Any number that nothing else in the database locks. */
const START_LOCK = 7_203_411;

/**
 * Workers that start together would make the same tables at once and deadlock. On PostgreSQL they wait for one another; the
 * embedded engine has one process, and one backend that a waiting transaction would block.
 */
async function oneAtATime(database: Pick<Database, 'pool' | 'engine'>, work: () => Promise<void>): Promise<void> {
  if (database.engine === 'embedded') return work();
  const client = await database.pool.connect();
  // Its statements tell as well; without this the event of a connection that breaks between two of them would end the process.
  const ignore = () => {};
  client.on('error', ignore);
  try {
    await client.query('BEGIN');
    // It is silent while the tables are made over other connections.
    await client.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    await client.query('SELECT pg_advisory_xact_lock($1)', [START_LOCK]);
    await work();
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    client.removeListener('error', ignore);
    client.release();
  }
}

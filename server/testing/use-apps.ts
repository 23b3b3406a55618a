/** Apps for the tests of one file: closed after each test, with a look at what went wrong unseen. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { createDatabase, type Database } from '../db';
import type { Person } from '../lib/person';
import { createTestApp, type TestApp, type TestAppOptions } from './app';
import { createPostgresDatabase } from './database';

/** Call in a suite; answers how to open an app. Unexpected errors fail the test unless it has read (and emptied) them. */
export function useApps(getDatabase: () => Database): (options?: TestAppOptions) => Promise<TestApp> {
  const apps: TestApp[] = [];
  afterEach(async () => {
    const opened = apps.splice(0);
    await Promise.all(opened.map((app) => app.close()));
    expect(opened.flatMap((app) => app.unexpected)).toEqual([]);
  });
  return async (options = {}) => {
    const app = await createTestApp(getDatabase(), options);
    apps.push(app);
    return app;
  };
}

/**
 * Call in a suite: workers on one real PostgreSQL, each with connections of its own. `databases` holds those of every worker that
 * was opened, in their order.
 */
export function useWorkers(): {
  open: ReturnType<typeof useApps>;
  databases: readonly Database[];
  url(): string;
} {
  let place: Awaited<ReturnType<typeof createPostgresDatabase>>;
  const databases: Database[] = [];
  beforeAll(async () => {
    place = await createPostgresDatabase({ migrated: true });
  });
  afterAll(async () => {
    for (const database of databases) await database.close();
    await place.drop();
  });
  const open = useApps(() => {
    const database = createDatabase({ url: place.url, engine: 'postgres', poolSize: 6 });
    databases.push(database);
    return database;
  });
  return { open, databases, url: () => place.url };
}

/** Another person with a row of their own. */
export async function createPerson(database: Database, isAdmin = false): Promise<Person> {
  const userId = `person-${randomUUID()}`;
  await database.prisma.user.create({ data: { id: userId } });
  return { userId, isAdmin };
}

/** A lease in milliseconds within which no heartbeat and no sweep comes by itself, however slow the machine: what happens is what the test does. */
export const QUIET_LEASE_MS = 3_600_000;

/** The worker that executes a run goes down without a word: its lease runs out at once. */
export async function killOwner(database: Database, sessionId: string): Promise<void> {
  await database.pool.query(
    `UPDATE session_runs SET worker_id = 'dead', lease_expires_at = now() - interval '1 second'
     WHERE session_id = $1 AND status = 'running'`,
    [sessionId],
  );
}

/** What the transcript shows: role and text of every displayed message, oldest first. */
export async function transcript(app: TestApp, sessionId: string): Promise<[string, string][]> {
  const { messages } = await app.api.messages.page({ sessionId, limit: 200 });
  return messages.map((message) => [message.role, message.content]);
}

/** A database per test file: fresh, migrated, of either engine. */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, inject } from 'vitest';
import { startEmbedded } from '../database/embedded';
import { readMigrationFiles } from '../database/migration-files';
import { createDatabase, type Database, type DatabaseEngine } from '../db';
import { templateDatabase } from './database-setup';

export const databaseEngines: readonly DatabaseEngine[] = ['embedded', 'postgres'];

export interface TestDatabase extends Database {
  /** Empties every table. */
  reset(): Promise<void>;
}

/** Makes a migrated database nobody else uses. `close` removes it. */
export async function createTestDatabase(engine: DatabaseEngine): Promise<TestDatabase> {
  const database = engine === 'postgres' ? await createOnServer() : await createEmbedded();
  return { ...database, reset: () => emptyTables(database.pool) };
}

/**
 * Runs a suite once per engine. `getDatabase` may be called in tests and hooks. What must hold with several connections at
 * once belongs on `postgres` too: the embedded engine has one backend.
 */
export function describeEachEngine(name: string, suite: (getDatabase: () => TestDatabase) => void): void {
  describe.each(databaseEngines)(`${name} (%s)`, (engine) => {
    let database: TestDatabase | undefined;
    beforeAll(async () => {
      database = await createTestDatabase(engine);
    });
    afterAll(async () => {
      await database?.close();
    });
    suite(() => {
      if (database === undefined) throw new Error('The database exists in tests and hooks only.');
      return database;
    });
  });
}

/** Ask the one server of this run for a database of your own, e.g. to start several processes on it. */
export async function createPostgresDatabase(options: {
  migrated: boolean;
}): Promise<{ url: string; drop(): Promise<void> }> {
  const { url: serverUrl } = (await askBroker('postgres')) as { url: string };
  const name = `navi_${randomUUID().replaceAll('-', '')}`;
  const template = options.migrated ? ` TEMPLATE ${templateDatabase}` : '';
  await runOnServer(serverUrl, `CREATE DATABASE ${name}${template}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => runOnServer(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

/** A copy of the prepared folder of the embedded engine. */
export async function createEmbeddedFolder(): Promise<{ folder: string; remove(): Promise<void> }> {
  const { folder: prepared } = (await askBroker('embedded')) as { folder: string };
  const folder = await mkdtemp(join(tmpdir(), 'navi-db-'));
  await cp(prepared, folder, {
    recursive: true,
    mode: constants.COPYFILE_FICLONE,
    // Left behind when the process that prepared it was killed.
    filter: (path) => !path.endsWith('lock.sock'),
  });
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

async function createOnServer(): Promise<Database> {
  const { url, drop } = await createPostgresDatabase({ migrated: true });
  const database = createDatabase({ url, engine: 'postgres' });
  return {
    ...database,
    close: async () => {
      await database.close();
      await drop();
    },
  };
}

async function createEmbedded(): Promise<Database> {
  const { folder, remove } = await createEmbeddedFolder();
  const files = await readMigrationFiles();
  const knownMigrations = files.migrations.map((migration) => migration.name);
  const engine = await startEmbedded({ folder, knownMigrations, durable: false });
  const database = createDatabase({ url: engine.url, engine: 'embedded' });
  return {
    ...database,
    close: async () => {
      await database.close();
      await engine.close();
      await remove();
    },
  };
}

async function emptyTables(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'`,
  );
  await pool.query(`TRUNCATE ${rows.map((row) => row.name).join(', ')} RESTART IDENTITY CASCADE`);
}

function askBroker(question: DatabaseEngine): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(inject('databaseBroker'), () => socket.write(question));
    socket.on('data', (data) => {
      answer += data.toString('utf8');
    });
    socket.on('error', reject);
    socket.on('end', () => {
      const reply = JSON.parse(answer) as { error?: string };
      if (reply.error === undefined) resolve(reply);
      else reject(new Error(reply.error));
    });
  });
}

/** Copying a template fails while another copy of it begins or ends; that passes within moments. */
async function runOnServer(url: string, sql: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      await client.query(sql);
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== '55006' || attempt === 50) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    } finally {
      await client.end();
    }
  }
}

import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createPostgresDatabase } from '../testing/database';
import { migrate } from './migrate';
import { type MigrationFiles, readMigrationFiles } from './migration-files';
import { openDatabase } from './open';

async function emptyDatabase(): Promise<string> {
  const { url, drop } = await createPostgresDatabase({ migrated: false });
  onTestFinished(drop);
  return url;
}

async function rowsOf(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

async function filesWith(name: string, sql: string): Promise<MigrationFiles> {
  const files = await readMigrationFiles();
  return { ...files, migrations: [...files.migrations, { name, sql }] };
}

const messageOf = (work: Promise<unknown>) =>
  work.then(
    () => 'no error',
    (error: Error) => error.message,
  );

const open = (databaseUrl: string) => openDatabase({ databaseUrl, dataDir: '/nowhere' });

describe('migrating', () => {
  test('runs each migration once when several start at once', async () => {
    const url = await emptyDatabase();
    const names = (await readMigrationFiles()).migrations.map((migration) => migration.name);
    const results = await Promise.all(Array.from({ length: 4 }, () => migrate({ url, engine: 'postgres' })));
    expect(results.filter((result) => result.applied.length > 0).map((result) => result.applied)).toEqual([names]);
    const rows = await rowsOf(url, 'SELECT migration_name, finished_at IS NOT NULL AS done FROM _prisma_migrations');
    expect(rows).toEqual(names.map((name) => ({ migration_name: name, done: true })));
  });

  test('a migrated database is left as it is', async () => {
    const { url, drop } = await createPostgresDatabase({ migrated: true });
    onTestFinished(drop);
    expect((await migrate({ url, engine: 'postgres' })).applied).toEqual([]);
  });

  test('a migration that fails becomes one readable line, now and at the next start', async () => {
    const url = await emptyDatabase();
    const files = await filesWith('29990101000000_broken', 'ALTER TABLE no_such_table ADD COLUMN a int;');
    const first = await messageOf(migrate({ url, engine: 'postgres', files }));
    expect(first).toContain('could not be migrated to 29990101000000_broken');
    expect(first).toContain('no_such_table');
    expect(first).not.toContain('\n');
    const second = await messageOf(migrate({ url, engine: 'postgres', files }));
    expect(second).toContain('The migration 29990101000000_broken failed earlier or was cut short');
  });

  test('a database of a newer Navi is refused', async () => {
    const url = await emptyDatabase();
    await migrate({ url, engine: 'postgres', files: await filesWith('29990101000000_later', 'SELECT 1;') });
    expect(await messageOf(open(url))).toContain('newer Navi (schema 29990101000000_later)');
  });
});

describe('a database that cannot be used is told in one line, without the password:', () => {
  const lineFor = async (databaseUrl: string) => {
    const line = await messageOf(open(databaseUrl));
    expect(line).not.toContain('\n');
    expect(line).not.toContain('secret');
    return line;
  };

  test('nothing listens', async () => {
    const probe = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => probe.once('listening', resolve));
    const { port } = probe.address() as { port: number };
    await new Promise((resolve) => probe.close(resolve));
    expect(await lineFor(`postgresql://navi:secret@127.0.0.1:${port}/navi`)).toBe(
      `The database at 127.0.0.1:${port}/navi (DATABASE_URL) cannot be used: nothing listens there. Is PostgreSQL running?`,
    );
  });

  test('a wrong password', async () => {
    const url = new URL(await emptyDatabase());
    url.password = 'secret';
    expect(await lineFor(url.href)).toContain('the user or password is wrong.');
  });

  test('a database that does not exist', async () => {
    const url = new URL(await emptyDatabase());
    url.pathname = '/no_such_database';
    expect(await lineFor(url.href)).toContain('there is no such database. Create it first.');
  });
});

test('the embedded engine opens a new folder, and finds it migrated the next time', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'navi-data-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const first = await openDatabase({ databaseUrl: undefined, dataDir });
  await first.prisma.user.create({ data: { id: 'anonymous' } });
  await first.close();
  const second = await openDatabase({ databaseUrl: undefined, dataDir });
  expect(first.appliedMigrations).toEqual((await readMigrationFiles()).migrations.map((migration) => migration.name));
  expect(second.appliedMigrations).toEqual([]);
  expect(await second.prisma.user.count()).toBe(1);
  await second.close();
});

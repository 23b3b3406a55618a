/**
 * Brings a database to this program's schema. However many processes start at once, each migration runs once; a database that is
 * up to date costs one query.
 */
import pg from 'pg';
import type { DatabaseEngine } from '../db';
import { StartupError } from '../lib/startup-error';
import { type MigrationFiles, readMigrationFiles } from './migration-files';
import { applyMigrations } from './schema-engine';

/** Key of the advisory lock among starters: "navi" in ASCII. Prisma's own engine uses another (72707369) within. */
const migrationLockKey = 0x6e617669;

export interface MigrateOptions {
  url: string;
  /** On the embedded engine the folder's lock already keeps other starters out, and an open transaction would keep us out. */
  engine: DatabaseEngine;
  /** Default: `prisma/migrations` of this program. */
  files?: MigrationFiles;
}

export interface MigrateResult {
  /** Names of what was applied now. */
  applied: string[];
  /** The newest migration of the database, null when there are none. */
  schemaVersion: string | null;
}

interface MigrationRow {
  migration_name: string;
  finished_at: Date | null;
  rolled_back_at: Date | null;
}

/**
 * Applies the missing migrations. Throws a StartupError for a migration that failed, now or earlier, and for a database made by
 * a newer program; errors of the connection pass through (see `describeDatabaseError`).
 */
export async function migrate(options: MigrateOptions): Promise<MigrateResult> {
  const files = options.files ?? (await readMigrationFiles());
  const schemaVersion = files.migrations.at(-1)?.name ?? null;
  const client = new pg.Client({ connectionString: options.url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const missingAtFirst = await listMissing(client, files);
    if (missingAtFirst.length === 0) return { applied: [], schemaVersion };
    if (options.engine === 'embedded') {
      return { applied: await apply(options.url, files, missingAtFirst), schemaVersion };
    }
    // A transaction's lock, not a session's: it also holds behind a transaction pooler.
    await client.query('BEGIN');
    await client.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    await client.query('SELECT pg_advisory_xact_lock($1)', [migrationLockKey]);
    try {
      const missing = await listMissing(client, files);
      return { applied: missing.length === 0 ? [] : await apply(options.url, files, missing), schemaVersion };
    } finally {
      await client.query('ROLLBACK');
    }
  } finally {
    await client.end();
  }
}

async function listMissing(client: pg.Client, files: MigrationFiles): Promise<string[]> {
  const known = files.migrations.map((migration) => migration.name);
  const { rows: tables } = await client.query(`SELECT to_regclass('_prisma_migrations') IS NOT NULL AS found`);
  if (tables[0]?.found !== true) return known;
  const { rows } = await client.query<MigrationRow>(
    'SELECT migration_name, finished_at, rolled_back_at FROM _prisma_migrations ORDER BY started_at',
  );
  const current = rows.filter((row) => row.rolled_back_at === null);
  const failed = current.find((row) => row.finished_at === null);
  if (failed !== undefined) {
    throw new StartupError(
      `The migration ${failed.migration_name} failed earlier or was cut short. Repair the database, then mark it with "npx prisma migrate resolve".`,
    );
  }
  const unknown = current.find((row) => !known.includes(row.migration_name));
  if (unknown !== undefined) {
    throw new StartupError(
      `The database was last used by a newer Navi (schema ${unknown.migration_name}). Start that one, or use another database.`,
    );
  }
  const applied = new Set(current.map((row) => row.migration_name));
  return known.filter((name) => !applied.has(name));
}

async function apply(url: string, files: MigrationFiles, missing: string[]): Promise<string[]> {
  const pool = new pg.Pool({ connectionString: url, max: 1, allowExitOnIdle: true });
  pool.on('error', () => undefined);
  try {
    return await applyMigrations(pool, files);
  } catch (cause) {
    const reason = firstLine(cause);
    throw new StartupError(`The database could not be migrated to ${missing.at(-1)}: ${reason}`, { cause });
  } finally {
    await pool.end();
  }
}

/** The engine's messages open with its own kind of error, then what the database objected to, then its own trace ("   0: …"). */
function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const lines = (text.split(/^\s+0: /m)[0] ?? '').split('\n').map((line) => line.trim());
  const said = lines.filter((line) => line !== '' && !/^(external connector error|Database error:?)$/i.test(line));
  return said[0] ?? 'unknown error';
}

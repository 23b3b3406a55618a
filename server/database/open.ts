/** Opens the database of this process, whichever engine it is: started, migrated, ready for queries. */
import { join } from 'node:path';
import { createDatabase, type Database } from '../db';
import { describeDatabaseError } from './describe-error';
import { startEmbedded } from './embedded';
import { migrate } from './migrate';
import { readMigrationFiles } from './migration-files';

export interface OpenDatabaseOptions {
  /** An external PostgreSQL; undefined for the embedded engine. */
  databaseUrl: string | undefined;
  /** The embedded engine keeps its files in `database/` below it. */
  dataDir: string;
  onIdleError?: (error: Error) => void;
  /** The embedded engine died for good: the process should end. */
  onLost?: (error: Error) => void;
}

export interface OpenedDatabase extends Database {
  /** Migrations applied by this start. */
  appliedMigrations: string[];
}

/** Throws a StartupError, one readable line, for whatever keeps the database from being used. */
export async function openDatabase(options: OpenDatabaseOptions): Promise<OpenedDatabase> {
  return options.databaseUrl === undefined ? openEmbedded(options) : openExternal(options, options.databaseUrl);
}

async function openExternal(options: OpenDatabaseOptions, url: string): Promise<OpenedDatabase> {
  try {
    const { applied } = await migrate({ url, engine: 'postgres' });
    const database = createDatabase({ url, engine: 'postgres', onIdleError: options.onIdleError });
    return { ...database, appliedMigrations: applied };
  } catch (error) {
    throw describeDatabaseError(error, url);
  }
}

async function openEmbedded(options: OpenDatabaseOptions): Promise<OpenedDatabase> {
  const files = await readMigrationFiles();
  const embedded = await startEmbedded({
    folder: join(options.dataDir, 'database'),
    knownMigrations: files.migrations.map((migration) => migration.name),
    onLost: options.onLost,
  });
  try {
    const { applied, schemaVersion } = await migrate({ url: embedded.url, engine: 'embedded', files });
    if (applied.length > 0 && schemaVersion !== null) await embedded.recordSchema(schemaVersion);
    const database = createDatabase({ url: embedded.url, engine: 'embedded', onIdleError: options.onIdleError });
    return {
      ...database,
      appliedMigrations: applied,
      close: async () => {
        await database.close();
        await embedded.close();
      },
    };
  } catch (error) {
    await embedded.close();
    throw error;
  }
}

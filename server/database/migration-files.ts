/** The migration folders of `prisma/migrations`, as Prisma's engine wants them. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Both `server/database/` and `dist/server/` lie two folders below the root. */
export const migrationsFolder = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));

export interface MigrationFiles {
  folder: string;
  lockFile: string | null;
  /** Oldest first: names begin with their time. */
  migrations: { name: string; sql: string }[];
}

/** Reads every migration of `folder`, oldest first. */
export async function readMigrationFiles(folder: string = migrationsFolder): Promise<MigrationFiles> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  return {
    folder,
    lockFile: await readFile(join(folder, 'migration_lock.toml'), 'utf8').catch(() => null),
    migrations: await Promise.all(
      names.map(async (name) => ({ name, sql: await readFile(join(folder, name, 'migration.sql'), 'utf8') })),
    ),
  };
}

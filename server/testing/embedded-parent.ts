/** A process that owns an embedded engine, for tests that kill it. Prints the engine's process id. */
import { startEmbedded } from '../database/embedded';
import { readMigrationFiles } from '../database/migration-files';

const files = await readMigrationFiles();
const engine = await startEmbedded({
  folder: process.argv[2] ?? '',
  knownMigrations: files.migrations.map((migration) => migration.name),
  durable: false,
});
process.stdout.write(`${engine.processId()}\n`);
setInterval(() => undefined, 60_000);

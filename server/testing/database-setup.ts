/**
 * Vitest's global set-up for databases. Test files ask over a Unix socket, so that a run that needs no database starts
 * none: one real PostgreSQL with a migrated template database, and one prepared folder for the embedded engine.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from '../database/embedded';
import { migrate } from '../database/migrate';
import { readMigrationFiles } from '../database/migration-files';
import { type PostgresServer, startPostgresServer } from './postgres-server';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Path of the socket that answers `postgres` and `embedded`. */
    databaseBroker: string;
  }
}

export const templateDatabase = 'navi_template';
const root = fileURLToPath(new URL('../..', import.meta.url));

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'navi-test-'));
  let postgres: Promise<PostgresServer> | undefined;
  let embedded: Promise<string> | undefined;
  const answer = async (question: string): Promise<unknown> => {
    if (question === 'postgres') {
      postgres ??= preparePostgres();
      return { url: (await postgres).url };
    }
    embedded ??= prepareEmbedded();
    return { folder: await embedded };
  };
  const broker = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (data) => {
      answer(data.toString('utf8').trim()).then(
        (reply) => socket.end(JSON.stringify(reply)),
        (error: unknown) => socket.end(JSON.stringify({ error: String(error) })),
      );
    });
  });
  const path = join(folder, 'broker');
  await new Promise<void>((resolve) => broker.listen(path, resolve));
  project.provide('databaseBroker', path);
  return async () => {
    broker.close();
    await (await postgres)?.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}

async function preparePostgres(): Promise<PostgresServer> {
  const server = await startPostgresServer({ externalUrl: process.env.NAVI_TEST_DATABASE_URL });
  await server.dropDatabase(templateDatabase);
  await migrate({ url: await server.createDatabase(templateDatabase), engine: 'postgres' });
  return server;
}

/** initdb takes seconds, so the prepared folder is kept until the engine or the migrations change. */
async function prepareEmbedded(): Promise<string> {
  const files = await readMigrationFiles();
  const hash = createHash('sha256');
  hash.update(readFileSync(join(root, 'node_modules/@electric-sql/pglite/package.json')));
  hash.update(JSON.stringify(files.migrations));
  const cache = join(root, '.cache/test-embedded');
  const target = join(cache, hash.digest('hex').slice(0, 16));
  if (existsSync(target)) return target;
  rmSync(cache, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'new-'));
  const engine = await startEmbedded({ folder, knownMigrations: [], durable: false });
  try {
    const { schemaVersion } = await migrate({ url: engine.url, engine: 'embedded', files });
    if (schemaVersion !== null) await engine.recordSchema(schemaVersion);
  } finally {
    await engine.close();
  }
  renameSync(folder, target);
  return target;
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createEmbeddedFolder } from '../testing/database';
import { engineFolder } from './folder';
import { startWireServer } from './wire-server';

async function serve(idleTransactionTimeoutMs: number) {
  const { folder, remove } = await createEmbeddedFolder();
  const backend = await PGlite.create(engineFolder(folder));
  const socketFolder = mkdtempSync(join(tmpdir(), 'navi-wire-'));
  const server = await startWireServer({
    backend,
    socketPath: join(socketFolder, '.s.PGSQL.5432'),
    idleTransactionTimeoutMs,
    onBroken: (error) => expect.fail(String(error)),
  });
  onTestFinished(async () => {
    await server.close();
    await backend.close();
    await remove();
    rmSync(socketFolder, { recursive: true, force: true });
  });
  return async () => {
    const client = new pg.Client({ host: socketFolder, user: 'postgres', database: 'postgres' });
    client.on('error', () => undefined);
    await client.connect();
    onTestFinished(() => client.end().catch(() => undefined));
    return client;
  };
}

test('a client that leaves a transaction open and says nothing is cut off, and the others go on', async () => {
  const connect = await serve(200);
  const [idle, other] = [await connect(), await connect()];
  await idle.query('BEGIN; CREATE TABLE left_open (id int)');
  const { rows } = await other.query(`SELECT to_regclass('left_open') AS found`);
  expect(rows).toEqual([{ found: null }]);
  await expect(idle.query('SELECT 1')).rejects.toThrow();
});

test('a long transaction that keeps talking is not cut off', async () => {
  const connect = await serve(1_000);
  const client = await connect();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  await client.query('BEGIN');
  for (let round = 0; round < 5; round++) {
    vi.advanceTimersByTime(900);
    await client.query('SELECT 1');
  }
  await client.query('COMMIT');
  expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createEmbeddedFolder } from '../testing/database';
import { type EmbeddedEngine, type EmbeddedOptions, startEmbedded } from './embedded';
import { embeddedPostgresMajor } from './folder';
import { readMigrationFiles } from './migration-files';

let folder: string;
let removeFolder: () => Promise<void>;
beforeEach(async () => {
  ({ folder, remove: removeFolder } = await createEmbeddedFolder());
});
afterEach(() => removeFolder());

async function start(options: Partial<EmbeddedOptions> = {}): Promise<EmbeddedEngine> {
  const files = await readMigrationFiles();
  const knownMigrations = files.migrations.map((migration) => migration.name);
  const engine = await startEmbedded({ folder, knownMigrations, durable: false, ...options });
  onTestFinished(() => engine.close());
  return engine;
}

function connect(engine: EmbeddedEngine, max = 8): pg.Pool {
  const pool = new pg.Pool({ connectionString: engine.url, max, allowExitOnIdle: true });
  pool.on('error', () => undefined);
  onTestFinished(() => pool.end());
  return pool;
}

const isAlive = (processId: number) => {
  try {
    process.kill(processId, 0);
    return true;
  } catch {
    return false;
  }
};

describe('the embedded engine', () => {
  test('keeps interleaved transactions of several clients apart', async () => {
    const pool = connect(await start());
    await pool.query('CREATE TABLE counter (value int)');
    await pool.query('INSERT INTO counter VALUES (0)');
    // Read, wait for the event loop, write: without isolation increments would be lost.
    await Promise.all(
      Array.from({ length: 40 }, async () => {
        const client = await pool.connect();
        await client.query('BEGIN');
        const { rows } = await client.query('SELECT value FROM counter FOR UPDATE');
        await new Promise((resolve) => setImmediate(resolve));
        await client.query('UPDATE counter SET value = $1', [rows[0].value + 1]);
        await client.query('COMMIT');
        client.release();
      }),
    );
    expect((await pool.query('SELECT value FROM counter')).rows[0].value).toBe(40);
  });

  test("never runs one client's statement with another's parameters, however large these are", async () => {
    const pool = connect(await start());
    const large = 'z'.repeat(300_000);
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        const { rows } =
          index % 2 === 0
            ? await pool.query('SELECT $1::int AS value, length($2) AS size', [index, large])
            : await pool.query('SELECT $1::text AS value, $2::int AS size', [String(index), 300_000]);
        return [Number(rows[0].value), rows[0].size];
      }),
    );
    expect(answers).toEqual(Array.from({ length: 200 }, (_, index) => [index, 300_000]));
  });

  test('rolls back what a client that dies left open, and goes on with the others', async () => {
    const engine = await start();
    const pool = connect(engine);
    await pool.query('CREATE TABLE things (name text)');
    const client = new pg.Client({ connectionString: engine.url });
    client.on('error', () => undefined);
    await client.connect();
    await client.query('BEGIN');
    await client.query(`INSERT INTO things VALUES ('half done')`);
    const waiting = pool.query('SELECT count(*)::int AS count FROM things');
    (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
    expect((await waiting).rows[0].count).toBe(0);
  });

  test('goes on after a statement that fails', async () => {
    const pool = connect(await start(), 1);
    await expect(pool.query('SELECT $1::int', ['no number'])).rejects.toThrow('invalid input syntax');
    await expect(pool.query('SELECT 1; SELEC 2')).rejects.toThrow('syntax error');
    expect((await pool.query('SELECT $1::int AS value', [3])).rows).toEqual([{ value: 3 }]);
  });

  test('is the PostgreSQL that the version record names', async () => {
    const { rows } = await connect(await start()).query('SHOW server_version_num');
    expect(Math.floor(Number(rows[0].server_version_num) / 10_000)).toBe(embeddedPostgresMajor);
  });

  test('loses no acknowledged row when its process is killed during inserts, five times', async () => {
    const engine = await start({ onLost: (error) => expect.fail(error.message) });
    const pool = connect(engine, 4);
    await pool.query('CREATE TABLE rows (id int PRIMARY KEY)');
    const acknowledged: number[] = [];
    let next = 0;
    for (let kill = 0; kill < 5; kill++) {
      const killed = engine.processId();
      const enough = acknowledged.length + 20 + kill * 7;
      const writers = Array.from({ length: 4 }, async () => {
        for (;;) {
          const id = next++;
          try {
            await pool.query('INSERT INTO rows VALUES ($1)', [id]);
            acknowledged.push(id);
          } catch {
            return;
          }
          if (acknowledged.length === enough) process.kill(killed, 'SIGKILL');
        }
      });
      await Promise.all(writers);
      await vi.waitFor(() => pool.query('SELECT 1'), { timeout: 60_000, interval: 50 });
      expect(engine.processId()).not.toBe(killed);
    }
    const { rows } = await pool.query('SELECT id FROM rows');
    const stored = new Set(rows.map((row) => row.id));
    expect(acknowledged.length).toBeGreaterThan(100);
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
  });
});

describe('the data folder', () => {
  test('is free again at once after its owner was killed: no process and no lock stay behind', async () => {
    const entry = fileURLToPath(new URL('../testing/embedded-parent.ts', import.meta.url));
    const parent = spawn(process.execPath, ['--import', 'tsx', entry, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const engineProcess = Number(line.toString());
    expect(isAlive(engineProcess)).toBe(true);
    parent.kill('SIGKILL');
    const engine = await start();
    // The lock falls with the process's sockets, a moment before its memory is given back and it is gone.
    await expect.poll(() => isAlive(engineProcess)).toBe(false);
    expect((await connect(engine).query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  test('is refused to a second process, in a line that names the holder', async () => {
    const first = await start();
    await expect(start({ lockWaitMs: 300 })).rejects.toThrow(
      `The data folder ${folder} is in use by another Navi (process ${process.pid}). Stop it first, or set NAVI_DATA_DIR to another folder.`,
    );
    expect((await connect(first).query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  test('holds no socket and no lock after a clean end', async () => {
    const engine = await start();
    const socketFolder = new URL(engine.url).searchParams.get('host') ?? '';
    expect(existsSync(socketFolder)).toBe(true);
    await engine.close();
    expect(existsSync(socketFolder)).toBe(false);
    expect(existsSync(join(folder, 'lock.sock'))).toBe(false);
  });

  const change = (changes: Record<string, unknown>) => {
    const path = join(folder, 'navi.json');
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), ...changes }));
  };

  test.each([
    ['of another format', { format: 2 }, 'is of a version that this Navi cannot read'],
    [
      'of another PostgreSQL',
      { postgresMajor: 17 },
      'holds a PostgreSQL 17 database and this Navi reads PostgreSQL 18',
    ],
    ['of a newer schema', { schemaVersion: '29991231235959_later' }, 'was last used by a newer Navi'],
  ])('%s is refused in one line, untouched', async (_name, changes, words) => {
    change(changes);
    const before = readFileSync(join(folder, 'navi.json'), 'utf8');
    const error = await start().then(
      () => null,
      (reason: Error) => reason,
    );
    expect(error?.message).toContain(words);
    expect(error?.message).not.toContain('\n');
    expect(readFileSync(join(folder, 'navi.json'), 'utf8')).toBe(before);
  });

  test('without a version record is left alone', async () => {
    rmSync(join(folder, 'navi.json'));
    await expect(start()).rejects.toThrow('holds a database without a version record');
    expect(existsSync(join(folder, 'postgres', 'PG_VERSION'))).toBe(true);
  });

  test('whose first preparation was cut short is prepared afresh', async () => {
    change({ state: 'initialising', schemaVersion: null });
    const { rows } = await connect(await start()).query(`SELECT to_regclass('sessions') AS found`);
    expect(rows).toEqual([{ found: null }]);
  });
});

/** A real PostgreSQL server of our own for tests, benchmarks and long series. It ends with the process that started it. */
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { findPostgresBinaries, makeReadable } from './postgres-binaries';

export interface PostgresServerOptions {
  /** With fsync, as in real use: for benchmarks and crash tests. Default false: quick. */
  durable?: boolean;
}

export interface PostgresServer {
  /** URL of the `postgres` database, of a user who may create others. */
  url: string;
  urlOf(database: string): string;
  createDatabase(name: string, template?: string): Promise<string>;
  dropDatabase(name: string): Promise<void>;
  stop(): Promise<void>;
}

const startTimeoutMs = 60_000;

/** Starts the server, or uses the one at `NAVI_TEST_DATABASE_URL` (`externalUrl`), whose user must be allowed to create databases. */
export async function startPostgresServer(
  options: PostgresServerOptions & { externalUrl?: string } = {},
): Promise<PostgresServer> {
  if (options.externalUrl !== undefined) return describeServer(options.externalUrl, async () => undefined);
  const folder = mkdtempSync(join(tmpdir(), 'navi-pg-'));
  chmodSync(folder, 0o755);
  const owner = serverUser();
  const bin = makeReadable(findPostgresBinaries(), join(folder, 'programs'));
  const home = join(folder, 'home');
  mkdirSync(home, { mode: 0o700 });
  if (owner !== null) chownSync(home, owner.uid, owner.gid);
  const password = randomBytes(16).toString('hex');
  const identity = owner ?? {};

  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, password, { mode: 0o644 });
  const data = join(home, 'data');
  const initArguments = ['-D', data, '-U', 'navi', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`];
  execFileSync(join(bin, 'initdb'), [...initArguments, '-E', 'UTF8', '--no-locale', '--no-sync'], {
    ...identity,
    cwd: home,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  rmSync(passwordFile);

  const port = await freePort();
  const settings = [
    ...['listen_addresses=127.0.0.1', `unix_socket_directories=${home}`, 'max_connections=200'],
    ...(options.durable ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']),
  ].flatMap((setting) => ['-c', setting]);
  // The shell waits for its input to close, which happens however our process ends, and then ends the server.
  const script = '"$@" & server=$!; read -r _; kill -INT "$server"; wait "$server"';
  const log = join(home, 'log');
  const shell = spawn(
    '/bin/sh',
    ['-c', `exec 2>>"${log}"; ${script}`, 'sh', join(bin, 'postgres'), '-D', data, '-p', String(port), ...settings],
    {
      ...identity,
      cwd: home,
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    },
  );
  shell.unref();
  const server = describeServer(`postgresql://navi:${password}@127.0.0.1:${port}/postgres`, async () => {
    // Our process may have nothing else to wait for.
    shell.ref();
    const ended = shell.exitCode !== null ? undefined : once(shell, 'exit');
    shell.stdin.end();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  try {
    await waitUntilReady(server.url);
  } catch (cause) {
    const said = existsSync(log) ? readFileSync(log, 'utf8').slice(-2_000) : '';
    await server.stop();
    throw new Error(`PostgreSQL did not start: ${said}`, { cause });
  }
  return server;
}

function describeServer(url: string, stop: () => Promise<void>): PostgresServer {
  const urlOf = (database: string) => {
    const target = new URL(url);
    target.pathname = `/${database}`;
    return target.href;
  };
  return {
    url,
    urlOf,
    createDatabase: async (name, template) => {
      await query(url, `CREATE DATABASE "${name}"${template === undefined ? '' : ` TEMPLATE "${template}"`}`);
      return urlOf(name);
    },
    dropDatabase: (name) => query(url, `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`),
    stop,
  };
}

async function query(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

async function waitUntilReady(url: string): Promise<void> {
  const deadline = Date.now() + startTimeoutMs;
  for (;;) {
    try {
      await query(url, 'SELECT 1');
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** PostgreSQL refuses to run as root: its programs run as `postgres` where there is such a user, else as `nobody`. */
function serverUser(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (flag: string) =>
        Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
      return { uid: id('-u'), gid: id('-g') };
    } catch {
      // No such user here.
    }
  }
  return { uid: 65_534, gid: 65_534 };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

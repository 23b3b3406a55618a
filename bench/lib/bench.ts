/** What rows share: one real PostgreSQL with fsync, one build of the server, one model process. Started when first asked for. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from '@playwright/test';
import { migrate } from '../../server/database/migrate';
import { type PostgresServer, startPostgresServer } from '../../server/testing/postgres-server';
import { type ServerProcess, startServerProcess } from '../../server/testing/server-process';
import { launchBrowser } from './browser';
import { type ModelProcess, startModelProcess } from './model-process';

export interface Bench {
  /** A fresh migrated database on a PostgreSQL that really writes to the disk. */
  createDatabase(): Promise<string>;
  /** The built server, which `npm run bench` brought up to date; ends with the row. `profileName` writes a CPU profile of that name. */
  startServer(env: Record<string, string>, options?: { profileName?: string }): Promise<ServerProcess>;
  model(): Promise<ModelProcess>;
  browser(): Promise<Browser>;
  /** A folder of its own on a real disk, removed at the end. */
  createFolder(): string;
  /** Ends the servers that a row started. */
  endRow(): Promise<void>;
  close(): Promise<void>;
}

export interface BenchOptions {
  /** Where CPU profiles of the servers go; null for none. */
  profileFolder: string | null;
  /** Path of the browser; undefined for Playwright's own. */
  browserPath: string | undefined;
}

export function createBench({ profileFolder, browserPath }: BenchOptions): Bench {
  let postgres: Promise<PostgresServer> | null = null;
  let model: Promise<ModelProcess> | null = null;
  let browser: Promise<Browser> | null = null;
  let databases = 0;
  const servers: ServerProcess[] = [];
  const folders: string[] = [];

  return {
    async createDatabase() {
      postgres ??= startPostgresServer({ durable: true });
      const server = await postgres;
      const name = `navi_bench_${process.pid}_${++databases}`;
      await server.dropDatabase(name);
      const url = await server.createDatabase(name);
      await migrate({ url, engine: 'postgres' });
      return url;
    },
    async startServer(env, { profileName } = {}) {
      const isProfiled = profileFolder !== null && profileName !== undefined;
      const server = await startServerProcess({
        entry: 'dist/server/main.js',
        env,
        nodeFlags: isProfiled
          ? ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`, `--cpu-prof-name=${profileName}.cpuprofile`]
          : [],
      });
      servers.push(server);
      return server;
    },
    model() {
      model ??= startModelProcess();
      return model;
    },
    browser() {
      browser ??= launchBrowser(browserPath);
      return browser;
    },
    createFolder() {
      const folder = mkdtempSync(join(tmpdir(), 'navi-bench-'));
      folders.push(folder);
      return folder;
    },
    async endRow() {
      await Promise.all(servers.splice(0).map((server) => server.stop()));
    },
    async close() {
      await this.endRow();
      await (await browser)?.close();
      (await model)?.close();
      await (await postgres)?.stop();
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
  };
}

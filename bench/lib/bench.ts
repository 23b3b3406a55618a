/** What rows share: one real PostgreSQL with fsync, one build of the server, one model process. Started when first asked for. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../server/database/migrate';
import { type PostgresServer, startPostgresServer } from '../../server/testing/postgres-server';
import { type ServerProcess, startServerProcess } from '../../server/testing/server-process';
import { buildServer } from './build-server';
import { type ModelProcess, startModelProcess } from './model-process';

export interface Bench {
  /** A fresh migrated database on a PostgreSQL that really writes to the disk. */
  createDatabase(): Promise<string>;
  /** The built server; ends with the row. `profileName` writes a CPU profile of that name. */
  startServer(env: Record<string, string>, options?: { profileName?: string }): Promise<ServerProcess>;
  model(): Promise<ModelProcess>;
  /** A folder of its own on a real disk, removed at the end. */
  createFolder(): string;
  /** Ends the servers that a row started. */
  endRow(): Promise<void>;
  close(): Promise<void>;
}

/** `profileFolder`: where CPU profiles of the servers go; null for none. */
export function createBench({ profileFolder }: { profileFolder: string | null }): Bench {
  let postgres: Promise<PostgresServer> | null = null;
  let entry: string | null = null;
  let model: Promise<ModelProcess> | null = null;
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
      entry ??= buildServer();
      const isProfiled = profileFolder !== null && profileName !== undefined;
      const server = await startServerProcess({
        entry,
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
      (await model)?.close();
      await (await postgres)?.stop();
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
  };
}

import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGate, startOpenAiServer, text } from '../../e2e/fixtures/model-servers';
import { createEmbeddedFolder } from './database';
import { startPostgresServer } from './postgres-server';
import { type ServerProcess, startServerProcess } from './server-process';
import { createApi, subscribeSession } from './wire-client';

/** Starting servers and a recovery, on a machine that runs other tests beside. */
const TIMEOUT_MS = 300_000;

interface Place {
  env: Record<string, string>;
  /** Kills the engine without a warning: all connections are lost. It comes back by itself, the embedded one after this has resolved. */
  crash(server: ServerProcess): Promise<void>;
  remove(): Promise<unknown>;
}

async function connects(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  return client.connect().then(
    async () => {
      await client.end();
      return true;
    },
    () => false,
  );
}

const places = {
  embedded: async (): Promise<Place> => {
    const dataDir = await mkdtemp(join(tmpdir(), 'navi-crash-'));
    const { folder } = await createEmbeddedFolder();
    await rename(folder, join(dataDir, 'database'));
    return {
      env: { NAVI_DATA_DIR: dataDir },
      crash: async (server) => {
        for (const pid of server.childProcessIds()) process.kill(pid, 'SIGKILL');
      },
      remove: () => rm(dataDir, { recursive: true, force: true }),
    };
  },
  postgres: async (): Promise<Place> => {
    // Of its own: the whole server goes through its recovery when one of its processes is killed.
    const server = await startPostgresServer({ durable: true });
    const dataDir = await mkdtemp(join(tmpdir(), 'navi-crash-'));
    return {
      env: { NAVI_DATA_DIR: dataDir, DATABASE_URL: await server.createDatabase('crash') },
      crash: async () => {
        const client = new pg.Client({ connectionString: server.url });
        client.on('error', () => undefined);
        await client.connect();
        const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
        const gone = new Promise((resolve) => client.once('end', resolve));
        process.kill(rows[0]?.pid ?? 0, 'SIGKILL');
        await gone;
        // Back again means that the last of the old connections is gone, also those that the server has not looked at yet.
        await expect.poll(() => connects(server.url), { timeout: TIMEOUT_MS }).toBe(true);
      },
      remove: async () => {
        await server.stop();
        await rm(dataDir, { recursive: true, force: true });
      },
    };
  },
};

describe.each(['embedded', 'postgres'] as const)('a database that crashes under a running server (%s)', (engine) => {
  const cleanups: (() => Promise<unknown>)[] = [];
  afterAll(async () => {
    for (const cleanup of cleanups.reverse()) await cleanup();
  }, TIMEOUT_MS);

  let server: ServerProcess;
  let place: Place;
  let hold = createGate();
  beforeAll(async () => {
    const model = await startOpenAiServer(({ lastUserText }) =>
      lastUserText === 'a long story' ? [text('It began '), hold.step, text('and it ended.')] : 'Here I am.',
    );
    cleanups.push(() => model.close());
    place = await places[engine]();
    cleanups.push(() => place.remove());
    server = await startServerProcess({
      env: {
        ...place.env,
        OPENAI_BASE_URL: model.baseUrl,
        NAVI_MODEL: 'openai/gpt-test',
        NAVI_MEMORY_RECALL_ENABLED: 'false',
      },
    });
    cleanups.push(() => server.stop());
  }, TIMEOUT_MS);

  it('cuts no answer off: what streamed meanwhile is written when it is back, and told', {
    timeout: TIMEOUT_MS,
  }, async () => {
    hold = createGate();
    const api = createApi(server.origin);
    const { id: sessionId } = await api.sessions.create.mutate({ name: 'Crash' });
    const subscriber = await subscribeSession(server.origin, sessionId);
    await api.messages.send.mutate({ sessionId, clientMessageId: 'first', text: 'a long story' });
    await subscriber.until((event) => event.kind === 'text-delta');
    await place.crash(server);
    hold.open();
    const { event } = await subscriber.until((seen) => seen.kind === 'run-end');
    expect(event).toMatchObject({ status: 'done', runState: 'idle' });
    subscriber.close();
    const { messages } = await api.messages.page.query({ sessionId });
    expect(messages.map(({ content }) => content)).toEqual(['a long story', 'It began and it ended.']);
  });

  it('refuses no message: one that is sent before it is back waits for it', { timeout: TIMEOUT_MS }, async () => {
    const api = createApi(server.origin);
    const { id: sessionId } = await api.sessions.create.mutate({ name: 'Crash' });
    const subscriber = await subscribeSession(server.origin, sessionId);
    await place.crash(server);
    await api.messages.send.mutate({ sessionId, clientMessageId: 'second', text: 'Are you there?' });
    await subscriber.until((event) => event.kind === 'run-end');
    subscriber.close();
    const { messages } = await api.messages.page.query({ sessionId });
    expect(messages.map(({ content }) => content)).toEqual(['Are you there?', 'Here I am.']);
  });
});

/**
 * SIGKILL during a compression, on real processes: afterwards the context is the old one or the new one, never half, and
 * the session is free. `NAVI_TEST_KILLS` sets how often per engine: the soak.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { type OllamaServer, startOllamaServer } from '../../../e2e/fixtures/model-servers';
import type { DatabaseEngine } from '../../db';
import { createEmbeddedFolder, createPostgresDatabase, databaseEngines } from '../../testing/database';
import { type ServerProcess, startServerProcess } from '../../testing/server-process';
import { type Api, createApi } from '../../testing/wire-client';
import { prose } from './testing/talk';

const KILLS = Number(process.env.NAVI_TEST_KILLS ?? 3);
/** Milliseconds from the moment the summary may be written to the kill: before, in and after the transaction. */
const AFTER_GATE_MS = [null, 0, 15, 30, 60, 120];

interface Place {
  env: Record<string, string>;
  remove(): Promise<void>;
}

async function place(engine: DatabaseEngine): Promise<Place> {
  const { folder, remove } = await createEmbeddedFolder();
  if (engine === 'embedded') return { env: { NAVI_DATA_DIR: folder }, remove };
  const { url, drop } = await createPostgresDatabase({ migrated: true });
  return {
    env: { NAVI_DATA_DIR: folder, DATABASE_URL: url },
    remove: async () => {
      await drop();
      await remove();
    },
  };
}

describe.each(databaseEngines)('SIGKILL during a compression (%s)', (engine) => {
  const cleanups: (() => Promise<unknown>)[] = [];
  afterAll(async () => {
    for (const cleanup of cleanups.reverse()) await cleanup();
  });

  it(`leaves the old context or the new one, ${KILLS} times`, { timeout: 120_000 + KILLS * 60_000 }, async () => {
    let openGate = () => {};
    let gate = Promise.resolve();
    const ollama: OllamaServer = await startOllamaServer(async (request) => {
      if (!request.lastUserText.includes('<conversation>')) return prose('an answer', 1200);
      await gate;
      return '- Goal: many subjects were named.\n- Done: all of them, one after the other.\nKEYS: subject';
    });
    cleanups.push(() => ollama.close());
    const { env, remove } = await place(engine);
    cleanups.push(remove);
    let server: ServerProcess | null = null;
    const stopHard = async () => server?.kill();
    const start = async (): Promise<Api> => {
      server = await startServerProcess({
        env: { ...env, OLLAMA_BASE_URL: ollama.baseUrl, NAVI_MODEL: 'ollama/qwen3', NAVI_RUN_LEASE_MS: '6000' },
      });
      return createApi(server.origin);
    };
    cleanups.push(stopHard);

    let api = await start();
    const idle = (sessionId: string) =>
      expect
        .poll(async () => (await api.sessions.get.query({ sessionId })).runState, { timeout: 60_000, interval: 100 })
        .toBe('idle');
    const { id: sessionId } = await api.sessions.create.mutate({});
    for (let turn = 1; turn <= 4; turn++) {
      await api.messages.send.mutate({ sessionId, clientMessageId: `m${turn}`, text: prose(`q${turn}`, 1200) });
      await idle(sessionId);
    }
    const readDisplay = async () =>
      (await api.messages.page.query({ sessionId, limit: 200 })).messages
        .filter((message) => !message.isCompression)
        .map(({ sequenceNumber, role, content }) => ({ sequenceNumber, role, content }));
    const readContext = async () =>
      (await api.debug.context.query({ sessionId })).messages.map((message) => message.sequenceNumber);

    for (let kill = 0; kill < KILLS; kill++) {
      const display = await readDisplay();
      const old = await readContext();
      const asked = ollama.chats().length;
      gate = new Promise((resolve) => {
        openGate = resolve;
      });
      const begun = await api.compression.run.mutate({ sessionId, wait: false });
      if (begun.kind !== 'compression') throw new Error(`refused: ${begun.message}`);
      await ollama.chat(asked);
      const afterMs = AFTER_GATE_MS[kill % AFTER_GATE_MS.length] ?? null;
      if (afterMs !== null) {
        openGate();
        await new Promise((resolve) => setTimeout(resolve, afterMs));
      }
      await stopHard();
      openGate();
      api = await start();
      await idle(sessionId);
      expect(await readDisplay()).toEqual(display);
      const ended = await api.compression.get.query({ sessionId, compressionId: begun.compressionId });
      const now = await readContext();
      if (ended.status === 'done') {
        expect(now).toHaveLength(ended.messagesAfter ?? 0);
        expect(now[0]).toBe(ended.summarySequence);
        const found = await api.memory.search.query({ sessionId, query: 'subject q1' });
        expect(found.items.length).toBeGreaterThan(0);
        await api.compression.undo.mutate({ sessionId, compressionId: begun.compressionId });
        expect(await readContext()).toEqual(old);
      } else {
        expect(ended).toMatchObject({ status: 'failed', reason: 'interrupted' });
        expect(now).toEqual(old);
      }
    }
  });
});

/** Crash after crash on one engine, as `npm test` runs a few and `npm run soak` many. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { isProcessAlive, type ServerProcess, startServerProcess } from '../../server/testing/server-process';
import { createApi, subscribeSession } from '../../server/testing/wire-client';
import { checkMessages, checkStories, readHistory } from './check-session';
import { type CrashReport, runCrashRound, SHORTEST_STORY_MS } from './crash-round';
import { startStoryteller, stepText, storyText } from './story';

export interface CrashSeries {
  /** Kills once, `share` (0 to 1) of the way through the answers, and checks everything. Rejects with what was wrong. */
  crash(share: number): Promise<CrashReport>;
  close(): Promise<void>;
}

export interface SeriesOptions {
  /** The built server; the sources by default. */
  entry?: string;
}

/** Long enough for a busy machine to renew it in time, short enough that a series does not wait for ever. */
const LEASE_MS = 6_000;
/** Milliseconds within which a child process follows its killed parent. */
const CHILD_TIMEOUT_MS = 30_000;
/** Kills up to this share of the shortest answer cut at least one off. */
const LATEST_SHARE = 0.9;

const killAfter = (share: number): number => share * SHORTEST_STORY_MS * LATEST_SHARE;
const formatOf = (round: number) => (round % 2 === 0 ? 'ollama' : 'openai');

/** One server on a folder; after each kill it is started again on the same folder. */
export async function startEmbeddedSeries(dataDir: string, options: SeriesOptions = {}): Promise<CrashSeries> {
  const storyteller = await startStoryteller();
  let round = 0;
  const start = () =>
    startServerProcess({
      ...options,
      env: { ...storyteller.env(formatOf(round)), NAVI_DATA_DIR: dataDir, NAVI_RUN_LEASE_MS: String(LEASE_MS) },
    });
  let server = await start();
  return {
    async crash(share) {
      const victim = server;
      const children = victim.childProcessIds();
      assert.ok(children.length > 0, 'the engine runs in a child process');
      round++;
      return runCrashRound({
        victim,
        storyteller,
        witness: null,
        killAfterMs: killAfter(share),
        async revive() {
          await untilGone(children);
          server = await start();
          return server;
        },
      });
    },
    async close() {
      await server.stop();
      await storyteller.close();
    },
  };
}

/** Two workers on one PostgreSQL: one is killed, the other settles while a run of its own goes on undisturbed. */
export async function startPostgresSeries(databaseUrl: string, options: SeriesOptions = {}): Promise<CrashSeries> {
  const storyteller = await startStoryteller();
  let round = 0;
  const start = () =>
    startServerProcess({
      ...options,
      env: { ...storyteller.env(formatOf(round)), DATABASE_URL: databaseUrl, NAVI_RUN_LEASE_MS: String(LEASE_MS) },
    });
  const survivor = await start();
  return {
    async crash(share) {
      round++;
      const victim = await start();
      const undisturbed = await beginUndisturbed(survivor);
      const report = await runCrashRound({
        victim,
        storyteller,
        witness: survivor,
        killAfterMs: killAfter(share),
        revive: async () => survivor,
      });
      await undisturbed.check();
      return report;
    },
    async close() {
      await survivor.stop();
      await storyteller.close();
    },
  };
}

async function untilGone(processIds: readonly number[]): Promise<void> {
  const deadlineMs = performance.now() + CHILD_TIMEOUT_MS;
  while (processIds.some(isProcessAlive)) {
    assert.ok(performance.now() < deadlineMs, 'a child process outlived its killed parent');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** A long answer of the surviving worker's own, from before the kill to after the settlement. */
async function beginUndisturbed(server: ServerProcess) {
  const story = { tag: randomUUID().slice(0, 8), steps: 2, wordsPerStep: 200, pauseMs: 25 };
  const api = createApi(server.origin);
  const { id: sessionId } = await api.sessions.create.mutate({ name: 'Undisturbed' });
  const subscriber = await subscribeSession(server.origin, sessionId);
  const sent = { clientMessageId: randomUUID(), text: storyText(story), isAcknowledged: true };
  await api.messages.send.mutate({ sessionId, clientMessageId: sent.clientMessageId, text: sent.text });
  return {
    async check(): Promise<void> {
      const { event } = await subscriber.until((seen) => seen.kind === 'run-end');
      subscriber.close();
      assert.equal(event.kind === 'run-end' ? event.status : null, 'done', 'the live run came to its own end');
      const shown = subscriber.events.map((seen) => (seen.event.kind === 'text-delta' ? seen.event.text : '')).join('');
      assert.equal(shown, stepText(story, 0) + stepText(story, 1));
      const history = await readHistory(api, sessionId);
      checkMessages(history, [sent]);
      assert.equal(checkStories(history)[0]?.isCut, false);
    },
  };
}

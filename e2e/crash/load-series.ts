/** Many sessions that talk for a long time: everything answered, nothing lost, and no memory that grows with it. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { startServerProcess } from '../../server/testing/server-process';
import { type Api, createApi, subscribeSession } from '../../server/testing/wire-client';
import { checkMessages, checkStories, checkToolPairs, readHistory, type Sent } from './check-session';
import { startStoryteller, storyText } from './story';

export interface LoadSeries {
  entry?: string;
  databaseUrl: string;
  minutes: number;
  say(line: string): void;
}

/** Sessions that talk at once. */
const TALKERS = 20;
/** Turns after which a talker begins a new session: histories must not grow for ever, so that memory may not either. */
const TURNS_PER_SESSION = 12;
/** Share of the time after which the memory counts as settled, and how much it may grow from there. */
const WARM_UP_SHARE = 0.3;
const LARGEST_GROWTH = 1.25;
const SAMPLES = 60;

/** Resident memory in MB. */
const memoryOf = (processId: number): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${processId}/status`, 'utf8'))?.[1]) / 1024;

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Answers what was done, in words; rejects with what went wrong. */
export async function runLoad(series: LoadSeries): Promise<string> {
  const storyteller = await startStoryteller();
  const server = await startServerProcess({
    ...(series.entry === undefined ? {} : { entry: series.entry }),
    env: { ...storyteller.env('openai'), DATABASE_URL: series.databaseUrl },
  });
  const api = createApi(server.origin);
  const endsAtMs = performance.now() + series.minutes * 60_000;
  const memory: number[] = [];
  const sample = setInterval(
    () => {
      memory.push(memoryOf(server.processId));
      if (memory.length % 10 === 0) series.say(`      ${Math.round(memory.at(-1) ?? 0)} MB`);
    },
    (series.minutes * 60_000) / SAMPLES,
  );
  let turns = 0;
  try {
    await Promise.all(
      Array.from({ length: TALKERS }, async () => {
        while (performance.now() < endsAtMs) turns += await talk(api, server.origin, endsAtMs);
      }),
    );
  } finally {
    clearInterval(sample);
    await server.stop();
    await storyteller.close();
  }
  const settled = memory.slice(Math.floor(memory.length * WARM_UP_SHARE));
  const third = Math.max(1, Math.floor(settled.length / 3));
  const before = median(settled.slice(0, third));
  const after = median(settled.slice(-third));
  assert.equal(server.output().match(/unexpected error/g)?.length ?? 0, 0, server.output().slice(-2_000));
  assert.ok(after / before <= LARGEST_GROWTH, `memory grew from ${Math.round(before)} to ${Math.round(after)} MB`);
  return `${turns} turns, memory ${Math.round(before)} → ${Math.round(after)} MB`;
}

/** One session from its first message to its last; then its history is judged. Answers its turns. */
async function talk(api: Api, origin: string, endsAtMs: number): Promise<number> {
  const { id: sessionId } = await api.sessions.create.mutate({ name: 'Load' });
  const sent: Sent[] = [];
  for (let turn = 0; turn < TURNS_PER_SESSION && performance.now() < endsAtMs; turn++) {
    const story = { tag: randomUUID().slice(0, 8), steps: 2, wordsPerStep: 60, pauseMs: 10 };
    const message: Sent = { clientMessageId: randomUUID(), text: storyText(story), isAcknowledged: false };
    const subscriber = await subscribeSession(origin, sessionId);
    sent.push(message);
    await api.messages.send.mutate({ sessionId, clientMessageId: message.clientMessageId, text: message.text });
    message.isAcknowledged = true;
    const { event } = await subscriber.until((seen) => seen.kind === 'run-end', 120_000);
    subscriber.close();
    assert.equal(event.kind === 'run-end' ? event.status : null, 'done');
  }
  const history = await readHistory(api, sessionId);
  checkMessages(history, sent);
  checkToolPairs(history);
  assert.equal(checkStories(history).filter((fate) => fate.isCut).length, 0);
  return sent.length;
}

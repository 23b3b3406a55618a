/**
 * One crash: a server with several sessions in every state a session can be in is killed with SIGKILL at a given moment;
 * then a server (the same folder started again, or the other worker of the same database) must have everything.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { ServerProcess } from '../../server/testing/server-process';
import {
  type Api,
  createApi,
  monotonicMs,
  type SessionSubscriber,
  subscribeSession,
  untilIdle,
} from '../../server/testing/wire-client';
import {
  checkAnswered,
  checkLog,
  checkMessages,
  checkSeen,
  checkStories,
  checkToolPairs,
  readHistory,
  type Sent,
} from './check-session';
import { PING, PONG, type Story, type Storyteller, storyText } from './story';

export interface CrashRound {
  victim: ServerProcess;
  storyteller: Storyteller;
  /** Milliseconds from the beginning of the first answer to the kill. */
  killAfterMs: number;
  /** Where subscribers that outlive the victim listen; null when there is nobody else. */
  witness: ServerProcess | null;
  /** The server that must have everything afterwards. */
  revive(): Promise<ServerProcess>;
}

export interface CrashReport {
  /** Stories that the kill cut off. */
  cut: number;
  /** Acknowledged messages, all found again. */
  acknowledged: number;
  /** Age at the kill of the oldest word that the model had sent and that is not stored, in milliseconds. */
  lostTailMs: number;
}

interface Subject {
  sessionId: string;
  sent: Sent[];
  subscriber: SessionSubscriber;
}

const STORIES = 4;
const STEPS = 3;
const WORDS_PER_STEP = 40;
const PAUSE_MS = 20;
/** A story takes at least this long: a kill before is a kill in the middle. */
export const SHORTEST_STORY_MS = STEPS * WORDS_PER_STEP * PAUSE_MS;
/** Milliseconds between two messages of the person who does not wait for answers. */
const CHATTER_PAUSE_MS = 60;
/** Milliseconds for the settlement of everything, queues answered included. */
const SETTLE_TIMEOUT_MS = 60_000;

export async function runCrashRound(round: CrashRound): Promise<CrashReport> {
  const { victim, witness, storyteller, killAfterMs } = round;
  const api = createApi(victim.origin);
  const open = async (index: number): Promise<Subject> => {
    const { id } = await api.sessions.create.mutate({ name: 'Crash' });
    const listensAt = index % 2 === 0 ? victim : (witness ?? victim);
    return { sessionId: id, sent: [], subscriber: await subscribeSession(listensAt.origin, id) };
  };
  const subjects = await Promise.all(Array.from({ length: STORIES + 2 }, (_, index) => open(index)));
  const [quiet, chatty, ...tellers] = subjects as [Subject, Subject, ...Subject[]];
  // Finished before: must be left as it is.
  await send(api, quiet, PING);
  await untilIdle(victim.origin, quiet.sessionId);

  const killed = new AbortController();
  const untilKilled = [
    ...tellers.map(async (subject, index) => {
      await send(api, subject, storyText(newStory()));
      // A queue behind two of them.
      if (index % 2 === 0) await send(api, subject, PING);
    }),
    chatter(api, chatty, killed.signal),
  ];
  await Promise.race(tellers.map(({ subscriber }) => subscriber.until((event) => event.kind === 'run-start')));
  await new Promise((resolve) => setTimeout(resolve, killAfterMs));
  const children = victim.childProcessIds();
  const killedAtMs = monotonicMs();
  await victim.kill();
  killed.abort();
  await Promise.all(untilKilled);

  const survivor = await round.revive();
  assert.ok(!children.some((id) => survivor.childProcessIds().includes(id)));
  const after = createApi(survivor.origin);
  await Promise.all(subjects.map(({ sessionId }) => untilIdle(survivor.origin, sessionId, SETTLE_TIMEOUT_MS)));
  const report: CrashReport = { cut: 0, acknowledged: 0, lostTailMs: 0 };
  for (const subject of subjects) {
    // Clients send again what was not acknowledged; the id makes it one message.
    for (const message of subject.sent.filter((sent) => !sent.isAcknowledged)) await resend(after, subject, message);
    const ping = await send(after, subject, PING);
    await untilIdle(survivor.origin, subject.sessionId, SETTLE_TIMEOUT_MS);
    const history = await readHistory(after, subject.sessionId);
    checkMessages(history, subject.sent);
    checkToolPairs(history);
    checkSeen(subject.subscriber, history);
    checkAnswered(history, ping.clientMessageId, PONG);
    const ends = await checkLog(survivor.origin, subject.sessionId);
    const { runState } = await after.sessions.get.query({ sessionId: subject.sessionId });
    assert.equal(runState, 'idle');
    const fates = checkStories(history);
    const cut = fates.filter((fate) => fate.isCut);
    assert.ok((ends.interrupted ?? 0) >= cut.length, 'what was cut off is told as interrupted');
    assert.equal(ends.failed ?? 0, 0, 'nothing failed');
    for (const fate of cut) {
      report.lostTailMs = Math.max(report.lostTailMs, tailAge(storyteller, fate, killedAtMs));
    }
    report.cut += cut.length;
    report.acknowledged += subject.sent.length;
    subject.subscriber.close();
  }
  assert.equal(quiet.subscriber.events.filter(({ event }) => event.kind === 'run-end').length > 0, true);
  return report;
}

const newStory = (): Story => ({
  tag: randomUUID().slice(0, 8),
  steps: STEPS,
  wordsPerStep: WORDS_PER_STEP,
  pauseMs: PAUSE_MS,
});

async function send(api: Api, subject: Subject, text: string): Promise<Sent> {
  const message: Sent = { clientMessageId: randomUUID(), text, isAcknowledged: false };
  subject.sent.push(message);
  await resend(api, subject, message).catch(() => undefined);
  return message;
}

async function resend(api: Api, { sessionId }: Subject, message: Sent): Promise<void> {
  const { clientMessageId, text } = message;
  const answer = await api.messages.send.mutate({ sessionId, clientMessageId, text });
  assert.ok(answer.message !== null || answer.queuedId === clientMessageId);
  message.isAcknowledged = true;
}

/** Sends without waiting for answers, until the server is gone. */
async function chatter(api: Api, subject: Subject, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await send(api, subject, PING);
    await new Promise((resolve) => setTimeout(resolve, CHATTER_PAUSE_MS));
  }
}

/** How long before the kill the first word left the model that is not stored; 0 when all are. */
function tailAge(
  storyteller: Storyteller,
  { story, texts }: { story: Story; texts: string[] },
  killedAtMs: number,
): number {
  const step = Math.max(0, texts.length - 1);
  const stored = (texts[step] ?? '').split(' ').length - 1;
  const next =
    stored < story.wordsPerStep ? storyteller.sentAtMs(story, step, stored) : storyteller.sentAtMs(story, step + 1, 0);
  return next === null ? 0 : Math.max(0, killedAtMs - next);
}

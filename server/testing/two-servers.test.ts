import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type RecordedRequest,
  type Reply,
  startOpenAiServer,
  text,
  toolCall,
  wait,
  words,
} from '../../e2e/fixtures/model-servers';
import { createPostgresDatabase } from './database';
import { type ServerProcess, startServerProcess } from './server-process';
import { createApi, monotonicMs, type SessionSubscriber, subscribeSession } from './wire-client';

const START_TIMEOUT_MS = 300_000;
/** Long: what crosses between the workers must come by its signal, not by the next heartbeat, forty seconds later. */
const LEASE_MS = 120_000;
const SIGNAL_LIMIT_MS = 20_000;
const ANSWER = Array.from({ length: 60 }, (_, index) => `word${index} `).join('');

function reply({ lastUserText, messages }: RecordedRequest): Reply {
  if (lastUserText.startsWith('run ')) {
    const isAnswered = messages.at(-1)?.role === 'tool';
    return isAnswered ? 'It was run.' : [text('Let me. '), toolCall('run_command', { command: 'echo crossed' })];
  }
  return lastUserText === 'for ever' ? [text('begun '), wait(600_000)] : words(ANSWER, 10);
}

const textOf = (subscriber: SessionSubscriber) =>
  subscriber.events.map(({ event }) => (event.kind === 'text-delta' ? event.text : '')).join('');

describe('two servers on one PostgreSQL', () => {
  const workers: ServerProcess[] = [];
  let model: Awaited<ReturnType<typeof startOpenAiServer>>;
  let database: Awaited<ReturnType<typeof createPostgresDatabase>>;

  beforeAll(async () => {
    model = await startOpenAiServer(reply);
    database = await createPostgresDatabase({ migrated: true });
    const env = {
      DATABASE_URL: database.url,
      OPENAI_BASE_URL: model.baseUrl,
      NAVI_MODEL: 'openai/gpt-test',
      NAVI_RUN_COMMAND_ENABLED: 'true',
      NAVI_RUN_LEASE_MS: String(LEASE_MS),
    };
    workers.push(...(await Promise.all([startServerProcess({ env }), startServerProcess({ env })])));
  }, START_TIMEOUT_MS);
  afterAll(async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    await model?.close();
    await database?.drop();
  }, START_TIMEOUT_MS);

  /** A message sent to the first worker, watched on the second. */
  async function ask(question: string) {
    const [first, second] = workers as [ServerProcess, ServerProcess];
    const here = createApi(first.origin);
    const there = createApi(second.origin);
    const { id: sessionId } = await here.sessions.create.mutate({ name: 'Two' });
    const subscriber = await subscribeSession(second.origin, sessionId);
    await here.messages.send.mutate({ sessionId, clientMessageId: randomUUID(), text: question });
    return { sessionId, here, there, subscriber };
  }

  it('carries every event of a run to subscribers of the other worker, once and in order', async () => {
    const { subscriber } = await ask('tell');
    await subscriber.until((event) => event.kind === 'run-end');
    expect(textOf(subscriber)).toBe(ANSWER);
    const ids = subscriber.events.map(({ id }) => id);
    expect(ids).toEqual(ids.map((_, index) => (ids[0] ?? 0) + index));
    subscriber.close();
  });

  it('stops a run of the other worker at once and keeps what it said', async () => {
    const { sessionId, there, subscriber } = await ask('for ever');
    await subscriber.until((event) => event.kind === 'text-delta');
    const askedAtMs = monotonicMs();
    expect(await there.runs.stop.mutate({ sessionId })).toMatchObject({ stopped: true });
    const { event, atMs } = await subscriber.until((seen) => seen.kind === 'run-end');
    subscriber.close();
    expect(event).toMatchObject({ status: 'stopped', runState: 'idle' });
    expect(atMs - askedAtMs).toBeLessThan(SIGNAL_LIMIT_MS);
    const { messages } = await there.messages.page.query({ sessionId });
    expect(messages.at(-1)).toMatchObject({ content: 'begun ', metadata: { stopped: true } });
  });

  it.each(['approved', 'denied'] as const)('brings the answer %s to the worker that waits for it', async (decision) => {
    const { sessionId, there, subscriber } = await ask(`run ${decision}`);
    const asked = await subscriber.until((event) => event.kind === 'approval-asked');
    const toolCallId = asked.event.kind === 'approval-asked' ? asked.event.approval.toolCallId : '';
    await there.runs.approve.mutate({ sessionId, toolCallId, decision });
    // Well before the worker would look again by itself (10 s).
    const { atMs } = await subscriber.until((event) => event.kind === 'tool-result');
    const answered = await subscriber.until((event) => event.kind === 'approval-answered');
    expect(atMs - answered.atMs).toBeLessThan(9_000);
    await subscriber.until((event) => event.kind === 'run-end');
    subscriber.close();
    const { messages } = await there.messages.page.query({ sessionId });
    const result = messages.find((message) => message.role === 'tool');
    expect(result?.metadata.toolStatus).toBe(decision === 'approved' ? 'done' : 'denied');
    if (decision === 'approved') expect(result?.content).toContain('crossed');
    expect(messages.at(-1)?.content).toBe('It was run.');
  });
});

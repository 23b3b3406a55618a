import { createApi, type SessionSubscriber, subscribeSession } from '../../server/testing/wire-client';
import type { Row } from '../lib/row';
import { format } from '../lib/stats';

const SESSIONS = 200;
const SUBSCRIBERS = 2;
const CHANGES = 4;

/** Everybody's plan changes at once, and everybody is looked at by two: who sees what, and does the end agree. */
export const todoSessionsRow: Row = {
  id: 'todo-sessions',
  what: '200 sessions updating plans at once, each with 2 subscribers, on two servers',
  figure: 'own session only, revisions strictly rising, the last one as stored',
  async run(bench) {
    const url = await bench.createDatabase();
    const servers = [await bench.startServer({ DATABASE_URL: url }), await bench.startServer({ DATABASE_URL: url })];
    const apis = servers.map((server) => createApi(server.origin));
    const [api] = apis;
    if (api === undefined) throw new Error('no server');
    const pairs: { sessionId: string; seen: SessionSubscriber[] }[] = [];
    for (let at = 0; at < SESSIONS; at++) {
      const { id: sessionId } = await api.sessions.create.mutate({});
      const seen = await Promise.all(
        Array.from({ length: SUBSCRIBERS }, (_, index) =>
          subscribeSession(servers[index % servers.length]?.origin ?? '', sessionId),
        ),
      );
      pairs.push({ sessionId, seen });
    }
    const startedAtMs = performance.now();
    await Promise.all(
      pairs.map(async ({ sessionId }, index) => {
        for (let count = 1; count <= CHANGES; count++) {
          const text = `${sessionId} ${count}`;
          await (apis[(index + count) % 2] ?? api).todos.addStep.mutate({ sessionId, step: { text } });
        }
      }),
    );
    let wrong = 0;
    for (const { sessionId, seen } of pairs) {
      const stored = await api.todos.get.query({ sessionId });
      for (const subscriber of seen) {
        await subscriber.until((event) => event.kind === 'todo-updated' && event.snapshot.revision === CHANGES);
        const plans = subscriber.events.flatMap(({ event }) => (event.kind === 'todo-updated' ? [event.snapshot] : []));
        const isOwn = plans.every((plan) => plan.sessionId === sessionId);
        const isRising = plans.every((plan, index) => plan.revision === index + 1) && plans.length === CHANGES;
        const isStored = JSON.stringify(plans.at(-1)) === JSON.stringify(stored);
        if (!isOwn || !isRising || !isStored) wrong += 1;
        subscriber.close();
      }
    }
    const tookMs = performance.now() - startedAtMs;
    return {
      measured: `${SESSIONS * SUBSCRIBERS - wrong} of ${SESSIONS * SUBSCRIBERS} subscribers right, ${SESSIONS * CHANGES} changes in ${format(tookMs)} ms`,
      passed: wrong === 0,
      values: { wrong, tookMs },
    };
  },
};

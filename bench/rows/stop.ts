import { randomUUID } from 'node:crypto';
import { createApi, monotonicMs, subscribeSession } from '../../server/testing/wire-client';
import { orderText } from '../lib/model-process';
import type { Row } from '../lib/row';
import { format, median, quantile } from '../lib/stats';

const ROUNDS = 30;
const WARM_UP = 5;

/** A person presses Stop at one worker, the answer streams from another: from the call to the end of the run. */
export const stopRow: Row = {
  id: 'stop',
  what: 'stop at one worker of a run of another, to its end at the subscriber',
  figure: 'p95 ≤ 1 s',
  async run(bench) {
    const model = await bench.model();
    const env = {
      DATABASE_URL: await bench.createDatabase(),
      OPENAI_BASE_URL: model.openAiBaseUrl,
      NAVI_MODEL: 'openai/gpt-test',
    };
    const [owner, other] = await Promise.all([bench.startServer(env), bench.startServer(env)]);
    const here = createApi(owner.origin);
    const there = createApi(other.origin);
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const { id: sessionId } = await here.sessions.create.mutate({ name: 'Bench' });
      const subscriber = await subscribeSession(other.origin, sessionId);
      const text = orderText({ tokens: 3_000, tokensPerSecond: 30 });
      await here.messages.send.mutate({ sessionId, clientMessageId: randomUUID(), text });
      await subscriber.until((event) => event.kind === 'text-delta');
      const askedAtMs = monotonicMs();
      await there.runs.stop.mutate({ sessionId });
      const { atMs } = await subscriber.until((event) => event.kind === 'run-end' && event.status === 'stopped');
      subscriber.close();
      if (round >= WARM_UP) times.push(atMs - askedAtMs);
    }
    const [p50Ms, p95Ms] = [median(times), quantile(times, 0.95)];
    return {
      measured: `p50 ${format(p50Ms)} ms, p95 ${format(p95Ms)} ms`,
      passed: p95Ms <= 1_000,
      values: { p50Ms, p95Ms },
    };
  },
};

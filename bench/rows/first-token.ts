import type { Row } from '../lib/row';
import { format, median, quantile } from '../lib/stats';
import { openStreams } from '../lib/streams';

const LONE_RUNS = 40;
const TOGETHER = 20;
const ROUNDS = 6;

/** From the model's first byte to the event in the subscriber: a person sees the answer begin at once. */
export const firstTokenRow: Row = {
  id: 'first-token',
  what: 'first token, from the model to the subscriber: 1 run / 20 runs at once',
  figure: 'p50 ≤ 20 ms / ≤ 60 ms',
  async run(bench) {
    const model = await bench.model();
    const server = await bench.startServer(
      {
        DATABASE_URL: await bench.createDatabase(),
        OPENAI_BASE_URL: model.openAiBaseUrl,
        NAVI_MODEL: 'openai/gpt-test',
      },
      { profileName: 'first-token' },
    );
    const lone: number[] = [];
    const one = await openStreams(server.origin, 1);
    for (let at = 0; at < LONE_RUNS; at++) {
      const [stream] = await one.run({ tokens: 5, tokensPerSecond: 30 });
      if (at >= 5 && stream !== undefined) lone.push(stream.delaysMs[0] ?? Number.NaN);
    }
    one.close();
    const together: number[] = [];
    const twenty = await openStreams(server.origin, TOGETHER);
    for (let round = 0; round < ROUNDS; round++) {
      const streams = await twenty.run({ tokens: 60, tokensPerSecond: 30 });
      if (round > 0) together.push(...streams.map((stream) => stream.delaysMs[0] ?? Number.NaN));
    }
    twenty.close();
    const loneMs = median(lone);
    const togetherMs = median(together);
    return {
      measured: `p50 ${format(loneMs)} ms / ${format(togetherMs)} ms (p95 ${format(quantile(lone, 0.95))} / ${format(quantile(together, 0.95))} ms)`,
      passed: loneMs <= 20 && togetherMs <= 60,
      values: { loneMs, togetherMs, loneP95Ms: quantile(lone, 0.95), togetherP95Ms: quantile(together, 0.95) },
    };
  },
};

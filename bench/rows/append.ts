import { createBareTable, openAppender } from '../lib/messages';
import type { Row } from '../lib/row';
import { seedSession } from '../lib/seed';
import { format, median, time } from '../lib/stats';

const WARM_UP = 50;
const ROUNDS = 400;
const content = 'A message of ordinary length. '.repeat(14);

/** Appending must cost the same in a short and in a very long session, and little more than what makes it durable. */
export const appendRow: Row = {
  id: 'append',
  what: 'append one message at 100,000 messages against at 100',
  figure: 'ratio ≤ 1.3; ≤ 3 × a bare durable insert',
  async run(bench) {
    const url = await bench.createDatabase();
    await seedSession(url, 'short', 100);
    await seedSession(url, 'long', 100_000);
    await createBareTable(url);
    const appender = await openAppender(url);
    const measures = {
      short: { work: () => appender.append('short', content), times: [] as number[] },
      long: { work: () => appender.append('long', content), times: [] as number[] },
      bare: { work: () => appender.insertBare(content), times: [] as number[] },
    };
    const order = Object.values(measures);
    for (let round = 0; round < WARM_UP + ROUNDS; round++) {
      // Interleaved and rotated, so that a slow moment of the machine hits all three alike.
      for (let at = 0; at < order.length; at++) {
        const measure = order[(round + at) % order.length];
        if (measure === undefined) continue;
        const tookMs = await time(measure.work);
        if (round >= WARM_UP) measure.times.push(tookMs);
      }
    }
    await appender.close();
    const shortMs = median(measures.short.times);
    const longMs = median(measures.long.times);
    const bareMs = median(measures.bare.times);
    return {
      measured: `${format(shortMs)} → ${format(longMs)} ms, ratio ${format(longMs / shortMs)}; bare ${format(bareMs)} ms, × ${format(longMs / bareMs)}`,
      passed: longMs / shortMs <= 1.3 && longMs / bareMs <= 3,
      values: { shortMs, longMs, bareMs, ratio: longMs / shortMs, timesBare: longMs / bareMs },
    };
  },
};

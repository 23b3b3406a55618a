import { openAppender } from '../lib/messages';
import type { Row } from '../lib/row';
import { seedSession } from '../lib/seed';

const EACH = 50;

/** Two workers write into one session at once: both succeed, every number is given once. */
export const concurrentAppendsRow: Row = {
  id: 'concurrent-appends',
  what: '2 × 50 concurrent appends to one session',
  figure: '100 rows, distinct consecutive sequence numbers',
  async run(bench) {
    const url = await bench.createDatabase();
    await seedSession(url, 'shared', 10);
    const workers = await Promise.all([openAppender(url), openAppender(url)]);
    const startedAtMs = performance.now();
    const numbers = await Promise.all(
      workers.flatMap((worker, index) =>
        Array.from({ length: EACH }, (_, at) => worker.append('shared', `writer ${index}, message ${at}`)),
      ),
    );
    const tookMs = performance.now() - startedAtMs;
    await Promise.all(workers.map((worker) => worker.close()));
    const sorted = [...numbers].sort((a, b) => a - b);
    const isConsecutive = sorted.every((number, index) => number === 11 + index);
    return {
      measured: `${new Set(numbers).size} distinct, ${sorted[0]} to ${sorted.at(-1)}, ${Math.round(tookMs)} ms`,
      passed: numbers.length === 2 * EACH && isConsecutive,
      values: { distinct: new Set(numbers).size, tookMs },
    };
  },
};

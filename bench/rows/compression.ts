/** The figures of compression and memory that need no server: one row each. */
import { runCalibrationBench } from '../calibration';
import { medianOf, toResult } from '../engine-rows';
import type { Row } from '../lib/row';
import { runLocomoBench } from '../locomo';
import { runPartitionBench } from '../partition';

export const calibrationRow: Row = {
  id: 'calibration',
  what: 'calibrated estimate against Qwen 3, Llama 3, Gemma 3 and GPT-4o, median error per kind of text after 4 observations',
  figure: '≤ 8 %, or a third of the error of chars / 1.8 where that is over 24 %',
  async run() {
    const rows = await runCalibrationBench();
    const judged = rows.filter((row) => row.figure !== null);
    const result = toResult(rows, () => '');
    const worst = Math.max(...judged.map((row) => row.median));
    return {
      ...result,
      measured: `${judged.filter((row) => row.isMet).length} of ${judged.length} hold; median ${medianOf(judged.map((row) => row.median))} %, worst ${worst} %${result.measured}`,
    };
  },
};

export const locomoRow: Row = {
  id: 'locomo',
  what: 'LoCoMo evidence recall over the real store, lexical only, at 1,000 / 2,000 returned tokens',
  figure: '≥ 0.82 / ≥ 0.88, all and held out',
  async run(bench) {
    const rows = await runLocomoBench(() => bench.createDatabase());
    if (rows === null) {
      return { measured: 'locomo10.json is not here (NAVI_LOCOMO_FILE)', passed: null, values: {} };
    }
    return toResult(rows, (row) =>
      row.figure === null ? '' : `${row.median} (${/at (\d+) tokens, (.+)/.exec(row.name)?.slice(1).join(', ')})`,
    );
  },
};

export const partitionRow: Row = {
  id: 'partition',
  what: 'planning and partition of 100, 1,000 and 10,000 messages, and a whole compression without the model call',
  figure: '≤ 50 ms for the partition of 10,000',
  run: async () => toResult(runPartitionBench(), (row) => `${row.name} ${row.median} ms`),
};

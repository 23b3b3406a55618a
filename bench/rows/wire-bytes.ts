import type { Row } from '../lib/row';
import { format, median } from '../lib/stats';
import { openStreams } from '../lib/streams';

const LENGTHS = [500, 1_000, 2_000] as const;
const ROUNDS = 3;

/** Deltas carry only new text, so twice the answer is twice the bytes: never the square. */
export const wireBytesRow: Row = {
  id: 'wire-bytes',
  what: 'bytes on the wire for an answer of n tokens',
  figure: 'linear in n: none more per token (5 %) as n doubles',
  async run(bench) {
    const model = await bench.model();
    const server = await bench.startServer({
      DATABASE_URL: await bench.createDatabase(),
      OPENAI_BASE_URL: model.openAiBaseUrl,
      NAVI_MODEL: 'openai/gpt-test',
    });
    const rounds: number[][] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const bytes: number[] = [];
      for (const tokens of LENGTHS) {
        const streams = await openStreams(server.origin, 1);
        // As fast as a quick model; what a batch holds depends on the rate and on the machine, not on the length.
        const [result] = await streams.run({ tokens, tokensPerSecond: 400 });
        streams.close();
        bytes.push((result?.bytes ?? Number.NaN) / tokens);
      }
      rounds.push(bytes);
    }
    const perToken = LENGTHS.map((_, index) => median(rounds.map((bytes) => bytes[index] ?? Number.NaN)));
    const values = Object.fromEntries(
      LENGTHS.map((tokens, index) => [`bytesPerToken${tokens}`, perToken[index] ?? Number.NaN]),
    );
    // The event frames of one answer weigh the same each; what a session costs once makes short answers dearer.
    const growth = Math.max(...perToken.slice(1).map((bytes, index) => bytes / (perToken[index] ?? Number.NaN)));
    return {
      measured: `${perToken.map((bytes, index) => `n = ${LENGTHS[index]}: ${format(bytes)} bytes per token`).join(', ')}`,
      passed: growth <= 1.05,
      values: { ...values, growth },
    };
  },
};

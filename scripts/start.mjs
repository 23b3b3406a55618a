// `npm start`: from a fresh clone to a running Navi. Everything that is up to date already is skipped.
import { requireNode } from './lib/node-version.mjs';

requireNode();
const [{ install }, { build }, { withLock }, { root, StepError }] = await Promise.all([
  import('./lib/install.mjs'),
  import('./lib/build.mjs'),
  import('./lib/lock.mjs'),
  import('./lib/run.mjs'),
]);

const stop = (signal) => process.exit(signal === 'SIGINT' ? 130 : 143);
process.on('SIGINT', stop);
process.on('SIGTERM', stop);
try {
  await withLock(async () => {
    await install();
    await build();
  });
} catch (error) {
  if (!(error instanceof StepError)) throw error;
  console.error(error.message);
  process.exit(1);
}
process.off('SIGINT', stop);
process.off('SIGTERM', stop);

// In this very process: one less to start, to keep in memory and to pass signals to.
process.env.NODE_ENV ??= 'production';
process.setSourceMapsEnabled(true);
process.chdir(root);
await import('../dist/server/main.js');

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
  // The usual cause: somebody else, often root, started Navi in this folder before.
  const isForeign = ['EACCES', 'EPERM', 'EROFS'].includes(error?.code);
  if (!(error instanceof StepError) && !isForeign) throw error;
  console.error(
    isForeign
      ? `${error.path ?? root} cannot be written (${error.code}). Start Navi as the user who owns its folder, or give it to this one: chown -R "$USER" ${root}`
      : error.message,
  );
  process.exit(1);
}
process.off('SIGINT', stop);
process.off('SIGTERM', stop);

// In this very process: one less to start, to keep in memory and to pass signals to.
process.env.NODE_ENV ??= 'production';
process.setSourceMapsEnabled(true);
process.chdir(root);
await import('../dist/server/main.js');

// npm hands a signal on to a shell, which ends without a word to this process: who stops npm means Navi.
if (process.env.npm_lifecycle_event === 'start') {
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && process.kill(process.pid, 'SIGTERM'), 500).unref();
}

// `npm run dev`: the server from its sources and the client, both rebuilt when a file changes.
import { requireNode } from './lib/node-version.mjs';

requireNode();
const { spawn } = await import('node:child_process');
const { existsSync } = await import('node:fs');
const { join } = await import('node:path');
const { install } = await import('./lib/install.mjs');
const { generate } = await import('./lib/build.mjs');
const { root, say, StepError } = await import('./lib/run.mjs');

try {
  await install();
  await generate();
} catch (error) {
  if (!(error instanceof StepError)) throw error;
  console.error(error.message);
  process.exit(1);
}

const start = (script, args) =>
  spawn(process.execPath, [join(root, script), ...args], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
const children = [];
if (existsSync(join(root, 'web/index.html'))) {
  say('Building the web client and watching web/ …');
  children.push(
    start('node_modules/vite/bin/vite.js', ['build', '--watch', '--mode', 'development', '--logLevel', 'warn']),
  );
}
say('Starting the server and watching server/ …');
children.push(start('node_modules/tsx/dist/cli.mjs', ['watch', '--clear-screen=false', 'server/main.ts']));

// One ending ends the other. Ctrl+C reaches all three by itself.
let isEnding = false;
const end = (code) => {
  if (isEnding) return;
  isEnding = true;
  for (const child of children) child.kill('SIGTERM');
  process.exitCode = code;
};
for (const child of children) child.once('exit', (code) => end(code ?? 0));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => end(0));

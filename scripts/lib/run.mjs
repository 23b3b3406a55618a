// Running other programs, and saying what is done, in plain lines.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

export const say = (line) => console.log(line);

/** Something a person can act on: printed as one line, without a stack. */
export class StepError extends Error {}

/**
 * Runs a program with its output shown as it comes. Resolves with its exit code (128 + signal when it was killed). With
 * `quiet` the output is kept and shown only when the program fails.
 */
export function run(command, args, { env = {}, quiet = false, timeoutMs } = {}) {
  return new Promise((resolve) => {
    const output = [];
    const child = spawn(command, args, {
      cwd: root,
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...env },
    });
    // Ctrl+C reaches the child by itself; a signal to us alone must not leave it working behind our back.
    const kill = () => child.kill();
    process.once('exit', kill);
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => child.kill(), timeoutMs);
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => output.push(data));
    const done = (code, note) => {
      clearTimeout(timer);
      process.off('exit', kill);
      if (code !== 0 && quiet) process.stderr.write(Buffer.concat(output));
      if (note !== undefined) console.error(note);
      resolve(code);
    };
    child.once('error', (error) => done(127, `${command}: ${error.message}`));
    child.once('close', (code, signal) => done(code ?? (signal === 'SIGINT' ? 130 : 143)));
  });
}

/** Runs a program of node_modules by its script, without a shell and without npx. */
export const runNode = (script, args, options) => run(process.execPath, [join(root, script), ...args], options);

/** The npm that started us, else the one on the path. */
export function runNpm(args, options) {
  const own = process.env.npm_execpath;
  if (own !== undefined && /npm-cli\.js$/.test(own)) return run(process.execPath, [own, ...args], options);
  return run('npm', args, options);
}

export const seconds = (sinceMs) => `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`;

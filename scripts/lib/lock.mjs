// One preparation at a time: two starts at once would install and build over each other.
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, say } from './run.mjs';

const folder = join(root, '.cache', 'preparing');
/** Milliseconds between two signs of life of the holder, and without one until it counts as dead. */
const BEAT_MS = 1_000;
const DEAD_MS = 30_000;

export async function withLock(work) {
  mkdirSync(join(root, '.cache'), { recursive: true });
  let isToldOf = false;
  while (!take()) {
    if (!isToldOf) say('Another start is preparing Navi; waiting for it …');
    isToldOf = true;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  const release = () => rmSync(folder, { recursive: true, force: true });
  const beat = setInterval(() => {
    // Gone when this process stood still for so long that another one took over.
    if (existsSync(folder)) utimesSync(folder, new Date(), new Date());
  }, BEAT_MS);
  process.once('exit', release);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    process.off('exit', release);
    release();
  }
}

function take() {
  try {
    mkdirSync(folder);
    writeFileSync(join(folder, 'pid'), String(process.pid));
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (!isHolderAlive()) rmSync(folder, { recursive: true, force: true });
    return false;
  }
}

/** By its process, and by its signs of life: after a power cut, or in a new container, somebody else has its process id. */
function isHolderAlive() {
  try {
    if (Date.now() - statSync(folder).mtimeMs > DEAD_MS) return false;
    process.kill(Number(readFileSync(join(folder, 'pid'), 'utf8')), 0);
    return true;
  } catch (error) {
    // ENOENT: it has just taken the lock, or just let it go. EPERM: it lives, as another user.
    return error.code !== 'ESRCH';
  }
}

// One preparation at a time: two starts at once would install and build over each other.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, say } from './run.mjs';

const folder = join(root, '.cache', 'preparing');

export async function withLock(work) {
  mkdirSync(join(root, '.cache'), { recursive: true });
  let isToldOf = false;
  while (!take()) {
    if (!isToldOf) say('Another start is preparing Navi; waiting for it …');
    isToldOf = true;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  const release = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
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

function isHolderAlive() {
  try {
    process.kill(Number(readFileSync(join(folder, 'pid'), 'utf8')), 0);
    return true;
  } catch (error) {
    // ENOENT: it has just taken the lock, or just let it go. EPERM: it lives, as another user.
    return error.code !== 'ESRCH';
  }
}

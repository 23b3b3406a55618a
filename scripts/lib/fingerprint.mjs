// Skips work whose inputs have not changed: the hash of the inputs' contents is kept beside the results.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

const cacheFolder = join(root, '.cache', 'inputs');

/**
 * Runs `work` unless the files below `inputs` (paths from the root, filtered by `isInput`) are as they were when it last
 * succeeded and every one of `outputs` exists. Returns whether it ran.
 */
export async function whenChanged({ name, inputs, isInput = () => true, outputs }, work) {
  const record = join(cacheFolder, name);
  const hash = hashFiles(inputs, isInput);
  const isCurrent =
    existsSync(record) &&
    readFileSync(record, 'utf8') === hash &&
    outputs.every((path) => existsSync(join(root, path)));
  if (isCurrent) return false;
  await work();
  mkdirSync(cacheFolder, { recursive: true });
  writeFileSync(record, hash);
  return true;
}

export function hashFiles(paths, isInput = () => true) {
  const hash = createHash('sha256').update(process.version);
  for (const path of listFiles(paths).filter(isInput)) {
    hash.update(`\0${path}\0`).update(readFileSync(join(root, path)));
  }
  return hash.digest('hex');
}

function listFiles(paths) {
  return paths.flatMap((path) => {
    const full = join(root, path);
    if (!existsSync(full)) return [];
    if (!statSync(full).isDirectory()) return [path];
    const names = readdirSync(full).sort();
    return listFiles(names.map((name) => `${path}/${name}`));
  });
}

/**
 * Files of the embedded engine that really reach the disk. PGlite runs PostgreSQL with fsync off, and its file system ignores
 * fsync anyway: a killed process loses nothing, a power cut could lose or tear the newest commits. Here fsync works, for
 * about a quarter of a millisecond per commit on an SSD.
 */
import { closeSync, fdatasyncSync, fsyncSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

type ModuleOptions = Parameters<NodeFS['init']>[1];

/** The part of Emscripten's node file system that is used here; PGlite does not type it. */
interface NodeFileSystem {
  realPath(node: unknown): string;
  stream_ops: { fsync?: (stream: { nfd?: number; node: unknown }) => number };
}

/** Memory and, when durable, fsync. `wal_sync_method=fsync` because Emscripten's fdatasync does nothing. */
export function engineParameters(durable: boolean): string[] {
  const defaults = PGlite.defaultStartParams.filter((parameter) => !(durable && parameter === '-F'));
  return [...defaults, '-c', 'shared_buffers=16MB', '-c', 'wal_sync_method=fsync'];
}

export class DurableNodeFS extends NodeFS {
  override async init(pg: PGlite, options: ModuleOptions) {
    const { emscriptenOpts } = await super.init(pg, options);
    const addFsync = (module: { FS: { filesystems: { NODEFS: NodeFileSystem } } }) => {
      const files = module.FS.filesystems.NODEFS;
      files.stream_ops.fsync = (stream) => {
        if (stream.nfd !== undefined) fdatasyncSync(stream.nfd);
        else syncPath(files.realPath(stream.node));
        return 0;
      };
    };
    // The typings say nothing of `FS.filesystems`.
    const hooks = [...(emscriptenOpts.preRun ?? []), addFsync] as NonNullable<ModuleOptions['preRun']>;
    return { emscriptenOpts: { ...emscriptenOpts, preRun: hooks } };
  }
}

/** Brings every file below `folder` to the disk: what initdb wrote was not. */
export function syncTree(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) syncTree(path);
    else if (entry.isFile()) syncPath(path);
  }
  syncPath(folder);
}

function syncPath(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * The process of the embedded engine: PGlite behind a Unix socket. It holds the lock of the data folder, lives exactly as
 * long as its parent, and leaves signals of the terminal to it. It must not know anything of the product.
 */
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { StartupError } from '../lib/startup-error';
import { DurableNodeFS, engineParameters, syncTree } from './durable-files';
import type { EmbeddedChildOptions, FromChild, ToChild } from './embedded-protocol';
import { createFolder, engineFolder, type FolderRecord, newRecord, readRecord, writeRecord } from './folder';
import { type FolderLock, lockFolder } from './folder-lock';
import { startWireServer, type WireServer } from './wire-server';

/** How long closing may take once the parent is gone; the engine recovers from being cut short. */
const closeTimeoutMs = 3_000;

const options: EmbeddedChildOptions = JSON.parse(process.argv[2] ?? '');
const { folder, socketPath, durable } = options;
/** The server: this process ignores signals and would be started again. */
const owner = process.ppid;
const tell = (message: FromChild) => process.send?.(message, () => undefined);

let engine: PGlite | undefined;
let server: WireServer | undefined;
let lock: FolderLock | undefined;
let isEnding = false;

const end = async (code: number): Promise<never> => {
  if (!isEnding) {
    isEnding = true;
    setTimeout(() => process.exit(code), closeTimeoutMs);
    await server?.close().catch(() => undefined);
    await engine?.close().catch(() => undefined);
    await lock?.release();
  }
  rmSync(dirname(socketPath), { recursive: true, force: true });
  process.exit(code);
};

// Ctrl+C reaches the whole process group, and some supervisors signal every process: the parent decides, and closes us in order.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
// The channel closes however the parent ends, SIGKILL included.
process.on('disconnect', () => void end(0));

const openEngine = () =>
  PGlite.create({ fs: new DurableNodeFS(engineFolder(folder)), startParams: engineParameters(durable) });

/** A new folder is prepared and closed again; the next child opens it without initdb's memory. */
async function initialise(): Promise<void> {
  const record = newRecord();
  await writeRecord(folder, record);
  engine = await openEngine();
  await engine.close();
  engine = undefined;
  if (durable) syncTree(engineFolder(folder));
  await writeRecord(folder, { ...record, state: 'ready' });
}

async function serve(record: FolderRecord): Promise<void> {
  let current = record;
  engine = await openEngine();
  server = await startWireServer({
    backend: engine,
    socketPath,
    onBroken: (error) => {
      // The parent starts a fresh engine; whatever was committed is on the disk.
      console.error(error);
      process.exit(1);
    },
  });
  process.on('message', (message: ToChild) => {
    if (message.kind === 'close') {
      void end(0);
      return;
    }
    current = { ...current, schemaVersion: message.schemaVersion };
    void writeRecord(folder, current).then(() => tell({ kind: 'schema-recorded' }));
  });
  tell({ kind: 'ready' });
}

try {
  await createFolder(folder);
  process.chdir(folder);
  lock = await lockFolder({ folder, waitMs: options.lockWaitMs, owner });
  const record = await readRecord(folder, options.knownMigrations);
  if (record === null) {
    await initialise();
    tell({ kind: 'initialised' });
    // The socket's folder is still needed, by the next child.
    process.removeAllListeners('disconnect');
    await lock.release();
    process.disconnect();
  } else {
    await serve(record);
  }
} catch (error) {
  if (error instanceof StartupError) tell({ kind: 'refused', message: error.message });
  else console.error(error);
  await end(1);
}

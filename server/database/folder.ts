/**
 * The folder of the embedded database and the record of what is in it. A folder that this program cannot read is refused in
 * words before the engine touches it.
 */
import { existsSync } from 'node:fs';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import * as z from 'zod';
import { StartupError } from '../lib/startup-error';

/** Major version of the PostgreSQL inside the pinned `@electric-sql/pglite`; its data files can be read by no other. */
export const embeddedPostgresMajor = 18;
const folderFormat = 1;
const recordName = 'navi.json';

const recordSchema = z.object({
  format: z.number().int(),
  engine: z.literal('pglite'),
  postgresMajor: z.number().int(),
  /** `initialising` until the engine's files are complete: such a folder holds nothing anybody was told is stored. */
  state: z.enum(['initialising', 'ready']),
  /** The newest migration applied, null before the first. */
  schemaVersion: z.string().nullable(),
});
export type FolderRecord = z.infer<typeof recordSchema>;

/** Where the engine keeps its own files. */
export const engineFolder = (folder: string): string => join(folder, 'postgres');

export const newRecord = (): FolderRecord => ({
  format: folderFormat,
  engine: 'pglite',
  postgresMajor: embeddedPostgresMajor,
  state: 'initialising',
  schemaVersion: null,
});

/**
 * Makes a folder and those above it. Node's own `recursive` never ends where a folder is there but says ENOENT to whoever
 * makes something in it, as `/proc` does.
 */
async function makeFolders(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return;
    if (code !== 'ENOENT' || existsSync(dirname(folder))) throw cause;
    await makeFolders(dirname(folder));
    await makeFolders(folder);
  }
}

/** Makes the folder, readable by its owner only. Throws a StartupError when it cannot. */
export async function createFolder(folder: string): Promise<void> {
  try {
    await makeFolders(resolve(folder));
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new StartupError(`The data folder ${folder} cannot be created (${code}). Check NAVI_DATA_DIR.`, { cause });
  }
}

/**
 * Reads the record. Null for a folder to be initialised: an empty one, or one whose initialisation was cut short, which is
 * emptied. Throws a StartupError for one that this program cannot read.
 */
export async function readRecord(folder: string, knownMigrations: readonly string[]): Promise<FolderRecord | null> {
  const path = join(folder, recordName);
  if (!existsSync(path)) {
    if (!existsSync(engineFolder(folder))) return null;
    throw new StartupError(
      `The data folder ${folder} holds a database without a version record (${recordName}), so it is left alone. Set NAVI_DATA_DIR to another folder, or move this one away.`,
    );
  }
  const record = parseRecord(await readFile(path, 'utf8'));
  if (record === null || record.format !== folderFormat) {
    throw new StartupError(
      `The data folder ${folder} is of a version that this Navi cannot read. Start the Navi that made it, or set NAVI_DATA_DIR to another folder.`,
    );
  }
  if (record.state === 'initialising') {
    await rm(engineFolder(folder), { recursive: true, force: true });
    return null;
  }
  if (record.postgresMajor !== embeddedPostgresMajor) {
    throw new StartupError(
      `The data folder ${folder} holds a PostgreSQL ${record.postgresMajor} database and this Navi reads PostgreSQL ${embeddedPostgresMajor}. Export your sessions with the Navi that made it, or set NAVI_DATA_DIR to another folder.`,
    );
  }
  if (record.schemaVersion !== null && !knownMigrations.includes(record.schemaVersion)) {
    throw new StartupError(
      `The data folder ${folder} was last used by a newer Navi (schema ${record.schemaVersion}). Start that one, or set NAVI_DATA_DIR to another folder.`,
    );
  }
  return record;
}

/** Replaces the record; a crash leaves the old one or the new one. */
export async function writeRecord(folder: string, record: FolderRecord): Promise<void> {
  const path = join(folder, recordName);
  const file = await open(`${path}.new`, 'w', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(record, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
}

function parseRecord(text: string): FolderRecord | null {
  try {
    return recordSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

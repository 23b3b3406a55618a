/**
 * Finds what lies on the disk without a row: folders of sessions that are gone, uploads that broke off with their process,
 * bytes whose row never came. It deletes only what its own database can vouch for: a data folder opened with another
 * database would otherwise lose everything.
 */
import type { SessionDisk } from './disk';
import type { FileStore } from './store';

export interface FileCleanUpDependencies {
  store: Pick<FileStore, 'existingSessions' | 'listStoredNames' | 'databaseId'>;
  disk: SessionDisk;
  now(): Date;
  /** Told once per pass when the folder belongs to another database, and nothing is removed. */
  onForeignFolder(): void;
}

/**
 * Milliseconds that an upload without a byte, stored bytes without a row, or the folder of a session without one are left alone:
 * a fork's files lie there before its row is committed. A purge removes the folder of its session by itself, at once.
 */
const STRAY_AGE_MS = 60 * 60 * 1000;

export function createFileCleanUp({ store, disk, now, onForeignFolder }: FileCleanUpDependencies) {
  /** Whether the folder is this database's: by its mark, or by a session that both know. Marks an unmarked one. */
  async function isOurs(existing: ReadonlySet<string>, folders: readonly string[]): Promise<boolean> {
    const databaseId = await store.databaseId();
    if (databaseId === null) return false;
    const mark = await disk.readMark();
    if (mark === databaseId) return true;
    if (existing.size === 0 && (folders.length > 0 || mark !== null)) return false;
    await disk.writeMark(databaseId);
    return true;
  }

  async function removeStrays(sessionId: string, before: Date): Promise<void> {
    const { temporary, stored } = await disk.listUntouched(sessionId, before);
    for (const name of temporary) await disk.removeUnlisted(sessionId, name);
    if (stored.length === 0) return;
    const listed = await store.listStoredNames(sessionId);
    for (const name of stored) {
      if (!listed.has(name) && !listed.has(disk.sourceOf(name))) await disk.removeUnlisted(sessionId, name);
    }
  }

  return {
    /** At start, before anything can be orphaned: a new folder becomes this database's. */
    async mark(): Promise<void> {
      const folders = await disk.listSessions();
      await isOurs(await store.existingSessions(folders), folders);
    },

    async run(): Promise<void> {
      const folders = await disk.listSessions();
      const existing = await store.existingSessions(folders);
      if (!(await isOurs(existing, folders))) return onForeignFolder();
      const before = new Date(now().getTime() - STRAY_AGE_MS);
      for (const sessionId of folders) {
        if (existing.has(sessionId)) await removeStrays(sessionId, before);
        else if (await disk.isFolderUntouched(sessionId, before)) await disk.removeSession(sessionId);
      }
    },
  };
}

export type FileCleanUp = ReturnType<typeof createFileCleanUp>;

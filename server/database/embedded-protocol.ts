/** What the server and the child process of the embedded engine say to each other. */

/** Given to the child as its one argument, as JSON. */
export interface EmbeddedChildOptions {
  /** Folder of the embedded database: engine files, version record and lock. Absolute. */
  folder: string;
  /** Where the child listens: a Unix socket in a private folder, which the child removes when it ends. */
  socketPath: string;
  /** Migrations this program knows; a folder whose newest is none of them was made by a newer Navi. */
  knownMigrations: string[];
  /** How long to wait for another process that holds the folder, e.g. the dying child of a killed server. */
  lockWaitMs: number;
  /** False only for tests: commits then survive a killed process, but not a power cut. */
  durable: boolean;
}

export type FromChild =
  | { kind: 'ready' }
  /** The folder was new and is prepared now; the child ends, and a second one opens it (initdb leaves 200 MB behind). */
  | { kind: 'initialised' }
  /** One readable line. */
  | { kind: 'refused'; message: string }
  | { kind: 'schema-recorded' };

export type ToChild = { kind: 'close' } | { kind: 'record-schema'; schemaVersion: string };

/**
 * Waits for a database that is away for a moment: restarted, or recovering from a crash. Only what has certainly written nothing
 * is tried again: the way to a connection, a statement that reads, the beginning of a transaction.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** Milliseconds that a restart may take, as long as the wait for a free connection; and between two attempts. */
const PATIENCE_MS = 30_000;
const RETRY_MS = 100;

/** Nobody listens, the connection broke, or who listens ends, begins or recovers (PostgreSQL documentation, "Error Codes", 57P). */
const AWAY = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', '57P01', '57P02', '57P03']);

/** Whether an error says that the database is away, and not what it thinks of a statement. */
export function isAway(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return code === undefined ? message === 'Connection terminated unexpectedly' : AWAY.has(code);
}

/** Repeats `work` while the database is away and `mayRepeat` allows it; then, or after half a minute, throws what it threw. */
export async function patiently<T>(work: () => Promise<T>, mayRepeat: () => boolean = () => true): Promise<T> {
  const givesUpAt = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isAway(error) || !mayRepeat() || performance.now() > givesUpAt) throw error;
      await sleep(RETRY_MS);
    }
  }
}

type Callback = Parameters<pg.Pool['connect']>[0];

export class PatientPool extends pg.Pool {
  constructor(config: pg.PoolConfig) {
    super(config);
    const ask = super.query.bind(this) as (...args: unknown[]) => Promise<pg.QueryResult>;
    // Assigned, as the many forms of `query` are no method that could be written once. Those with a callback pass as they are.
    const query = (...args: [string | pg.QueryConfig, ...unknown[]]) => {
      const text = typeof args[0] === 'string' ? args[0] : args[0].text;
      const mayRepeat = /^\s*SELECT\b/i.test(text) && typeof args[args.length - 1] !== 'function';
      return mayRepeat ? patiently(() => ask(...args)) : ask(...args);
    };
    Object.assign(this, { query });
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<pg.PoolClient> {
    const acquired = patiently(() => super.connect());
    if (callback !== undefined) {
      acquired.then(
        (client) => callback(undefined, client, client.release),
        (error: Error) => callback(error, undefined, () => {}),
      );
    }
    return acquired;
  }
}

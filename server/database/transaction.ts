/**
 * One transaction, handed from service to service as a value. Services never look inside; stores use `client`.
 * What must be told to others (events) is registered with `afterCommit` and happens only once the rows are really there.
 */
import type { PoolClient } from 'pg';
import type { Database } from '../db';
import type { Prisma } from '../generated/prisma/client';
import { createLimit } from '../lib/limit';
import { createBoundClient } from './bound-client';
import { type Queryable, withDirectSql } from './direct-sql';
import { patiently } from './patient-pool';

export interface Transaction {
  readonly client: Prisma.TransactionClient;
  afterCommit(work: () => void): void;
}

export interface UnitOfWork {
  /** Runs `work` in one transaction. Never await a model, a disk or a timer inside: on the embedded engine everybody waits. */
  run<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** The same with a frozen view of the data, for reads that must agree with one another. It may be read a second time. */
  read<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
}

export interface UnitOfWorkOptions {
  timeoutMs?: number;
  /** A follow-up failed. Without it the process does. */
  reportUnexpected?: (error: unknown) => void;
}

/** Milliseconds that a transaction may take. Generous: a queue is slow, not broken. */
const TIMEOUT_MS = 60_000;

/** The clients of one transaction at a time. Kept for the next one, as a client of Prisma is dear to make. */
interface Slot {
  client: Prisma.TransactionClient;
  /** Null between transactions: a statement that comes too late is refused instead of joining another's transaction. */
  connection: PoolClient | null;
  /** Its last transaction was cut off: what went on in it may still try to write, and must not in another's. */
  isSpent: boolean;
}

const over = () => new Error('This transaction is over.');

function createSlot({ statementNames }: Pick<Database, 'statementNames'>): Slot {
  const queryable = {
    query: (...args: Parameters<PoolClient['query']>) => {
      if (slot.connection === null) return Promise.reject(over());
      return slot.connection.query(...args);
    },
  } as Queryable;
  const slot: Slot = {
    client: withDirectSql(createBoundClient(queryable, statementNames), queryable, statementNames),
    connection: null,
    isSpent: false,
  };
  return slot;
}

/** What `work` holds: it knows its own end, when the slot may serve another transaction already. */
function createHandle(slot: Slot): { client: Prisma.TransactionClient; close(): void } {
  let isOver = false;
  const client = new Proxy(slot.client, {
    get: (target, key) => {
      if (isOver) throw over();
      return Reflect.get(target, key);
    },
  });
  return {
    client,
    close() {
      isOver = true;
      slot.connection = null;
    },
  };
}

/**
 * The transactions are our own and not Prisma's: its `$transaction` costs more than twice as much, and does not show its connection
 * to SQL by hand. Those beyond `transactionsAtOnce` wait here and not for a connection: single statements, such as the text that
 * streams, must not stand in line behind a burst of transactions that each take many round trips.
 */
export function createUnitOfWork(
  database: Pick<Database, 'pool' | 'statementNames' | 'transactionsAtOnce'>,
  { timeoutMs = TIMEOUT_MS, reportUnexpected = throwLoudly }: UnitOfWorkOptions = {},
): UnitOfWork {
  const limit = createLimit(database.transactionsAtOnce);
  const free: Slot[] = [];

  async function run<T>(
    { begin, isReading }: { begin: string; isReading: boolean },
    work: (tx: Transaction) => Promise<T>,
  ): Promise<T> {
    const followUps: (() => void)[] = [];
    const afterCommit = (followUp: () => void) => followUps.push(followUp);
    let hasBegun = false;
    const attempt = async () => {
      const slot = free.pop() ?? createSlot(database);
      try {
        return await inTransaction(slot, begin, (client) => {
          hasBegun = true;
          return work({ client, afterCommit });
        });
      } finally {
        if (!slot.isSpent) free.push(slot);
      }
    };
    // A kept connection that had broken shows it at the beginning, when nothing was done yet; and reading does nothing.
    const result = await limit(() => patiently(attempt, () => isReading || !hasBegun));
    for (const followUp of followUps) {
      // The rows are there: one that fails must neither make it look as if they were not, nor keep the others from being told.
      try {
        followUp();
      } catch (error) {
        reportUnexpected(error);
      }
    }
    return result;
  }

  /** Commits what `work` has written, or none of it. */
  async function inTransaction<T>(
    slot: Slot,
    begin: string,
    work: (client: Prisma.TransactionClient) => Promise<T>,
  ): Promise<T> {
    const connection = await database.pool.connect();
    let end: (error: Error) => void = () => {};
    // A connection that breaks tells so by an event as well as by its statement; and what takes too long is cut off with it.
    const isCutOff = new Promise<never>((_, reject) => {
      end = reject;
    });
    const timer = setTimeout(() => end(new Error(`A transaction took more than ${timeoutMs / 1000} s.`)), timeoutMs);
    connection.on('error', end);
    let broken: Error | undefined;
    const handle = createHandle(slot);
    try {
      slot.connection = connection;
      const commit = async () => {
        await connection.query(begin);
        const result = await work(handle.client);
        handle.close();
        // What a failed statement has spoilt is rolled back by COMMIT too, and without an error.
        const { command } = await connection.query('COMMIT');
        if (command !== 'COMMIT')
          throw new Error('A statement of this transaction failed, so that nothing was written.');
        return result;
      };
      return await Promise.race([commit(), isCutOff]);
    } catch (error) {
      handle.close();
      // A statement still under way, or a connection that takes none: it is closed, which rolls back as well.
      await Promise.race([connection.query('ROLLBACK'), isCutOff]).catch((reason: Error) => {
        broken = reason;
        slot.isSpent = true;
      });
      throw error;
    } finally {
      clearTimeout(timer);
      connection.removeListener('error', end);
      connection.release(broken);
    }
  }

  return {
    // Read committed is PostgreSQL's own default; to name it would cost every transaction one more round trip.
    run: (work) => run({ begin: 'BEGIN', isReading: false }, work),
    read: (work) => run({ begin: 'BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY', isReading: true }, work),
  };
}

function throwLoudly(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

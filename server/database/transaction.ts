/**
 * One transaction, handed from service to service as a value. Services never look inside; stores use `client`.
 * What must be told to others (events) is registered with `afterCommit` and happens only once the rows are really there.
 */
import type { Database } from '../db';
import type { Prisma } from '../generated/prisma/client';
import { createLimit } from '../lib/limit';

export interface Transaction {
  readonly client: Prisma.TransactionClient;
  afterCommit(work: () => void): void;
}

export interface UnitOfWork {
  /** Runs `work` in one transaction. Never await a model, a disk or a timer inside: on the embedded engine everybody waits. */
  run<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** The same with a frozen view of the data, for reads that must agree with one another. */
  read<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
}

/**
 * Milliseconds to wait for a connection, and for the transaction itself. Generous: a queue is slow, not broken.
 */
const LIMITS = { maxWait: 120_000, timeout: 60_000 };

/**
 * Transactions beyond `transactionsAtOnce` wait here and not for a connection: single statements, such as the text that
 * streams, must not stand in line behind a burst of transactions that each take many round trips.
 */
export function createUnitOfWork({
  prisma,
  transactionsAtOnce,
}: Pick<Database, 'prisma' | 'transactionsAtOnce'>): UnitOfWork {
  const limit = createLimit(transactionsAtOnce);
  async function run<T>(work: (tx: Transaction) => Promise<T>, isolation: { isolationLevel?: 'RepeatableRead' }) {
    const followUps: (() => void)[] = [];
    const result = await limit(() =>
      prisma.$transaction((client) => work({ client, afterCommit: (followUp) => followUps.push(followUp) }), {
        ...LIMITS,
        ...isolation,
      }),
    );
    for (const followUp of followUps) followUp();
    return result;
  }
  return {
    // Read committed is PostgreSQL's own default; to name it would cost every transaction one more round trip.
    run: (work) => run(work, {}),
    read: (work) => run(work, { isolationLevel: 'RepeatableRead' }),
  };
}

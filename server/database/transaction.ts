/**
 * One transaction, handed from service to service as a value. Services never look inside; stores use `client`.
 * What must be told to others (events) is registered with `afterCommit` and happens only once the rows are really there.
 */
import type { Prisma, PrismaClient } from '../generated/prisma/client';

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

export function createUnitOfWork(prisma: PrismaClient): UnitOfWork {
  async function run<T>(work: (tx: Transaction) => Promise<T>, isolation: { isolationLevel?: 'RepeatableRead' }) {
    const followUps: (() => void)[] = [];
    const result = await prisma.$transaction(
      (client) => work({ client, afterCommit: (followUp) => followUps.push(followUp) }),
      { ...LIMITS, ...isolation },
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

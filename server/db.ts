/** The Prisma client over one pool of the ordinary `pg` driver, the same for both engines (decision 0007). */
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { createStatementNames, type StatementNames, withDirectSql } from './database/direct-sql';
import { PatientPool } from './database/patient-pool';
import { PrismaClient } from './generated/prisma/client';

/** `embedded`: PGlite in a child process, one backend for all clients. `postgres`: a server of its own. */
export type DatabaseEngine = 'embedded' | 'postgres';

export interface Database {
  engine: DatabaseEngine;
  /** Where it is, for whoever needs a connection of their own (LISTEN). May hold a password: never log it. */
  url: string;
  prisma: PrismaClient;
  pool: pg.Pool;
  statementNames: StatementNames;
  /** Transactions that may be open at once; the rest of the connections is left to single statements. */
  transactionsAtOnce: number;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  url: string;
  engine: DatabaseEngine;
  /** Most connections at once. */
  poolSize?: number;
  /** Only for tests. */
  idleTransactionTimeoutMs?: number;
  /** A connection of the pool that was idle broke; it has been replaced. For the log. */
  onIdleError?: (error: Error) => void;
}

/**
 * Connections per process. PostgreSQL: five workers with their job queues and listeners fit into the server's usual 100. Embedded: one
 * backend runs one statement at a time, so more connections only move the queue.
 */
const poolSizes: Record<DatabaseEngine, number> = { postgres: 16, embedded: 6 };

/** Milliseconds to wait for a free connection, as long as for a transaction; and for a new one to be made. */
const QUEUE_TIMEOUT_MS = 30_000;
const CONNECT_TIMEOUT_MS = 10_000;

/** Gives up on an unreachable server long before the pool would, so that it is told as such. */
class ConnectingClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super({ ...config, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  }
}

/**
 * Transactions take many round trips each. More of them side by side end no sooner on the one thread that drives them all, and
 * the text that streams meanwhile waits behind every one: a burst of a hundred sends delayed it by 430 to 580 ms (p99) with
 * twelve at once, by 316 to 328 ms with three.
 */
const TRANSACTIONS_AT_ONCE = 3;

/**
 * Milliseconds after which PostgreSQL ends a transaction whose process says nothing any more: it was paused, or the network lost it.
 * Until then everybody who wants its rows waits, and with them the few transactions that may be open at once, so all the rest. As
 * long as a lease: who is silent for that time is thought dead. Ours wait for nothing but the database.
 */
const IDLE_TRANSACTION_TIMEOUT_MS = 15_000;

const limitIdleTransactions =
  (timeoutMs = IDLE_TRANSACTION_TIMEOUT_MS) =>
  async (client: pg.ClientBase) => {
    await client.query(`SET idle_in_transaction_session_timeout = ${timeoutMs}`);
  };

/** Connects lazily: nothing is opened before the first query. */
export function createDatabase(options: DatabaseOptions): Database {
  const poolSize = options.poolSize ?? poolSizes[options.engine];
  const pool = new PatientPool({
    connectionString: options.url,
    max: poolSize,
    // The pool counts the wait for a free connection too: a queue is slow, not broken.
    connectionTimeoutMillis: QUEUE_TIMEOUT_MS,
    Client: ConnectingClient,
    application_name: 'navi',
    // By a statement, as a pooler in between may refuse what it does not know at the start. The embedded engine has its own guard.
    ...(options.engine === 'postgres' ? { onConnect: limitIdleTransactions(options.idleTransactionTimeoutMs) } : {}),
    // Without it an ended pool keeps the process alive for the 10 s of its idle timers.
    allowExitOnIdle: true,
  });
  pool.on('error', (error) => options.onIdleError?.(error));
  const statementNames = options.engine === 'postgres' ? createStatementNames() : () => '';
  const models = new PrismaClient({ adapter: new PrismaPg(pool, { statementNameGenerator: statementNames }) });
  return {
    engine: options.engine,
    url: options.url,
    prisma: withDirectSql(models, pool, statementNames),
    pool,
    statementNames,
    transactionsAtOnce: Math.min(TRANSACTIONS_AT_ONCE, Math.ceil(poolSize * 0.75)),
    close: async () => {
      await models.$disconnect();
      await pool.end();
    },
  };
}

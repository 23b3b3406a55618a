/** A Prisma client whose statements all go over one connection, so that its models take part in a transaction that is open there. */
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from '../generated/prisma/client';
import type { Queryable, StatementNames } from './direct-sql';

/** What Prisma sends around statements of its own that belong together: they are in a transaction already. */
const BRACKETS = new Set(['BEGIN', 'COMMIT', 'ROLLBACK']);

/** As much of a pool as Prisma's adapter uses. */
class BoundPool extends pg.Pool {
  constructor(queryable: Queryable) {
    super();
    const query = (config: pg.QueryConfig) =>
      BRACKETS.has(config.text) ? Promise.resolve({ rows: [], fields: [], rowCount: 0 }) : queryable.query(config);
    const connection = { query, on: () => {}, removeListener: () => {}, release: () => {} };
    Object.assign(this, { query, connect: async () => connection });
  }
}

export function createBoundClient(queryable: Queryable, nameOf: StatementNames): PrismaClient {
  return new PrismaClient({ adapter: new PrismaPg(new BoundPool(queryable), { statementNameGenerator: nameOf }) });
}

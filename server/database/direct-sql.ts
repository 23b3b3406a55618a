/**
 * SQL by hand goes straight to the `pg` driver. Prisma's own `$queryRaw` and `$executeRaw` plan, trace and convert every statement, which
 * costs the server more than twice as much (0.24 against 0.10 ms per statement), and the hot paths are SQL: reading a page, a step
 * of a run. The calls and what they answer stay Prisma's.
 */
import pg from 'pg';
import { Prisma, type PrismaClient } from '../generated/prisma/client';

/** Where statements go: the pool, or the connection that holds a transaction. */
export type Queryable = Pick<pg.Pool | pg.PoolClient, 'query'>;

/** A name under which a connection keeps a statement prepared; '' for a statement that is prepared for one time. */
export type StatementNames = (query: { sql: string }) => string;

/** Statements that one connection keeps prepared. Ours are a few dozen; lists of changing length make new ones. */
const MAX_PREPARED = 300;

/**
 * Statements are prepared once per connection, so that parsing and planning are paid once: half the time of an append. Not on
 * the embedded engine, where all clients share one backend and so its names.
 */
export function createStatementNames(): StatementNames {
  const names = new Map<string, string>();
  return ({ sql }) => {
    const known = names.get(sql);
    if (known !== undefined) return known;
    if (names.size >= MAX_PREPARED) return '';
    const name = `navi_${names.size}`;
    names.set(sql, name);
    return name;
  };
}

const { INT8, NUMERIC, DATE, TIME, TIMESTAMP, MONEY, OID } = pg.types.builtins;
/** Types that the driver and Prisma read differently (a day in the server's own time zone, an amount as text) and no statement of ours asks for. */
const REFUSED = new Set<number>([NUMERIC, DATE, TIME, TIMESTAMP, MONEY, OID, /* int8[], numeric[] */ 1016, 1231]);

/** Values as Prisma answers them: whole numbers of 64 bits are bigints. What would be read differently is refused, not mistaken. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => {
    if (REFUSED.has(oid)) return refuse;
    return oid === INT8 ? BigInt : pg.types.getTypeParser(oid, format as 'text');
  },
};

function refuse(): never {
  throw new Error(
    'SQL by hand answers no days, times without a zone or exact decimals: cast them to text, int or float8.',
  );
}

type Template = TemplateStringsArray | Prisma.Sql;
const toSql = (template: Template, values: unknown[]): Prisma.Sql =>
  'raw' in template ? Prisma.sql(template, ...values) : template;

/** The same client with `$queryRaw` and `$executeRaw` over `queryable`; the statement is sent at the call, not when it is awaited. */
export function withDirectSql<C extends Prisma.TransactionClient | PrismaClient>(
  client: C,
  queryable: Queryable,
  nameOf: StatementNames,
): C {
  const send = (template: Template, values: unknown[]): Promise<pg.QueryResult> => {
    const { text, values: parameters } = toSql(template, values);
    return queryable.query({ name: nameOf({ sql: text }), text, values: parameters, types });
  };
  const direct = {
    $queryRaw: async (template: Template, ...values: unknown[]) => (await send(template, values)).rows,
    $executeRaw: async (template: Template, ...values: unknown[]) => (await send(template, values)).rowCount ?? 0,
  };
  return new Proxy(client, {
    get: (target, key) => (Object.hasOwn(direct, key) ? direct[key as keyof typeof direct] : Reflect.get(target, key)),
  });
}

/** One readable line for a database that cannot be used, without its password and without the driver's jargon. */
import { StartupError } from '../lib/startup-error';

/** Codes of Node's sockets and of PostgreSQL (its manual, appendix A), and what a person can do about each. */
const explanations: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there. Is PostgreSQL running?',
  ENOTFOUND: 'there is no host of that name.',
  EAI_AGAIN: 'the host name could not be looked up.',
  ETIMEDOUT: 'it does not answer.',
  EHOSTUNREACH: 'the host cannot be reached.',
  ENETUNREACH: 'the network cannot be reached.',
  ECONNRESET: 'it closed the connection. Does it want TLS (sslmode=require)?',
  ENOENT: 'there is no such socket. Is PostgreSQL running?',
  EACCES: 'the socket may not be opened by this user.',
  '28P01': 'the user or password is wrong.',
  '28000': 'the user may not connect.',
  '3D000': 'there is no such database. Create it first.',
  '42501': 'the user lacks the right to make tables there.',
  '53300': 'it has no connections left.',
  '57P03': 'it is still starting.',
};

/** Turns any error of opening a database into a StartupError; one that already is passes through. */
export function describeDatabaseError(error: unknown, url: string): StartupError {
  const known = findInCauses(error, (cause) => cause instanceof StartupError);
  if (known instanceof StartupError) return known;
  const code = findCode(error);
  const message = error instanceof Error ? error.message : String(error);
  const reason =
    (code === undefined ? undefined : explanations[code]) ??
    (/timeout/i.test(message) ? explanations.ETIMEDOUT : undefined) ??
    `${message.split('\n')[0] || 'unknown error'}.`;
  return new StartupError(`The database at ${placeOf(url)} (DATABASE_URL) cannot be used: ${reason}`, { cause: error });
}

/** Host, port and database name; never the credentials. */
function placeOf(url: string): string {
  try {
    const { hostname, port, pathname, searchParams } = new URL(url);
    const host = searchParams.get('host') ?? hostname;
    return `${host}${port === '' ? '' : `:${port}`}${pathname}`;
  } catch {
    return 'the given address';
  }
}

function findCode(error: unknown): string | undefined {
  const found = findInCauses(error, (cause) => typeof (cause as { code?: unknown })?.code === 'string');
  return (found as { code?: string } | undefined)?.code;
}

/** Searches an error, its causes, and the parts of an AggregateError (several addresses of one host). */
function findInCauses(error: unknown, isWanted: (cause: unknown) => boolean): unknown {
  if (error === null || typeof error !== 'object') return undefined;
  if (isWanted(error)) return error;
  const parts = error instanceof AggregateError ? error.errors : [];
  for (const cause of [(error as { cause?: unknown }).cause, ...parts]) {
    const found = findInCauses(cause, isWanted);
    if (found !== undefined) return found;
  }
  return undefined;
}

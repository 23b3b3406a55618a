/** One small JSON request to an endpoint, with failures as sentences for people. */
import type * as z from 'zod';
import { facts } from './error-facts';

export interface AskJson<Schema extends z.ZodType> {
  fetch: typeof globalThis.fetch;
  url: string;
  /** A body makes it a POST. */
  body?: unknown;
  headers?: Record<string, string>;
  signal: AbortSignal;
  /** Who is asked, for sentences. */
  label: string;
  schema: Schema;
}

/** Asks and parses. Throws an `Error` whose message is fit for people; never carries a key. */
export async function askJson<Schema extends z.ZodType>(ask: AskJson<Schema>): Promise<z.infer<Schema>> {
  const who = `${ask.label} at ${new URL(ask.url).origin}`;
  let response: Response;
  try {
    response = await ask.fetch(ask.url, {
      method: ask.body === undefined ? 'GET' : 'POST',
      headers: { ...(ask.body === undefined ? {} : { 'content-type': 'application/json' }), ...ask.headers },
      ...(ask.body === undefined ? {} : { body: JSON.stringify(ask.body) }),
      signal: ask.signal,
    });
  } catch (cause) {
    throw new Error(unreachableSentence(who, facts(cause).networkCode), { cause });
  }
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(statusSentence(who, response.status));
  }
  const answer: unknown = await response.json().catch(() => null);
  const parsed = ask.schema.safeParse(answer);
  if (!parsed.success) throw new Error(`${who} answered with something else than a list of models.`);
  return parsed.data;
}

function unreachableSentence(who: string, networkCode: string | null): string {
  if (networkCode === 'ENOTFOUND') return `${who} cannot be found. Check the address.`;
  return `${who} cannot be reached. Is it running?`;
}

function statusSentence(who: string, status: number): string {
  if (status === 401 || status === 403) return `${who} refused the key.`;
  if (status === 404) return `${who} has no list of models at this address (404). Check its path, often /v1.`;
  return `${who} answered with an error (${status}).`;
}

/**
 * GET from the public web, and from nowhere else. The guard sits where the connection is made: names are resolved by us,
 * private answers are dropped, and the address that was really connected to is checked once more. So neither a redirect
 * nor a name that changes its answer (DNS rebinding) can reach the machine or its network. See docs/decisions/0021-web-fetch.md.
 */

import type { LookupAddress, LookupOptions } from 'node:dns';
import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, fetch } from 'undici';
import { AppError } from '../errors';
import { checkWebUrl, isPublicAddress, webPorts } from './address-guard';

export interface GuardedFetchSettings {
  /** Default: public addresses only. Tests allow a loopback server by its own rule. */
  isAddressAllowed?: (address: string) => boolean;
  /** Default: 80, 443, 8080, 8443. */
  isPortAllowed?: (port: number) => boolean;
  /** Resolves names; the system's resolver by default. */
  lookup?: LookupFunction;
  maxRedirects?: number;
  /** Most bytes of the decoded body. */
  maxBytes?: number;
  connectTimeoutMs?: number;
  /** Milliseconds without a byte, before the headers and in the body. */
  idleTimeoutMs?: number;
  userAgent?: string;
}

export interface WebAnswer {
  /** After redirects. */
  url: string;
  status: number;
  contentType: string;
  body: Buffer;
  /** The body was longer than `maxBytes` and is cut. */
  isCut: boolean;
}

export interface GuardedFetch {
  /** Follows redirects, each checked anew. Throws AppError in words; rejects with the signal's reason when aborted. */
  get(url: string, options: { accept: string; signal: AbortSignal; maxBytes?: number }): Promise<WebAnswer>;
  close(): Promise<void>;
}

class ForbiddenAddressError extends Error {
  override readonly name = 'ForbiddenAddressError';
}

const DEFAULT_MAX_BYTES = 5 * 1024 * 1024;

export function createGuardedFetch(settings: GuardedFetchSettings = {}): GuardedFetch {
  const isAddressAllowed = settings.isAddressAllowed ?? isPublicAddress;
  const isPortAllowed = settings.isPortAllowed ?? ((port: number) => webPorts.has(port));
  const idleTimeoutMs = settings.idleTimeoutMs ?? 15_000;
  const agent = new Agent({
    connect: guardedConnector(isAddressAllowed, settings.lookup ?? systemLookup, settings.connectTimeoutMs ?? 10_000),
    headersTimeout: idleTimeoutMs,
    bodyTimeout: idleTimeoutMs,
    // One page, one connection: nothing is kept open to hosts that may never be asked again.
    pipelining: 0,
  });

  return {
    async get(text, { accept, signal, maxBytes = settings.maxBytes ?? DEFAULT_MAX_BYTES }) {
      let next: { text: string; base?: string } = { text };
      for (let hop = 0; hop <= (settings.maxRedirects ?? 5); hop += 1) {
        const checked = checkWebUrl(next.text, next.base, { isAddressAllowed, isPortAllowed });
        if (!checked.ok) {
          throw new AppError(
            'forbidden',
            hop === 0 ? checked.reason : `it redirects to an address that is refused: ${checked.reason}`,
          );
        }
        const { url } = checked;
        const response = await fetch(url, {
          dispatcher: agent,
          redirect: 'manual',
          signal,
          headers: {
            accept,
            'user-agent': settings.userAgent ?? 'Navi/0.1 (self-hosted agent)',
            'accept-language': '*',
          },
        }).catch((error: unknown) => {
          signal.throwIfAborted();
          throw explainFailure(error, url);
        });
        const location = response.headers.get('location');
        if (response.status >= 300 && response.status < 400 && location !== null) {
          await response.body?.cancel();
          next = { text: location, base: url.href };
          continue;
        }
        const { body, isCut } = await readBody(response.body, maxBytes).catch((error: unknown) => {
          signal.throwIfAborted();
          throw explainFailure(error, url);
        });
        return {
          url: url.href,
          status: response.status,
          contentType: response.headers.get('content-type') ?? '',
          body,
          isCut,
        };
      }
      throw new AppError('invalid-input', 'too many redirects');
    },
    close: () => agent.close(),
  };
}

/** Connects to allowed addresses only: filters what a name resolves to, then looks at the peer of the open connection. */
function guardedConnector(
  isAddressAllowed: (address: string) => boolean,
  lookup: LookupFunction,
  timeoutMs: number,
): buildConnector.connector {
  const guardedLookup: LookupFunction = (hostname, options: LookupOptions, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found: string | LookupAddress[], family) => {
      if (error !== null) {
        callback(error, '', 0);
        return;
      }
      const addresses = typeof found === 'string' ? [{ address: found, family: family ?? isIP(found) }] : found;
      const allowed = addresses.filter(({ address }) => isAddressAllowed(address));
      const [first] = allowed;
      if (first === undefined) callback(new ForbiddenAddressError(), '', 0);
      else if (options.all === true) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
  const connect = buildConnector({ timeout: timeoutMs, lookup: guardedLookup } as buildConnector.BuildOptions);
  return (options, callback) => {
    connect(options, (error, socket) => {
      if (error !== null) {
        callback(error, null);
        return;
      }
      if (socket.remoteAddress === undefined || !isAddressAllowed(socket.remoteAddress)) {
        socket.destroy();
        callback(new ForbiddenAddressError(), null);
        return;
      }
      callback(null, socket);
    });
  };
}

async function readBody(
  stream: ReadableStream<Uint8Array> | null | { getReader(): ReadableStreamDefaultReader<Uint8Array> },
  maxBytes: number,
): Promise<{ body: Buffer; isCut: boolean }> {
  if (stream === null) return { body: Buffer.alloc(0), isCut: false };
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let total = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { body: Buffer.concat(chunks), isCut: false };
    chunks.push(value);
    total += value.length;
    if (total > maxBytes) {
      // Counted after decompression, so that a small bomb cannot grow in memory.
      await reader.cancel();
      return { body: Buffer.concat(chunks).subarray(0, maxBytes), isCut: true };
    }
  }
}

/** One sentence about why a host could not be fetched; what is not foreseen is named by its code only. */
function explainFailure(error: unknown, url: URL): AppError {
  let cause: unknown = error;
  while (cause instanceof Error && cause.cause !== undefined) cause = cause.cause;
  if (cause instanceof AggregateError) cause = cause.errors[0];
  if (cause instanceof ForbiddenAddressError) {
    return new AppError('forbidden', `${url.hostname} leads to a private or local address`);
  }
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const words: Record<string, string> = {
    ENOTFOUND: 'there is no such host',
    EAI_AGAIN: 'its name could not be resolved',
    ECONNREFUSED: 'it refused the connection',
    ECONNRESET: 'it broke the connection off',
    UND_ERR_SOCKET: 'it broke the connection off',
    UND_ERR_CONNECT_TIMEOUT: 'it did not answer in time',
    UND_ERR_HEADERS_TIMEOUT: 'it did not answer in time',
    UND_ERR_BODY_TIMEOUT: 'it stopped in the middle of its answer',
  };
  const reason = words[code] ?? (code === '' ? 'the connection failed' : `the connection failed (${code})`);
  return new AppError('provider-unavailable', `${url.host} could not be fetched: ${reason}`, { cause: error });
}

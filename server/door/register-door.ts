/**
 * Puts the door in front of every route of a Fastify server. Must be called on the root before anything else is
 * registered, so that its hook runs first for pages, APIs, streams, unknown paths and WebSocket upgrades alike.
 * Upgrades must go through Fastify's routing (`@fastify/websocket` does); a bare `upgrade` listener would pass it by.
 */
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { createDoorCheck, type DoorRequest, type DoorSettings } from './check-request';
import { securityHeaders } from './security-headers';

/**
 * Refusals are 403, or 421 for a host that is not ours, with one plain JSON line, and the connection is closed. No answer
 * ever carries CORS headers.
 */
export function registerDoor(
  app: FastifyInstance,
  settings: DoorSettings & {
    /** Of the scripts in our own documents: `inlineScriptHashes`. */
    scriptHashes?: readonly string[];
  },
): void {
  const check = createDoorCheck(settings);
  app.addHook('onRequest', (request, reply, done) => {
    const decision = check(readDoorRequest(request.raw));
    if (decision.isAllowed) {
      // On the raw answer, so that streams which take the socket over carry them too; `reply.header` still overrides.
      const headers = securityHeaders(decision.host, settings.scriptHashes);
      for (const [name, value] of Object.entries(headers)) reply.raw.setHeader(name, value);
      done();
      return;
    }
    // An upgrade's socket has left Node's HTTP server, so nobody else would ever close it.
    if (request.raw.headers.upgrade !== undefined) {
      reply.raw.once('finish', () => request.raw.socket.destroySoon());
    }
    reply
      .code(decision.status)
      .header('content-type', 'application/json; charset=utf-8')
      .header('x-content-type-options', 'nosniff')
      .header('cache-control', 'no-store')
      .header('connection', 'close')
      .send(JSON.stringify({ error: { code: 'forbidden', message: decision.reason } }));
  });
}

/** What the door looks at, from a request of Node's HTTP server. */
export function readDoorRequest(raw: IncomingMessage): DoorRequest {
  const { headers } = raw;
  return {
    method: raw.method ?? '',
    url: raw.url ?? '',
    // Node keeps the first of several Host headers; a proxy might have read another one.
    host: countOf(raw, 'host') > 1 ? undefined : headers.host,
    origin: headers.origin,
    secFetchSite: single(headers['sec-fetch-site']),
    secFetchMode: single(headers['sec-fetch-mode']),
    secFetchDest: single(headers['sec-fetch-dest']),
    isUpgrade: headers.upgrade !== undefined,
  };
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}

function countOf(raw: IncomingMessage, name: string): number {
  // Requests that are injected in tests have no raw headers.
  return (raw.rawHeaders ?? []).filter((entry, index) => index % 2 === 0 && entry.toLowerCase() === name).length;
}

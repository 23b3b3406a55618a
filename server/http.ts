/** Everything that listens: the door, tRPC over HTTP and WebSocket, files, health, and the built client. */
import { existsSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import websocket from '@fastify/websocket';
import { TRPCError } from '@trpc/server';
import { type FastifyTRPCPluginOptions, fastifyTRPCPlugin } from '@trpc/server/adapters/fastify';
import { getWSConnectionHandler, handleKeepAlive } from '@trpc/server/adapters/ws';
import Fastify, { type FastifyError, type FastifyInstance } from 'fastify';
import type { App } from './app';
import { registerRemoteImages } from './domains/files/remote-images/route';
import { registerFileRoutes } from './domains/files/route';
import { registerShareRoutes } from './domains/shares/route';
import type { ShareView } from './domains/shares/schema';
import { registerArtifactFrame } from './door/artifact-frame';
import { registerClientFiles } from './door/client-files';
import { registerDoor } from './door/register-door';
import { inlineScriptHashes } from './door/security-headers';
import { AppError } from './lib/errors';
import { anonymous } from './lib/person';
import type { TrpcContext } from './trpc/context';
import { toErrorBody } from './trpc/errors';
import { type AppRouter, appRouter } from './trpc/router';

export interface HttpSettings {
  allowedHosts: string[];
  /** Folder of the built client; pages answer 404 without it. */
  webDir: string;
  version: string;
  database: 'embedded' | 'external';
  /** The first screen of a share as HTML; without it, the page alone draws it. */
  drawShare?: (view: ShareView) => string;
}

/** Longest body of a request, in bytes: a message of the longest kind with every character escaped. */
const BODY_LIMIT = 8 * 1024 * 1024;
/** Milliseconds between pings on a WebSocket, and until one without an answer counts as dead. */
const PING_MS = 30_000;
const PONG_WAIT_MS = 10_000;

/** Built before the services are ready, so that `/healthz` can say so; `open` makes it serve. */
export function createHttpServer(settings: HttpSettings): { http: FastifyInstance; open(app: App): void } {
  let app: App | null = null;
  const http = Fastify({
    bodyLimit: BODY_LIMIT,
    // Batched calls name all their procedures in the path.
    routerOptions: { maxParamLength: 5_000 },
    forceCloseConnections: true,
  });

  function createContext({ req }: { req: Pick<IncomingMessage, 'headers'> }): TrpcContext {
    if (app === null) throw new TRPCError({ code: 'SERVICE_UNAVAILABLE', message: 'Navi is starting.' });
    return {
      person: anonymous,
      services: app.services,
      origin: originOf(req.headers),
      reportUnexpected: app.reportUnexpected,
    };
  }

  http.setErrorHandler<FastifyError>((error, request, reply) => {
    const status = error.statusCode ?? 500;
    const failure =
      status === 413
        ? new AppError('too-large', `This is too much at once: a request has at most ${BODY_LIMIT / 1024 / 1024} MB.`)
        : status < 500
          ? new AppError('invalid-input', error.message)
          : new AppError(
              'internal',
              `Something went wrong on the server (request ${app?.reportUnexpected(error) ?? 'unknown'}).`,
            );
    reply
      .code(status)
      .send(
        request.url.startsWith('/trpc')
          ? toErrorBody(failure, status)
          : { error: { code: failure.code, message: failure.message } },
      );
  });
  http.setNotFoundHandler((_request, reply) => {
    reply.code(404).send({ error: { code: 'not-found', message: 'There is nothing at this address.' } });
  });

  const page = join(settings.webDir, 'index.html');
  const scriptHashes = existsSync(page) ? inlineScriptHashes(readFileSync(page, 'utf8')) : [];
  registerDoor(http, { allowedHosts: settings.allowedHosts, scriptHashes });
  http.register(websocket, { options: { maxPayload: BODY_LIMIT } });

  http.get('/healthz', async (_request, reply) => {
    const status = app === null ? 'starting' : 'ok';
    reply.code(app === null ? 503 : 200).header('cache-control', 'no-store');
    return { status, database: settings.database, version: settings.version };
  });

  http.register(fastifyTRPCPlugin, {
    prefix: '/trpc',
    trpcOptions: {
      router: appRouter,
      createContext,
      // Answers are people's own: no cache on the way or in the browser keeps one.
      responseMeta: () => ({ headers: new Headers({ 'cache-control': 'private, no-store' }) }),
    },
  } satisfies FastifyTRPCPluginOptions<AppRouter>);
  http.register(async (scope) => {
    const connect = getWSConnectionHandler({ wss: scope.websocketServer, router: appRouter, createContext });
    scope.get('/trpc', { websocket: true }, (socket, request) => {
      connect(socket, request.raw);
      handleKeepAlive(socket, PING_MS, PONG_WAIT_MS);
    });
  });

  /** For the ways in beside tRPC. */
  const running = (): App => {
    if (app === null) throw new AppError('busy', 'Navi is starting.');
    return app;
  };
  registerFileRoutes(http, {
    services() {
      const { services, images } = running();
      return { files: services.files, images };
    },
    personOf: async () => anonymous,
  });
  registerRemoteImages(http, { web: { get: async (url, options) => running().web.get(url, options) } });
  registerShareRoutes(http, {
    view: async (token) => running().services.shares.view(token),
    draw: settings.drawShare ?? (() => ''),
    file: async (token, fileId, options) => running().services.shares.file(token, fileId, options),
  });
  registerArtifactFrame(http);

  registerClientFiles(http, settings.webDir);

  return {
    http,
    open(ready) {
      app = ready;
    },
  };
}

/** The door has checked both: browsers name their own origin with each call but the plainest reads. */
function originOf({ origin, host }: IncomingMessage['headers']): string {
  return origin ?? `http://${host}`;
}

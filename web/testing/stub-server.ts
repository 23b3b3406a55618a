/**
 * Serves the built client against services in memory, over the real router: `npx tsx web/testing/stub-server.ts [port]`.
 * For looking at screens and rare states while working on the client; tests run against the real server.
 */
import { createReadStream, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { nodeHTTPRequestHandler } from '@trpc/server/adapters/node-http';
import { applyWSSHandler } from '@trpc/server/adapters/ws';
import { WebSocketServer } from 'ws';
import { anonymous } from '../../server/lib/person';
import type { Services, TrpcContext } from '../../server/trpc/context';
import { appRouter } from '../../server/trpc/router';
import { seed } from './stub-seed';
import { createStubServices } from './stub-services';
import { createStubStore } from './stub-store';

const port = Number(process.argv[2] ?? 3100);
const store = createStubStore();
seed(store);
const services = createStubServices(store) as unknown as Services;
const createContext = (): TrpcContext => ({
  person: anonymous,
  services,
  origin: `http://127.0.0.1:${port}`,
  reportUnexpected: (error) => {
    console.error(error);
    return 'stub';
  },
});

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};
const root = join(import.meta.dirname, '../../dist/web');
const policy = "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:";

const server = createServer((request, response) => {
  const path = new URL(request.url ?? '/', 'http://stub').pathname;
  if (path.startsWith('/trpc/')) {
    void nodeHTTPRequestHandler({
      router: appRouter,
      createContext,
      req: request,
      res: response,
      path: path.slice('/trpc/'.length),
    });
    return;
  }
  const file = join(root, path);
  const isFile = extname(path) !== '' && file.startsWith(root) && existsSync(file);
  const served = isFile ? file : join(root, 'index.html');
  response.setHeader('content-type', types[extname(served)] ?? 'application/octet-stream');
  response.setHeader('content-security-policy', policy);
  createReadStream(served).pipe(response);
});
applyWSSHandler({ wss: new WebSocketServer({ server, path: '/trpc' }), router: appRouter, createContext });
server.listen(port, '127.0.0.1', () => console.warn(`stub on http://127.0.0.1:${port}`));

/** The built client: its document for every page, its files by their hashed names, compressed for who is not on this machine. */
import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { isLoopback } from './host';

/** Nothing is served without the folder: pages then answer 404. */
export function registerClientFiles(http: FastifyInstance, webDir: string): void {
  if (!existsSync(webDir)) return;
  http.register(async (scope) => {
    // On this machine to unpack a file takes longer than its bytes. A proxy here packs for the readers that it knows.
    scope.addHook('onRequest', async (request) => {
      if (isLoopback(request.ip)) delete request.headers['accept-encoding'];
    });
    scope.register(fastifyStatic, {
      root: webDir,
      // The build puts `<name>.gz` beside each file that is worth it.
      preCompressed: true,
      // Its own header would win over the one below.
      cacheControl: false,
      // Hashed names never change their content; the pages that name them must be asked for each time.
      setHeaders: (reply, path) => {
        reply.setHeader('cache-control', cacheControlOf(relative(webDir, path)));
        reply.setHeader('vary', 'accept-encoding');
      },
    });
    for (const page of ['/s/:sessionId', '/s/:sessionId/planning']) {
      scope.get(page, (_request, reply) => reply.sendFile('index.html'));
    }
  });
}

function cacheControlOf(path: string): string {
  if (path.startsWith('assets/')) return 'public, max-age=31536000, immutable';
  if (path === 'icon.svg') return 'public, max-age=86400';
  // The document is also that of a share: nothing of it stays on the machine of whoever was sent the link.
  return path === 'index.html' ? 'no-store' : 'no-cache';
}

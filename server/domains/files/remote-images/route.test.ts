import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../lib/errors';
import { createGuardedFetch, type GuardedFetch } from '../../../lib/web/guarded-fetch';
import { registerRemoteImages } from './route';

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
let remote: Server;
let base: string;
let answer: { status: number; type: string; body: Buffer | string | null };
let web: GuardedFetch;
let app: FastifyInstance;

beforeAll(async () => {
  remote = createServer((_request, response) => {
    response.writeHead(answer.status, { 'content-type': answer.type });
    if (answer.body === null) response.flushHeaders();
    else response.end(answer.body);
  });
  await new Promise<void>((resolve) => remote.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(remote.address() as AddressInfo).port}`;
  web = createGuardedFetch({ isAddressAllowed: (address) => address === '127.0.0.1', isPortAllowed: () => true });
  app = Fastify();
  registerRemoteImages(app, { web, maxBytes: 1000, timeoutMs: 300 });
});
afterAll(async () => {
  await app.close();
  await web.close();
  remote.closeAllConnections();
  remote.close();
});
beforeEach(() => {
  answer = { status: 200, type: 'image/png', body: png };
});

const post = (url: unknown) => app.inject({ method: 'POST', url: '/api/remote-images', payload: { url } });

describe('a remote image', () => {
  it('comes as bytes of the kind it really is, and can be nothing else', async () => {
    answer = { status: 200, type: 'text/html', body: png };
    const response = await post(`${base}/a`);
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toBe('image/png');
    expect(response.headers['content-security-policy']).toContain('sandbox');
    expect(response.rawPayload).toEqual(png);
  });

  it.each([
    ['a page', 200, 'image/png', '<script>alert(1)</script>', 415],
    ['an SVG with a script', 200, 'image/svg+xml', '<svg onload="alert(1)"/>', 415],
    ['something huge', 200, 'image/png', Buffer.concat([png, Buffer.alloc(2000)]), 413],
    ['an error', 404, 'image/png', png, 502],
    ['a host that never finishes', 200, 'image/png', null, 504],
  ] as const)('is refused when it is %s', async (_what, status, type, body, expected) => {
    answer = { status, type, body };
    const response = await post(`${base}/a`);
    expect(response.statusCode).toBe(expected);
    expect(response.json()).toHaveProperty('error.message');
  });

  it('is never fetched from this machine or its network, nor by another scheme', async () => {
    expect((await post('http://127.0.0.2/a.png')).statusCode).toBe(403);
    for (const bad of ['file:///etc/passwd', 'data:image/png,x', '', null, 7])
      expect((await post(bad)).statusCode).toBe(400);
  });

  it('has no GET that a message could name in an image', async () => {
    const response = await app.inject({ method: 'GET', url: `/api/remote-images?url=${encodeURIComponent(base)}` });
    expect(response.statusCode).toBe(404);
  });

  it('asks who it is for', async () => {
    const closed = Fastify();
    registerRemoteImages(closed, {
      web,
      authorise: async () => {
        throw new AppError('unauthenticated', 'sign in first');
      },
    });
    const response = await closed.inject({ method: 'POST', url: '/api/remote-images', payload: { url: base } });
    expect(response.statusCode).toBe(401);
    await closed.close();
  });
});

import { type AddressInfo, connect } from 'node:net';
import websocket from '@fastify/websocket';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registerDoor } from './register-door';

let app: FastifyInstance;
let port: number;
let reached: string[] = [];

beforeAll(async () => {
  app = Fastify();
  registerDoor(app, { allowedHosts: ['navi.example'] });
  await app.register(websocket);
  const seen = (name: string) => {
    reached.push(name);
    return { secret: name };
  };
  app.get('/', async () => seen('page'));
  app.get('/healthz', async () => seen('healthz'));
  app.get('/trpc/:path', async () => seen('query'));
  app.post('/trpc/:path', async () => seen('mutation'));
  app.get('/files', (_request, reply) => {
    seen('file');
    reply.header('content-security-policy', 'sandbox').send('x');
  });
  app.get('/stream', (_request, reply) => {
    seen('stream');
    reply.hijack();
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream' });
    reply.raw.end('data: secret\n\n');
  });
  app.get('/trpc', { websocket: true }, (socket) => {
    seen('socket');
    socket.send('secret');
    socket.close();
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  port = (app.server.address() as AddressInfo).port;
});
afterAll(() => app.close());

/** Sends the bytes as they are and answers everything up to the end of the connection. */
function exchange(head: string[], body = ''): Promise<{ status: number; headers: string; text: string }> {
  reached = [];
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    socket.setEncoding('latin1');
    socket.on('data', (data) => {
      answer += data;
      // An open WebSocket would wait for our closing frame.
      if (answer.startsWith('HTTP/1.1 101') && answer.includes('secret')) socket.end();
    });
    socket.on('error', reject);
    socket.on('close', () => {
      const [headers = '', ...rest] = answer.split('\r\n\r\n');
      resolve({ status: Number(headers.slice(9, 12)), headers: headers.toLowerCase(), text: rest.join('\r\n\r\n') });
    });
    socket.write(
      `${[...head, ...(body === '' ? [] : [`Content-Length: ${body.length}`])].join('\r\n')}\r\n\r\n${body}`,
    );
  });
}

const upgrade = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
];
const close = ['Connection: close'];
const ways: Record<string, { line: string; more: string[]; body?: string; reaches: string; success: number }> = {
  page: { line: 'GET / HTTP/1.1', more: close, reaches: 'page', success: 200 },
  healthz: { line: 'GET /healthz HTTP/1.1', more: close, reaches: 'healthz', success: 200 },
  'tRPC query': { line: 'GET /trpc/sessions.list?input=%7B%7D HTTP/1.1', more: close, reaches: 'query', success: 200 },
  'tRPC batch': { line: 'GET /trpc/a.b,c.d?batch=1 HTTP/1.1', more: close, reaches: 'query', success: 200 },
  'tRPC mutation': {
    line: 'POST /trpc/messages.send HTTP/1.1',
    more: [...close, 'Content-Type: application/json'],
    body: '{}',
    reaches: 'mutation',
    success: 200,
  },
  'event stream': {
    line: 'GET /stream HTTP/1.1',
    more: [...close, 'Accept: text/event-stream'],
    reaches: 'stream',
    success: 200,
  },
  WebSocket: { line: 'GET /trpc HTTP/1.1', more: upgrade, reaches: 'socket', success: 101 },
};
const own = () => `Host: localhost:${port}`;
const attackers: Record<string, { status: number; headers: () => string[] }> = {
  'another origin': { status: 403, headers: () => [own(), 'Origin: https://evil.example'] },
  'another port of this machine': { status: 403, headers: () => [own(), 'Origin: http://localhost:5173'] },
  'a null origin': { status: 403, headers: () => [own(), 'Origin: null'] },
  'a rebound host': { status: 421, headers: () => [`Host: evil.example:${port}`] },
  'a rebound host with its own origin': {
    status: 421,
    headers: () => [`Host: evil.example:${port}`, `Origin: http://evil.example:${port}`, 'Sec-Fetch-Site: same-origin'],
  },
  'a rebound host with a trailing dot': { status: 421, headers: () => [`Host: LOCALHOST.evil.example.:${port}`] },
  'a cross-site fetch': {
    status: 403,
    headers: () => [own(), 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: no-cors', 'Sec-Fetch-Dest: image'],
  },
  'a same-site fetch': {
    status: 403,
    headers: () => [own(), 'Sec-Fetch-Site: same-site', 'Sec-Fetch-Mode: cors', 'Sec-Fetch-Dest: empty'],
  },
  'a cross-site frame': {
    status: 403,
    headers: () => [own(), 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: iframe'],
  },
};

describe.each(Object.entries(ways))('%s', (_name, way) => {
  it.each(Object.entries(attackers))('is closed to %s', async (_attacker, { status, headers }) => {
    const answer = await exchange([way.line, ...headers(), ...way.more], way.body);
    expect(answer.status).toBe(status);
    expect(reached).toEqual([]);
    expect(answer.text).not.toContain('secret');
    expect(JSON.parse(answer.text)).toMatchObject({ error: { code: 'forbidden' } });
    expect(answer.headers).not.toContain('access-control');
  });

  it.each([
    ['a client that is no browser', () => [own()]],
    ['our own page', () => [own(), `Origin: http://localhost:${port}`, 'Sec-Fetch-Site: same-origin']],
    ['our own page by IPv6', () => [`Host: [::1]:${port}`, `Origin: http://[::1]:${port}`]],
    ['our own page with an uppercase host', () => [`Host: LocalHost.:${port}`, `Origin: http://localhost:${port}`]],
    ['a configured host', () => ['Host: navi.example', 'Origin: https://navi.example']],
  ])('is open to %s', async (_who, headers) => {
    const answer = await exchange([way.line, ...headers(), ...way.more], way.body);
    expect(answer.status).toBe(way.success);
    expect(reached).toEqual([way.reaches]);
    expect(answer.headers).not.toContain('access-control');
  });

  it('refuses its preflight', async () => {
    const path = way.line.split(' ')[1];
    const answer = await exchange([
      `OPTIONS ${path} HTTP/1.1`,
      own(),
      'Origin: https://evil.example',
      'Access-Control-Request-Method: POST',
      'Access-Control-Request-Private-Network: true',
      ...close,
    ]);
    expect(answer.status).toBe(403);
    expect(answer.headers).not.toContain('access-control');
  });
});

describe('edges', () => {
  it('refuses two Host headers and an unknown path alike', async () => {
    expect((await exchange(['GET / HTTP/1.1', own(), 'Host: evil.example', ...close])).status).not.toBe(200);
    expect(reached).toEqual([]);
    expect((await exchange(['GET /nothing HTTP/1.1', 'Host: evil.example', ...close])).status).toBe(421);
  });

  it('closes the connection of a refused upgrade to any path, of any protocol', async () => {
    for (const [path, protocol] of [
      ['/', 'websocket'],
      ['/nothing', 'websocket'],
      ['/trpc', 'h2c'],
    ]) {
      const head = [
        `GET ${path} HTTP/1.1`,
        own(),
        'Origin: https://evil.example',
        'Connection: Upgrade',
        `Upgrade: ${protocol}`,
      ];
      expect((await exchange(head)).status).toBe(403);
      expect(reached).toEqual([]);
    }
  });

  it('reaches nothing by a path that cannot be read', async () => {
    for (const path of ['/%zz', '/trpc/%', '//', 'http://evil.example/trpc/x']) {
      const answer = await exchange([`GET ${path} HTTP/1.1`, 'Host: evil.example', ...close]);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.text).not.toContain('secret');
      expect(reached).toEqual([]);
    }
  });

  it('lets a link on another site open the page, and not the API', async () => {
    const link = ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: document', ...close];
    expect((await exchange(['GET / HTTP/1.1', own(), ...link])).status).toBe(200);
    expect((await exchange(['GET /trpc/x HTTP/1.1', own(), ...link])).status).toBe(403);
  });

  it('puts the content policy on pages, streams and errors, and lets a route narrow it', async () => {
    for (const path of ['/', '/stream', '/nothing']) {
      const { headers } = await exchange([`GET ${path} HTTP/1.1`, own(), ...close]);
      expect(headers).toContain("content-security-policy: default-src 'none'; script-src 'self';");
      expect(headers).toContain(`ws://localhost:${port}`);
      expect(headers).toContain('x-content-type-options: nosniff');
      expect(headers).toContain('referrer-policy: no-referrer');
      expect(headers).toContain('cross-origin-resource-policy: same-origin');
    }
    const { headers } = await exchange(['GET /files HTTP/1.1', own(), ...close]);
    expect(headers.match(/content-security-policy: .*/g)).toEqual(['content-security-policy: sandbox']);
  });
});

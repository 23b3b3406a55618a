import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import {
  createTRPCClient,
  createWSClient,
  httpBatchLink,
  httpLink,
  type TRPCClient,
  TRPCClientError,
  wsLink,
} from '@trpc/client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createHttpServer } from './http';
import { createTestApp, type TestApp } from './testing/app';
import { createTestDatabase, type TestDatabase } from './testing/database';
import { say } from './testing/scripted-model';
import type { AppRouter } from './trpc/router';

describe('http', () => {
  let database: TestDatabase;
  let webDir: string;
  let app: TestApp;
  let server: ReturnType<typeof createHttpServer>;
  let origin: string;
  const closers: (() => void | Promise<void>)[] = [];

  beforeAll(async () => {
    database = await createTestDatabase('postgres');
    webDir = mkdtempSync(join(tmpdir(), 'navi-web-'));
    mkdirSync(join(webDir, 'assets'));
    writeFileSync(join(webDir, 'index.html'), '<title>Navi</title>');
    writeFileSync(join(webDir, 'assets', 'main-abc.js'), '0');
    writeFileSync(join(webDir, 'assets', 'main-abc.js.gz'), gzipSync('0'));
  });
  afterAll(async () => {
    await database.close();
    rmSync(webDir, { recursive: true });
  });
  beforeEach(async () => {
    app = await createTestApp(database);
    server = createHttpServer({ allowedHosts: ['navi.example'], webDir, version: '1.2.3', database: 'external' });
    origin = await server.http.listen({ port: 0, host: '127.0.0.1' });
  });
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
    await server.http.close();
    await app.close();
    expect(app.unexpected).toEqual([]);
  });

  const batched = () => createTRPCClient<AppRouter>({ links: [httpBatchLink({ url: `${origin}/trpc` })] });

  function socketClient(headers: Record<string, string> = {}): TRPCClient<AppRouter> {
    class OwnSocket extends WebSocket {
      constructor(url: string) {
        super(url, { headers });
      }
    }
    const client = createWSClient({
      url: `${origin.replace('http', 'ws')}/trpc`,
      WebSocket: OwnSocket as unknown as typeof globalThis.WebSocket,
      retryDelayMs: () => 20,
    });
    closers.push(() => client.close());
    return createTRPCClient<AppRouter>({ links: [wsLink({ client })] });
  }

  /** Answers what the call failed with, as a client sees it. */
  async function failureOf(call: Promise<unknown>): Promise<TRPCClientError<AppRouter>> {
    const error = await call.then(
      () => new Error('it did not fail'),
      (thrown: unknown) => thrown,
    );
    if (error instanceof TRPCClientError) return error;
    throw error;
  }

  it('is healthy only once the app is there, and says that it is starting until then', async () => {
    const before = await fetch(`${origin}/healthz`);
    expect([before.status, await before.json()]).toEqual([
      503,
      { status: 'starting', database: 'external', version: '1.2.3' },
    ]);
    const early = await failureOf(batched().sessions.list.query());
    expect(early.data).toMatchObject({ httpStatus: 503, appCode: 'busy' });
    server.open(app);
    const after = await fetch(`${origin}/healthz`);
    expect([after.status, await after.json()]).toEqual([200, { status: 'ok', database: 'external', version: '1.2.3' }]);
  });

  it('answers batches, each call for itself, with our own code on what failed', async () => {
    server.open(app);
    const client = batched();
    const [created, missing, refused] = await Promise.allSettled([
      client.sessions.create.mutate({ name: 'First' }),
      client.sessions.get.query({ sessionId: 'nobody' }),
      client.messages.page.query({ sessionId: 'nobody', beforeSeq: 1, afterSeq: 2 }),
    ]);
    expect(created).toMatchObject({ status: 'fulfilled', value: { name: 'First', runState: 'idle' } });
    expect(missing).toMatchObject({ reason: { data: { appCode: 'not-found', httpStatus: 404, code: 'NOT_FOUND' } } });
    expect(refused).toMatchObject({
      reason: { message: expect.stringContaining('at most one'), data: { appCode: 'invalid-input', httpStatus: 400 } },
    });
  });

  it('says of an unknown procedure that there is none, without a stack', async () => {
    server.open(app);
    const answer = await fetch(`${origin}/trpc/sessions.explode?input=%7B%7D`);
    const body = (await answer.json()) as { error: { data: Record<string, unknown> } };
    expect([answer.status, body.error.data.appCode]).toEqual([404, 'not-found']);
    expect(JSON.stringify(body)).not.toContain('node_modules');
  });

  it('names the field of a bad input', async () => {
    server.open(app);
    const failure = await failureOf(batched().sessions.rename.mutate({ sessionId: 'a', name: '  ' }));
    expect(failure.message).toBe('name: a name needs at least one character');
    expect(failure.data).toMatchObject({ fields: [{ path: 'name' }], details: null });
  });

  it('refuses a body that is too large in words that a client of tRPC can read', async () => {
    server.open(app);
    const huge = { sessionId: 'a', clientMessageId: 'b', text: 'x'.repeat(9 * 1024 * 1024) };
    for (const link of [httpBatchLink, httpLink]) {
      const client = createTRPCClient<AppRouter>({ links: [link({ url: `${origin}/trpc` })] });
      const failure = await failureOf(client.messages.send.mutate(huge));
      expect(failure.data).toMatchObject({ appCode: 'too-large', httpStatus: 413 });
      expect(failure.message).toContain('at most 8 MB');
    }
    const long = await failureOf(batched().messages.send.mutate({ ...huge, text: 'x'.repeat(1_000_001) }));
    expect(long.data).toMatchObject({ appCode: 'invalid-input', fields: [{ path: 'text' }] });
  });

  it('refuses broken JSON and other methods as bad input', async () => {
    server.open(app);
    const post = (body: string, type = 'application/json') =>
      fetch(`${origin}/trpc/sessions.create`, { method: 'POST', body, headers: { 'content-type': type } });
    expect((await post('{"a": ')).status).toBe(400);
    expect((await post('<a/>', 'text/xml')).status).toBe(415);
    expect((await fetch(`${origin}/trpc/sessions.create`)).status).toBe(405);
  });

  it('streams a session over the WebSocket, mutations and subscriptions on one connection', async () => {
    server.open(app);
    const client = socketClient();
    const { id: sessionId } = await client.sessions.create.mutate({});
    app.model.replies.push(say('over ', 'the ', 'socket'));
    const kinds: string[] = [];
    let text = '';
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const ended = new Promise<void>((resolve, reject) => {
      const subscription = client.events.session.subscribe(
        { sessionId },
        {
          onData({ id, data }) {
            expect(Number(id)).toBeGreaterThanOrEqual(0);
            kinds.push(data.kind);
            if (data.kind === 'snapshot') begin();
            if (data.kind === 'text-delta') text += data.text;
            if (data.kind === 'run-end') resolve();
          },
          onError: reject,
        },
      );
      closers.push(() => subscription.unsubscribe());
    });
    // Both go over one connection, yet the server may begin to answer before it has looked at the session for the snapshot.
    await Promise.race([begun, ended]);
    await client.messages.send.mutate({ sessionId, clientMessageId: 'one', text: 'Hi' });
    await ended;
    expect([kinds[0], text]).toEqual(['snapshot', 'over the socket']);
  });

  it('tells a subscriber over the WebSocket that the session does not exist, with our code and no more', async () => {
    server.open(app);
    const error = await new Promise<TRPCClientError<AppRouter>>((resolve, reject) => {
      const subscription = socketClient().events.session.subscribe(
        { sessionId: 'nobody' },
        { onData: () => reject(new Error('unexpected data')), onError: (thrown) => resolve(thrown as never) },
      );
      closers.push(() => subscription.unsubscribe());
    });
    expect(error.data).toMatchObject({ appCode: 'not-found', code: 'NOT_FOUND' });
    expect(error.message).toBe('This chat does not exist or was deleted.');
  });

  it('serves the same subscription as server-sent events, resumed by the standard header', async () => {
    server.open(app);
    const sessionId = await app.newSession();
    const url = `${origin}/trpc/events.session?input=${encodeURIComponent(JSON.stringify({ sessionId }))}`;
    app.model.replies.push(say('over ', 'events'));
    const first = await readEvents(url, {}, (event) => event.data.kind === 'snapshot');
    const startId = first.at(-1)?.id ?? '';
    await app.send(sessionId, 'Hi');
    await app.untilIdle(sessionId);
    const rest = await readEvents(url, { 'last-event-id': startId }, (event) => event.data.kind === 'run-end');
    expect(rest[0]?.data.kind).toBe('message-added');
    expect(rest.map(({ data }) => (data.kind === 'text-delta' ? data.text : '')).join('')).toBe('over events');
    expect(rest.map(({ id }) => Number(id))).toEqual(rest.map((_, index) => Number(startId) + 1 + index));
  });

  it('lets WebSockets in through the door alone', async () => {
    server.open(app);
    const attempt = (headers: Record<string, string>) =>
      new Promise<number>((resolve) => {
        const socket = new WebSocket(`${origin.replace('http', 'ws')}/trpc`, { headers });
        socket.on('open', () => {
          socket.close();
          resolve(101);
        });
        socket.on('unexpected-response', (_request, answer) => resolve(answer.statusCode ?? 0));
        socket.on('error', () => undefined);
      });
    expect(await attempt({ origin })).toBe(101);
    expect(await attempt({ origin: 'https://evil.example' })).toBe(403);
    expect(await attempt({ host: 'rebound.example' })).toBe(421);
    expect(await attempt({ origin, 'sec-fetch-site': 'cross-site' })).toBe(403);
  });

  it('serves the client at / and at every session, and keeps only hashed names for long', async () => {
    server.open(app);
    for (const path of ['/', '/s/any-session-id']) {
      const page = await fetch(origin + path);
      expect([page.status, await page.text()]).toEqual([200, '<title>Navi</title>']);
      expect(page.headers.get('cache-control')).toBe('no-store');
    }
    const asset = await fetch(`${origin}/assets/main-abc.js`);
    expect(asset.headers.get('cache-control')).toContain('immutable');
  });

  it('hands out the compressed file to who is not on this machine and can unpack it', async () => {
    server.open(app);
    const ask = (remoteAddress: string, encodings: string, url = '/assets/main-abc.js') =>
      server.http.inject({ url, remoteAddress, headers: { host: 'navi.example', 'accept-encoding': encodings } });
    const far = await ask('192.168.1.7', 'gzip, deflate, br, zstd');
    expect(far.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
    expect(far.headers['content-type']).toContain('javascript');
    expect(far.headers['cache-control']).toContain('immutable');
    expect(gunzipSync(far.rawPayload).toString()).toBe('0');
    for (const plain of [
      await ask('192.168.1.7', 'identity'),
      await ask('127.0.0.1', 'gzip'),
      await ask('::1', 'gzip'),
      await ask('::ffff:127.0.0.1', 'gzip'),
    ]) {
      expect([plain.headers['content-encoding'], plain.body]).toEqual([undefined, '0']);
    }
    // What has no compressed neighbour comes as it is.
    const page = await ask('192.168.1.7', 'gzip', '/');
    expect([page.headers['content-encoding'], page.body]).toEqual([undefined, '<title>Navi</title>']);
  });

  it('answers 404 in one line for everything else, paths that climb out included', async () => {
    server.open(app);
    for (const path of [
      '/nothing',
      '/s',
      '/s/a/b',
      '/assets/none.js',
      '/%2e%2e/package.json',
      '/assets/..%2f..%2fetc/passwd',
    ]) {
      const status = await rawStatus(path);
      expect([path, status.code >= 400 && status.code < 500, status.body.includes('root:')]).toEqual([
        path,
        true,
        false,
      ]);
    }
    const missing = await fetch(`${origin}/nothing`);
    expect(await missing.json()).toEqual({
      error: { code: 'not-found', message: 'There is nothing at this address.' },
    });
  });

  function rawStatus(path: string): Promise<{ code: number; body: string }> {
    return new Promise((resolve, reject) => {
      const { hostname, port } = new URL(origin);
      // Not `fetch`, which would tidy the path up.
      const sent = request({ hostname, port, path }, (answer) => {
        let body = '';
        answer.on('data', (chunk) => {
          body += String(chunk);
        });
        answer.on('end', () => resolve({ code: answer.statusCode ?? 0, body }));
      });
      sent.on('error', reject);
      sent.end();
    });
  }
});

interface SentEvent {
  id: string;
  data: { kind: string; text?: string };
}

/** Reads server-sent events until one fits, then hangs up. */
async function readEvents(
  url: string,
  headers: Record<string, string>,
  fits: (event: SentEvent) => boolean,
): Promise<SentEvent[]> {
  const answer = await fetch(url, { headers: { accept: 'text/event-stream', ...headers } });
  const found: SentEvent[] = [];
  let buffered = '';
  const decoder = new TextDecoder();
  for await (const chunk of answer.body ?? []) {
    buffered += decoder.decode(chunk, { stream: true });
    const blocks = buffered.split('\n\n');
    buffered = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = new Map(
        block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
      );
      if (fields.has('event') || !fields.has('id')) continue;
      const event = { id: fields.get('id') ?? '', data: JSON.parse(fields.get('data') ?? 'null') as SentEvent['data'] };
      found.push(event);
      if (fits(event)) return found;
    }
  }
  throw new Error(`the stream ended after ${JSON.stringify(found)}`);
}

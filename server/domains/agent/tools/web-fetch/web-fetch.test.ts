import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../../lib/clock';
import { createGuardedFetch, type GuardedFetch, type GuardedFetchSettings } from '../../../../lib/web/guarded-fetch';
import { executeToolCall } from '../execute-tool-call';
import { convertHtml } from './convert-html';
import { createWebFetchTool } from './web-fetch-tool';

let server: Server;
let port: number;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let hits: string[];
const open: GuardedFetch[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    hits.push(`${request.headers.host?.split(':')[0]}${request.url}`);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  hits = [];
  answer = (_request, response) => response.end('hello');
});
afterEach(async () => {
  server.closeAllConnections();
  await Promise.all(open.splice(0).map((web) => web.close()));
});

/** Names of these tests: `public.test` is the loopback server, which the rule of a test allows by a public disguise. */
function resolver(table: Record<string, string[]>): LookupFunction {
  return (hostname, _options, callback) => {
    const addresses = table[hostname] ?? [];
    if (addresses.length === 0) callback(Object.assign(new Error('unknown'), { code: 'ENOTFOUND' }), []);
    else
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
  };
}

function webWith(settings: GuardedFetchSettings): GuardedFetch {
  const web = createGuardedFetch({ isPortAllowed: () => true, ...settings });
  open.push(web);
  return web;
}

/** Allows the loopback server, and nothing else of this machine. */
const loopbackServer = { isAddressAllowed: (address: string) => address === '127.0.0.1' };

function fetchTool(
  web: GuardedFetch,
  args: Record<string, unknown>,
  signal = new AbortController().signal,
  timeoutMs?: number,
) {
  const tool = createWebFetchTool({ web });
  return executeToolCall({
    call: { name: 'web_fetch', arguments: args, malformed: null },
    tools: [timeoutMs === undefined ? tool : { ...tool, timeoutMs }],
    context: { sessionId: 's', userId: '', runId: 'r', epoch: null, toolCallId: 'c', signal, reportProgress: () => {} },
    clock: systemClock,
  });
}

describe('the guard', () => {
  it.each([
    'http://127.0.0.1:PORT/',
    'http://localhost:PORT/',
    'http://[::1]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://2130706433:PORT/',
    'http://0x7f.1:PORT/',
    'http://0177.0.0.1:PORT/',
    'http://127.1:PORT/',
    'http://0:PORT/',
    'http://①②⑦.0.0.1:PORT/',
    'http://169.254.169.254/latest/meta-data/',
  ])('does not reach %s', async (url) => {
    const result = await fetchTool(webWith({}), { url: url.replace('PORT', String(port)) });
    expect(result.status).toBe('failed');
    expect(result.text).toMatch(/private or local/);
    expect(hits).toEqual([]);
  });

  it.each([
    'file:///etc/passwd',
    'ftp://a.test/',
    'data:text/plain,x',
    'javascript:1',
    'http://u:p@a.test/',
    'http://',
    'not a url',
  ])('does not fetch %s', async (url) =>
    expect((await fetchTool(webWith({ lookup: resolver({}) }), { url })).status).toBe('failed'),
  );

  it('refuses ports that are none of the web', async () => {
    const web = createGuardedFetch({ lookup: resolver({ 'a.test': ['8.8.8.8'] }) });
    open.push(web);
    for (const bad of [22, 25, 6379, 5432, 11434]) {
      expect((await fetchTool(web, { url: `http://a.test:${bad}/` })).text).toContain(`port ${bad}`);
    }
  });

  it('refuses a name that resolves to this machine, also beside a public address', async () => {
    const only = webWith({ lookup: resolver({ 'rebind.test': ['127.0.0.1'], 'six.test': ['::1', 'fd00::1'] }) });
    for (const name of ['rebind.test', 'six.test']) {
      expect((await fetchTool(only, { url: `http://${name}:${port}/` })).text).toBe(
        `${name} leads to a private or local address`,
      );
    }
    const connected: string[] = [];
    const mixed = webWith({
      isAddressAllowed: (address) => {
        connected.push(address);
        return false;
      },
      lookup: resolver({ 'mixed.test': ['127.0.0.1', '::1'] }),
    });
    expect((await fetchTool(mixed, { url: `http://mixed.test:${port}/` })).status).toBe('failed');
    expect(connected).toEqual(['127.0.0.1', '::1']);
    expect(hits).toEqual([]);
  });

  it('checks every resolution: a name that changes its answer is caught (DNS rebinding)', async () => {
    let resolutions = 0;
    const lookup: LookupFunction = (_name, _options, callback) => {
      resolutions += 1;
      callback(null, [{ address: resolutions === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }]);
    };
    answer = (_request, response) => response.writeHead(302, { location: '/again' }).end();
    const result = await fetchTool(webWith({ ...loopbackServer, lookup }), { url: `http://flip.test:${port}/` });
    expect(result.text).toBe('flip.test leads to a private or local address');
    expect(resolutions).toBe(2);
    expect(hits).toEqual(['flip.test/']);
  });

  it('looks at the address that was really connected to, whatever the resolver said', async () => {
    let asked = 0;
    const web = webWith({
      // Allowed when the resolver's answer is judged, refused when the open connection is.
      isAddressAllowed: () => {
        asked += 1;
        return asked === 1;
      },
      lookup: resolver({ 'a.test': ['127.0.0.1'] }),
    });
    expect((await fetchTool(web, { url: `http://a.test:${port}/` })).text).toContain('private or local');
    expect(hits).toEqual([]);
  });

  it.each([
    'http://127.0.0.2:PORT/inside',
    'http://[::1]:PORT/inside',
    'http://inner.test:PORT/inside',
    '//inner.test:PORT/inside',
    'file:///etc/passwd',
    'http://user@public.test:PORT/inside',
  ])('does not follow a redirect to %s', async (location) => {
    answer = (_request, response) =>
      response.writeHead(302, { location: location.replace('PORT', String(port)) }).end();
    const web = webWith({
      ...loopbackServer,
      lookup: resolver({ 'public.test': ['127.0.0.1'], 'inner.test': ['10.0.0.1'] }),
    });
    const result = await fetchTool(web, { url: `http://public.test:${port}/start` });
    expect(result.status).toBe('failed');
    expect(hits).toEqual(['public.test/start']);
  });

  it('follows redirects between allowed places, and not for ever', async () => {
    const web = webWith({ ...loopbackServer, maxRedirects: 3 });
    answer = (request, response) => {
      const step = Number(request.url?.slice(1));
      if (step < 3) response.writeHead(301, { location: `/${step + 1}` }).end();
      else response.end('arrived');
    };
    expect((await fetchTool(web, { url: `http://127.0.0.1:${port}/0` })).text).toMatch(/\/3\n\narrived$/);
    answer = (_request, response) => response.writeHead(301, { location: '/loop' }).end();
    expect((await fetchTool(web, { url: `http://127.0.0.1:${port}/` })).text).toBe('too many redirects');
  });
});

describe('bounds', () => {
  const local = (path = '/') => ({ url: `http://127.0.0.1:${port}${path}` });

  it('stops an endless page at the size limit', async () => {
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      const write = () => {
        while (!response.destroyed && response.write('x'.repeat(64 * 1024)));
        response.once('drain', write);
      };
      write();
    };
    const result = await fetchTool(webWith({ ...loopbackServer, maxBytes: 300_000 }), local());
    expect(result.status).toBe('done');
    expect(result.metadata).toMatchObject({ sizeBytes: 300_000 });
    expect(result.text).toContain('the rest was not fetched');
  });

  it('counts a compressed body as it unfolds', async () => {
    answer = (_request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' })
        .end(gzipSync(Buffer.alloc(50_000_000, 'a')));
    const result = await fetchTool(webWith({ ...loopbackServer, maxBytes: 100_000 }), local());
    expect(result.metadata).toMatchObject({ sizeBytes: 100_000 });
  });

  it('ends with the time-out when the server is silent, drips, or stops midway', async () => {
    for (const behave of [
      () => {},
      (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/plain' }).write('half'),
    ]) {
      answer = (_request, response) => void behave(response);
      expect(await fetchTool(webWith(loopbackServer), local(), undefined, 200)).toMatchObject({ status: 'timed-out' });
    }
    answer = (_request, response) => void response.writeHead(200, { 'content-type': 'text/plain' }).write('half');
    // Over a second undici counts its own ticks, so that a standstill of this process is no silence before the headers.
    const quiet = await fetchTool(webWith({ ...loopbackServer, idleTimeoutMs: 1_100 }), local());
    expect(quiet).toMatchObject({ status: 'failed' });
    expect(quiet.text).toContain('stopped in the middle');
  });

  it('stops at once when the person stops', async () => {
    const stop = new AbortController();
    answer = () => stop.abort();
    const result = await fetchTool(webWith(loopbackServer), local(), stop.signal);
    expect(result.status).toBe('stopped');
    // Long before the tool's own time is up.
    expect(result.durationMs).toBeLessThan(10_000);
  });

  it('tells a refused connection and an unknown host in words', async () => {
    const web = webWith({ ...loopbackServer, lookup: resolver({}) });
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const host = `127.0.0.1:${(closed.address() as AddressInfo).port}`;
    await new Promise((resolve) => closed.close(resolve));
    expect((await fetchTool(web, { url: `http://${host}/` })).text).toBe(
      `${host} could not be fetched: it refused the connection`,
    );
    expect((await fetchTool(web, { url: 'http://nowhere.test/' })).text).toBe(
      'nowhere.test could not be fetched: there is no such host',
    );
  });

  it('ends the conversion of a page made to hurt, and the server answers others meanwhile', async () => {
    const bomb = `<body>${'<b>'.repeat(400_000)}x`;
    await expect(convertHtml(bomb, 'http://a.test/', new AbortController().signal, 1000)).rejects.toThrow(
      /too intricate/,
    );
    const stop = new AbortController();
    const pending = convertHtml(bomb, 'http://a.test/', stop.signal, 120_000);
    const ended = pending.then(
      () => 'converted',
      () => 'ended',
    );
    answer = (_request, response) => void response.writeHead(200, { 'content-type': 'text/plain' }).end('here');
    const answered = fetchTool(webWith(loopbackServer), local()).then((result) => result.text);
    expect(await Promise.race([ended, answered])).toContain('here');
    stop.abort(new Error('stopped'));
    await expect(pending).rejects.toThrow('stopped');
  });
});

describe('what comes back', () => {
  const get = (contentType: string | null, body: string | Buffer, more: Record<string, unknown> = {}, status = 200) => {
    answer = (_request, response) =>
      response.writeHead(status, contentType === null ? {} : { 'content-type': contentType }).end(body);
    return fetchTool(webWith(loopbackServer), { url: `http://127.0.0.1:${port}/dir/page`, ...more });
  };

  it('HTML as text: title, headings, links made absolute, no script and no style', async () => {
    const { text, metadata } = await get(
      'text/html; charset=utf-8',
      `<html><head><title>A &amp; B</title><style>p{}</style></head><body><script>alert(1)</script><h1>Head</h1>
       <p>See <a href="../x">this</a> and <a href="javascript:alert(1)">that</a>.</p><ul><li>one<li>two</ul>
       <table><tr><th>Name</th><th>Price</th></tr><tr><td>Tea</td><td>$5</td></tr></table><img src="x" alt="pic"></body></html>`,
    );
    expect(text).toContain('Title: A & B');
    expect(text).toContain('Head');
    expect(text).toContain(`this (http://127.0.0.1:${port}/x)`);
    expect(text).toMatch(/ \* one\n \* two/);
    expect(text).toMatch(/Tea +\$5/);
    expect(text).not.toMatch(/alert|p\{\}/);
    expect(metadata).toMatchObject({ title: 'A & B' });
  });

  it('JSON and text as they are, in their encoding', async () => {
    expect((await get('application/json', '{"a": [1]}')).text).toMatch(/\n\n\{"a": \[1\]\}$/);
    expect((await get('text/plain; charset=windows-1251', Buffer.from([0xef, 0xf0, 0xe8]))).text).toMatch(/при$/);
    expect(
      (await get('text/html', Buffer.from('<meta charset="windows-1251"><body>\xef\xf0\xe8', 'latin1'))).text,
    ).toMatch(/при$/);
    expect((await get(null, '<!doctype html><body><p>hi</p>')).text).toMatch(/\n\nhi$/);
    expect((await get('text/plain; charset=nonsense', 'héé')).text).toMatch(/héé$/);
  });

  it('a refusal in words for what is no text', async () => {
    expect((await get('image/png', Buffer.from([0x89, 0x50]))).text).toContain('image/png');
    expect((await get('text/plain', Buffer.from([0, 1, 2, 3]))).text).toContain('binary');
    expect((await get('application/octet-stream', 'x')).status).toBe('failed');
  });

  it('a bad status as a failed result with what the page said', async () => {
    const result = await get('text/plain', 'no such page', {}, 404);
    expect(result.status).toBe('failed');
    expect(result.text).toMatch(/status 404[\s\S]*no such page/);
  });

  it('a long page in pieces that add up to the whole', async () => {
    const page = Array.from({ length: 9000 }, (_, index) => `${index}😀`).join(' ');
    let whole = '';
    for (let offset = 0; ; ) {
      const { text } = await get('text/plain; charset=utf-8', page, { offset });
      whole += text.slice(text.indexOf('\n\n') + 2);
      const next = /read on with offset (\d+)/.exec(text)?.[1];
      if (next === undefined) break;
      offset = Number(next);
    }
    expect(whole).toBe(page);
  });
});

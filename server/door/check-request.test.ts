import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseHost } from '../lib/host';
import { checkRequest, type DoorRequest, type DoorSettings } from './check-request';

const page: DoorRequest = {
  method: 'GET',
  url: '/',
  host: 'localhost:3000',
  origin: undefined,
  secFetchSite: undefined,
  secFetchMode: undefined,
  secFetchDest: undefined,
  isUpgrade: false,
};
const settings: DoorSettings = { allowedHosts: ['navi.example', 'box.lan:8443', '192.168.1.5', 'fd00::1'] };
const statusOf = (change: Partial<DoorRequest>): number => {
  const decision = checkRequest({ ...page, ...change }, settings);
  return decision.isAllowed ? 200 : decision.status;
};

describe('Host', () => {
  it.each([
    'localhost',
    'localhost:3000',
    'LOCALHOST:3000',
    'localhost.:3000',
    '127.0.0.1',
    '127.0.0.1:1',
    '127.8.9.10:3000',
    '[::1]',
    '[::1]:3000',
    '[0:0:0:0:0:0:0:1]:3000',
    '[::ffff:127.0.0.1]:3000',
    'navi.example',
    'Navi.Example.:443',
    'navi.example:3000',
    'box.lan:8443',
    '192.168.1.5:3000',
    '[fd00::1]:3000',
  ])('%s is ours', (host) => expect(statusOf({ host })).toBe(200));

  it.each([
    undefined,
    '',
    'evil.example',
    'evil.example:3000',
    'localhost.evil.example',
    'evil-localhost',
    'a.localhost:3000',
    '127.0.0.1.nip.io:3000',
    '128.0.0.1',
    '0.0.0.0:3000',
    '192.168.1.6',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '127.1',
    '[::2]:3000',
    '[::]:3000',
    '::1',
    'box.lan',
    'box.lan:8444',
    'www.navi.example',
    'navi.example.evil.example',
    'user@localhost:3000',
    'localhost:3000@evil.example',
    'localhost:99999',
    'localhost:',
    'localhost:3000, evil.example',
    'localhost/evil',
    ' localhost',
    'localhost..',
    'lоcalhost',
  ])('%s is not', (host) => expect(statusOf({ host })).toBe(421));

  it('gives one spelling', () => {
    expect(parseHost('[0:0::1]:80')).toEqual({ name: '::1', port: 80, isLoopback: true });
    expect(parseHost('Navi.Example.')).toEqual({ name: 'navi.example', port: null, isLoopback: false });
  });
});

describe('Origin', () => {
  it.each([
    ['localhost:3000', 'http://localhost:3000'],
    ['LOCALHOST:3000', 'http://localhost:3000'],
    ['localhost', 'http://localhost'],
    ['localhost:80', 'http://localhost'],
    ['[::1]:3000', 'http://[::1]:3000'],
    ['navi.example', 'https://navi.example'],
    ['127.0.0.1:3000', 'https://navi.example'],
    ['127.0.0.1:3000', 'https://box.lan:8443'],
  ])('Host %s takes %s', (host, origin) => {
    expect(statusOf({ host, origin, method: 'POST', url: '/trpc/x' })).toBe(200);
  });

  it.each([
    'null',
    '',
    'http://evil.example',
    'http://localhost',
    'http://localhost:5173',
    'http://127.0.0.1:3000',
    'https://localhost:3000.evil.example',
    'http://localhost:3000@evil.example',
    'http://evil.example:3000',
    'https://box.lan',
    'chrome-extension://localhost:3000',
    'file://',
    'http://localhost:3000, http://evil.example',
    'http://localhost:3000/',
  ])('%s is foreign to localhost:3000, for reads as for writes', (origin) => {
    for (const method of ['GET', 'POST', 'HEAD', 'DELETE'])
      expect(statusOf({ origin, method, url: '/trpc/x' })).toBe(403);
    expect(statusOf({ origin, url: '/trpc', isUpgrade: true })).toBe(403);
  });
});

describe('Sec-Fetch-Site', () => {
  it('lets our own page do everything', () => {
    for (const method of ['GET', 'POST'])
      expect(statusOf({ secFetchSite: 'same-origin', method, url: '/trpc/x' })).toBe(200);
    expect(statusOf({ secFetchSite: 'same-origin', url: '/trpc', isUpgrade: true })).toBe(200);
  });

  it('lets the address bar read, never write or open a socket', () => {
    expect(statusOf({ secFetchSite: 'none' })).toBe(200);
    expect(statusOf({ secFetchSite: 'none', url: '/healthz' })).toBe(200);
    expect(statusOf({ secFetchSite: 'none', method: 'POST' })).toBe(403);
    expect(statusOf({ secFetchSite: 'none', url: '/trpc', isUpgrade: true })).toBe(403);
  });

  const link = { secFetchSite: 'cross-site', secFetchMode: 'navigate', secFetchDest: 'document' } as const;
  it.each(['/', '/?a=1', '/s/0b9f7c3e-1'])('lets a link on another site open the page %s', (url) => {
    expect(statusOf({ ...link, url })).toBe(200);
    expect(statusOf({ ...link, url, secFetchSite: 'same-site' })).toBe(200);
  });

  it.each([
    '/trpc/sessions.list',
    '/api/sessions/1/files/a.html',
    '/healthz',
    '/opencode/session',
    '/s/../trpc/x',
    '//',
    '/s/a%2f..%2ftrpc',
  ])('does not let it open %s', (url) => expect(statusOf({ ...link, url })).toBe(403));

  it.each([
    { secFetchMode: 'no-cors', secFetchDest: 'image' },
    { secFetchMode: 'cors', secFetchDest: 'empty' },
    { secFetchMode: 'navigate', secFetchDest: 'iframe' },
    { secFetchMode: 'navigate', secFetchDest: 'object' },
    { secFetchMode: 'navigate', secFetchDest: 'document', method: 'POST' },
    { secFetchMode: 'navigate', secFetchDest: 'document', isUpgrade: true },
  ])('refuses other requests of other sites: %o', (change) => {
    for (const secFetchSite of ['cross-site', 'same-site']) expect(statusOf({ secFetchSite, ...change })).toBe(403);
  });

  it.each(['', 'SAME-ORIGIN', 'same-origin, cross-site', 'unknown'])(
    'refuses the unknown value "%s"',
    (secFetchSite) => {
      expect(statusOf({ secFetchSite })).toBe(403);
    },
  );
});

it('refuses every preflight and every absolute request line', () => {
  expect(statusOf({ method: 'OPTIONS', origin: 'http://localhost:3000' })).toBe(403);
  expect(statusOf({ url: 'http://evil.example/' })).toBe(403);
});

it('never takes a host for loopback that a browser would look for elsewhere (property)', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      'localhost',
      '127.0.0.1',
      '[::1]',
      '127',
      '1',
      '.',
      ':',
      '@',
      '/',
      '\\',
      '#',
      '?',
      '%',
      'evil',
      '0x7f',
      '[',
      ']',
      '3000',
      ' ',
    ),
    fc.string({ maxLength: 3 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 6 }), (pieces) => {
      const host = parseHost(pieces.join(''));
      if (host === null || !host.isLoopback) return;
      const { hostname } = new URL(`http://${pieces.join('')}/`);
      expect(hostname).toMatch(/^(localhost\.?|127\.\d+\.\d+\.\d+|\[::1\]|\[::ffff:7f.*\])$/);
    }),
    { numRuns: 3000 },
  );
});

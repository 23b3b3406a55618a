import { request } from 'undici';
import { WebSocket } from 'ws';
import { createApi } from '../../server/testing/wire-client';
import type { Row } from '../lib/row';

/** What a browser would send for a page of another site, and for a host name rebound to loopback. */
const attacks = (port: string): Record<string, Record<string, string>> => ({
  'another origin': { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
  'another origin without fetch metadata': { origin: 'https://evil.example' },
  'rebound host': {
    host: `evil.example:${port}`,
    origin: `http://evil.example:${port}`,
    'sec-fetch-site': 'same-origin',
  },
  'rebound host, no origin': { host: `evil.example:${port}` },
});

/** Whether the door lets a request through, whatever becomes of it behind the door. */
async function passes(url: string, headers: Record<string, string>, method: 'GET' | 'POST'): Promise<boolean> {
  const { statusCode, body } = await request(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(method === 'POST' ? { body: '{}' } : {}),
  });
  await body.dump();
  return statusCode !== 403 && statusCode !== 421;
}

/** True when the server lets the WebSocket open. */
const socketOpens = (url: string, headers: Record<string, string>): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = new WebSocket(url, { headers });
    socket.once('open', () => {
      socket.close();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

export const doorRow: Row = {
  id: 'door',
  what: 'a web page on another origin, and a rebound host name, against every way in',
  figure: 'refused',
  async run(bench) {
    const { origin } = await bench.startServer({ DATABASE_URL: await bench.createDatabase() });
    const { port, host } = new URL(origin);
    const { id } = await createApi(origin).sessions.create.mutate({});
    const paths: ['GET' | 'POST', string][] = [
      ['GET', '/'],
      ['GET', '/healthz'],
      ['GET', '/trpc/sessions.list'],
      ['POST', '/trpc/sessions.create'],
      ['POST', `/api/sessions/${id}/files`],
      ['GET', `/api/sessions/${id}/files/a.txt`],
      ['POST', '/api/remote-images'],
      ['POST', '/api/shared/view'],
      ['POST', '/api/shared/files'],
    ];
    const ways: Record<string, (headers: Record<string, string>) => Promise<boolean>> = {
      ...Object.fromEntries(
        paths.map(([method, path]) => [
          `${method} ${path}`,
          (headers: Record<string, string>) => passes(`${origin}${path}`, headers, method),
        ]),
      ),
      subscription: (headers) => socketOpens(`ws://${host}/trpc`, headers),
    };
    const entered: string[] = [];
    let tries = 0;
    for (const [way, isLetIn] of Object.entries(ways)) {
      if (!(await isLetIn({}))) throw new Error(`${way} refuses everybody`);
      for (const [attack, headers] of Object.entries(attacks(port))) {
        tries++;
        if (await isLetIn(headers)) entered.push(`${attack} through ${way}`);
      }
    }
    return {
      measured: entered.length === 0 ? `${tries} of ${tries} refused` : `let in: ${entered.join(', ')}`,
      passed: entered.length === 0,
      values: { tries, entered: entered.length },
    };
  },
};

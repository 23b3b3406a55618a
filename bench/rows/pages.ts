import { Agent, request } from 'undici';
import type { Bench } from '../lib/bench';
import type { Row } from '../lib/row';
import { seedSession, seedSessionList } from '../lib/seed';
import { formatTimes, median, quantile, time } from '../lib/stats';

const WARM_UP = 100;
const ROUNDS = 500;

/** Asks a query over HTTP, the answer read to its end and parsed, on one kept connection. */
function createAsker(origin: string) {
  const dispatcher = new Agent({ connections: 1 });
  return async (path: string, input: Record<string, unknown>): Promise<Record<string, unknown>> => {
    const url = `${origin}/trpc/${path}?input=${encodeURIComponent(JSON.stringify(input))}`;
    const { statusCode, body } = await request(url, { dispatcher });
    const answer = (await body.json()) as { result: { data: Record<string, unknown> } };
    if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}`);
    return answer.result.data;
  };
}

async function measure(work: (round: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    const tookMs = await time(() => work(round));
    if (round >= WARM_UP) times.push(tookMs);
  }
  return times;
}

const result = (newest: number[], other: number[], what: string, limitMs: number) => ({
  measured: `newest ${formatTimes(newest)}; ${what} ${formatTimes(other)}`,
  passed: median(newest) <= limitMs && median(other) <= limitMs,
  values: { newestMs: median(newest), newestP95Ms: quantile(newest, 0.95), otherMs: median(other) },
});

export const messagePageRow: Row = {
  id: 'message-page',
  what: 'page of 50 out of 100,000 messages (tRPC over HTTP)',
  figure: 'p50 ≤ 5 ms',
  async run(bench: Bench) {
    const url = await bench.createDatabase();
    await seedSession(url, 'long', 100_000);
    const server = await bench.startServer({ DATABASE_URL: url }, { profileName: 'message-page' });
    const ask = createAsker(server.origin);
    const page = async (beforeSeq?: number) => {
      const { messages } = await ask('messages.page', {
        sessionId: 'long',
        limit: 50,
        ...(beforeSeq ? { beforeSeq } : {}),
      });
      if ((messages as unknown[]).length !== 50) throw new Error('a page is not full');
    };
    const newest = await measure(() => page());
    // Anywhere in the history, the boundary to the archive included.
    const inside = await measure((round) => page(100 + ((round * 7_919) % 99_900)));
    return result(newest, inside, 'anywhere', 5);
  },
};

export const sessionListRow: Row = {
  id: 'session-list',
  what: 'list page of 50 out of 10,000 sessions (tRPC over HTTP)',
  figure: 'p50 ≤ 6 ms',
  async run(bench: Bench) {
    const url = await bench.createDatabase();
    await seedSessionList(url, 10_000);
    const server = await bench.startServer({ DATABASE_URL: url }, { profileName: 'session-list' });
    const ask = createAsker(server.origin);
    const page = async (cursor?: string) => {
      const answer = await ask('sessions.list', { limit: 50, ...(cursor === undefined ? {} : { cursor }) });
      if ((answer.items as unknown[]).length !== 50) throw new Error('a page is not full');
      return answer.nextCursor as string;
    };
    const newest = await measure(() => page());
    let cursor: string | undefined;
    for (let at = 0; at < 100; at++) cursor = await page(cursor);
    const deep = await measure(() => page(cursor));
    return result(newest, deep, '5,000 down', 6);
  },
};

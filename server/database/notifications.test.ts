import { connect, createServer, type Socket } from 'node:net';
import fc from 'fast-check';
import pg from 'pg';
import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type EventRow, keyOf, type Signal } from '../events/bus';
import { createPostgresDatabase } from '../testing/database';
import { createNotificationCarrier, type NotificationSettings, payloadsOf } from './notifications';

const id = fc.oneof(fc.uuid(), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }));
const signal: fc.Arbitrary<Signal> = fc.oneof(
  fc.record({
    topic: fc.constant('session' as const),
    sessionId: fc.oneof(id, fc.constantFrom('a', 'b')),
    lastId: fc.nat(),
    rows: fc.constantFrom<EventRow[] | null>(null, []),
  }),
  fc.record({
    topic: fc.constant('user' as const),
    userId: id,
    sessionId: id,
    change: fc.constantFrom('created' as const, 'updated' as const, 'removed' as const),
  }),
  fc.record({ topic: fc.constant('run' as const), runId: id }),
);

describe('payloads of notifications', () => {
  it('stay far below what PostgreSQL takes, carry no rows, and lose no signal', () => {
    fc.assert(
      fc.property(fc.array(signal, { maxLength: 150 }), (signals) => {
        const payloads = payloadsOf('worker', signals);
        const sent = payloads.flatMap((payload) => {
          expect(Buffer.byteLength(payload)).toBeLessThan(8_000);
          const parsed = JSON.parse(payload) as { from: string; signals: Signal[] };
          expect(parsed.from).toBe('worker');
          return parsed.signals;
        });
        const keys = (list: readonly Signal[]) => [...new Set(list.map(keyOf))].sort();
        expect(keys(sent)).toEqual(keys(signals));
        for (const one of sent) {
          if (one.topic !== 'session') continue;
          expect(one.rows).toBeNull();
          const ids = signals.map((other) =>
            keyOf(other) === keyOf(one) && other.topic === 'session' ? other.lastId : 0,
          );
          // The highest, not the last: signals of two transactions may overtake one another.
          expect(one.lastId).toBe(Math.max(...ids));
        }
        // Every change of a list is told.
        for (const one of signals) if (one.topic === 'user') expect(sent).toContainEqual(one);
      }),
    );
  });
});

describe('signals between workers', () => {
  let database: Awaited<ReturnType<typeof createPostgresDatabase>>;
  const closers: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    database = await createPostgresDatabase({ migrated: false });
    return () => database.drop();
  });
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });

  async function open(workerId: string, settings: Partial<NotificationSettings> = {}) {
    const pool = new pg.Pool({ connectionString: database.url });
    const errors: unknown[] = [];
    const received: Signal[] = [];
    let gaps = 0;
    const onError = (error: unknown) => void errors.push(error);
    const carrier = await createNotificationCarrier({ url: database.url, pool, workerId, onError, ...settings });
    carrier.onReceive((signals) => received.push(...signals));
    carrier.onGap(() => {
      gaps += 1;
    });
    closers.push(async () => {
      await carrier.close();
      await pool.end();
    });
    return { carrier, errors, received, gaps: () => gaps };
  }
  const told = (sessionId: string): Signal => ({ topic: 'session', sessionId, lastId: 1, rows: null });

  it('go again when the database did not take them', async () => {
    const other = await open('other');
    const pool = new pg.Pool({ connectionString: database.url });
    closers.push(() => pool.end());
    let failures = 2;
    const failing = new Proxy(pool, {
      get: (target, key) =>
        key === 'query' && failures-- > 0
          ? () => Promise.reject(new Error('the database is away'))
          : Reflect.get(target, key, target).bind(target),
    });
    const { carrier, errors } = await open('this', { pool: failing });
    carrier.send([told('a')]);
    await expect.poll(() => other.received).toEqual([told('a')]);
    expect(errors).toHaveLength(2);
  });

  it('are read again after the listening connection died without a word', async () => {
    // The limit passes when the test says so: a database that is slow to answer is not dead.
    const limitMs = 600_000;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    onTestFinished(() => void vi.useRealTimers());
    const { hostname, port } = new URL(database.url);
    let isDropping = false;
    let isAsked = false;
    const sockets: Socket[] = [];
    const proxy = createServer((socket) => {
      const onwards = connect(Number(port), hostname);
      sockets.push(socket, onwards);
      // Only the first connection goes dead.
      const isFirst = sockets.length === 2;
      const carry = (from: Socket, to: Socket) =>
        from.on('data', (chunk) => {
          if (!isDropping || !isFirst) to.write(chunk);
          else if (from === socket) isAsked = true;
        });
      carry(socket, onwards);
      carry(onwards, socket);
      socket.on('error', () => {}).on('close', () => onwards.destroy());
      onwards.on('error', () => {});
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    closers.push(async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => proxy.close(resolve));
    });
    const address = proxy.address();
    const url = new URL(database.url);
    url.hostname = '127.0.0.1';
    url.port = typeof address === 'object' && address !== null ? String(address.port) : '';
    const listening = await open('this', { url: url.href, pulse: { everyMs: 50, limitMs } });
    const other = await open('other', { pulse: { everyMs: 10 * limitMs, limitMs } });
    other.carrier.send([told('a')]);
    await expect.poll(() => listening.received).toEqual([told('a')]);
    isDropping = true;
    other.carrier.send([told('b')]);
    // The first connection stays open and silent; a second one is made, and whoever waits is told to read again.
    await expect.poll(() => isAsked).toBe(true);
    vi.advanceTimersByTime(limitMs);
    await expect.poll(() => listening.gaps()).toBe(1);
    other.carrier.send([told('c')]);
    await expect.poll(() => listening.received).toEqual([told('a'), told('c')]);
  });
});

/**
 * Carries signals between workers on one PostgreSQL: `LISTEN` on a connection of its own that reconnects, `NOTIFY` after
 * the commit, ids only, several signals per payload, payloads far below PostgreSQL's 8,000 bytes.
 */
import pg from 'pg';
import type { Signal, SignalCarrier } from '../events/bus';

const CHANNEL = 'navi_signals';
/** Bytes of one payload. */
const PAYLOAD_LIMIT = 4_000;
/** Milliseconds that signals collect before they are sent together. */
const COLLECT_MS = 5;
/** Milliseconds between attempts to listen again, or to send what the database did not take. */
const RECONNECT_MS = 500;
const PULSE = { everyMs: 15_000, limitMs: 10_000 };

export interface NotificationSettings {
  url: string;
  pool: pg.Pool;
  /** Of this process: its own notifications come back and are passed over. */
  workerId: string;
  onError(error: unknown): void;
  /** Milliseconds between signs of life that the listening connection asks for, and until one is missed. */
  pulse?: { everyMs: number; limitMs: number };
}

export async function createNotificationCarrier(settings: NotificationSettings): Promise<SignalCarrier> {
  const { url, pool, workerId, onError, pulse = PULSE } = settings;
  let receive: (signals: Signal[]) => void = () => {};
  let gap: () => void = () => {};
  let client: pg.Client | null = null;
  let isClosed = false;
  let waiting: Signal[] = [];
  let timer: NodeJS.Timeout | null = null;
  let sending: Promise<void> = Promise.resolve();

  async function listen(): Promise<void> {
    const next = new pg.Client({
      connectionString: url,
      application_name: 'navi-listen',
      keepAlive: true,
      query_timeout: pulse.limitMs,
    });
    // A connection that died without a word (a network that drops everything) looks as quiet as one with nothing to tell.
    let asking: NodeJS.Timeout | undefined;
    const askLater = () => {
      asking = setTimeout(() => {
        next.query('SELECT 1').then(askLater, (error: unknown) => {
          onError(error);
          return next.end();
        });
      }, pulse.everyMs).unref();
    };
    next.on('notification', ({ payload }) => {
      const parsed = JSON.parse(payload ?? 'null') as { from: string; signals: Signal[] } | null;
      if (parsed !== null && parsed.from !== workerId) receive(parsed.signals);
    });
    next.on('error', (error) => onError(error));
    next.on('end', () => {
      clearTimeout(asking);
      if (!isClosed && client === next) void listenAgain();
    });
    try {
      await next.connect();
      await next.query(`LISTEN ${CHANNEL}`);
    } catch (error) {
      void next.end().catch(() => {});
      throw error;
    }
    client = next;
    askLater();
  }

  async function listenAgain(): Promise<void> {
    client = null;
    while (!isClosed && client === null) {
      try {
        await listen();
        // Whatever was signalled meanwhile is lost: everybody reads again.
        gap();
      } catch (error) {
        onError(error);
        await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
      }
    }
  }

  /** What the database does not take goes again with the next: somebody may wait for nothing but this signal. */
  async function send(signals: Signal[]): Promise<void> {
    try {
      for (const payload of payloadsOf(workerId, signals)) {
        await pool.query('SELECT pg_notify($1, $2)', [CHANNEL, payload]);
      }
    } catch (error) {
      onError(error);
      if (isClosed) return;
      waiting.unshift(...signals.map((signal) => (signal.topic === 'session' ? { ...signal, rows: null } : signal)));
      timer ??= setTimeout(flush, RECONNECT_MS);
    }
  }

  function flush(): void {
    timer = null;
    const batch = waiting;
    waiting = [];
    sending = sending.then(() => send(batch));
  }

  await listen();
  return {
    send(signals) {
      waiting.push(...signals);
      timer ??= setTimeout(flush, COLLECT_MS);
    },
    onReceive(listener) {
      receive = listener;
    },
    onGap(listener) {
      gap = listener;
    },
    async close() {
      isClosed = true;
      if (timer !== null) clearTimeout(timer);
      flush();
      await sending;
      await client?.end();
    },
  };
}

/** Packs signals without their rows; of several about one session only the highest id counts: they may come out of order. */
export function payloadsOf(from: string, signals: readonly Signal[]): string[] {
  const newest = new Map<string, Signal>();
  for (const signal of signals) {
    if (signal.topic !== 'session') newest.set(JSON.stringify(signal), signal);
    else {
      const key = `session:${signal.sessionId}`;
      const known = newest.get(key);
      const lastId = known?.topic === 'session' ? Math.max(known.lastId, signal.lastId) : signal.lastId;
      newest.set(key, { ...signal, lastId, rows: null });
    }
  }
  const payloads: string[] = [];
  let batch: Signal[] = [];
  let size = 0;
  for (const signal of newest.values()) {
    const bytes = Buffer.byteLength(JSON.stringify(signal)) + 1;
    if (size + bytes > PAYLOAD_LIMIT && batch.length > 0) {
      payloads.push(JSON.stringify({ from, signals: batch }));
      batch = [];
      size = 0;
    }
    batch.push(signal);
    size += bytes;
  }
  if (batch.length > 0) payloads.push(JSON.stringify({ from, signals: batch }));
  return payloads;
}

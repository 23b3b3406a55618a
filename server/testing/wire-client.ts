/** Talks to a running server the way the web client does: tRPC over HTTP, subscriptions over one WebSocket. */
import { createTRPCClient, httpLink } from '@trpc/client';
import { WebSocket } from 'ws';
import type { SessionEvent } from '../events/topics';
import type { AppRouter } from '../trpc/router';

export function createApi(origin: string) {
  return createTRPCClient<AppRouter>({ links: [httpLink({ url: `${origin}/trpc` })] });
}
export type Api = ReturnType<typeof createApi>;

export interface SeenEvent {
  id: number;
  event: SessionEvent;
  /** Milliseconds of the monotonic clock, which all processes of a machine share. */
  atMs: number;
}

export interface SessionSubscriber {
  events: SeenEvent[];
  /** Resolves with the first event, already got or still to come, that fits; rejects when the connection ends first. */
  until(fits: (event: SessionEvent) => boolean, timeoutMs?: number): Promise<SeenEvent>;
  /** Bytes received on the connection, frames and the handshake included. */
  bytesRead(): number;
  isOpen(): boolean;
  close(): void;
}

/** Milliseconds of CLOCK_MONOTONIC: comparable between processes of one machine, untouched by changes of the time. */
export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6;

const DEFAULT_TIMEOUT_MS = 60_000;

/** Subscribes to one session; resolves when the server has begun to serve it. */
export async function subscribeSession(
  origin: string,
  sessionId: string,
  options: { lastEventId?: string; onEvent?: (seen: SeenEvent) => void; keepsEvents?: boolean } = {},
): Promise<SessionSubscriber> {
  const events: SeenEvent[] = [];
  const looks = new Set<() => void>();
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/trpc`, { perMessageDeflate: false });
  let failure: Error | null = null;
  const end = (error: Error) => {
    failure ??= error;
    for (const look of [...looks]) look();
  };
  const started = new Promise<void>((resolve, reject) => {
    socket.on('message', (data: Buffer) => {
      const text = data.toString('utf8');
      if (text === 'PING') {
        socket.send('PONG');
        return;
      }
      const atMs = monotonicMs();
      const { result, error } = JSON.parse(text);
      if (error !== undefined) end(new Error(`the subscription failed: ${error.message}`));
      else if (result.type === 'started') resolve();
      else if (result.type === 'stopped') end(new Error('the server ended the subscription'));
      else {
        const seen = { id: Number(result.data.id), event: result.data.data as SessionEvent, atMs };
        if (options.keepsEvents !== false) events.push(seen);
        options.onEvent?.(seen);
        for (const look of [...looks]) look();
      }
    });
    socket.once('close', () => {
      end(new Error('the connection was closed'));
      reject(failure);
    });
    socket.on('error', (error) => {
      end(error);
      reject(error);
    });
  });
  socket.once('open', () => {
    const input = { sessionId, lastEventId: options.lastEventId ?? null };
    socket.send(JSON.stringify({ id: 1, method: 'subscription', params: { path: 'events.session', input } }));
  });
  await started;
  return {
    events,
    until: (fits, timeoutMs = DEFAULT_TIMEOUT_MS) =>
      new Promise((resolve, reject) => {
        const settle = (act: () => void) => {
          clearTimeout(timer);
          looks.delete(look);
          act();
        };
        const look = () => {
          const found = events.find(({ event }) => fits(event));
          if (found !== undefined) settle(() => resolve(found));
          else if (failure !== null) settle(() => reject(failure));
        };
        const timer = setTimeout(() => {
          const kinds = events.slice(-8).map(({ event }) => event.kind);
          settle(() => reject(new Error(`no such event within ${timeoutMs} ms; the last ones: ${kinds.join(', ')}`)));
        }, timeoutMs);
        looks.add(look);
        look();
      }),
    bytesRead: () => (socket as unknown as { _socket: { bytesRead: number } })._socket.bytesRead,
    isOpen: () => socket.readyState === WebSocket.OPEN,
    close: () => socket.close(),
  };
}

/** A session that runs nothing and in which nothing waits; rejects when it does not become so in time. */
export async function untilIdle(origin: string, sessionId: string, timeoutMs = DEFAULT_TIMEOUT_MS): Promise<void> {
  const subscriber = await subscribeSession(origin, sessionId);
  let isBusy = true;
  try {
    await subscriber.until((event) => {
      if (event.kind === 'snapshot') isBusy = event.run !== null || event.queue.length > 0;
      else if (event.kind === 'run-end') isBusy = event.runState === 'running' || event.runState === 'queued';
      return !isBusy;
    }, timeoutMs);
  } finally {
    subscriber.close();
  }
}

/** Every event that the log of a session still holds, oldest first: what a client that saw nothing yet would be sent. */
export async function readWholeLog(origin: string, sessionId: string): Promise<SeenEvent[]> {
  const head = await subscribeSession(origin, sessionId);
  const snapshot = await head.until((event) => event.kind === 'snapshot');
  head.close();
  if (snapshot.id === 0) return [];
  const subscriber = await subscribeSession(origin, sessionId, { lastEventId: '0' });
  try {
    await subscriber.until(() => (subscriber.events.at(-1)?.id ?? 0) >= snapshot.id);
    return subscriber.events;
  } finally {
    subscriber.close();
  }
}

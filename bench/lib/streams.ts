/** Runs that stream, seen by subscribers: the load generator's side of the streaming rows. */
import { randomUUID } from 'node:crypto';
import { createApi, type SeenEvent, type SessionSubscriber, subscribeSession } from '../../server/testing/wire-client';
import { orderText, parseTokens, type StreamOrder } from './model-process';

export interface Stream {
  /** Milliseconds from the model's write of each token to its event in the subscriber, in order of arrival. */
  delaysMs: number[];
  /** Every token came once and in order, and the run ended well. */
  isWhole: boolean;
  /** Bytes on the subscriber's connection from before the send to the end of the run. */
  bytes: number;
}

/** Opens `count` fresh sessions on a server, each with a subscriber of its own. */
export async function openStreams(origin: string, count: number) {
  const api = createApi(origin);
  const sessions = await Promise.all(
    Array.from({ length: count }, async () => {
      const { id } = await api.sessions.create.mutate({ name: 'Bench' });
      let current: Tracker | null = null;
      const subscriber = await subscribeSession(origin, id, {
        keepsEvents: false,
        onEvent: (seen) => current?.onEvent(seen),
      });
      return {
        id,
        subscriber,
        attach: (tracker: Tracker | null) => {
          current = tracker;
        },
      };
    }),
  );

  return {
    /** Sends to every session at once and resolves when every run has ended. */
    run: (order: StreamOrder): Promise<Stream[]> =>
      Promise.all(
        sessions.map(async ({ id, subscriber, attach }) => {
          const tracker = createTracker(order, subscriber);
          attach(tracker);
          await api.messages.send.mutate({ sessionId: id, clientMessageId: randomUUID(), text: orderText(order) });
          const stream = await tracker.ended;
          attach(null);
          return stream;
        }),
      ),
    close() {
      for (const { subscriber } of sessions) subscriber.close();
    },
  };
}

type Tracker = ReturnType<typeof createTracker>;

function createTracker(order: StreamOrder, subscriber: SessionSubscriber) {
  const delaysMs: number[] = [];
  let isInOrder = true;
  let next = 0;
  const bytesBefore = subscriber.bytesRead();
  let end: (stream: Stream) => void = () => {};
  const ended = new Promise<Stream>((resolve) => {
    end = resolve;
  });
  return {
    ended,
    onEvent({ event, atMs }: SeenEvent) {
      if (event.kind === 'text-delta') {
        for (const token of parseTokens(event.text)) {
          if (token.index !== next++) isInOrder = false;
          delaysMs.push(atMs - token.sentAtMs);
        }
      } else if (event.kind === 'run-end') {
        const isWhole = isInOrder && next === order.tokens && event.status === 'done';
        end({ delaysMs, isWhole, bytes: subscriber.bytesRead() - bytesBefore });
      }
    },
  };
}

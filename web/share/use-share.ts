import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { SharedMessage, ShareView } from '../../server/domains/shares/schema';
import type { TranscriptItem } from '../features/chat/stream/items';
import { GoneError, type ShareClient } from './share-client';
import { createRows } from './to-rows';

export type ShareState =
  | { kind: 'loading' }
  | { kind: 'gone' }
  | { kind: 'failed' }
  | { kind: 'shown'; view: Omit<ShareView, 'page'>; messages: readonly SharedMessage[]; nextBeforeSeq: number | null };

export interface OpenShare {
  state: ShareState;
  items: readonly TranscriptItem[];
  /** Whether the page above is on its way, or could not be read. */
  older: 'idle' | 'loading' | 'failed';
  loadOlder(): void;
  retry(): void;
}

/** A share that is being opened: what it looks like so far, and how that ends. */
export interface Opening {
  now: ShareState;
  end: Promise<ShareState>;
}

/** Until now nothing of the waiting is shown (the class `late`), so nothing is drawn either, in milliseconds. */
const LATE_MS = 200;

/** Asks for the newest page, and waits for it a moment: the page is then drawn once and not twice. */
export async function openShare(client: ShareClient): Promise<Opening> {
  const end = readView(client);
  const waiting = new Promise<ShareState>((resolve) => setTimeout(resolve, LATE_MS, { kind: 'loading' }));
  return { now: await Promise.race([end, waiting]), end };
}

const readView = (client: ShareClient): Promise<ShareState> =>
  client.view().then(
    ({ page, ...view }) => ({ kind: 'shown', view, ...page }),
    (error: unknown) => ({ kind: error instanceof GoneError ? 'gone' : 'failed' }),
  );

/** One share: the newest page at once, older ones when they are asked for. A chat that is deleted meanwhile goes. */
export function useShare(client: ShareClient, opening: Opening): OpenShare {
  const [state, setState] = useState<ShareState>(opening.now);
  const [older, setOlder] = useState<OpenShare['older']>('idle');
  const [reading, setReading] = useState(opening.end);
  const isReading = useRef(false);

  useEffect(() => {
    let isOver = false;
    void reading.then((end) => !isOver && setState(end));
    return () => {
      isOver = true;
    };
  }, [reading]);

  const beforeSeq = state.kind === 'shown' ? state.nextBeforeSeq : null;
  const loadOlder = useCallback(() => {
    if (beforeSeq === null || isReading.current) return;
    isReading.current = true;
    setOlder('loading');
    client
      .messages(beforeSeq)
      .then(
        (page) => {
          setOlder('idle');
          setState((now) =>
            now.kind === 'shown'
              ? { ...now, messages: [...page.messages, ...now.messages], nextBeforeSeq: page.nextBeforeSeq }
              : now,
          );
        },
        (error: unknown) => (error instanceof GoneError ? setState({ kind: 'gone' }) : setOlder('failed')),
      )
      .finally(() => {
        isReading.current = false;
      });
  }, [client, beforeSeq]);

  const toRows = useMemo(createRows, []);
  const messages = state.kind === 'shown' ? state.messages : null;
  const items = useMemo(() => (messages === null ? [] : toRows(messages)), [messages, toRows]);
  const retry = useCallback(() => {
    setState({ kind: 'loading' });
    setReading(readView(client));
  }, [client]);
  return { state, items, older, loadOlder, retry };
}

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

const stateAfter = (error: unknown): ShareState => ({ kind: error instanceof GoneError ? 'gone' : 'failed' });

/** One share: the newest page at once, older ones when they are asked for. A chat that is deleted meanwhile goes. */
export function useShare(client: ShareClient): OpenShare {
  const [state, setState] = useState<ShareState>({ kind: 'loading' });
  const [older, setOlder] = useState<OpenShare['older']>('idle');
  const [attempt, setAttempt] = useState(0);
  const isReading = useRef(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt reads again.
  useEffect(() => {
    let isOver = false;
    const show = (next: ShareState) => !isOver && setState(next);
    client.view().then(
      ({ page, ...view }) => show({ kind: 'shown', view, ...page }),
      (error: unknown) => show(stateAfter(error)),
    );
    return () => {
      isOver = true;
    };
  }, [client, attempt]);

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
    setAttempt((count) => count + 1);
  }, []);
  return { state, items, older, loadOlder, retry };
}

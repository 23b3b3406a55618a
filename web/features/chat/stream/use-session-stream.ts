import { useQueryClient } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import type { SessionEvent } from '../../../../server/events/topics';
import { useTRPC, useTRPCClient } from '../../../lib/trpc';
import { dropFirstMessage, readFirstMessage } from './first-message';
import { buildItems, type TranscriptItem } from './items';
import { createSessionStream, type SessionStream } from './session-stream';
import type { ChatState } from './state';

export const SessionStreamContext = createContext<SessionStream | null>(null);

/** The stream of one session, open while the component is mounted. Mounting twice subscribes once more and changes nothing. */
export function useSessionStream(sessionId: string, onEvent?: (event: SessionEvent) => void): SessionStream {
  const client = useTRPCClient();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const listener = useRef(onEvent);
  useEffect(() => {
    listener.current = onEvent;
  }, [onEvent]);
  const stream = useMemo(() => {
    const { queryKey } = trpc.sessions.get.queryOptions({ sessionId });
    return createSessionStream({
      client,
      sessionId,
      first: readFirstMessage(queryClient, sessionId),
      onEvent: (event) => listener.current?.(event),
      onSessionChanges: (changes) => {
        queryClient.setQueryData(queryKey, (session) => session && { ...session, ...changes });
        // What is being read now may be older than this, and would take it back.
        if (queryClient.isFetching({ queryKey }) > 0) void queryClient.invalidateQueries({ queryKey });
      },
      onSnapshot: () => void queryClient.invalidateQueries({ queryKey }),
      onGone: () => void queryClient.invalidateQueries({ queryKey }),
    });
  }, [client, trpc, queryClient, sessionId]);
  useEffect(() => stream.start(), [stream]);
  useEffect(() => dropFirstMessage(queryClient, sessionId), [queryClient, sessionId]);
  return stream;
}

/** The stream of the chat that the component stands in. */
export function useStream(): SessionStream {
  const stream = useContext(SessionStreamContext);
  if (stream === null) throw new Error('useStream outside of a chat');
  return stream;
}

/** One value out of the state; the component paints again only when that value changes. `select` must be stable in kind. */
export function useChat<Value>(select: (state: ChatState) => Value): Value {
  const stream = useStream();
  return useSyncExternalStore(stream.subscribe, () => select(stream.getState()));
}

/** The rows of the transcript. Their identity holds while nothing but the live text changes. */
export function useItems(): readonly TranscriptItem[] {
  const stream = useStream();
  const cache = useRef<{ key: readonly unknown[]; items: readonly TranscriptItem[] }>({ key: [], items: [] });
  return useSyncExternalStore(stream.subscribe, () => {
    const state = stream.getState();
    const { messages, gap, tools, approvals, live, compression, runState, failure } = state;
    const hasText = live !== null && (live.text !== '' || live.thinking !== '');
    const key = [messages, gap, tools, approvals, live?.runId, live?.step, hasText, compression, runState, failure];
    if (key.length !== cache.current.key.length || key.some((value, index) => value !== cache.current.key[index])) {
      cache.current = { key, items: buildItems(state, cache.current.items) };
    }
    return cache.current.items;
  });
}

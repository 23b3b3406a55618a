import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { SessionListItem } from '../../../server/domains/sessions/schema';
import { useTRPC, useTRPCClient } from '../../lib/trpc';
import { type SessionsData, withoutSession, withSession } from './session-cache';

const PAGE_SIZE = 50;

/** Key and cache access of the one list of sessions. */
export function useSessionsCache() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return useMemo(() => {
    const options = trpc.sessions.list.infiniteQueryOptions(
      { limit: PAGE_SIZE },
      { getNextPageParam: (page) => page.nextCursor },
    );
    return {
      options,
      update: (change: (data: SessionsData | undefined) => SessionsData | undefined) =>
        queryClient.setQueryData(options.queryKey, (data) => change(data as SessionsData | undefined) as typeof data),
      reload: () => queryClient.invalidateQueries({ queryKey: options.queryKey }),
      /** The session's own query, where the open chat reads name, model and context. */
      updateOne: (session: Partial<SessionListItem> & { id: string }) =>
        queryClient.setQueryData(
          trpc.sessions.get.queryKey({ sessionId: session.id }),
          (old) => old && { ...old, ...session },
        ),
      reloadOne: (sessionId: string) =>
        queryClient.invalidateQueries({ queryKey: trpc.sessions.get.queryKey({ sessionId }) }),
    };
  }, [trpc, queryClient]);
}

/** The list, page by page. */
export function useSessionList() {
  const { options } = useSessionsCache();
  const query = useInfiniteQuery(options);
  const items = useMemo(() => query.data?.pages.flatMap((page) => page.items) ?? [], [query.data]);
  return { ...query, items };
}

/** Keeps the list current from the light stream per person. Mounted once, in the shell. */
export function useUserEvents(): void {
  const client = useTRPCClient();
  const cache = useSessionsCache();
  useEffect(() => {
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let unsubscribe = () => {};
    const open = () => {
      const again = () => {
        if (!isOver) timer = setTimeout(open, 1_000);
      };
      const subscription = client.events.user.subscribe(
        {},
        {
          onData: (event) => {
            switch (event.kind) {
              case 'ready':
                void cache.reload();
                break;
              case 'session-created':
              case 'session-updated':
                cache.update((data) => withSession(data, event.session));
                cache.updateOne(event.session);
                break;
              case 'session-removed':
                cache.update((data) => withoutSession(data, event.sessionId));
                break;
            }
          },
          onError: again,
          onComplete: again,
        },
      );
      unsubscribe = () => subscription.unsubscribe();
    };
    open();
    return () => {
      isOver = true;
      clearTimeout(timer);
      unsubscribe();
    };
  }, [client, cache]);
}

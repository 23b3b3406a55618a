import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { inferRouterOutputs } from '@trpc/server';
import { useCallback } from 'react';
import type { SessionEvent } from '../../../../server/events/topics';
import type { AppRouter } from '../../../../server/trpc/router';
import { useTRPC } from '../../../lib/trpc';
import { useCoalesced } from '../../../lib/use-coalesced';

/** What the model would be sent now. */
export type ContextView = inferRouterOutputs<AppRouter>['debug']['context'];
export type ContextMessage = ContextView['messages'][number];

/** Between two readings while things change, in milliseconds: a reading counts the whole context. */
const REFRESH_MS = 600;

const changing: ReadonlySet<SessionEvent['kind']> = new Set([
  'snapshot',
  'message-added',
  'message-updated',
  'branch-switched',
  'session-updated',
  'todo-updated',
  // The notices of messages name what was removed.
  'files-changed',
  'compression-end',
  'run-end',
]);

/** The context of a chat, kept fresh by `useContextRefresh` while somebody looks at it. */
export const useContextView = (sessionId: string) => useQuery(useTRPC().debug.context.queryOptions({ sessionId }));

/** Takes the events of a chat and has its context read again, for those who look at it. */
export function useContextRefresh(sessionId: string): (event: SessionEvent) => void {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const refresh = useCoalesced(
    useCallback(() => {
      void queryClient.invalidateQueries({ queryKey: trpc.debug.context.queryKey({ sessionId }) });
    }, [queryClient, trpc, sessionId]),
    REFRESH_MS,
  );
  return useCallback(
    (event) => {
      if (changing.has(event.kind)) refresh();
    },
    [refresh],
  );
}

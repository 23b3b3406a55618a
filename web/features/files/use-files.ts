import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { SessionEvent } from '../../../server/events/topics';
import { useTRPC } from '../../lib/trpc';
import { useCoalesced } from '../../lib/use-coalesced';

/** Between two readings while files come in, in milliseconds. */
const REFRESH_MS = 400;

/** Takes the events of a chat and has its files read again when they changed, for those who look. */
export function useFilesRefresh(sessionId: string): (event: SessionEvent) => void {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const refresh = useCoalesced(
    useCallback(() => {
      void queryClient.invalidateQueries({ queryKey: trpc.files.list.queryKey({ sessionId }) });
    }, [queryClient, trpc, sessionId]),
    REFRESH_MS,
  );
  return useCallback(
    (event) => {
      // After a snapshot some may have come while nobody listened.
      if (event.kind === 'files-changed' || event.kind === 'snapshot') refresh();
    },
    [refresh],
  );
}

import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { SessionEvent } from '../../../server/events/topics';
import { useTRPC } from '../../lib/trpc';
import { useCoalesced } from '../../lib/use-coalesced';

/** Between two readings while files come in, in milliseconds. */
const REFRESH_MS = 400;

/** Takes the events of a chat and has its files read again when one of them may have brought some, for those who look. */
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
      if (canBringFiles(event)) refresh();
    },
    [refresh],
  );
}

/** Files come with messages of people, and with what tools did. */
function canBringFiles(event: SessionEvent): boolean {
  if (event.kind === 'snapshot' || event.kind === 'run-end') return true;
  return event.kind === 'message-added' && (event.message.role === 'tool' || event.message.role === 'user');
}

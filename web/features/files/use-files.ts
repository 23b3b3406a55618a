import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import type { SessionEvent } from '../../../server/events/topics';
import { useTRPC } from '../../lib/trpc';

/** Between two readings while files come in, in milliseconds. */
const REFRESH_MS = 400;

/** Takes the events of a chat and has its files read again when one of them may have brought some, for those who look. */
export function useFilesRefresh(sessionId: string): (event: SessionEvent) => void {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(
    (event) => {
      if (!canBringFiles(event) || timer.current !== undefined) return;
      timer.current = setTimeout(() => {
        timer.current = undefined;
        void queryClient.invalidateQueries({ queryKey: trpc.files.list.queryKey({ sessionId }) });
      }, REFRESH_MS);
    },
    [queryClient, trpc, sessionId],
  );
}

/** Files come with messages of people, and with what tools did. */
function canBringFiles(event: SessionEvent): boolean {
  if (event.kind === 'snapshot' || event.kind === 'run-end') return true;
  return event.kind === 'message-added' && (event.message.role === 'tool' || event.message.role === 'user');
}

import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { wordsForError } from '../../lib/error-words';
import { showFailure } from '../../lib/toast';
import { useTRPC, useTRPCClient } from '../../lib/trpc';

/** Switches the model of one chat; the answer carries the new window. */
export function useSetModel(sessionId: string): (model: string | null) => void {
  const client = useTRPCClient();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return useCallback(
    (model) => {
      const key = trpc.sessions.get.queryKey({ sessionId });
      client.sessions.setModel
        .mutate({ sessionId, model })
        .then((session) => queryClient.setQueryData(key, session))
        .catch((error) => showFailure(wordsForError(error)));
    },
    [client, trpc, queryClient, sessionId],
  );
}

import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { FileEntry } from '../../../../server/domains/files/schema';
import { wordsForError } from '../../../lib/error-words';
import { showFailure, showToast } from '../../../lib/toast';
import { useTRPC, useTRPCClient } from '../../../lib/trpc';

/** What can be done to a file from its row. Shown at once, read again when the server refuses. */
export function useFileActions(sessionId: string) {
  const client = useTRPCClient();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return useMemo(() => {
    const queryKey = trpc.files.list.queryKey({ sessionId });
    const change = (items: (before: FileEntry[]) => FileEntry[]) =>
      queryClient.setQueryData(queryKey, (data) => data && { ...data, items: items(data.items) });
    const attempt = async (call: Promise<unknown>): Promise<boolean> => {
      try {
        await call;
        return true;
      } catch (error) {
        showFailure(wordsForError(error));
        void queryClient.invalidateQueries({ queryKey });
        return false;
      }
    };
    return {
      async publish(fileId: string) {
        change((items) => items.map((file) => (file.id === fileId ? { ...file, isPublished: true } : file)));
        if (await attempt(client.files.publish.mutate({ sessionId, fileId }))) showToast('Published as an artifact.');
      },
      async remove(fileId: string) {
        change((items) => items.filter((file) => file.id !== fileId));
        await attempt(client.files.remove.mutate({ sessionId, fileId }));
      },
    };
  }, [client, trpc, queryClient, sessionId]);
}

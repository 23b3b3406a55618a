import { useMemo } from 'react';
import { wordsForError } from '../../lib/error-words';
import { showFailure, showToast } from '../../lib/toast';
import { useTRPCClient } from '../../lib/trpc';

export interface CompressionActions {
  /** Compresses now; `focus` says what to keep in particular. Answers whether the wish was dealt with. */
  compact(focus?: string): Promise<boolean>;
  undo(compressionId: string): Promise<void>;
}

/** What a person can do about compressions of one chat. What comes of it arrives as events; only refusals speak here. */
export function useCompressionActions(sessionId: string): CompressionActions {
  const client = useTRPCClient();
  return useMemo(
    () => ({
      async compact(focus = '') {
        try {
          const result = await client.compression.run.mutate({
            sessionId,
            wait: false,
            ...(focus === '' ? {} : { focus }),
          });
          if (result.kind === 'compression') return true;
          showToast(result.message);
          return result.reason === 'nothing-to-compress';
        } catch (error) {
          showFailure(wordsForError(error));
          return false;
        }
      },
      async undo(compressionId) {
        await client.compression.undo
          .mutate({ sessionId, compressionId })
          .catch((error) => showFailure(wordsForError(error)));
      },
    }),
    [client, sessionId],
  );
}

import { type RefObject, useCallback, useRef } from 'react';
import { useTRPCClient } from '../../../lib/trpc';
import type { Draft } from './draft';

interface DraftSessionOptions {
  sessionId: string | null;
  draft: RefObject<Draft>;
  setDraft(draft: Draft, isUrgent?: boolean): void;
}

/**
 * The chat that a draft belongs to. Before there is one, the first file or the first message creates it; until that message
 * it is pending, and no list shows it.
 */
export function useDraftSession({ sessionId, draft, setDraft }: DraftSessionOptions): () => Promise<string> {
  const client = useTRPCClient();
  const creating = useRef<Promise<string> | null>(null);
  return useCallback(() => {
    const known = sessionId ?? draft.current.sessionId;
    if (known !== null) return Promise.resolve(known);
    creating.current ??= client.sessions.create
      .mutate({})
      .then(({ id }) => {
        setDraft({ ...draft.current, sessionId: id }, true);
        return id;
      })
      .finally(() => {
        creating.current = null;
      });
    return creating.current;
  }, [client, sessionId, draft, setDraft]);
}

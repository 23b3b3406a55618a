import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { wordsForError } from '../../lib/error-words';
import { useTRPC, useTRPCClient } from '../../lib/trpc';

/** Makes the chat's link and answers its token; the list, in which it then stands if the chat is one's own, is read anew. */
export function useIssueShare(sessionId: string) {
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const { queryKey } = useTRPC().shares.list.queryOptions();
  const [isIssuing, setIsIssuing] = useState(false);
  const [token, setToken] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const issue = async () => {
    setIsIssuing(true);
    setFailure(null);
    try {
      const issued = await client.shares.issue.mutate({ sessionId });
      setToken(issued.token);
      void queryClient.refetchQueries({ queryKey });
    } catch (error) {
      setFailure(wordsForError(error));
    }
    setIsIssuing(false);
  };
  return { issue, token, isIssuing, failure };
}

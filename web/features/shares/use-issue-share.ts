import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { wordsForError } from '../../lib/error-words';
import { useTRPC, useTRPCClient } from '../../lib/trpc';

/** Makes the chat's link, and reads the list anew, in which it then stands. */
export function useIssueShare(sessionId: string) {
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const { queryKey } = useTRPC().shares.list.queryOptions();
  const [isIssuing, setIsIssuing] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const issue = async () => {
    setIsIssuing(true);
    setFailure(null);
    try {
      await client.shares.issue.mutate({ sessionId });
      await queryClient.refetchQueries({ queryKey });
    } catch (error) {
      setFailure(wordsForError(error));
    }
    setIsIssuing(false);
  };
  return { issue, isIssuing, failure };
}

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { ChildSession } from '../../../../server/domains/sessions/schema';
import type { SessionEvent } from '../../../../server/events/topics';
import { useTRPC } from '../../../lib/trpc';

const none: readonly ChildSession[] = [];

/** The subagents that a chat's agent started, oldest first; kept fresh by `useChildrenRefresh`. */
export function useChildren(sessionId: string): readonly ChildSession[] {
  const { data } = useQuery(useTRPC().sessions.children.queryOptions({ sessionId }));
  return data?.items ?? none;
}

/** The subagent that a call of the agent started; null while none is known. A call's id may be a model's, and come twice. */
export const childOfCall = (children: readonly ChildSession[], toolCallId: string): ChildSession | null =>
  children.findLast((child) => child.toolCallId === toolCallId) ?? null;

export const isAtWork = ({ runState }: Pick<ChildSession, 'runState'>): boolean =>
  runState === 'running' || runState === 'queued' || runState === 'stopping';

/** Takes the events of a chat and has its subagents read again when one began or came to its end. */
export function useChildrenRefresh(sessionId: string): (event: SessionEvent) => void {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return useCallback(
    (event) => {
      const queryKey = trpc.sessions.children.queryKey({ sessionId });
      const children = queryClient.getQueryData<{ items: readonly ChildSession[] }>(queryKey)?.items ?? none;
      if (!isNews(event, children)) return;
      void queryClient.invalidateQueries({ queryKey });
    },
    [queryClient, trpc, sessionId],
  );
}

/** Whether an event of a chat may have changed its list of subagents. */
export function isNews(event: SessionEvent, children: readonly ChildSession[]): boolean {
  switch (event.kind) {
    case 'snapshot':
      return children.some(isAtWork) || (event.run?.toolCalls ?? []).some((call) => call.childSessionId !== undefined);
    case 'tool-progress':
      // Until it is seen at work: it may have been read between its beginning and that of its run.
      return (
        event.childSessionId !== undefined &&
        !children.some((child) => child.id === event.childSessionId && isAtWork(child))
      );
    case 'tool-result':
      return childOfCall(children, event.toolCallId) !== null;
    case 'run-end':
      return children.some(isAtWork);
    default:
      return false;
  }
}

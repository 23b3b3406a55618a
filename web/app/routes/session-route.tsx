import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useMemo } from 'react';
import type { PagedMessage } from '../../../server/domains/messages/schema';
import { Button } from '../../components/button';
import { Chat } from '../../features/chat/chat';
import { nameOf } from '../../features/sessions/group-sessions';
import { SessionHeading } from '../../features/sessions/session-heading';
import { useSessionActions } from '../../features/sessions/use-session-actions';
import { PlanContext, useOpenPlan } from '../../features/todos/plan/use-plan';
import { PlanBar } from '../../features/todos/plan-bar';
import { appCodeOf, wordsForError } from '../../lib/error-words';
import { useTRPC } from '../../lib/trpc';
import { useDocumentTitle } from '../../lib/use-document-title';
import { DockToggle } from '../dock/dock-toggle';
import { LazyDock } from '../dock/lazy-dock';
import { useDock } from '../dock/use-dock';
import { PaneHeader } from '../pane-header';
import { NotFound } from './not-found-route';

const PlanCard = lazy(() => import('../../features/todos/card/plan-card'));

/** `/s/:sessionId`: one chat with what stands beside it. Give it the session's id as key. */
export function SessionRoute({ sessionId }: { sessionId: string }) {
  const { data: session, error, refetch } = useQuery(useTRPC().sessions.get.queryOptions({ sessionId }));
  const { fork } = useSessionActions();
  const onFork = useCallback((sequenceNumber: number) => void fork(sessionId, sequenceNumber), [fork, sessionId]);
  const plan = useOpenPlan(sessionId);
  const dock = useDock();
  const { isNarrow, open } = dock;
  const slots = useMemo(
    () => ({
      aboveComposer: isNarrow ? <PlanBar onOpen={() => open('plan')} /> : null,
      planCard: (message: PagedMessage) => (
        <Suspense fallback={<p className="whitespace-pre-wrap text-read">{message.content}</p>}>
          <PlanCard message={message} onOpenPlan={() => open('plan')} />
        </Suspense>
      ),
    }),
    [isNarrow, open],
  );
  useDocumentTitle(session === undefined ? null : nameOf(session));
  if (appCodeOf(error) === 'not-found') {
    return <NotFound title="This chat does not exist">It may have been deleted, or the address is mistyped.</NotFound>;
  }
  return (
    <PlanContext.Provider value={plan}>
      <div className="flex min-h-0 flex-1">
        <div className="flex min-w-0 flex-1 flex-col">
          <PaneHeader actions={<DockToggle dock={dock} />}>
            {session !== undefined && <SessionHeading session={session} />}
          </PaneHeader>
          {error !== null && session === undefined && (
            <div role="alert" className="flex items-center justify-center gap-3 px-4 py-2 text-meta text-muted">
              {wordsForError(error)}
              <Button onClick={() => void refetch()}>Try again</Button>
            </div>
          )}
          <Chat sessionId={sessionId} session={session} onFork={onFork} onEvent={plan.store.onEvent} slots={slots} />
        </div>
        <LazyDock dock={dock} sessionId={sessionId} />
      </div>
    </PlanContext.Provider>
  );
}

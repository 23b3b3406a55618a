import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { SessionEvent } from '../../../server/events/topics';
import { Button } from '../../components/button';
import { Chat } from '../../features/chat/chat';
import { useContextRefresh } from '../../features/compression/context/use-context-view';
import { StageProvider } from '../../features/files/stage/stage-provider';
import { useFilesRefresh } from '../../features/files/use-files';
import { nameOf } from '../../features/sessions/group-sessions';
import { SessionHeading } from '../../features/sessions/session-heading';
import { useSessionActions } from '../../features/sessions/use-session-actions';
import { SharedMark } from '../../features/shares/shared-mark';
import { PlanContext, useOpenPlan } from '../../features/todos/plan/use-plan';
import { useChildrenRefresh } from '../../features/todos/subagents/use-children';
import { appCodeOf, wordsForError } from '../../lib/error-words';
import { PlacesContext } from '../../lib/places';
import { useTRPC } from '../../lib/trpc';
import { useDocumentTitle } from '../../lib/use-document-title';
import { DockToggle } from '../dock/dock-toggle';
import { LazyDock } from '../dock/lazy-dock';
import { useDock } from '../dock/use-dock';
import { PaneHeader } from '../pane-header';
import { NotFound } from './not-found-route';
import { useComposerParts } from './use-composer-parts';
import { useSessionPlaces } from './use-session-places';
import { useSlots } from './use-slots';

/** `/s/:sessionId`: one chat with what stands beside it. Give it the session's id as key. */
export function SessionRoute({ sessionId }: { sessionId: string }) {
  const { data: session, error, refetch } = useQuery(useTRPC().sessions.get.queryOptions({ sessionId }));
  const { fork } = useSessionActions();
  const onFork = useCallback((sequenceNumber: number) => void fork(sessionId, sequenceNumber), [fork, sessionId]);
  const plan = useOpenPlan(sessionId);
  const dock = useDock();
  const places = useSessionPlaces(sessionId, dock);
  const name = session === undefined ? '' : nameOf(session);
  const slots = useSlots(sessionId, dock);
  const composer = useComposerParts({ sessionId, name, profileId: session?.profileId });
  const refreshContext = useContextRefresh(sessionId);
  const refreshChildren = useChildrenRefresh(sessionId);
  const refreshFiles = useFilesRefresh(sessionId);
  const { onEvent: onPlanEvent } = plan.store;
  const onEvent = useCallback(
    (event: SessionEvent) => {
      onPlanEvent(event);
      refreshContext(event);
      refreshChildren(event);
      refreshFiles(event);
    },
    [onPlanEvent, refreshContext, refreshChildren, refreshFiles],
  );
  useDocumentTitle(session === undefined ? null : nameOf(session));
  if (appCodeOf(error) === 'not-found') {
    return <NotFound title="This chat does not exist">It may have been deleted, or the address is mistyped.</NotFound>;
  }
  return (
    <PlanContext.Provider value={plan}>
      <PlacesContext.Provider value={places}>
        <StageProvider>
          <div className="flex min-h-0 flex-1">
            <div className="flex min-w-0 flex-1 flex-col">
              <PaneHeader
                actions={
                  <>
                    <SharedMark sessionId={sessionId} name={name} />
                    <DockToggle dock={dock} />
                  </>
                }
              >
                {session !== undefined && <SessionHeading session={session} />}
              </PaneHeader>
              {error !== null && session === undefined && (
                <div role="alert" className="flex items-center justify-center gap-3 px-4 py-2 text-meta text-muted">
                  {wordsForError(error)}
                  <Button onClick={() => void refetch()}>Try again</Button>
                </div>
              )}
              <Chat
                sessionId={sessionId}
                session={session}
                onFork={onFork}
                onEvent={onEvent}
                slots={slots}
                composer={composer}
              />
            </div>
            <LazyDock dock={dock} sessionId={sessionId} />
          </div>
        </StageProvider>
      </PlacesContext.Provider>
    </PlanContext.Provider>
  );
}

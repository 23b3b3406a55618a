import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { Button } from '../../components/button';
import { Chat } from '../../features/chat/chat';
import { nameOf } from '../../features/sessions/group-sessions';
import { SessionHeading } from '../../features/sessions/session-heading';
import { useSessionActions } from '../../features/sessions/use-session-actions';
import { appCodeOf, wordsForError } from '../../lib/error-words';
import { useTRPC } from '../../lib/trpc';
import { useDocumentTitle } from '../../lib/use-document-title';
import { PaneHeader } from '../pane-header';
import { NotFound } from './not-found-route';

/** `/s/:sessionId`: one chat. */
export function SessionRoute({ sessionId }: { sessionId: string }) {
  const { data: session, error, refetch } = useQuery(useTRPC().sessions.get.queryOptions({ sessionId }));
  const { fork } = useSessionActions();
  const onFork = useCallback((sequenceNumber: number) => void fork(sessionId, sequenceNumber), [fork, sessionId]);
  useDocumentTitle(session === undefined ? null : nameOf(session));
  if (appCodeOf(error) === 'not-found') {
    return <NotFound title="This chat does not exist">It may have been deleted, or the address is mistyped.</NotFound>;
  }
  return (
    <>
      <PaneHeader>{session !== undefined && <SessionHeading session={session} />}</PaneHeader>
      {error !== null && session === undefined && (
        <div role="alert" className="flex items-center justify-center gap-3 px-4 py-2 text-meta text-muted">
          {wordsForError(error)}
          <Button onClick={() => void refetch()}>Try again</Button>
        </div>
      )}
      <Chat sessionId={sessionId} session={session} onFork={onFork} />
    </>
  );
}

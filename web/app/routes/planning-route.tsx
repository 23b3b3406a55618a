import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { Link } from 'wouter';
import { nameOf } from '../../features/sessions/group-sessions';
import { appCodeOf } from '../../lib/error-words';
import { useTRPC } from '../../lib/trpc';
import { useDocumentTitle } from '../../lib/use-document-title';
import { PaneHeader } from '../pane-header';
import { NotFound } from './not-found-route';

const PlanningLog = lazy(() => import('../../features/todos/planning/planning-log'));

/** `/s/:sessionId/planning`: how the turns of a chat were planned. */
export function PlanningRoute({ sessionId }: { sessionId: string }) {
  const { data: session, error } = useQuery(useTRPC().sessions.get.queryOptions({ sessionId }));
  useDocumentTitle('Planning');
  if (appCodeOf(error) === 'not-found') {
    return <NotFound title="This chat does not exist">It may have been deleted, or the address is mistyped.</NotFound>;
  }
  return (
    <>
      <PaneHeader>
        <Link
          href={`/s/${sessionId}`}
          className="inline-flex h-8 max-w-full items-center gap-1.5 rounded-control px-2 text-meta text-muted hover:bg-hover hover:text-text"
        >
          <ArrowLeft size={16} aria-hidden className="shrink-0" />
          <span dir="auto" className="truncate">
            {session === undefined ? 'Back to the chat' : nameOf(session)}
          </span>
        </Link>
      </PaneHeader>
      <div className="min-h-0 flex-1 overflow-y-auto px-4 pb-16 sm:px-6">
        <article className="mx-auto max-w-[760px]">
          <h1 className="mt-2 font-semibold text-xl">Planning</h1>
          <p className="mt-1 mb-6 text-meta text-muted">
            What Navi looked at before it began to work, word for word: every question to the model and its answer.
          </p>
          <Suspense>
            <PlanningLog sessionId={sessionId} />
          </Suspense>
        </article>
      </div>
    </>
  );
}

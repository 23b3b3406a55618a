import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { PlanStep, TodoRevision } from '../../../../server/domains/todos/schema';
import { Button } from '../../../components/button';
import { Moment } from '../../../components/moment';
import { Spinner } from '../../../components/spinner';
import { wordsForError } from '../../../lib/error-words';
import { formatWhen } from '../../../lib/format';
import { useTRPCClient } from '../../../lib/trpc';
import { diffTasks } from '../plan/revision-diff';
import { usePlanState } from '../plan/use-plan';
import { authorWords } from '../plan/words';
import { ChangeLine } from './change-line';

const FIRST_COUNT = 20;
/** The server keeps no more. */
const MAX_COUNT = 100;
/** Lines of one version that stand open. */
const SHOWN_CHANGES = 4;

export interface RestorableRevision {
  revision: number;
  tasks: readonly PlanStep[];
  when: string;
}

interface RevisionListProps {
  isReadOnly: boolean;
  onRestore(revision: RestorableRevision): void;
}

export function RevisionList({ isReadOnly, onRestore }: RevisionListProps) {
  const client = useTRPCClient();
  const sessionId = usePlanState((state) => state.sessionId);
  const newest = usePlanState((state) => state.snapshot?.revision ?? 0);
  const [limit, setLimit] = useState(FIRST_COUNT);
  const { data, error, refetch } = useQuery({
    // The newest revision is part of the key: a change made while the list is open shows up in it.
    queryKey: ['plan-revisions', sessionId, newest, limit],
    queryFn: () => client.todos.revisions.query({ sessionId, limit }),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  const items = (data?.items ?? []) as TodoRevision[];
  if (error !== null && data === undefined) {
    return (
      <div role="alert" className="flex flex-col items-start gap-3 p-4 text-meta text-muted">
        {wordsForError(error)}
        <Button onClick={() => void refetch()}>Try again</Button>
      </div>
    );
  }
  return (
    <>
      <h2 className="px-4 pt-3 pb-1 font-medium text-sm">History of the plan</h2>
      {data === undefined && (
        <p role="status" className="flex items-center gap-2 px-4 py-3 text-faint text-meta">
          <Spinner /> Reading
        </p>
      )}
      <ol
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        tabIndex={0}
        aria-label="Versions"
        className="min-h-0 divide-y divide-line overflow-y-auto px-4 pb-2 outline-offset-[-2px]"
      >
        {items.map((item, index) => (
          <Revision
            key={item.revision}
            item={item}
            before={items[index + 1] ?? null}
            isNewest={index === 0}
            onRestore={
              isReadOnly || index === 0
                ? null
                : () => onRestore({ revision: item.revision, tasks: item.tasks, when: formatWhen(item.createdAt) })
            }
          />
        ))}
        {items.length === limit && limit < MAX_COUNT && (
          <li className="py-2">
            <Button look="quiet" onClick={() => setLimit(MAX_COUNT)}>
              Show older versions
            </Button>
          </li>
        )}
      </ol>
    </>
  );
}

interface RevisionProps {
  item: TodoRevision;
  before: TodoRevision | null;
  isNewest: boolean;
  onRestore: (() => void) | null;
}

function Revision({ item, before, isNewest, onRestore }: RevisionProps) {
  const [isWhole, setIsWhole] = useState(false);
  const isFirst = item.revision === 1;
  // Without the version before, nobody knows what changed.
  const changes = before !== null || isFirst ? diffTasks(before?.tasks ?? [], item.tasks) : null;
  const shown = changes === null || isWhole ? changes : changes.slice(0, SHOWN_CHANGES);
  const isCleared = item.tasks.length === 0 && (before?.tasks.length ?? 0) > 1;
  return (
    <li className="py-2.5">
      <div className="flex min-h-7 items-center gap-2 text-small text-faint">
        <span className="min-w-0 flex-1 truncate">
          <span className="font-medium text-muted">{authorWords[item.author]}</span>
          {' · '}
          <Moment at={item.createdAt} />
          {isNewest && ' · now'}
        </span>
        {onRestore !== null && (
          <Button
            look="quiet"
            className="h-7 px-2"
            aria-label={`Restore version ${item.revision}, ${formatWhen(item.createdAt)}`}
            onClick={onRestore}
          >
            Restore
          </Button>
        )}
      </div>
      {isCleared ? (
        <p className="text-meta">Cleared, {before?.tasks.length} steps taken out</p>
      ) : (
        <ul className="space-y-0.5">
          {shown?.map((change) => (
            <ChangeLine key={`${change.kind}-${change.stepId}`} change={change} />
          ))}
          {changes?.length === 0 && <li className="text-meta text-muted">Nothing that shows</li>}
          {changes === null && <li className="text-meta text-muted">{item.tasks.length} steps</li>}
        </ul>
      )}
      {!isCleared && changes !== null && shown !== null && changes.length > shown.length && (
        <button
          type="button"
          onClick={() => setIsWhole(true)}
          className="mt-1 rounded-control text-accent-text text-small hover:underline"
        >
          {changes.length - shown.length} more
        </button>
      )}
    </li>
  );
}

import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react';
import { Virtualizer } from 'virtua';
import { Button } from '../../components/button';
import { groupSessions } from './group-sessions';
import { SessionRow } from './session-row';
import { useSessionActions } from './use-session-actions';
import { useSessionList } from './use-session-list';

interface SessionListProps {
  openSessionId: string | null;
  onPick(): void;
}

/** Nearer to the end than this, the next page is asked for, in pixels. */
const PREFETCH_PX = 600;

export function SessionList({ openSessionId, onPick }: SessionListProps) {
  const { items, isPending, isError, refetch, ...paging } = useSessionList();
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = paging;
  const actions = useSessionActions();
  const scroller = useRef<HTMLElement>(null);
  const rows = useMemo(() => groupSessions(items, new Date()), [items]);

  const fetchMore = () => {
    const element = scroller.current;
    if (element === null || !hasNextPage || isFetchingNextPage) return;
    if (element.scrollHeight - element.scrollTop - element.clientHeight < PREFETCH_PX) void fetchNextPage();
  };
  // What does not fill the list (a tall window, chats that were deleted) is never scrolled.
  // biome-ignore lint/correctness/useExhaustiveDependencies: with every change of the rows.
  useEffect(() => {
    const element = scroller.current;
    if (element !== null && !isFetchNextPageError && element.scrollHeight <= element.clientHeight) fetchMore();
  }, [rows, hasNextPage, isFetchingNextPage]);

  return (
    <nav
      ref={scroller}
      aria-label="Chats"
      className="min-h-0 flex-1 overflow-y-auto overscroll-contain pb-3"
      onScroll={fetchMore}
      onKeyDown={moveFocus}
    >
      {isError && items.length === 0 && (
        <div className="flex flex-col items-start gap-2 px-4 py-2 text-meta text-muted">
          The list of chats could not be read.
          <Button onClick={() => void refetch()}>Try again</Button>
        </div>
      )}
      {!isPending && !isError && !hasNextPage && items.length === 0 && (
        <p className="px-4 py-2 text-meta text-faint">Your chats will be listed here.</p>
      )}
      <Virtualizer scrollRef={scroller} onScrollEnd={fetchMore}>
        {rows.map((row) =>
          row.kind === 'heading' ? (
            <h2 key={row.key} className="px-4 pt-4 pb-1.5 text-small font-medium text-faint">
              {row.label}
            </h2>
          ) : (
            <SessionRow
              key={row.key}
              session={row.session}
              isOpen={row.session.id === openSessionId}
              actions={actions}
              onPick={onPick}
            />
          ),
        )}
      </Virtualizer>
    </nav>
  );
}

/** Arrow keys walk through the chats; Enter opens the one in focus, as any link. */
function moveFocus(event: KeyboardEvent<HTMLElement>) {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-session-row]')];
  const at = links.indexOf(document.activeElement as HTMLElement);
  const next = links[event.key === 'ArrowDown' ? at + 1 : Math.max(0, at - 1)];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
  next.scrollIntoView({ block: 'nearest' });
}

import { ArrowDown } from 'lucide-react';
import { createContext, useCallback, useContext, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { type CustomContainerComponentProps, Virtualizer, type VirtualizerHandle } from 'virtua';
import { Spinner } from '../../../components/spinner';
import { cx } from '../../../lib/class-names';
import type { TranscriptItem } from '../stream/items';
import { useChat, useItems, useStream } from '../stream/use-session-stream';
import { TranscriptRow } from './transcript-row';
import { useFollowEnd } from './use-follow-end';
import { useGap } from './use-gap';
import { useJump } from './use-jump';
import { useRevealOpened } from './use-reveal-opened';

/** Nearer to the beginning than this, the page above is read, in pixels. */
const PREFETCH_PX = 1_600;
/** So many rows at the end stay in the page while somebody reads there: with each line that streams they would leave and come back. */
const KEPT_ROWS = 6;

/** The conversation: virtualised, newest at the bottom, older pages joining above without a jump. */
export function Transcript({ onPickModel }: { onPickModel(): void }) {
  const stream = useStream();
  const items = useItems();
  const isLoaded = useChat((state) => state.isLoaded);
  const hasOlder = useChat((state) => state.nextBeforeSeq !== null);
  const isRunning = useChat((state) => state.live !== null);
  const scroller = useRef<HTMLElement>(null);
  const { isFollowing, isAway, hasNews, follow, toEnd, onResize } = useFollowEnd(scroller);
  useRevealOpened(scroller);
  const rows = useRef<VirtualizerHandle>(null);
  const { pointedAt, isOnTheWay } = useJump({ rows, items, isFollowing });
  const lookAtGap = useGap({ rows, items, isOnTheWay });
  const [editing, setEditing] = useState<number | null>(null);
  const edit = useCallback(
    (sequenceNumber: number | null) => {
      // Who edits above does not want to be taken to the end by what comes in below.
      if (sequenceNumber !== null) isFollowing.current = false;
      setEditing(sequenceNumber);
    },
    [isFollowing],
  );

  const { length } = items;
  const kept = useMemo(() => {
    const count = isAway ? 0 : Math.min(KEPT_ROWS, length);
    return Array.from({ length: count }, (_, at) => length - count + at);
  }, [isAway, length]);
  const shown = useRef<readonly TranscriptItem[]>(items);
  const isPrepend = isPrepended(shown.current, items);

  useLayoutEffect(() => {
    const before = shown.current;
    shown.current = items;
    // What the person sent themselves is always brought into view.
    if (isOwnNewMessage(before, items)) isFollowing.current = true;
    if (isFollowing.current) toEnd();
  }, [items, isFollowing, toEnd]);

  const loadOlder = useCallback(() => {
    const element = scroller.current;
    if (element !== null && element.scrollTop < PREFETCH_PX) void stream.loadOlder();
  }, [stream]);
  useEffect(() => {
    if (isLoaded && hasOlder && items.length > 0) loadOlder();
  }, [isLoaded, hasOlder, items, loadOlder]);

  const onScroll = useCallback(() => {
    loadOlder();
    lookAtGap();
  }, [loadOlder, lookAtGap]);

  return (
    <div className="relative min-h-0 flex-1">
      <section
        ref={scroller}
        aria-label="Conversation"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        tabIndex={0}
        onScroll={onScroll}
        className="absolute inset-0 overflow-y-auto overflow-x-hidden overscroll-contain outline-none [overflow-anchor:none] focus-visible:shadow-[inset_0_0_0_2px_var(--accent)]"
      >
        <div role="log" aria-live="off" aria-label="Messages" className="pt-2 pb-4">
          {!isLoaded && items.length === 0 && <LoadingRows />}
          <RowsResized value={onResize}>
            <Virtualizer
              ref={rows}
              as={Rows}
              scrollRef={scroller}
              shift={isPrepend}
              keepMounted={kept}
              bufferSize={600}
              itemSize={160}
            >
              {items.map((item) => (
                <TranscriptRow
                  key={item.key}
                  item={item}
                  isEditing={item.kind === 'user' && item.message.sequenceNumber === editing}
                  isPointedAt={item.key === pointedAt}
                  onEdit={edit}
                  onPickModel={onPickModel}
                />
              ))}
            </Virtualizer>
          </RowsResized>
        </div>
      </section>
      {/* The text runs out softly under the composer. */}
      <div
        aria-hidden
        className="pointer-events-none absolute inset-x-0 bottom-0 h-5 bg-linear-to-t from-bg to-transparent"
      />
      {(isAway || (hasNews && isRunning)) && (
        <button
          type="button"
          onClick={follow}
          className="fade-in -translate-x-1/2 absolute bottom-3 left-1/2 flex h-8 items-center gap-1.5 rounded-full border border-line bg-raised px-3 text-meta text-muted shadow-pop hover:text-text"
        >
          <ArrowDown size={14} aria-hidden className={cx(hasNews && isRunning && 'text-accent')} />
          {hasNews && isRunning ? 'New text' : 'To the end'}
        </button>
      )}
    </div>
  );
}

/** Told when the rows together take another height. */
const RowsResized = createContext(() => {});

/**
 * What holds the rows. Left to itself it would take no pointer while the view scrolls and for a moment after: under an answer that
 * streams, clicks would be lost, and as that is inherited, all rows would be styled anew twice for every line.
 */
function Rows({ style: { pointerEvents: _, ...style }, ref, children }: CustomContainerComponentProps) {
  const onResize = useContext(RowsResized);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height is what it waits for
  useLayoutEffect(onResize, [style.height, onResize]);
  return (
    <div ref={ref} style={style}>
      {children}
    </div>
  );
}

function LoadingRows() {
  return (
    <div role="status" className="mx-auto flex max-w-[760px] items-center gap-2 px-6 py-8 text-faint text-meta">
      <Spinner />
      Opening the chat
    </div>
  );
}

/** Whether rows joined or went above and the end stayed: then the view is held from the end. */
function isPrepended(before: readonly TranscriptItem[], after: readonly TranscriptItem[]): boolean {
  const [first, last] = [before[0], before.at(-1)];
  const now = after[0];
  if (first === undefined || last === undefined || now === undefined || now.key === first.key) return false;
  if (after.at(-1)?.key !== last.key || after.length === before.length) return false;
  return after.length > before.length || before.some((item) => item.key === now.key);
}

function isOwnNewMessage(before: readonly TranscriptItem[], after: readonly TranscriptItem[]): boolean {
  const newest = after.findLast((item) => item.kind === 'user');
  const old = before.findLast((item) => item.kind === 'user');
  if (newest === undefined || old === undefined || newest.key === old.key) return false;
  return newest.message.sequenceNumber > old.message.sequenceNumber;
}

import { ArrowDown } from 'lucide-react';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
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

/** The conversation: virtualised, newest at the bottom, older pages joining above without a jump. */
export function Transcript({ onPickModel }: { onPickModel(): void }) {
  const stream = useStream();
  const items = useItems();
  const isLoaded = useChat((state) => state.isLoaded);
  const hasOlder = useChat((state) => state.nextBeforeSeq !== null);
  const isRunning = useChat((state) => state.live !== null);
  const scroller = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { isFollowing, isAway, hasNews, follow, toEnd } = useFollowEnd(scroller, content);
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
        <div ref={content} role="log" aria-live="off" aria-label="Messages" className="pt-2 pb-4">
          {!isLoaded && <LoadingRows />}
          <Virtualizer ref={rows} scrollRef={scroller} shift={isPrepend} bufferSize={600} itemSize={160}>
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

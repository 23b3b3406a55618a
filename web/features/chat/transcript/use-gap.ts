import { type RefObject, useCallback, useEffect, useMemo } from 'react';
import type { VirtualizerHandle } from 'virtua';
import type { TranscriptItem } from '../stream/items';
import { useStream } from '../stream/use-session-stream';

/** Nearer to the gap than this, it is dealt with, in pixels. */
const NEAR_PX = 1_600;

interface GapOptions {
  rows: RefObject<VirtualizerHandle | null>;
  items: readonly TranscriptItem[];
  isOnTheWay: RefObject<boolean>;
}

/**
 * Deals with what was not read between a place that somebody was taken to and the end. Who comes from above gets it page by
 * page, below what they look at; who comes from below lets go of the place, and older pages join above as ever. So nothing
 * that is looked at moves. Answers what a scroll has to call.
 */
export function useGap({ rows, items, isOnTheWay }: GapOptions): () => void {
  const stream = useStream();
  const at = useMemo(() => items.findIndex((item) => item.kind === 'gap'), [items]);
  const look = useCallback(() => {
    const handle = rows.current;
    if (at === -1 || handle === null) return;
    const top = handle.scrollOffset;
    const gapTop = handle.getItemOffset(at);
    if (gapTop < top) {
      if (top - gapTop < NEAR_PX && !isOnTheWay.current) stream.leaveGap();
    } else if (gapTop - top - handle.viewportSize < NEAR_PX) void stream.loadBetween();
  }, [at, rows, isOnTheWay, stream]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each page the gap is somewhere else.
  useEffect(look, [look, items]);
  return look;
}

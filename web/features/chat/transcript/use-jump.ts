import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { VirtualizerHandle } from 'virtua';
import { usePlaceRequest } from '../../../lib/places';
import { showToast } from '../../../lib/toast';
import type { TranscriptItem } from '../stream/items';
import { useStream } from '../stream/use-session-stream';
import { indexOfSequence } from './places';

/** How long a row that somebody was taken to shows itself, in milliseconds. */
const POINTED_AT_MS = 1_800;

interface JumpOptions {
  rows: RefObject<VirtualizerHandle | null>;
  items: readonly TranscriptItem[];
  isFollowing: RefObject<boolean>;
}

/**
 * Takes the reader to a message that is asked for, however far above. Answers the key of the row to point at, and whether
 * somebody is on the way: rows far below still fill the view then, and where they end is no sign of a reader.
 */
export function useJump({ rows, items, isFollowing }: JumpOptions): {
  pointedAt: string | null;
  isOnTheWay: RefObject<boolean>;
} {
  const stream = useStream();
  const [target, setTarget] = useState<number | null>(null);
  const [pointedAt, setPointedAt] = useState<string | null>(null);
  const isOnTheWay = useRef(false);
  usePlaceRequest('message', (sequenceNumber) => {
    isFollowing.current = false;
    isOnTheWay.current = true;
    void stream.reach(sequenceNumber).then((isThere) => {
      if (isThere) return setTarget(sequenceNumber);
      isOnTheWay.current = false;
      showToast('This message could not be reached right now.', { isError: true });
    });
  });
  useLayoutEffect(() => {
    if (target === null) return;
    const index = indexOfSequence(items, target);
    const item = items[index];
    setTarget(null);
    if (item === undefined) {
      isOnTheWay.current = false;
      return;
    }
    isFollowing.current = false;
    rows.current?.scrollToIndex(index, { align: 'center' });
    setPointedAt(item.key);
  }, [target, items, rows, isFollowing]);
  useEffect(() => {
    if (pointedAt === null) return;
    const timer = setTimeout(() => {
      isOnTheWay.current = false;
      setPointedAt(null);
    }, POINTED_AT_MS);
    return () => clearTimeout(timer);
  }, [pointedAt]);
  return { pointedAt, isOnTheWay };
}

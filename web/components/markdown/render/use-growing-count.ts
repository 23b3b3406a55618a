import { startTransition, useEffect, useState } from 'react';

/** Blocks shown at once: a few screens of a long message. */
const FIRST_COUNT = 120;
/** So many more are shown with the others at once: what arrives, and the rest of a message of common length. */
const SLACK_COUNT = 120;
/** Rendering a step is interruptible; putting it on the page is not, and takes some 30 ms. */
const STEP_COUNT = 600;

/** Follows `total` at once when it grows by little, and in steps between which the page can answer when it grows by much. */
export function useGrowingCount(total: number): number {
  const [count, setCount] = useState(FIRST_COUNT);
  const isClose = total <= count + SLACK_COUNT;
  useEffect(() => {
    if (isClose) {
      if (total > count + SLACK_COUNT / 2) setCount(total);
      return;
    }
    const timer = setTimeout(() => startTransition(() => setCount(Math.min(total, count + STEP_COUNT))), 0);
    return () => clearTimeout(timer);
  }, [count, total, isClose]);
  return isClose ? total : count;
}

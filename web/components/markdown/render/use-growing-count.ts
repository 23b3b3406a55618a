import { startTransition, useEffect, useState } from 'react';

/** Blocks shown at once: a few screens of a long message. */
const FIRST_COUNT = 120;
/** Rendering a step is interruptible; putting it on the page is not, and takes some 30 ms. */
const STEP_COUNT = 600;

/** Grows to `total` in steps between which the page can answer; small totals, and what is appended later, show at once. */
export function useGrowingCount(total: number): number {
  const [count, setCount] = useState(total <= FIRST_COUNT ? Number.POSITIVE_INFINITY : FIRST_COUNT);
  useEffect(() => {
    if (count >= total) return;
    const next = count + STEP_COUNT;
    const timer = setTimeout(() => {
      startTransition(() => setCount(next >= total ? Number.POSITIVE_INFINITY : next));
    }, 0);
    return () => clearTimeout(timer);
  }, [count, total]);
  return Math.min(count, total);
}

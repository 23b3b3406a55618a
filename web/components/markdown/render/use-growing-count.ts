import { startTransition, useEffect, useState } from 'react';

/** Blocks shown at once: a screen or two of a long message. */
const FIRST_COUNT = 240;
const STEP_COUNT = 240;

/** Grows from a first number to `total` in steps between which the page can answer; small totals are there at once. */
export function useGrowingCount(total: number): number {
  const [count, setCount] = useState(FIRST_COUNT);
  const isDone = count >= total;
  useEffect(() => {
    if (isDone) return;
    const timer = setTimeout(() => startTransition(() => setCount(count + STEP_COUNT)), 0);
    return () => clearTimeout(timer);
  }, [count, isDone]);
  // Once it has caught up, what is appended shows at once.
  useEffect(() => {
    if (isDone && count - total < STEP_COUNT) setCount(total + STEP_COUNT * 2);
  }, [count, isDone, total]);
  return Math.min(count, total);
}

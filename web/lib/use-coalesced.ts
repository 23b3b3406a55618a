import { useCallback, useEffect, useRef } from 'react';

/** `work` once per burst: `waitMs` after the first call; more calls until then change nothing. Never after the unmount. */
export function useCoalesced(work: () => void, waitMs: number): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(() => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      work();
    }, waitMs);
  }, [work, waitMs]);
}

import { type RefObject, useEffect, useRef, useState } from 'react';

/** The page that is being read, counted from 1; kept in place when `sizes` change, so that a zoom does not lose it. */
export function useReadingPlace(scroller: RefObject<HTMLElement | null>, sizes: readonly [number, number]): number {
  const [page, setPage] = useState(1);
  /** Share of the whole height at the middle of the view. */
  const place = useRef(0);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const onScroll = () => {
      place.current = (element.scrollTop + element.clientHeight / 2) / Math.max(1, element.scrollHeight);
      const middle = element.getBoundingClientRect().top + element.clientHeight / 2;
      const pages = [...element.children];
      const index = pages.findIndex((one) => one.getBoundingClientRect().bottom > middle);
      setPage(index === -1 ? Math.max(1, pages.length) : index + 1);
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => element.removeEventListener('scroll', onScroll);
  }, [scroller]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs because the sizes changed.
  useEffect(() => {
    const element = scroller.current;
    if (element === null || place.current === 0) return;
    element.scrollTop = place.current * element.scrollHeight - element.clientHeight / 2;
  }, [scroller, sizes[0], sizes[1]]);
  return page;
}

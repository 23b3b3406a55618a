import { type RefObject, useEffect, useState } from 'react';

/** How far before it comes into view a heavy part starts to load. */
const MARGIN = '300px';

/** True once the element has come near the visible part of the page; stays true. */
export function useInView(target: RefObject<Element | null>): boolean {
  const [isSeen, setIsSeen] = useState(false);
  useEffect(() => {
    const element = target.current;
    if (!element || isSeen) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setIsSeen(true);
      },
      { rootMargin: MARGIN },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [target, isSeen]);
  return isSeen;
}

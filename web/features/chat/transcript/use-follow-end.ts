import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Nearer to the end than this counts as being there, in pixels. */
const AT_END_PX = 24;

/**
 * Keeps a scroller at its end while the reader is there, and only then. The reader wins: a wheel, finger or key upwards
 * ends the following at once; coming back to the end starts it again.
 */
export function useFollowEnd(scroller: RefObject<HTMLElement | null>, content: RefObject<HTMLElement | null>) {
  const isFollowing = useRef(true);
  const lastTop = useRef(0);
  const [isAway, setIsAway] = useState(false);
  const [hasNews, setHasNews] = useState(false);

  const toEnd = useCallback(() => {
    const element = scroller.current;
    if (element === null) return;
    element.scrollTop = element.scrollHeight;
    lastTop.current = element.scrollTop;
  }, [scroller]);

  const follow = useCallback(() => {
    isFollowing.current = true;
    setIsAway(false);
    setHasNews(false);
    toEnd();
  }, [toEnd]);

  useLayoutEffect(() => {
    const element = scroller.current;
    const inner = content.current;
    if (element === null || inner === null) return;
    let lastHeight = inner.offsetHeight;
    const observer = new ResizeObserver(() => {
      const height = inner.offsetHeight;
      // Everything fits: there is nowhere else to be than at the end.
      if (element.scrollHeight <= element.clientHeight) isFollowing.current = true;
      if (isFollowing.current) toEnd();
      else if (height > lastHeight + 1) setHasNews(true);
      lastHeight = height;
    });
    observer.observe(inner);
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller, content, toEnd]);

  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const leave = () => {
      if (element.scrollHeight > element.clientHeight) isFollowing.current = false;
    };
    const onScroll = () => {
      const rest = element.scrollHeight - element.scrollTop - element.clientHeight;
      const isDown = element.scrollTop >= lastTop.current;
      lastTop.current = element.scrollTop;
      if (rest <= AT_END_PX && isDown) isFollowing.current = true;
      if (isFollowing.current && rest <= AT_END_PX) setHasNews(false);
      setIsAway(!isFollowing.current && rest > element.clientHeight / 2);
    };
    const onWheel = (event: WheelEvent) => event.deltaY < 0 && leave();
    const onKey = (event: KeyboardEvent) => ['PageUp', 'ArrowUp', 'Home'].includes(event.key) && leave();
    // What the reader opens must not be carried away by the room that it takes.
    const onClick = (event: MouseEvent) => {
      if (event.target instanceof Element && event.target.closest('[aria-expanded], summary'))
        isFollowing.current = false;
    };
    let touchY = 0;
    const onTouchStart = (event: TouchEvent) => {
      touchY = event.touches[0]?.clientY ?? 0;
    };
    const onTouchMove = (event: TouchEvent) => (event.touches[0]?.clientY ?? 0) > touchY + 2 && leave();
    // A drag of the scroll bar presses on the scroller itself, not on anything in it.
    const onPointerDown = (event: PointerEvent) => event.target === element && leave();
    const passive = { passive: true };
    element.addEventListener('scroll', onScroll, passive);
    element.addEventListener('wheel', onWheel, passive);
    element.addEventListener('keydown', onKey);
    element.addEventListener('click', onClick, { capture: true });
    element.addEventListener('touchstart', onTouchStart, passive);
    element.addEventListener('touchmove', onTouchMove, passive);
    element.addEventListener('pointerdown', onPointerDown);
    return () => {
      element.removeEventListener('scroll', onScroll);
      element.removeEventListener('wheel', onWheel);
      element.removeEventListener('keydown', onKey);
      element.removeEventListener('click', onClick, { capture: true });
      element.removeEventListener('touchstart', onTouchStart);
      element.removeEventListener('touchmove', onTouchMove);
      element.removeEventListener('pointerdown', onPointerDown);
    };
  }, [scroller]);

  return { isFollowing, isAway, hasNews, follow, toEnd };
}

import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Nearer to the end than this counts as being there, in pixels. */
const AT_END_PX = 24;

/**
 * Keeps a scroller at its end while the reader is there, and only then. The reader wins: a wheel, finger or key upwards
 * ends the following at once, and so does whatever else scrolls up; coming back to the end starts it again.
 */
export function useFollowEnd(scroller: RefObject<HTMLElement | null>) {
  const isFollowing = useRef(true);
  const lastTop = useRef(0);
  const lastHeight = useRef(0);
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

  /** The view or what it shows has another height. Called before the paint, so that a new line and its place come in one frame. */
  const onResize = useCallback(() => {
    const element = scroller.current;
    if (element === null) return;
    const height = element.scrollHeight;
    // Everything fits: there is nowhere else to be than at the end.
    if (height <= element.clientHeight) isFollowing.current = true;
    if (isFollowing.current) toEnd();
    // In the next frame: rows that have just joined are not measured before this one, and must not be rendered again until then.
    else if (height > lastHeight.current + 1) requestAnimationFrame(() => setHasNews(!isFollowing.current));
    lastHeight.current = height;
  }, [scroller, toEnd]);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const observer = new ResizeObserver(onResize);
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller, onResize]);

  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const leave = () => {
      if (element.scrollHeight > element.clientHeight) isFollowing.current = false;
    };
    let seenHeight = 0;
    const onScroll = () => {
      const { scrollHeight, scrollTop } = element;
      const rest = scrollHeight - scrollTop - element.clientHeight;
      const isDown = scrollTop >= lastTop.current;
      // Upwards, and not because less is shown: the browser's search, a screen reader, a key that is not listed below.
      if (!isDown && scrollHeight >= seenHeight && rest > AT_END_PX) leave();
      lastTop.current = scrollTop;
      seenHeight = scrollHeight;
      if (rest <= AT_END_PX && isDown) isFollowing.current = true;
      if (isFollowing.current && rest <= AT_END_PX) setHasNews(false);
      setIsAway(!isFollowing.current && rest > element.clientHeight / 2);
    };
    const onWheel = (event: WheelEvent) => event.deltaY < 0 && leave();
    const onKey = (event: KeyboardEvent) => {
      if (['PageUp', 'ArrowUp', 'Home'].includes(event.key)) leave();
      // Meant is the end that is there when the way to it is done: rows below are measured, and text streams, meanwhile.
      if (event.key === 'End' && !isTextField(event.target)) isFollowing.current = true;
    };
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

  return { isFollowing, isAway, hasNews, follow, toEnd, onResize };
}

const isTextField = (target: EventTarget | null): boolean =>
  target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement;

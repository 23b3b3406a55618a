import { type RefObject, useEffect } from 'react';

/** Room below what was opened, in pixels: the soft edge above the composer. */
const MARGIN_PX = 24;
/** What was clicked goes no higher than this share of the view: the reader must still find it. */
const HIGHEST_SHARE = 0.3;
/** Details arrive and are drawn after the click; for so long they are followed, in milliseconds. */
const SETTLE_MS = 1_500;

/** Whoever opens a card at the very end sees what they opened, and not only its first line above the composer. */
export function useRevealOpened(scroller: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    let stop = () => {};
    const onClick = (event: MouseEvent) => {
      const trigger = event.target instanceof Element ? event.target.closest('[aria-expanded]') : null;
      const card = trigger?.closest('article');
      if (trigger === null || card === null || card === undefined) return;
      stop();
      const reveal = () => {
        if (trigger.getAttribute('aria-expanded') !== 'true') return;
        const view = element.getBoundingClientRect();
        const hidden = card.getBoundingClientRect().bottom + MARGIN_PX - view.bottom;
        const most = trigger.getBoundingClientRect().top - view.top - view.height * HIGHEST_SHARE;
        const by = Math.min(hidden, most);
        if (by > 0) element.scrollTop += by;
      };
      const observer = new ResizeObserver(reveal);
      observer.observe(card);
      const timer = setTimeout(() => stop(), SETTLE_MS);
      stop = () => {
        observer.disconnect();
        clearTimeout(timer);
      };
    };
    // The reader wins.
    const leave = () => stop();
    element.addEventListener('click', onClick);
    for (const kind of ['wheel', 'touchmove', 'keydown'] as const) {
      element.addEventListener(kind, leave, { passive: true });
    }
    return () => {
      stop();
      element.removeEventListener('click', onClick);
      for (const kind of ['wheel', 'touchmove', 'keydown'] as const) element.removeEventListener(kind, leave);
    };
  }, [scroller]);
}

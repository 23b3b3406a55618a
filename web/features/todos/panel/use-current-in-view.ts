import { type RefObject, useLayoutEffect, useRef } from 'react';

/** Of the row above the current step this much stays in sight, in pixels: there is something before it. */
const PEEK_PX = 20;

interface CurrentInViewOptions {
  list: RefObject<HTMLElement | null>;
  stepId: string | null;
}

/** Brings the current step to the top of the view when it changes. Whoever is at work in the list is not moved. */
export function useCurrentInView({ list, stepId }: CurrentInViewOptions): void {
  const isFirst = useRef(true);
  useLayoutEffect(() => {
    // Found from the list: on the first pass the ref of what stands around it is not set yet.
    const area = list.current?.closest<HTMLElement>('[data-plan-scroller]') ?? null;
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-step]') ?? [])];
    const row = rows.find((other) => other.dataset.step === stepId);
    if (area === null || row === undefined) return;
    const isBusy = area.matches(':hover') || area.contains(document.activeElement);
    if (isBusy && !isFirst.current) return;
    isFirst.current = false;
    const top = row.getBoundingClientRect().top - area.getBoundingClientRect().top + area.scrollTop;
    area.scrollTop = top - PEEK_PX;
  }, [list, stepId]);
}

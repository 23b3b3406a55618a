import { type PointerEvent, type RefObject, useCallback, useEffect, useRef, useState } from 'react';

/** Nearer to an edge of the list than this, it scrolls along, in pixels; and so far per frame. */
const EDGE_PX = 36;
const SCROLL_PX = 7;

export interface Drag {
  stepId: string;
  /** 0-based place in the list as it will be. */
  index: number;
}

interface StepDragOptions {
  list: RefObject<HTMLElement | null>;
  scroller: RefObject<HTMLElement | null>;
  onDrop(stepId: string, index: number): void;
}

/** Drags steps by their grip with mouse, pen or finger. Esc lets go without moving. */
export function useStepDrag({ list, scroller, onDrop }: StepDragOptions) {
  const [drag, setDrag] = useState<Drag | null>(null);
  const current = useRef<{ drag: Drag; y: number } | null>(null);
  const isDragging = drag !== null;

  /** How many of the other steps stand above the pointer. */
  const indexAt = useCallback(
    (stepId: string, y: number): number => {
      const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-step]') ?? [])];
      return rows.filter((row) => {
        const { top, height } = row.getBoundingClientRect();
        return row.dataset.step !== stepId && top + height / 2 < y;
      }).length;
    },
    [list],
  );

  const update = useCallback(
    (y: number) => {
      if (current.current === null) return;
      const { stepId, index: before } = current.current.drag;
      const index = indexAt(stepId, y);
      current.current = { drag: { stepId, index }, y };
      if (index !== before) setDrag({ stepId, index });
    },
    [indexAt],
  );

  const end = useCallback(
    (isDropped: boolean) => {
      const last = current.current;
      current.current = null;
      setDrag(null);
      if (isDropped && last !== null) onDrop(last.drag.stepId, last.drag.index);
    },
    [onDrop],
  );

  const start = useCallback(
    (stepId: string, event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return;
      event.preventDefault();
      const next = { stepId, index: indexAt(stepId, event.clientY) };
      current.current = { drag: next, y: event.clientY };
      setDrag(next);
    },
    [indexAt],
  );

  useEffect(() => {
    if (!isDragging) return;
    const onMove = (event: globalThis.PointerEvent) => update(event.clientY);
    const onUp = () => end(true);
    const onCancel = () => end(false);
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      end(false);
    };
    let frame = requestAnimationFrame(function follow() {
      const area = scroller.current;
      const y = current.current?.y;
      if (area !== null && y !== undefined) {
        const { top, bottom } = area.getBoundingClientRect();
        if (y < top + EDGE_PX) area.scrollTop -= SCROLL_PX;
        if (y > bottom - EDGE_PX) area.scrollTop += SCROLL_PX;
        update(y);
      }
      frame = requestAnimationFrame(follow);
    });
    window.addEventListener('pointermove', onMove);
    window.addEventListener('pointerup', onUp);
    window.addEventListener('pointercancel', onCancel);
    window.addEventListener('keydown', onKey, true);
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener('pointermove', onMove);
      window.removeEventListener('pointerup', onUp);
      window.removeEventListener('pointercancel', onCancel);
      window.removeEventListener('keydown', onKey, true);
    };
  }, [isDragging, update, end, scroller]);

  return { drag, start };
}

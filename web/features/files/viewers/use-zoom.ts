import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

export interface Zoom {
  /** 1 fits the whole picture. */
  scale: number;
  x: number;
  y: number;
}

const fitted: Zoom = { scale: 1, x: 0, y: 0 };
const MAX_SCALE = 12;
const STEP = 1.4;

/** Zooms towards a point that stays where it is. `at` is measured from the middle, in pixels. Pure. */
export function zoomAt(zoom: Zoom, factor: number, at: { x: number; y: number }): Zoom {
  const scale = Math.min(MAX_SCALE, Math.max(1, zoom.scale * factor));
  if (scale === 1) return fitted;
  const ratio = scale / zoom.scale;
  return { scale, x: at.x - (at.x - zoom.x) * ratio, y: at.y - (at.y - zoom.y) * ratio };
}

/** Wheel, double click, two fingers and dragging over an element; keys and buttons call `by` and `reset`. */
export function useZoom(target: RefObject<HTMLElement | null>) {
  const [zoom, setZoom] = useState<Zoom>(fitted);
  const pointers = useRef(new Map<number, { x: number; y: number }>());
  const by = useCallback((factor: number, at = { x: 0, y: 0 }) => setZoom((now) => zoomAt(now, factor, at)), []);
  const reset = useCallback(() => setZoom(fitted), []);

  useEffect(() => {
    const element = target.current;
    if (element === null) return;
    const fromMiddle = (event: { clientX: number; clientY: number }) => {
      const box = element.getBoundingClientRect();
      return { x: event.clientX - box.left - box.width / 2, y: event.clientY - box.top - box.height / 2 };
    };
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      by(Math.exp(-event.deltaY / 320), fromMiddle(event));
    };
    const onDoubleClick = (event: MouseEvent) => {
      const at = fromMiddle(event);
      setZoom((now) => (now.scale > 1 ? fitted : zoomAt(now, STEP ** 3, at)));
    };
    const onDown = (event: PointerEvent) => {
      pointers.current.set(event.pointerId, fromMiddle(event));
      element.setPointerCapture(event.pointerId);
    };
    const onMove = (event: PointerEvent) => {
      const before = pointers.current.get(event.pointerId);
      if (before === undefined) return;
      const now = fromMiddle(event);
      const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1];
      pointers.current.set(event.pointerId, now);
      if (other === undefined) {
        setZoom((zoom) =>
          zoom.scale === 1 ? zoom : { ...zoom, x: zoom.x + now.x - before.x, y: zoom.y + now.y - before.y },
        );
        return;
      }
      const spread = (point: { x: number; y: number }) => Math.hypot(point.x - other.x, point.y - other.y) || 1;
      by(spread(now) / spread(before), { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 });
    };
    const onUp = (event: PointerEvent) => void pointers.current.delete(event.pointerId);
    element.addEventListener('wheel', onWheel, { passive: false });
    element.addEventListener('dblclick', onDoubleClick);
    element.addEventListener('pointerdown', onDown);
    element.addEventListener('pointermove', onMove);
    element.addEventListener('pointerup', onUp);
    element.addEventListener('pointercancel', onUp);
    return () => {
      element.removeEventListener('wheel', onWheel);
      element.removeEventListener('dblclick', onDoubleClick);
      element.removeEventListener('pointerdown', onDown);
      element.removeEventListener('pointermove', onMove);
      element.removeEventListener('pointerup', onUp);
      element.removeEventListener('pointercancel', onUp);
    };
  }, [target, by]);

  return { zoom, zoomIn: () => by(STEP), zoomOut: () => by(1 / STEP), reset };
}

import type { KeyboardEvent, PointerEvent, RefObject } from 'react';
import { useEffect, useRef, useState } from 'react';

const step = 1.4;
const panStep = 60;

export function useZoom(frame: RefObject<HTMLDivElement | null>) {
  const [view, setView] = useState(wholeFigure);
  const fingers = useRef(new Map<number, { x: number; y: number }>());

  const change = (next: (view: ZoomView, box: DOMRect) => ZoomView) => {
    const box = frame.current?.getBoundingClientRect();
    if (box !== undefined) setView((current) => next(current, box));
  };
  const zoomMiddle = (factor: number) =>
    change((current, box) => zoomAt(current, factor, { x: box.width / 2, y: box.height / 2 }, box));
  const move = (dx: number, dy: number) => change((current, box) => pan(current, dx, dy, box));

  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    // Not a prop of the element: React listens passively, and the page behind must not scroll.
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const box = element.getBoundingClientRect();
      const point = { x: event.clientX - box.left, y: event.clientY - box.top };
      const factor = Math.exp(
        -event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 0.05 : 0.0015),
      );
      setView((current) => zoomAt(current, factor, point, box));
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [frame]);

  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const before = fingers.current.get(event.pointerId);
    if (before === undefined) return;
    const now = { x: event.clientX, y: event.clientY };
    const other = [...fingers.current].find(([id]) => id !== event.pointerId)?.[1];
    fingers.current.set(event.pointerId, now);
    if (other === undefined) {
      move(now.x - before.x, now.y - before.y);
      return;
    }
    const apart = (point: { x: number; y: number }) => Math.hypot(point.x - other.x, point.y - other.y);
    change((current, box) =>
      zoomAt(
        current,
        apart(now) / Math.max(1, apart(before)),
        { x: (now.x + other.x) / 2 - box.left, y: (now.y + other.y) / 2 - box.top },
        box,
      ),
    );
  };
  const onPointerUp = (event: PointerEvent<HTMLElement>) => void fingers.current.delete(event.pointerId);

  const keys = new Map<string, () => void>([
    ['+', () => zoomMiddle(step)],
    ['=', () => zoomMiddle(step)],
    ['-', () => zoomMiddle(1 / step)],
    ['0', () => setView(wholeFigure)],
    ['ArrowLeft', () => move(panStep, 0)],
    ['ArrowRight', () => move(-panStep, 0)],
    ['ArrowUp', () => move(0, panStep)],
    ['ArrowDown', () => move(0, -panStep)],
  ]);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const act = keys.get(event.key);
    if (act === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  };
  return {
    view,
    zoomIn: () => zoomMiddle(step),
    zoomOut: () => zoomMiddle(1 / step),
    reset: () => setView(wholeFigure),
    handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: onPointerUp, onKeyDown },
  };
}

/** Placement of a figure in its frame: a frame point p shows what is at (p − offset) / scale unzoomed. */
interface ZoomView {
  scale: number;
  /** In CSS pixels of the frame. */
  x: number;
  y: number;
}

interface Size {
  width: number;
  height: number;
}

export const wholeFigure: ZoomView = { scale: 1, x: 0, y: 0 };
/** Further in, a pixel of the figure is larger than a cell. */
export const maxScale = 8;

export function zoomAt(
  view: ZoomView,
  factor: number,
  point: { x: number; y: number },
  frame: Size,
): ZoomView {
  const scale = Math.min(maxScale, Math.max(1, view.scale * factor));
  const ratio = scale / view.scale;
  return within(
    { scale, x: point.x - (point.x - view.x) * ratio, y: point.y - (point.y - view.y) * ratio },
    frame,
  );
}

export function pan(view: ZoomView, dx: number, dy: number, frame: Size): ZoomView {
  return within({ ...view, x: view.x + dx, y: view.y + dy }, frame);
}

/** Clamps the offset so that no edge of the figure enters the frame. */
function within({ scale, x, y }: ZoomView, { width, height }: Size): ZoomView {
  const clamp = (value: number, size: number) => Math.min(0, Math.max(size * (1 - scale), value));
  return { scale, x: clamp(x, width), y: clamp(y, height) };
}

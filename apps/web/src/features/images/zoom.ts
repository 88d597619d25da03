/** How a figure lies in its frame: a point p of the frame shows what is at (p − offset) / scale unzoomed. */
export interface ZoomView {
  scale: number;
  /** In CSS pixels of the frame. */
  x: number;
  y: number;
}

export interface Size {
  width: number;
  height: number;
}

export const wholeFigure: ZoomView = { scale: 1, x: 0, y: 0 };
/** Further in, a pixel of the figure is larger than a cell. */
export const maxScale = 8;

/** Zooms by a factor about a point of the frame, which stays where it is. */
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

/** No edge of the figure comes into the frame. */
function within({ scale, x, y }: ZoomView, { width, height }: Size): ZoomView {
  const clamp = (value: number, size: number) => Math.min(0, Math.max(size * (1 - scale), value));
  return { scale, x: clamp(x, width), y: clamp(y, height) };
}

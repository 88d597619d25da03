import { expect, test } from 'vitest';
import { maxScale, pan, wholeFigure, zoomAt } from './zoom.ts';

const frame = { width: 800, height: 400 };

test('zooming keeps the point under the pointer where it is', () => {
  const point = { x: 200, y: 100 };
  const view = zoomAt(wholeFigure, 2, point, frame);
  expect(view).toEqual({ scale: 2, x: -200, y: -100 });
  expect((point.x - view.x) / view.scale).toBe(200);
});

test('a figure is never smaller than its frame, nor larger than eight times', () => {
  expect(zoomAt(wholeFigure, 0.1, { x: 9, y: 9 }, frame)).toEqual(wholeFigure);
  expect(zoomAt(wholeFigure, 99, { x: 0, y: 0 }, frame).scale).toBe(maxScale);
  expect(zoomAt(zoomAt(wholeFigure, 4, { x: 800, y: 400 }, frame), 0.01, { x: 0, y: 0 }, frame)).toEqual(
    wholeFigure,
  );
});

test('panning stops at the edges of the figure', () => {
  const view = zoomAt(wholeFigure, 2, { x: 400, y: 200 }, frame);
  expect(pan(view, 9999, 9999, frame)).toEqual({ scale: 2, x: 0, y: 0 });
  expect(pan(view, -9999, -9999, frame)).toEqual({ scale: 2, x: -800, y: -400 });
});

import { expect, test } from 'vitest';
import { cameraOf, fit, gridPlace, pan, screenPlace, zoomAt } from './camera.ts';

const size = { width: 800, height: 600 };

test('what the pointer is on stays under it while zooming', () => {
  const at = { x: 550, y: 320 };
  const before = gridPlace(at, fit(), size);
  let camera = fit();
  for (let step = 0; step < 10; step++) camera = zoomAt(camera, 1.3, at, size);
  expect(camera.zoom).toBeCloseTo(1.3 ** 10);
  const after = gridPlace(at, camera, size);
  expect(after.x).toBeCloseTo(before.x, 10);
  expect(after.y).toBeCloseTo(before.y, 10);
});

test('panning moves the picture by as many pixels as the pointer', () => {
  const camera = { x: 0.4, y: 0.6, zoom: 5 };
  const cell = { x: 0.45, y: 0.55 };
  const before = screenPlace(cell, camera, size);
  const after = screenPlace(cell, pan(camera, { x: 30, y: -20 }, size), size);
  expect(after.x - before.x).toBeCloseTo(30);
  expect(after.y - before.y).toBeCloseTo(-20);
});

test('all of the grid fits in the picture at first, y up', () => {
  const [low, high] = [screenPlace({ x: 0, y: 0 }, fit(), size), screenPlace({ x: 1, y: 1 }, fit(), size)];
  expect(low.x).toBeGreaterThanOrEqual(0);
  expect(high.x).toBeLessThanOrEqual(800);
  expect([low.y, high.y]).toEqual([588, 12]);
});

test('a box is shown whole and fills one side', () => {
  const box = { left: 0.2, bottom: 0.5, right: 0.6, top: 0.6 };
  const camera = cameraOf(box, size);
  const [low, high] = [
    screenPlace({ x: 0.2, y: 0.5 }, camera, size),
    screenPlace({ x: 0.6, y: 0.6 }, camera, size),
  ];
  expect(high.x - low.x).toBeCloseTo(0.96 * 800);
  expect(low.y - high.y).toBeLessThan(600);
});

test('one cell alone is zoomed to without losing it, and no zoom leaves its bounds', () => {
  const camera = cameraOf({ left: 0.3, bottom: 0.3, right: 0.3, top: 0.3 }, size);
  expect(camera).toEqual({ x: 0.3, y: 0.3, zoom: 64 });
  expect(zoomAt(camera, 1e9, { x: 0, y: 0 }, size).zoom).toBe(4000);
  expect(zoomAt(camera, 1e-9, { x: 0, y: 0 }, size).zoom).toBe(0.5);
  expect(pan(fit(), { x: 1e6, y: 1e6 }, size)).toEqual({ x: 0, y: 1, zoom: 1 });
});

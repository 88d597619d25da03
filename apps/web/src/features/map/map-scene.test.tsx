import type { AreaColumn, GridSquare, PositionColumn } from '@cellfolio/columns';
import { beforeEach, expect, test, vi } from 'vitest';
import { MapScene } from './map-scene.ts';
import { MapStore } from './map-store.ts';

const column: PositionColumn = {
  kind: 'positions',
  cells: 3,
  positions: Uint16Array.of(0, 0, 32_768, 32_768, 65_535, 65_535),
  origin: [0, 0],
  step: 1,
  morton: true,
  missing: 0,
};
const target = () => document.createElement('canvas').getContext('2d')!;
const size = { width: 600, height: 600 };

let store: MapStore;
let requestedSquares: GridSquare[];
let scene: MapScene;
beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'requestAnimationFrame', 'cancelAnimationFrame'],
  });
  // There is no WebGL here: the processor draws.
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  store = new MapStore();
  requestedSquares = [];
  scene = new MapScene(column, store, async (square): Promise<AreaColumn> => {
    requestedSquares.push(square);
    return {
      kind: 'area',
      cells: 1,
      ...square,
      places: Uint32Array.of(1),
      positions: Float32Array.of(0.5, 9),
    };
  });
  scene.size = size;
  return () => {
    scene.close();
    vi.useRealTimers();
  };
});
const frame = () => vi.advanceTimersByTimeAsync(20);

test('a map that is added or changes is painted alone, and all are when the camera moves', async () => {
  const painted: string[] = [];
  scene.add(() => painted.push('one'), target());
  await frame();
  const other = scene.add(() => painted.push('other'), target());
  await frame();
  expect(painted).toEqual(['one', 'other']);
  other.repaint();
  other.repaint();
  await frame();
  expect(painted).toEqual(['one', 'other', 'other']);
  store.set({ density: true });
  await frame();
  expect(painted.slice(3)).toEqual(['one', 'other']);
  other.remove();
  scene.repaint();
  await frame();
  expect(painted.slice(5)).toEqual(['one']);
});

test('exact positions are requested once, when an enlarged map rests', async () => {
  scene.add(() => {}, target());
  await frame();
  expect(requestedSquares).toEqual([]);
  store.set({ camera: { x: 0.5, y: 0.5, zoom: 1000 } });
  await frame();
  expect(requestedSquares).toEqual([]);
  await vi.advanceTimersByTimeAsync(200);
  expect(requestedSquares).toEqual([{ left: 32_640, bottom: 32_640, side: 256 }]);
  store.set({ camera: { x: 0.5, y: 0.50001, zoom: 1000 } });
  await vi.advanceTimersByTimeAsync(200);
  expect(requestedSquares).toHaveLength(1);
  expect(scene.placeOf(1)!.y * 65_535).toBeCloseTo(32_649, 2);
  expect(scene.placeOf(2)).toEqual({ x: 1, y: 1 });
  store.set({ camera: { x: 0.5, y: 0.5, zoom: 1 } });
  await vi.advanceTimersByTimeAsync(200);
  expect(requestedSquares).toHaveLength(1);
  expect(scene.placeOf(1)!.y * 65_535).toBeCloseTo(32_768, 2);
});

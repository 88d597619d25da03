import type { AreaColumn, GridSquare, PositionColumn } from '@cellfolio/columns';
import { screenPlace } from '@cellfolio/map';
import { beforeEach, describe, expect, test, vi } from 'vitest';
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

describe('of cells in tissue, whose y points down', () => {
  const tissue: PositionColumn = { ...column, origin: [100, 200], yDown: true };
  let map: MapScene;
  beforeEach(() => {
    map = new MapScene(tissue, store, async (square): Promise<AreaColumn> => {
      requestedSquares.push(square);
      const { bottom, side } = square;
      const y = 32_768 - bottom;
      return {
        kind: 'area',
        cells: 1,
        ...square,
        places: Uint32Array.of(1),
        positions: Float32Array.of(side / 2, y),
      };
    });
    map.size = size;
    return () => map.close();
  });

  test('a cell of small y is above one of large y, and a lasso around it selects it', async () => {
    const [first, last] = [map.placeOf(0)!, map.placeOf(2)!];
    const screen = [first, last].map((place) => screenPlace(place, store.state.camera, size));
    expect(screen[0]!.y).toBeLessThan(screen[1]!.y);
    expect(map.points.nearest(screen[0]!, store.state.camera, size, 5)).toBe(0);
    const upperLeft = Float32Array.of(0, 0.9, 0.1, 0.9, 0.1, 1.1, 0, 1.1);
    expect([...map.points.cellsIn(upperLeft)]).toEqual([1]);
  });

  test('places on the map and coordinates of the file lead to each other', () => {
    expect(map.pointAt({ x: 0, y: 1 })).toEqual([100, 200]);
    expect(map.pointAt({ x: 0, y: 0 })).toEqual([100, 65_735]);
    expect(map.placeAt([100, 200])).toEqual({ x: 0, y: 1 });
    const { y } = map.window({ x: 0.5, y: 0.75, zoom: 4 });
    expect(y[0]).toBeGreaterThanOrEqual(200);
    expect(y[1]).toBeGreaterThan(y[0]);
    expect(y[1]).toBeLessThan(200 + 65_535 / 2);
  });

  test('enlarged cells come from the square that is seen, and stay where they are', async () => {
    const before = map.placeOf(1)!;
    map.add(() => {}, target());
    store.set({ camera: { x: 0.5, y: 0.5, zoom: 2000 } });
    await vi.advanceTimersByTimeAsync(200);
    const { bottom, side } = requestedSquares.at(-1)!;
    expect(32_768).toBeGreaterThan(bottom);
    expect(32_768).toBeLessThan(bottom + side);
    const after = map.placeOf(1)!;
    expect(after.y).toBeCloseTo(before.y, 4);
    expect(map.renderer.area!.covers(store.state.camera, size)).toBe(true);
  });
});

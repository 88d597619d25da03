import { expect, test } from 'vitest';
import { cameraOf, screenPlace } from './camera.ts';
import { MapArea } from './map-area.ts';
import type { MapView } from './map-view.ts';
import { paintPixels } from './paint-pixels.ts';
import { slotPalette } from './slot-palettes.ts';
import { Points } from './points.ts';

const size = { width: 400, height: 300 };
const largest = 65_535;
const positions = Uint16Array.of(0, 0, 40_000, 30_000, 40_000, 30_000, largest, largest);
const square = { left: 39_936, bottom: 29_952, side: 128 };
const exact = Float32Array.of(63.75, 48, 64.25, 48);
const area = new MapArea(square, Uint32Array.of(1, 2), exact);
const camera = { x: 40_000 / largest, y: 30_000 / largest, zoom: 30_000 };

function viewOf(slots = Uint8Array.of(1, 1, 2, 1)): MapView {
  return {
    camera,
    layer: {
      slots,
      palette: slotPalette([
        [1, [255, 0, 0]],
        [2, [0, 0, 255]],
      ]),
    },
    ...size,
    pointSize: 1,
    density: false,
    background: [0, 0, 0],
  };
}

function columnsOf(colour: number, points: Points, view: MapView): number[] {
  const pixels = new Uint32Array(size.width * size.height);
  paintPixels(points, view, pixels);
  return [...pixels.keys()].filter((at) => pixels[at] === colour).map((at) => at % size.width);
}

test('cells of one step of the grid are drawn apart where the map is enlarged', () => {
  const [red, blue] = [0xff0000ff, 0xffff0000];
  const all = new Points(positions, { morton: false, missing: 0 });
  const coarse = viewOf();
  expect([...columnsOf(red, all, coarse), ...columnsOf(blue, all, coarse)]).toHaveLength(1);
  const own = area.viewOf(coarse, all.placed);
  const half = screenPlace({ x: 40_000.25 / largest, y: camera.y }, camera, size).x - size.width / 2;
  expect(half).toBeGreaterThan(30);
  const [left] = columnsOf(red, area.points, own);
  const [right] = columnsOf(blue, area.points, own);
  expect(Math.abs(left! - (size.width / 2 - half))).toBeLessThan(1.5);
  expect(Math.abs(right! - (size.width / 2 + half))).toBeLessThan(1.5);
});

test('each of them is found and selected by its place among all cells', () => {
  const { layer } = viewOf();
  const at = (step: number) => screenPlace({ x: step / largest, y: camera.y }, camera, size);
  expect(area.nearest(at(39_999.75), camera, size, 12, layer)).toBe(1);
  expect(area.nearest(at(40_000.25), camera, size, 12, layer)).toBe(2);
  expect(area.nearest(at(40_000.25), camera, size, 1, { ...layer, slots: Uint8Array.of(1, 1, 0, 1) })).toBe(
    -1,
  );
  const box = (left: number, right: number) =>
    Float32Array.of(left, 29_999, right, 29_999, right, 30_001, left, 30_001).map((step) => step / largest);
  expect(area.cellsIn(box(40_000, 40_001), 4)).toEqual(Uint8Array.of(0b100));
  expect(area.cellsIn(box(39_999, 40_001), 4)).toEqual(Uint8Array.of(0b110));
  expect(area.cellsIn(box(0, 40_001), 4)).toBeUndefined();
});

test('a cell of the area is where it is, one beyond is not known', () => {
  expect(area.placeOf(1)!.x * largest).toBeCloseTo(39_999.75, 2);
  expect(area.placeOf(2)!.x * largest).toBeCloseTo(40_000.25, 2);
  expect(area.placeOf(2)!.y * largest).toBeCloseTo(30_000, 2);
  expect(area.placeOf(0)).toBeUndefined();
  expect(area.placeOf(3)).toBeUndefined();
});

test('what is selected of all cells is dimmed or not in the area', () => {
  const selection = Uint8Array.of(0b0100);
  const own = area.viewOf({ ...viewOf(), selection }, 4);
  expect(own.selection).toEqual(Uint8Array.of(0b10));
});

test('an area covers a picture that lies within, at the rim of the map as well', () => {
  expect(area.covers(camera, size)).toBe(true);
  expect(area.covers({ ...camera, zoom: 100 }, size)).toBe(false);
  expect(area.covers(cameraOf({ left: 0, bottom: 0, right: 0.5, top: 0.5 }, size), size)).toBe(false);
  const corner = new MapArea({ left: 0, bottom: 0, side: 128 }, Uint32Array.of(0), Float32Array.of(0, 0));
  expect(corner.covers({ x: 0, y: 0, zoom: 4000 }, size)).toBe(true);
});

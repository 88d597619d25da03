import { expect, test } from 'vitest';
import { pixelsOfGrid } from './camera.ts';
import type { MapView } from './map-view.ts';
import { paintPixels } from './paint-pixels.ts';
import { Points } from './points.ts';
import { clusteredPositions, randomBits, randomLayer, viewOf } from './seeded-cells.test-data.ts';
import { strideOf } from './shuffled-order.ts';

const cells = 4000;
const points = new Points(clusteredPositions(cells), { morton: true, missing: 40 });
const layer = randomLayer(cells);

function painted(view: MapView, of = points): Uint8ClampedArray {
  const pixels = new Uint32Array(view.width * view.height);
  paintPixels(of, view, pixels);
  return new Uint8ClampedArray(pixels.buffer);
}

function byDefinition(view: MapView, diameter: number): Uint8ClampedArray {
  const { width, height, camera, layer, selection, background } = view;
  const picture = new Uint8ClampedArray(4 * width * height);
  for (let at = 0; at < picture.length; at += 4) picture.set([...background, 255], at);
  const placed = points.placed;
  const shuffled = Array.from(
    { length: Math.min(placed, view.sample ?? placed) },
    (_, k) => (k * strideOf(placed)) % placed,
  );
  const isSelected = (cell: number) =>
    selection === undefined || ((selection[cell >> 3]! >> (cell & 7)) & 1) === 1;
  const passOf = (cell: number) =>
    !isSelected(cell) || layer.slots[cell] === 255
      ? 0
      : layer.slots[cell]! >= (layer.onTopFrom ?? 256)
        ? 2
        : 1;
  const scale = pixelsOfGrid(camera, view);
  for (const cell of [0, 1, 2].flatMap((pass) => shuffled.filter((cell) => passOf(cell) === pass))) {
    const [red, green, blue, alpha] = layer.palette.subarray(4 * layer.slots[cell]!);
    const colour = [red!, green!, blue!].map((value, channel) =>
      isSelected(cell) ? value : Math.round(0.2 * value + 0.8 * background[channel]!),
    );
    const px = width / 2 + (points.positions[2 * cell]! / 65_535 - camera.x) * scale;
    const py = height / 2 - (points.positions[2 * cell + 1]! / 65_535 - camera.y) * scale;
    const [cx, cy] = [px, py].map((value) =>
      diameter % 2 ? Math.floor(value) + 0.5 : Math.floor(value + 0.5),
    );
    for (let y = Math.max(0, Math.floor(cy! - diameter)); y < Math.min(height, cy! + diameter); y++)
      for (let x = Math.max(0, Math.floor(cx! - diameter)); x < Math.min(width, cx! + diameter); x++) {
        const [dx, dy] = [Math.abs(x + 0.5 - cx!), Math.abs(y + 0.5 - cy!)];
        if (Math.max(dx, dy) > diameter / 2) continue;
        const covered = diameter <= 2 ? 1 : Math.min(1, Math.max(0, diameter / 2 + 0.5 - Math.hypot(dx, dy)));
        const opacity = (Math.round(covered * 255) / 255) * (alpha! / 255);
        const at = 4 * (y * width + x);
        for (let channel = 0; channel < 3; channel++)
          picture[at + channel] = Math.round(
            colour[channel]! * opacity + picture[at + channel]! * (1 - opacity),
          );
      }
  }
  return picture;
}

const zoomed = { x: 0.31, y: 0.66, zoom: 7 };

test.each<[string, Partial<MapView>, number]>([
  ['single pixels', { pointSize: 1 }, 1],
  ['squares of two', { pointSize: 2 }, 2],
  ['discs of five, cut by the rim of the picture', { pointSize: 5, camera: zoomed }, 5],
  ['discs of six with some on top', { pointSize: 6, layer: { ...layer, onTopFrom: 100 } }, 6],
  ['a selection', { pointSize: 3, selection: randomBits(cells, 0.3), layer: { ...layer, onTopFrom: 1 } }, 3],
  ['a sample of 500', { pointSize: 4, sample: 500 }, 4],
  ['none of the cells', { pointSize: 4, sample: 0 }, 4],
])('every pixel is as the definition says: %s', (_, changes, diameter) => {
  const view = viewOf(layer, changes);
  expect(painted(view)).toEqual(byDefinition(view, diameter));
});

test('translucent colours are mixed with what lies below', () => {
  const palette = layer.palette.slice();
  for (let at = 3; at < 1024; at += 4) palette[at] = 90;
  const view = viewOf({ ...layer, palette }, { pointSize: 2 });
  expect(painted(view)).toEqual(byDefinition(view, 2));
});

test('an expressing cell shows wherever it lies, however many others share its place', () => {
  const crowd = new Points(new Uint16Array(2000).fill(32_768), { morton: true, missing: 0 });
  const palette = new Uint8Array(1024).fill(255);
  palette.set([200, 200, 200, 255], 0);
  palette.set([180, 0, 20, 255], 4);
  for (const cell of [0, 1, 500, 999]) {
    const slots = new Uint8Array(1000);
    slots[cell] = 1;
    const pixels = painted(viewOf({ slots, palette, onTopFrom: 1 }, { pointSize: 1 }), crowd);
    const at = pixels.findIndex((value, index) => index % 4 === 1 && value === 0);
    expect([...pixels.subarray(at - 1, at + 2)]).toEqual([180, 0, 20]);
  }
});

test('in density mode each pixel has the mean colour of its cells, opaque by the logarithm of their number', () => {
  const view = viewOf(layer, { density: true, pointSize: 1, selection: randomBits(cells, 0.5) });
  const { width, height, background } = view;
  const coloursAt = new Map<number, number[][]>();
  const scale = pixelsOfGrid(view.camera, view);
  for (let cell = 0; cell < points.placed; cell++) {
    const [red, green, blue, alpha] = layer.palette.subarray(4 * layer.slots[cell]!);
    if (alpha === 0 || layer.slots[cell] === 255) continue;
    const chosen = (view.selection![cell >> 3]! >> (cell & 7)) & 1;
    const colour = [red!, green!, blue!].map((value, channel) =>
      chosen ? value : Math.round(0.2 * value + 0.8 * background[channel]!),
    );
    const x = Math.floor(width / 2 + (points.positions[2 * cell]! / 65_535 - 0.5) * scale);
    const y = Math.floor(height / 2 - (points.positions[2 * cell + 1]! / 65_535 - 0.5) * scale);
    coloursAt.set(y * width + x, [...(coloursAt.get(y * width + x) ?? []), colour]);
  }
  const maxCount = Math.max(...[...coloursAt.values()].map((all) => all.length));
  const pixels = painted(view);
  expect(maxCount).toBeGreaterThan(3);
  for (let pixel = 0; pixel < width * height; pixel++) {
    const all = coloursAt.get(pixel) ?? [];
    const opacity = all.length === 0 ? 0 : 0.25 + (0.75 * Math.log(all.length)) / Math.log(maxCount);
    for (let channel = 0; channel < 3; channel++) {
      const mean = all.reduce((sum, colour) => sum + colour[channel]!, 0) / Math.max(1, all.length);
      const expected = mean * opacity + background[channel]! * (1 - opacity);
      expect(Math.abs(pixels[4 * pixel + channel]! - expected)).toBeLessThanOrEqual(0.5001);
    }
  }
});

test('the density of a sample is that of all of it when the sample is everything', () => {
  const view = viewOf(layer, { density: true });
  expect(painted({ ...view, sample: points.placed })).toEqual(painted(view));
  expect(painted({ ...view, sample: 100 })).not.toEqual(painted(view));
});

test.each([false, true])('cells without a position in the middle are not drawn (density: %s)', (density) => {
  const positions = Uint16Array.of(0, 0, 32_768, 32_768, 65_535, 65_535);
  const options = { slots: Uint8Array.of(1, 1, 1), palette: new Uint8Array(1024).fill(255) };
  options.palette.set([0, 0, 0, 255], 4);
  const view = viewOf(options, { density, pointSize: 1 });
  const darkPixels = (unplaced: number) => {
    const pointOptions = { morton: false, missing: 1, unplaced: Uint8Array.of(unplaced) };
    const pixels = painted(view, new Points(positions, pointOptions));
    return pixels.filter((value, at) => at % 4 === 0 && value === 0).length;
  };
  expect([darkPixels(0), darkPixels(0b010), darkPixels(0b111)]).toEqual([3, 2, 0]);
});

test('a layer of other cells is refused', () => {
  expect(() => painted(viewOf({ ...layer, slots: new Uint8Array(3) }))).toThrow('A layer of 3 cells');
  expect(() => painted(viewOf({ ...layer, palette: new Uint8Array(4) }))).toThrow(RangeError);
});

import type { Embedding } from '@cellfolio/model';
import { pointsDown } from '@cellfolio/model/column-title';
import { type AreaColumn, bitBytes, type GridSquare, type PositionColumn } from './map-column.ts';
import { interleave } from './morton.ts';

const gridSteps = 65_535;

interface Grid {
  x: Uint16Array;
  y: Uint16Array;
  placed: Uint8Array;
  missing: number;
  origin: readonly [number, number];
  step: number;
}

/**
 * File row at each place of the map order: cells by Morton code of their position in the dataset's default embedding,
 * ties by row, those without a position last.
 */
export function mapOrder(embedding: Embedding): Uint32Array {
  const { x, y, placed } = gridOf(embedding, [0, 1]);
  const codes = new Uint32Array(x.length);
  const rows = new Uint32Array(x.length);
  let at = 0;
  for (let row = 0; row < x.length; row++) {
    if (placed[row] === 0) continue;
    codes[row] = interleave(x[row]!, y[row]!);
    rows[at++] = row;
  }
  const count = at;
  for (let row = 0; row < x.length; row++) if (placed[row] === 0) rows[at++] = row;
  const half = sortedBy(rows, count, (row) => codes[row]! & 0xffff);
  return sortedBy(half, count, (row) => codes[row]! >>> 16);
}

/** The first `count` rows, sorted stably by a 16-bit key. */
function sortedBy(rows: Uint32Array, count: number, keyOf: (row: number) => number): Uint32Array {
  const starts = new Uint32Array(65_537);
  for (let i = 0; i < count; i++) starts[keyOf(rows[i]!) + 1]!++;
  for (let key = 0; key < 65_536; key++) starts[key + 1]! += starts[key]!;
  const sorted = rows.slice();
  for (let i = 0; i < count; i++) sorted[starts[keyOf(rows[i]!)]!++] = rows[i]!;
  return sorted;
}

/** Two axes of an embedding in map order. `morton`: whether `order` was computed from these axes of this embedding. */
export function positionColumn(
  embedding: Embedding,
  axes: readonly [number, number],
  order: Uint32Array,
  morton: boolean,
): PositionColumn {
  const { x, y, placed, missing, origin, step } = gridOf(embedding, axes);
  const positions = new Uint16Array(2 * order.length);
  const unplaced = new Uint8Array(missing > 0 ? bitBytes(order.length) : 0);
  for (let place = 0; place < order.length; place++) {
    const row = order[place]!;
    positions[2 * place] = x[row]!;
    positions[2 * place + 1] = y[row]!;
    if (placed[row] === 0) unplaced[place >> 3]! |= 1 << (place & 7);
  }
  return {
    kind: 'positions',
    cells: order.length,
    positions,
    origin,
    step,
    ...(pointsDown(embedding.name, axes[1]) && { yDown: true }),
    morton,
    missing,
    ...(missing > 0 && { unplaced }),
  };
}

/**
 * Cells in a square of the grid of `positionColumn` with their exact coordinates, in map order. `square`: in steps of
 * that grid.
 */
export function areaColumn(
  embedding: Embedding,
  axes: readonly [number, number],
  order: Uint32Array,
  square: GridSquare,
): AreaColumn {
  const { x, y, placed, origin, step } = gridOf(embedding, axes);
  const { left, bottom, side } = square;
  const isWithin = (row: number) =>
    placed[row] === 1 &&
    x[row]! >= left &&
    x[row]! <= left + side &&
    y[row]! >= bottom &&
    y[row]! <= bottom + side;
  const places: number[] = [];
  for (let place = 0; place < order.length; place++) if (isWithin(order[place]!)) places.push(place);
  const positions = new Float32Array(2 * places.length);
  places.forEach((place, at) => {
    const start = order[place]! * embedding.dimensions;
    positions[2 * at] = (embedding.values[start + axes[0]]! - origin[0]) / step - left;
    positions[2 * at + 1] = (embedding.values[start + axes[1]]! - origin[1]) / step - bottom;
  });
  return { kind: 'area', cells: places.length, ...square, places: Uint32Array.from(places), positions };
}

function gridOf({ dimensions, values }: Embedding, [first, second]: readonly [number, number]): Grid {
  const cells = values.length / dimensions;
  const placed = new Uint8Array(cells);
  let [left, right, bottom, top] = [Infinity, -Infinity, Infinity, -Infinity];
  let missing = cells;
  for (let row = 0; row < cells; row++) {
    const x = values[row * dimensions + first]!;
    const y = values[row * dimensions + second]!;
    if (!Number.isFinite(x) || !Number.isFinite(y)) continue;
    placed[row] = 1;
    missing--;
    if (x < left) left = x;
    if (x > right) right = x;
    if (y < bottom) bottom = y;
    if (y > top) top = y;
  }
  if (missing === cells) [left, right, bottom, top] = [0, 0, 0, 0];
  // All cells on one spot have no extent: any step draws them there.
  const step = Math.max(right - left, top - bottom) / gridSteps || 1;
  // The middle of the cells is that of the grid.
  const start = (low: number, high: number) => low - (gridSteps * step - (high - low)) / 2;
  const origin = [start(left, right), start(bottom, top)] as const;
  const grid = { x: new Uint16Array(cells), y: new Uint16Array(cells), placed, missing, origin, step };
  for (let row = 0; row < cells; row++) {
    if (placed[row] === 0) continue;
    grid.x[row] = Math.round((values[row * dimensions + first]! - origin[0]) / step);
    grid.y[row] = Math.round((values[row * dimensions + second]! - origin[1]) / step);
  }
  return grid;
}

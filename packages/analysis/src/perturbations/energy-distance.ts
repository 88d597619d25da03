import type { Random } from '../random/seeded-random.ts';

/** Cells as points, and which of them are compared. */
export interface EnergyCells {
  /** Coordinates, cell after cell. */
  readonly values: Float32Array | Float64Array;
  readonly dimensions: number;
  /** Indices of the perturbed cells, and of the controls. */
  readonly perturbed: Int32Array;
  readonly controls: Int32Array;
  /** Batch of each cell of the dataset, from 0; permutations stay within a batch. Absent: all cells are one batch. */
  readonly batches?: Int32Array | undefined;
}

/**
 * Energy distance of squared Euclidean distances, as scperturb's `edist` (Peidl and others 2024): twice the mean distance
 * between the sets less the mean distance within each, whose pairs are of different cells. It is twice the squared
 * distance of the means, less its expectation if both sets are alike, and so can be negative; a difference in spread
 * alone does not count. NaN with fewer than two cells in a set.
 */
export function energyDistance(cells: EnergyCells): number {
  const { own, all, ownSquares, squares } = sumsOf(cells);
  const [n, m] = [cells.perturbed.length, cells.controls.length];
  return distanceOf({ own, all }, { own: ownSquares, all: squares }, n, m);
}

/** Sums of coordinates, and of their squares, of the perturbed cells and of all. */
function sumsOf({ values, dimensions, perturbed, controls }: EnergyCells) {
  const own = new Float64Array(dimensions);
  let ownSquares = 0;
  for (const cell of perturbed) ownSquares += addCell(own, values, cell);
  const all = own.slice();
  let squares = ownSquares;
  for (const cell of controls) squares += addCell(all, values, cell);
  return { own, all, ownSquares, squares };
}

/**
 * The energy distance and its p-value: the share of permutations of the labels within batches whose distance is at least
 * as large, the observed one counted among them (Phipson and Smyth 2010).
 */
export function energyTest(
  cells: EnergyCells,
  permutations: number,
  random: Random,
): { distance: number; p: number } {
  const { values, perturbed, controls } = cells;
  const [n, m] = [perturbed.length, controls.length];
  const { own, all, ownSquares, squares } = sumsOf(cells);
  const distance = distanceOf({ own, all }, { own: ownSquares, all: squares }, n, m);
  if (Number.isNaN(distance)) return { distance, p: NaN };
  const pools = poolsOf(cells);
  // Sums in another order differ in their last digits; a tie counts as exceeding.
  const rounding = 1e-12 * Math.abs(distance);
  let exceeding = 0;
  for (let permutation = 0; permutation < permutations; permutation++) {
    own.fill(0);
    let drawnSquares = 0;
    for (const { cells: pool, drawn } of pools) {
      for (let i = 0; i < drawn; i++) {
        const at = i + random.integer(pool.length - i);
        const cell = pool[at]!;
        pool[at] = pool[i]!;
        pool[i] = cell;
        drawnSquares += addCell(own, values, cell);
      }
    }
    const drawnDistance = distanceOf({ own, all }, { own: drawnSquares, all: squares }, n, m);
    if (drawnDistance >= distance - rounding) exceeding++;
  }
  return { distance, p: (exceeding + 1) / (permutations + 1) };
}

/** Cells that change labels with each other, and how many of them are perturbed; pools without perturbed cells stay. */
function poolsOf({ perturbed, controls, batches }: EnergyCells): { cells: Int32Array; drawn: number }[] {
  const batchOf = (cell: number) => batches?.[cell] ?? 0;
  const cellsOf = new Map<number, { cells: number[]; drawn: number }>();
  for (const cell of perturbed) {
    const pool = cellsOf.get(batchOf(cell)) ?? { cells: [], drawn: 0 };
    pool.cells.push(cell);
    pool.drawn++;
    cellsOf.set(batchOf(cell), pool);
  }
  for (const cell of controls) cellsOf.get(batchOf(cell))?.cells.push(cell);
  return Array.from(cellsOf.values(), ({ cells, drawn }) => ({ cells: Int32Array.from(cells), drawn }));
}

/** Adds the coordinates of a cell; returns the sum of their squares. */
function addCell(sums: Float64Array, values: EnergyCells['values'], cell: number): number {
  const { length } = sums;
  let squares = 0;
  for (let i = 0, at = cell * length; i < length; i++, at++) {
    const value = values[at]!;
    sums[i]! += value;
    squares += value * value;
  }
  return squares;
}

/** `sums` and `squares` are those of `n` cells, and of all `n + m`. */
function distanceOf(
  sums: { readonly own: Float64Array; readonly all: Float64Array },
  squares: { readonly own: number; readonly all: number },
  n: number,
  m: number,
): number {
  if (n < 2 || m < 2) return NaN;
  let [product, ownMean, otherMean] = [0, 0, 0];
  for (let i = 0; i < sums.own.length; i++) {
    const one = sums.own[i]! / n;
    const other = (sums.all[i]! - sums.own[i]!) / m;
    product += one * other;
    ownMean += one * one;
    otherMean += other * other;
  }
  const [ownSquare, otherSquare] = [squares.own / n, (squares.all - squares.own) / m];
  const between = ownSquare + otherSquare - 2 * product;
  const within = (n / (n - 1)) * 2 * (ownSquare - ownMean);
  const withinOthers = (m / (m - 1)) * 2 * (otherSquare - otherMean);
  return 2 * between - within - withinOthers;
}

import { sharedCopy } from '@cellfolio/model';

/** Points of n cells, row after row: those that lie near each other stand together, in leaves of a k-d tree. */
export interface PlacedPoints {
  readonly dimensions: number;
  readonly values: Float32Array;
  /** Which of the given points each row is. */
  readonly order: Int32Array;
  /** The row that each leaf begins at, and behind them the number of rows. */
  readonly starts: Int32Array;
  /** Of each leaf the least coordinates of its points, then the greatest. */
  readonly boxes: Float32Array;
}

/** The k nearest other cells of some cells, nearest first: row i of `cells` has [i k, (i + 1) k). */
export interface NearestCells {
  readonly cells: Int32Array;
  readonly k: number;
  readonly indices: Int32Array;
  readonly distances: Float64Array;
}

/** The k nearest other cells of all cells, nearest first, in shared memory: cell i has [i k, (i + 1) k). */
export interface Neighbours {
  readonly k: number;
  readonly indices: Int32Array;
  readonly distances: Float64Array;
}

/** Points of a leaf: fewer mean more boxes to look at, more mean more distances to points that are far. */
const leafSize = 40;

/** Puts points in the order that `nearestCells` searches them in; its arrays are in shared memory. */
export function placePoints(values: ArrayLike<number>, dimensions: number): PlacedPoints {
  const count = values.length / dimensions;
  const order = new Int32Array(new SharedArrayBuffer(4 * count));
  for (let cell = 0; cell < count; cell++) order[cell] = cell;
  const starts: number[] = [];
  const split = (from: number, to: number): void => {
    if (to - from <= leafSize) {
      starts.push(from);
      return;
    }
    const widest = widestDimension(values, dimensions, order.subarray(from, to));
    // Equal coordinates by their number: the tree does not depend on the sort.
    order
      .subarray(from, to)
      .sort(
        (one, other) =>
          values[one * dimensions + widest]! - values[other * dimensions + widest]! || one - other,
      );
    const middle = (from + to) >> 1;
    split(from, middle);
    split(middle, to);
  };
  split(0, count);
  const placed = new Float32Array(new SharedArrayBuffer(4 * values.length));
  for (let row = 0; row < count; row++) {
    const from = order[row]! * dimensions;
    for (let at = 0; at < dimensions; at++) placed[row * dimensions + at] = values[from + at]!;
  }
  const leaves = Int32Array.from([...starts, count]);
  return {
    dimensions,
    values: placed,
    order,
    starts: sharedCopy(leaves),
    boxes: boxesOf(placed, dimensions, leaves),
  };
}

/** The dimension in which some points lie farthest apart. */
function widestDimension(values: ArrayLike<number>, dimensions: number, cells: Int32Array): number {
  let [widest, most] = [0, -1];
  for (let at = 0; at < dimensions; at++) {
    let [low, high] = [Infinity, -Infinity];
    for (let i = 0; i < cells.length; i++) {
      const value = values[cells[i]! * dimensions + at]!;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    if (high - low > most) [widest, most] = [at, high - low];
  }
  return widest;
}

function boxesOf(values: Float32Array, dimensions: number, starts: Int32Array): Float32Array {
  const leaves = starts.length - 1;
  const boxes = new Float32Array(new SharedArrayBuffer(8 * leaves * dimensions));
  for (let leaf = 0; leaf < leaves; leaf++) {
    const [low, high] = [2 * leaf * dimensions, (2 * leaf + 1) * dimensions];
    boxes.fill(Infinity, low, high).fill(-Infinity, high, high + dimensions);
    for (let row = starts[leaf]!; row < starts[leaf + 1]!; row++) {
      for (let at = 0; at < dimensions; at++) {
        const value = values[row * dimensions + at]!;
        if (value < boxes[low + at]!) boxes[low + at] = value;
        if (value > boxes[high + at]!) boxes[high + at] = value;
      }
    }
  }
  return boxes;
}

/**
 * The k nearest others, by Euclidean distance, of the cells in the rows [from, to): exact, of equally distant ones those
 * with the lower numbers. Leaves are looked through from the nearest box on, until a box is farther than the k-th
 * neighbour so far. Throws RangeError where k is not below the number of cells.
 */
export function nearestCells(
  points: PlacedPoints,
  k: number,
  { from, to }: { readonly from: number; readonly to: number },
): NearestCells {
  const { order, starts } = points;
  const count = order.length;
  if (!(k > 0 && k < count)) throw new RangeError(`${count} cells do not have ${k} other cells`);
  const indices = new Int32Array((to - from) * k);
  const distances = new Float64Array((to - from) * k);
  const nearest: Nearest = { squares: new Float64Array(k), cells: new Int32Array(k) };
  const leaves = starts.length - 1;
  const gaps = new Float64Array(leaves);
  const byGap = new Int32Array(leaves);
  let leaf = leafOf(starts, from);
  let isFresh = false;
  for (let row = from; row < to; row++) {
    while (row >= starts[leaf + 1]!) {
      leaf++;
      isFresh = false;
    }
    // The boxes in the order of their distance from that of the leaf: for all of its points.
    if (!isFresh) {
      orderBoxes(points, leaf, gaps, byGap);
      isFresh = true;
    }
    nearest.squares.fill(Infinity);
    for (let at = 0; at < leaves; at++) {
      const other = byGap[at]!;
      const worst = nearest.squares[k - 1]!;
      if (gaps[other]! > worst) break;
      if (boxDistance(points, row, other, worst) <= worst) searchLeaf(points, row, other, nearest);
    }
    for (let at = 0; at < k; at++) {
      indices[(row - from) * k + at] = nearest.cells[at]!;
      distances[(row - from) * k + at] = Math.sqrt(nearest.squares[at]!);
    }
  }
  return { cells: order.slice(from, to), k, indices, distances };
}

/** Squared distances, rising, with the cells that they are of. */
interface Nearest {
  readonly squares: Float64Array;
  readonly cells: Int32Array;
}

/** The leaf that a row is in. */
function leafOf(starts: Int32Array, row: number): number {
  let [low, high] = [0, starts.length - 2];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= row) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Squared distances between a leaf's box and all boxes, and these in the order of it. */
function orderBoxes(
  { dimensions, boxes }: PlacedPoints,
  leaf: number,
  gaps: Float64Array,
  byGap: Int32Array,
): void {
  const own = 2 * leaf * dimensions;
  for (let other = 0; other < gaps.length; other++) {
    const box = 2 * other * dimensions;
    let square = 0;
    for (let at = 0; at < dimensions; at++) {
      const below = boxes[box + at]! - boxes[own + dimensions + at]!;
      const above = boxes[own + at]! - boxes[box + dimensions + at]!;
      const gap = below > 0 ? below : above > 0 ? above : 0;
      square += gap * gap;
    }
    gaps[other] = square;
    byGap[other] = other;
  }
  // Its own box first, whatever touches it.
  gaps[leaf] = -1;
  byGap.sort((one, other) => gaps[one]! - gaps[other]! || one - other);
}

/** The squared distance of a point from a box; a part of it where that is more than `worst` already. */
function boxDistance(
  { dimensions, values, boxes }: PlacedPoints,
  row: number,
  leaf: number,
  worst: number,
): number {
  const [own, low] = [row * dimensions, 2 * leaf * dimensions];
  let square = 0;
  for (let at = 0; at < dimensions && square <= worst; at++) {
    const value = values[own + at]!;
    const below = boxes[low + at]! - value;
    const above = value - boxes[low + dimensions + at]!;
    const gap = below > 0 ? below : above > 0 ? above : 0;
    square += gap * gap;
  }
  return square;
}

/** Puts the points of a leaf that are nearer than the k-th so far among the nearest. */
function searchLeaf(
  { dimensions, values, order, starts }: PlacedPoints,
  row: number,
  leaf: number,
  { squares, cells }: Nearest,
): void {
  const k = squares.length;
  const own = row * dimensions;
  let worst = squares[k - 1]!;
  for (let other = starts[leaf]!; other < starts[leaf + 1]!; other++) {
    if (other === row) continue;
    const base = other * dimensions;
    let square = 0;
    let at = 0;
    // Four at a time: a look at the sum after each would take longer than the sum.
    for (; at + 4 <= dimensions && square <= worst; at += 4) {
      const a = values[own + at]! - values[base + at]!;
      const b = values[own + at + 1]! - values[base + at + 1]!;
      const c = values[own + at + 2]! - values[base + at + 2]!;
      const d = values[own + at + 3]! - values[base + at + 3]!;
      square += a * a + b * b + c * c + d * d;
    }
    if (square > worst) continue;
    for (; at < dimensions; at++) {
      const apart = values[own + at]! - values[base + at]!;
      square += apart * apart;
    }
    const cell = order[other]!;
    if (square > worst || (square === worst && cell > cells[k - 1]!)) continue;
    let place = k - 1;
    for (; place > 0; place--) {
      const before = squares[place - 1]!;
      if (before < square || (before === square && cells[place - 1]! < cell)) break;
      squares[place] = before;
      cells[place] = cells[place - 1]!;
    }
    squares[place] = square;
    cells[place] = cell;
    worst = squares[k - 1]!;
  }
}

/** The nearest cells of `count` cells, found in pieces: at least one, with the same k, that have each cell once. */
export function joinNearestCells(pieces: readonly NearestCells[], count: number): Neighbours {
  const { k } = pieces[0]!;
  const indices = new Int32Array(new SharedArrayBuffer(4 * count * k));
  const distances = new Float64Array(new SharedArrayBuffer(8 * count * k));
  for (const piece of pieces) {
    piece.cells.forEach((cell, row) => {
      indices.set(piece.indices.subarray(row * k, (row + 1) * k), cell * k);
      distances.set(piece.distances.subarray(row * k, (row + 1) * k), cell * k);
    });
  }
  return { k, indices, distances };
}

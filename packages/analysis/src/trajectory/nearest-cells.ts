/** Points of n cells, row after row, in the order of their first coordinate. */
export interface PlacedPoints {
  readonly dimensions: number;
  readonly values: Float32Array;
  /** Which of the given points each row is. */
  readonly order: Int32Array;
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

/** Puts points in the order that `nearestCells` searches them in: by their first coordinate, equal ones by their number. */
export function placePoints(values: ArrayLike<number>, dimensions: number): PlacedPoints {
  const count = values.length / dimensions;
  const order = Int32Array.from({ length: count }, (_, cell) => cell).sort(
    (one, other) => values[one * dimensions]! - values[other * dimensions]! || one - other,
  );
  const placed = new Float32Array(new SharedArrayBuffer(4 * values.length));
  for (let row = 0; row < count; row++) {
    for (let at = 0; at < dimensions; at++) {
      placed[row * dimensions + at] = values[order[row]! * dimensions + at]!;
    }
  }
  return { dimensions, values: placed, order };
}

/**
 * The k nearest others, by Euclidean distance, of the cells in the rows [from, to): exact. The search goes both ways
 * from a cell along the first coordinate and ends where that alone is farther than the k-th neighbour so far; a
 * distance is added up only as long as it is below that one. Principal components come with their variance falling,
 * so that most cells are ruled out by few of them. Throws RangeError where k is not below the number of cells.
 */
export function nearestCells(
  { dimensions, values, order }: PlacedPoints,
  k: number,
  { from, to }: { readonly from: number; readonly to: number },
): NearestCells {
  const count = order.length;
  if (!(k > 0 && k < count)) throw new RangeError(`${count} cells do not have ${k} other cells`);
  const indices = new Int32Array((to - from) * k);
  const distances = new Float64Array((to - from) * k);
  const rows = new Int32Array(k);
  const squares = new Float64Array(k);
  for (let row = from; row < to; row++) {
    squares.fill(Infinity);
    const own = row * dimensions;
    const first = values[own]!;
    let [down, up] = [row - 1, row + 1];
    while (down >= 0 || up < count) {
      const below = down >= 0 ? first - values[down * dimensions]! : Infinity;
      const above = up < count ? values[up * dimensions]! - first : Infinity;
      const gap = Math.min(below, above);
      const worst = squares[k - 1]!;
      if (gap * gap >= worst) break;
      const other = below <= above ? down-- : up++;
      let square = gap * gap;
      const base = other * dimensions;
      for (let at = 1; at < dimensions && square < worst; at++) {
        const apart = values[own + at]! - values[base + at]!;
        square += apart * apart;
      }
      if (square >= worst) continue;
      let place = k - 1;
      for (; place > 0 && squares[place - 1]! > square; place--) {
        squares[place] = squares[place - 1]!;
        rows[place] = rows[place - 1]!;
      }
      squares[place] = square;
      rows[place] = other;
    }
    for (let at = 0; at < k; at++) {
      indices[(row - from) * k + at] = order[rows[at]!]!;
      distances[(row - from) * k + at] = Math.sqrt(squares[at]!);
    }
  }
  return { cells: order.slice(from, to), k, indices, distances };
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

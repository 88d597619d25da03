/** Points of n cells, reordered so that neighbours are close together, in leaves of a k-d tree. */
export interface PlacedPoints {
  readonly dimensions: number;
  /** The dimensions, padded with zeros to a multiple of four. */
  readonly width: number;
  /**
   * Leaf by leaf, and dimension by dimension within a leaf: place p has dimension d at (⌊p / 32⌋ · width + d) · 32 + p
   * mod 32. NaN where the last leaf has no points.
   */
  readonly values: Float32Array;
  readonly order: Int32Array;
  /** For each leaf the minimum coordinates of its points, then the maximum: `width` of each. */
  readonly boxes: Float32Array;
}

/** Points per leaf; all but the last are full. Larger leaves have larger boxes, of which more are near. */
export const leafSize = 32;
/** Up to this number, the bits of a float32 and the index of a point fit into the 53 bits of a number. */
const maxPoints = 2 ** 21;

/**
 * Puts points in the order that `nearestCells` searches; the arrays are in shared memory. Throws RangeError for more
 * than 2²¹ points.
 */
export function placePoints(coordinates: ArrayLike<number>, dimensions: number): PlacedPoints {
  const source = Float32Array.from(coordinates);
  const count = source.length / dimensions;
  if (count > maxPoints) throw new RangeError(`${count} points are more than ${maxPoints}`);
  const order = orderOf(source, dimensions);
  const leaves = Math.ceil(count / leafSize);
  const width = 4 * Math.ceil(dimensions / 4);
  const values = new Float32Array(new SharedArrayBuffer(4 * leaves * width * leafSize));
  const boxes = new Float32Array(new SharedArrayBuffer(8 * leaves * width));
  for (let leaf = 0; leaf < leaves; leaf++) {
    const first = leaf * leafSize;
    const points = Math.min(leafSize, count - first);
    for (let at = 0; at < width; at++) {
      const row = (leaf * width + at) * leafSize;
      let [low, high] = [Infinity, -Infinity];
      for (let point = 0; point < points; point++) {
        const value = at < dimensions ? source[order[first + point]! * dimensions + at]! : 0;
        values[row + point] = value;
        if (value < low) low = value;
        if (value > high) high = value;
      }
      values.fill(NaN, row + points, row + leafSize);
      boxes[2 * leaf * width + at] = low;
      boxes[(2 * leaf + 1) * width + at] = high;
    }
  }
  return { dimensions, width, values, order, boxes };
}

/** Halves the points along the dimension of their largest extent, until each part fits a leaf. */
function orderOf(points: Float32Array, dimensions: number): Int32Array {
  const count = points.length / dimensions;
  const order = new Int32Array(new SharedArrayBuffer(4 * count));
  for (let cell = 0; cell < count; cell++) order[cell] = cell;
  const keys = new Float64Array(count);
  const float = new Float32Array(1);
  const bits = new Int32Array(float.buffer);
  const split = (from: number, to: number): void => {
    const leaves = Math.ceil((to - from) / leafSize);
    if (leaves <= 1) return;
    const widest = widestDimension(points, dimensions, order.subarray(from, to));
    // Numbers sort many times faster without a comparison in JavaScript: the bits of a float, in its order, and behind them
    // the number of the point, which decides between equal coordinates.
    for (let at = from; at < to; at++) {
      const cell = order[at]!;
      // Zeros of either sign are equal.
      float[0] = points[cell * dimensions + widest]! + 0;
      const word = bits[0]!;
      keys[at] = (word ^ ((word >> 31) & 0x7fffffff)) * maxPoints + cell;
    }
    keys.subarray(from, to).sort();
    for (let at = from; at < to; at++) {
      const key = keys[at]!;
      order[at] = key - Math.floor(key / maxPoints) * maxPoints;
    }
    const middle = from + leafSize * (leaves >> 1);
    split(from, middle);
    split(middle, to);
  };
  split(0, count);
  return order;
}

function widestDimension(points: Float32Array, dimensions: number, cells: Int32Array): number {
  let [widest, maxExtent] = [0, -1];
  for (let at = 0; at < dimensions; at++) {
    let [low, high] = [Infinity, -Infinity];
    for (let i = 0; i < cells.length; i++) {
      const value = points[cells[i]! * dimensions + at]!;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    if (high - low > maxExtent) [widest, maxExtent] = [at, high - low];
  }
  return widest;
}

export function pointAt({ dimensions, width, values }: PlacedPoints, place: number): Float32Array {
  const first = Math.floor(place / leafSize) * width * leafSize + (place % leafSize);
  return Float32Array.from({ length: dimensions }, (_, at) => values[first + at * leafSize]!);
}

import { kernelOf } from './engine.ts';
import { nearModule } from './modules.ts';
import { leafSize, type PlacedPoints } from './placed-points.ts';

/** The k nearest other cells of some cells, nearest first: row i of `cells` has [i k, (i + 1) k). */
export interface NearestCells {
  readonly cells: Int32Array;
  readonly k: number;
  readonly indices: Int32Array;
  readonly distances: Float64Array;
}

/** The nearest other cells of all cells, nearest first, in shared memory: cell i has [starts[i], starts[i + 1]). */
export interface Neighbours {
  /** Neighbours per cell; for a graph from a file, the maximum of a cell. */
  readonly k: number;
  readonly starts: Int32Array;
  readonly indices: Int32Array;
  readonly distances: Float64Array;
}

/**
 * Finds the k nearest others, by Euclidean distance, of the cells at places [from, to): exact, with ties in favour of
 * lower indices. With `among`, finds the nearest of all those points, of the same dimensions; `indices` refer to them.
 * For one leaf of cells at a time, leaves are searched from the nearest box on, until a box is farther than the k-th
 * neighbour of all its cells. A kernel selects in float32 the points of a leaf that may be among the nearest; distances
 * are float64. Throws RangeError if there are fewer than k points.
 */
export function nearestCells(
  points: PlacedPoints,
  k: number,
  { from, to }: { readonly from: number; readonly to: number },
  among: PlacedPoints = points,
): NearestCells {
  const { order } = points;
  const count = among.order.length;
  if (!(k > 0 && k <= (among === points ? count - 1 : count)))
    throw new RangeError(`${count} cells do not have ${k}${among === points ? ' other' : ''} cells`);
  const indices = new Int32Array((to - from) * k);
  const distances = new Float64Array((to - from) * k);
  const search = new LeafSearch(points, among, k);
  for (let leaf = Math.floor(from / leafSize); leaf * leafSize < to; leaf++) {
    const first = Math.max(from, leaf * leafSize);
    const end = Math.min(to, (leaf + 1) * leafSize);
    search.search(leaf, first, end);
    const [at, target] = [(first - leaf * leafSize) * k, (first - from) * k];
    const size = (end - first) * k;
    indices.set(search.cells.subarray(at, at + size), target);
    for (let i = 0; i < size; i++) distances[target + i] = Math.sqrt(search.squares[at + i]!);
  }
  return { cells: order.slice(from, to), k, indices, distances };
}

interface NearKernel {
  nearBox(leaf: number, limits: number, box: number, size: number): number;
  nearPoints(leaf: number, limits: number, query: number, other: number, size: number, out: number): number;
}

const nearKernel = kernelOf<NearKernel>(nearModule);

/** float32 has 24 bits: the maximum rounding of a sum of squares for each of its terms. */
const rounding = 2 ** -23;
/** float32 has fewer bits below this value. */
const smallest = 1e-37;

class LeafSearch {
  /** Rising squared distances for each cell of the leaf, and their cells. */
  readonly squares: Float64Array;
  readonly cells: Int32Array;
  readonly #points: PlacedPoints;
  readonly #among: PlacedPoints;
  readonly #k: number;
  readonly #kernel: NearKernel;
  /** In the kernel's memory: all boxes, the leaf, another leaf, the limits of the leaf's cells, and the hits. */
  readonly #boxes: Float32Array;
  readonly #own: Float32Array;
  readonly #other: Float32Array;
  readonly #limits: Float32Array;
  readonly #near: Int32Array;
  /** Factor on limits that allows for the kernel's rounding. */
  readonly #slack: number;
  /** Squared distance of each leaf's box, with its bits, and the leaves in that order. */
  readonly #gaps: Float32Array;
  readonly #gapBits: Uint32Array;
  readonly #byGap: Float64Array;

  constructor(points: PlacedPoints, among: PlacedPoints, k: number) {
    this.#points = points;
    this.#among = among;
    this.#k = k;
    this.squares = new Float64Array(leafSize * k);
    this.cells = new Int32Array(leafSize * k);
    const { width, boxes } = among;
    const block = width * leafSize;
    const { kernel, memory } = nearKernel(4 * (boxes.length + 2 * block + 5 * leafSize));
    this.#kernel = kernel;
    this.#boxes = new Float32Array(memory.buffer, 0, boxes.length);
    this.#boxes.set(boxes);
    this.#own = new Float32Array(memory.buffer, 4 * boxes.length, block);
    this.#other = new Float32Array(memory.buffer, this.#own.byteOffset + 4 * block, block);
    this.#limits = new Float32Array(memory.buffer, this.#other.byteOffset + 4 * block, leafSize);
    this.#near = new Int32Array(memory.buffer, this.#limits.byteOffset + 4 * leafSize, 4 * leafSize);
    this.#slack = 1 + (width + 8) * rounding;
    this.#gaps = new Float32Array(boxes.length / (2 * width));
    this.#gapBits = new Uint32Array(this.#gaps.buffer);
    this.#byGap = new Float64Array(this.#gaps.length);
  }

  /** Fills `squares` and `cells` for the places [first, end) of a leaf, starting with that of its first place. */
  search(leaf: number, first: number, end: number): void {
    const { width, values } = this.#points;
    const block = width * leafSize;
    this.#own.set(values.subarray(leaf * block, (leaf + 1) * block));
    this.squares.fill(Infinity);
    this.#limits.fill(-1);
    for (let place = first; place < end; place++) this.#limits[place % leafSize] = Infinity;
    this.#orderBoxes(leaf);
    // Its own leaf first, whatever boxes touch it.
    const own = this.#among === this.#points ? leaf : -1;
    if (own >= 0) this.#look(leaf, own);
    for (const key of this.#byGap) {
      const other = key % this.#gaps.length;
      if (this.#gaps[other]! > this.#farthest()) break;
      if (other !== own) this.#look(leaf, other);
    }
  }

  /** Squared distances between a leaf's box and all boxes, rounded to float32, and the boxes in that order. */
  #orderBoxes(leaf: number): void {
    const { width, boxes } = this.#among;
    const { boxes: ownBoxes } = this.#points;
    const own = 2 * leaf * width;
    const leaves = this.#gaps.length;
    for (let other = 0; other < leaves; other++) {
      const box = 2 * other * width;
      let square = 0;
      for (let at = 0; at < width; at++) {
        const below = boxes[box + at]! - ownBoxes[own + width + at]!;
        const above = ownBoxes[own + at]! - boxes[box + width + at]!;
        const gap = below > 0 ? below : above > 0 ? above : 0;
        square += gap * gap;
      }
      this.#gaps[other] = square;
    }
    // The bits of floats of at least 0 are in their order. Numbers sort many times faster without a comparison in JavaScript.
    for (let other = 0; other < leaves; other++) this.#byGap[other] = this.#gapBits[other]! * leaves + other;
    this.#byGap.sort();
  }

  #farthest(): number {
    let farthest = 0;
    for (let cell = 0; cell < leafSize; cell++) farthest = Math.max(farthest, this.#limits[cell]!);
    return farthest;
  }

  #look(leaf: number, other: number): void {
    const { width, values, order } = this.#among;
    const isOwn = other === leaf && this.#among === this.#points;
    const [size, block] = [4 * width, width * leafSize];
    const own = this.#own.byteOffset;
    const limits = this.#limits.byteOffset;
    const leafBits = this.#kernel.nearBox(own, limits, 2 * other * size, size);
    if (leafBits === 0) return;
    this.#other.set(values.subarray(other * block, (other + 1) * block));
    const near = this.#near.byteOffset;
    const end = this.#kernel.nearPoints(own, limits, leafBits, this.#other.byteOffset, size, near);
    for (let at = 0; at < (end - near) / 4; at += 2) {
      const cell = this.#near[at]! % leafSize;
      const half = this.#near[at]! < leafSize ? 0 : leafSize / 2;
      for (let bits = this.#near[at + 1]!; bits !== 0; bits &= bits - 1) {
        const point = half + 31 - Math.clz32(bits & -bits);
        if (isOwn && point === cell) continue;
        let square = 0;
        for (let row = 0; row < block; row += leafSize) {
          const apart = this.#own[row + cell]! - this.#other[row + point]!;
          square += apart * apart;
        }
        const start = cell * this.#k;
        const last = start + this.#k - 1;
        if (insertNearest(this, start, last, square, order[other * leafSize + point]!))
          this.#limits[cell] = this.squares[last]! * this.#slack + smallest;
      }
    }
  }
}

/** Cells by squared distance, nearest first; ties in favour of lower indices. */
interface RankedRows {
  squares: Float64Array;
  cells: Int32Array;
}

/**
 * Inserts a cell among those from `start` up to `last`, unless all of them are nearer. Returns whether it was inserted.
 */
export function insertNearest(
  { squares, cells }: RankedRows,
  start: number,
  last: number,
  square: number,
  other: number,
): boolean {
  const worst = squares[last]!;
  if (square > worst || (square === worst && other > cells[last]!)) return false;
  let place = last;
  for (; place > start; place--) {
    const before = squares[place - 1]!;
    if (before < square || (before === square && cells[place - 1]! < other)) break;
    squares[place] = before;
    cells[place] = cells[place - 1]!;
  }
  squares[place] = square;
  cells[place] = other;
  return true;
}

/** Joins the nearest cells of `count` cells: at least one piece, all with the same k, that contain each cell once. */
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
  return { k, starts: evenStarts(count, k), indices, distances };
}

/** Start of each cell's k neighbours, then the end of all; in shared memory. */
export function evenStarts(count: number, k: number): Int32Array {
  const starts = new Int32Array(new SharedArrayBuffer(4 * (count + 1)));
  for (let cell = 0; cell <= count; cell++) starts[cell] = cell * k;
  return starts;
}

import { kernelOf, nearModule } from '@cellfolio/kernels';
import { leafSize, type PlacedPoints } from './placed-points.ts';

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

/**
 * The k nearest others, by Euclidean distance, of the cells at the places [from, to): exact, of equally distant ones those
 * with the lower numbers. For a leaf of cells at a time leaves are looked through from the nearest box on, until a box is
 * farther than the k-th neighbour of all of them. A kernel finds which points of a leaf may be among the nearest in float32;
 * distances are those of float64. Throws RangeError where k is not below the number of cells.
 */
export function nearestCells(
  points: PlacedPoints,
  k: number,
  { from, to }: { readonly from: number; readonly to: number },
): NearestCells {
  const { order } = points;
  const count = order.length;
  if (!(k > 0 && k < count)) throw new RangeError(`${count} cells do not have ${k} other cells`);
  const indices = new Int32Array((to - from) * k);
  const distances = new Float64Array((to - from) * k);
  const search = new LeafSearch(points, k);
  for (let leaf = Math.floor(from / leafSize); leaf * leafSize < to; leaf++) {
    const first = Math.max(from, leaf * leafSize);
    const end = Math.min(to, (leaf + 1) * leafSize);
    search.search(leaf, first, end);
    const found = (end - first) * k;
    indices.set(search.cells.subarray(0, found), (first - from) * k);
    for (let at = 0; at < found; at++) distances[(first - from) * k + at] = Math.sqrt(search.squares[at]!);
  }
  return { cells: order.slice(from, to), k, indices, distances };
}

interface NearKernel {
  /** As `near.wat` has it. */
  near(asked: number, end: number, points: number, dimensions: number, out: number): number;
}

/** One memory for all searches of a thread. */
const nearKernel = kernelOf<NearKernel>(nearModule);

/** Float32 has 24 bits: how much a sum of squares may be rounded up for each of its terms. */
const rounding = 2 ** -23;
/** Below it float32 has fewer bits. */
const smallest = 1e-37;

/** The nearest cells of the cells of one leaf after another. */
class LeafSearch {
  /** Squared distances, rising, of each cell of the leaf, and the cells that they are of. */
  readonly squares: Float64Array;
  readonly cells: Int32Array;
  readonly #points: PlacedPoints;
  readonly #k: number;
  readonly #kernel: NearKernel;
  /** In the memory of the kernel: cells of the leaf, point after point; another leaf; which cells are asked for, and what is near. */
  readonly #own: Float32Array;
  readonly #other: Float32Array;
  readonly #asked: Int32Array;
  readonly #limits: Float32Array;
  readonly #near: Int32Array;
  /** Factor for the limits of the kernel, which rounds. */
  readonly #slack: number;
  /** Of each leaf the squared distance of its box, with its bits, and leaves in the order of it. */
  readonly #gaps: Float32Array;
  readonly #gapBits: Uint32Array;
  readonly #byGap: Float64Array;

  constructor(points: PlacedPoints, k: number) {
    this.#points = points;
    this.#k = k;
    this.squares = new Float64Array(leafSize * k);
    this.cells = new Int32Array(leafSize * k);
    const { width, dimensions, boxes } = points;
    const block = width * leafSize;
    const { kernel, memory } = nearKernel(4 * (2 * block + 2 * leafSize + 4 * leafSize));
    this.#kernel = kernel;
    this.#own = new Float32Array(memory.buffer, 0, block);
    this.#other = new Float32Array(memory.buffer, 4 * block, block);
    this.#asked = new Int32Array(memory.buffer, 8 * block, 2 * leafSize);
    this.#limits = new Float32Array(memory.buffer, 8 * block, 2 * leafSize);
    this.#near = new Int32Array(memory.buffer, 8 * block + 8 * leafSize, 4 * leafSize);
    this.#slack = 1 + (width + 8) * rounding;
    this.#gaps = new Float32Array(boxes.length / (2 * dimensions));
    this.#gapBits = new Uint32Array(this.#gaps.buffer);
    this.#byGap = new Float64Array(this.#gaps.length);
  }

  /** Fills `squares` and `cells` for the places [first, end) of a leaf. */
  search(leaf: number, first: number, end: number): void {
    const { width, values } = this.#points;
    const block = width * leafSize;
    const base = leaf * block - leaf * leafSize;
    for (let place = first; place < end; place++) {
      for (let at = 0; at < width; at++) {
        this.#own[(place - first) * width + at] = values[base + at * leafSize + place]!;
      }
    }
    this.squares.fill(Infinity);
    this.#orderBoxes(leaf);
    const cells = end - first;
    // Its own leaf first, whatever boxes touch it.
    this.#look(leaf, first, cells);
    for (const key of this.#byGap) {
      const other = key % this.#gaps.length;
      if (this.#gaps[other]! > Math.fround(this.#farthest(cells))) break;
      if (other !== leaf) this.#look(other, first, cells);
    }
  }

  /** Squared distances between a leaf's box and all boxes, rounded to float32, and these in the order of it. */
  #orderBoxes(leaf: number): void {
    const { dimensions, boxes } = this.#points;
    const own = 2 * leaf * dimensions;
    const leaves = this.#gaps.length;
    for (let other = 0; other < leaves; other++) {
      const box = 2 * other * dimensions;
      let square = 0;
      for (let at = 0; at < dimensions; at++) {
        const below = boxes[box + at]! - boxes[own + dimensions + at]!;
        const above = boxes[own + at]! - boxes[box + dimensions + at]!;
        const gap = below > 0 ? below : above > 0 ? above : 0;
        square += gap * gap;
      }
      this.#gaps[other] = square;
    }
    // The bits of floats of at least 0 are in their order. Numbers sort many times faster without a comparison in JavaScript.
    for (let other = 0; other < leaves; other++) this.#byGap[other] = this.#gapBits[other]! * leaves + other;
    this.#byGap.sort();
  }

  /** The largest of the squared distances to the k-th neighbours so far. */
  #farthest(cells: number): number {
    let farthest = 0;
    for (let cell = 1; cell <= cells; cell++) {
      farthest = Math.max(farthest, this.squares[cell * this.#k - 1]!);
    }
    return farthest;
  }

  /** Looks through a leaf for those of the cells whose k-th neighbour so far is farther than its box. */
  #look(leaf: number, first: number, cells: number): void {
    const { width, values } = this.#points;
    let asked = 0;
    for (let cell = 0; cell < cells; cell++) {
      const worst = this.squares[(cell + 1) * this.#k - 1]!;
      if (this.#gaps[leaf]! > Math.fround(worst) || this.#boxDistance(leaf, cell, worst) > worst) continue;
      this.#asked[2 * asked] = 4 * cell * width;
      this.#limits[2 * asked + 1] = worst * this.#slack + smallest;
      asked++;
    }
    if (asked === 0) return;
    const block = width * leafSize;
    this.#other.set(values.subarray(leaf * block, (leaf + 1) * block));
    this.#take(asked, first, leaf);
  }

  /** The squared distance of a cell from a box; a part of it where that is more than `worst` already. */
  #boxDistance(leaf: number, cell: number, worst: number): number {
    const { dimensions, width, boxes } = this.#points;
    const [own, low] = [cell * width, 2 * leaf * dimensions];
    let square = 0;
    for (let at = 0; at < dimensions && square <= worst; at++) {
      const value = this.#own[own + at]!;
      const below = boxes[low + at]! - value;
      const above = value - boxes[low + dimensions + at]!;
      const gap = below > 0 ? below : above > 0 ? above : 0;
      square += gap * gap;
    }
    return square;
  }

  /** Puts the points of the leaf in `#other` that are nearer than the k-th so far among the nearest. */
  #take(asked: number, first: number, leaf: number): void {
    const { width, dimensions, order } = this.#points;
    const near = this.#near;
    const askedAt = this.#asked.byteOffset;
    const end = this.#kernel.near(
      askedAt,
      askedAt + 8 * asked,
      this.#other.byteOffset,
      4 * width,
      near.byteOffset,
    );
    const words = (end - near.byteOffset) / 4;
    for (let at = 0; at < words; at += 2) {
      const own = this.#asked[(near[at]! - askedAt) / 4]! / 4;
      const cell = own / width;
      const half = near[at + 1]! >>> 16 === 0 ? 0 : leafSize / 2;
      for (let bits = near[at + 1]! & 0xffff; bits !== 0; bits &= bits - 1) {
        const point = half + 31 - Math.clz32(bits & -bits);
        const place = leaf * leafSize + point;
        if (place === first + cell) continue;
        let square = 0;
        for (let dimension = 0; dimension < dimensions; dimension++) {
          const apart = this.#own[own + dimension]! - this.#other[dimension * leafSize + point]!;
          square += apart * apart;
        }
        this.#insert(cell, square, order[place]!);
      }
    }
  }

  #insert(cell: number, square: number, other: number): void {
    const { squares, cells } = this;
    const start = cell * this.#k;
    let place = start + this.#k - 1;
    const worst = squares[place]!;
    if (square > worst || (square === worst && other > cells[place]!)) return;
    for (; place > start; place--) {
      const before = squares[place - 1]!;
      if (before < square || (before === square && cells[place - 1]! < other)) break;
      squares[place] = before;
      cells[place] = cells[place - 1]!;
    }
    squares[place] = square;
    cells[place] = other;
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

import { type Box, type Camera, gridPlace, pixelsOfGrid, type Place, type Size } from './camera.ts';
import { cellsInPolygon } from './lasso.ts';
import type { Layer } from './map-view.ts';
import { outsideSlot } from './slot-palettes.ts';

const largest = 65_535;

export type PlacedCells = Pick<Points, 'positions' | 'cells' | 'placed' | 'unplaced'>;

/**
 * Positions of cells, with an index of grid squares for finding the cell at a place. Squares are numbered by Morton
 * code: cells in Morton order of these positions are already sorted by square, so only the start of each square is
 * stored; otherwise the cells are listed by square (4 bytes per cell).
 */
export class Points {
  /** x0, y0, x1, y1, … of 0 to 65,535. Not copied. */
  readonly positions: Uint16Array;
  readonly cells: number;
  /** Only the first `placed` cells have a position, except those of `unplaced`. */
  readonly placed: number;
  /** One bit per cell, set for cells that are never drawn, found or selected. */
  readonly unplaced: Uint8Array | undefined;
  readonly #bits: number;
  readonly #starts: Uint32Array;
  readonly #listed: Uint32Array | undefined;

  /**
   * `morton`: whether the cells are in Morton order of these positions (x in the even bits). `missing`: number of cells
   * without a position, the last ones unless `unplaced` marks them (one bit per cell); in Morton order they are always
   * last. Throws RangeError for inconsistent numbers.
   */
  constructor(
    positions: Uint16Array,
    { morton, missing, unplaced }: { morton: boolean; missing: number; unplaced?: Uint8Array | undefined },
  ) {
    this.positions = positions;
    this.cells = positions.length / 2;
    this.unplaced = morton ? undefined : unplaced;
    this.placed = this.cells - (this.unplaced === undefined ? missing : 0);
    const wrongBits = unplaced !== undefined && unplaced.length !== Math.ceil(this.cells / 8);
    if (!Number.isInteger(this.cells) || !(missing >= 0 && missing <= this.cells) || wrongBits)
      throw new RangeError(
        `${positions.length} numbers cannot be positions of cells, ${missing} of them missing.`,
      );
    // About eight cells a square, were they spread evenly.
    this.#bits = Math.min(9, Math.max(2, Math.floor(Math.log2(this.placed / 8 + 1) / 2)));
    this.#starts = this.#countSquares();
    if (!morton) this.#listed = this.#listBySquare();
  }

  get bytes(): number {
    const index = this.#starts.byteLength + (this.#listed?.byteLength ?? 0);
    return this.positions.byteLength + index + (this.unplaced?.byteLength ?? 0);
  }

  /**
   * Returns the map-order place of the nearest cell, the first of several; -1 if there is none. `at`: place on the
   * screen. `radius`: maximum distance in pixels. `layer`: cells that it hides are skipped.
   */
  nearest(at: Place, camera: Camera, size: Size, radius: number, layer?: Layer): number {
    const middle = gridPlace(at, camera, size);
    const x = middle.x * largest;
    const y = middle.y * largest;
    const reach = (radius / pixelsOfGrid(camera, size)) * largest;
    const shift = 16 - this.#bits;
    const rings = Math.ceil(reach / 2 ** shift);
    const column = Math.floor(x / 2 ** shift);
    const row = Math.floor(y / 2 ** shift);
    const best = { cell: -1, squared: reach * reach };
    for (let ring = 0; ring <= rings; ring++) {
      // What is `ring` squares away is at least so far.
      if (best.cell >= 0 && best.squared < (Math.max(0, ring - 1) * 2 ** shift) ** 2) break;
      for (let dy = -ring; dy <= ring; dy++) {
        const step = Math.abs(dy) === ring ? 1 : Math.max(1, 2 * ring);
        for (let dx = -ring; dx <= ring; dx += step)
          this.#nearestOfSquare(column + dx, row + dy, x, y, best, layer);
      }
    }
    return best.cell;
  }

  /** One bit per cell, set within a polygon in [0, 1]² of the grid, by the even-odd rule; as `MapWorker` does. */
  cellsIn(polygon: Float32Array): Uint8Array {
    return this.withoutUnplaced(cellsInPolygon(this.positions, this.placed, polygon));
  }

  /** Clears the bits of cells without a position, in place. */
  withoutUnplaced(bits: Uint8Array): Uint8Array {
    if (this.unplaced !== undefined)
      for (let at = 0; at < bits.length; at++) bits[at]! &= ~this.unplaced[at]!;
    return bits;
  }

  isPlaced(cell: number): boolean {
    if (this.unplaced === undefined) return cell < this.placed;
    return !((this.unplaced[cell >> 3]! >> (cell & 7)) & 1);
  }

  /** Bounding box of the cells whose bits are set (all cells without `bits`); undefined if none has a position. */
  boundsOf(bits?: Uint8Array): Box | undefined {
    let [left, bottom, right, top] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let cell = 0; cell < this.placed; cell++) {
      if (bits !== undefined && !((bits[cell >> 3]! >> (cell & 7)) & 1)) continue;
      if (!this.isPlaced(cell)) continue;
      const x = this.positions[2 * cell]!;
      const y = this.positions[2 * cell + 1]!;
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < bottom) bottom = y;
      if (y > top) top = y;
    }
    if (left > right) return undefined;
    return { left: left / largest, bottom: bottom / largest, right: right / largest, top: top / largest };
  }

  #nearestOfSquare(
    column: number,
    row: number,
    x: number,
    y: number,
    best: { cell: number; squared: number },
    layer: Layer | undefined,
  ): void {
    const side = 2 ** this.#bits;
    if (column < 0 || row < 0 || column >= side || row >= side) return;
    const square = interleaved(column) | (interleaved(row) << 1);
    const end = this.#starts[square + 1]!;
    for (let k = this.#starts[square]!; k < end; k++) {
      const cell = this.#listed === undefined ? k : this.#listed[k]!;
      const squared = (this.positions[2 * cell]! - x) ** 2 + (this.positions[2 * cell + 1]! - y) ** 2;
      if (squared > best.squared) continue;
      if (squared === best.squared && best.cell >= 0 && cell > best.cell) continue;
      if (layer !== undefined && !isShown(layer, cell)) continue;
      best.cell = cell;
      best.squared = squared;
    }
  }

  #squareOf(cell: number): number {
    const shift = 16 - this.#bits;
    return (
      interleaved(this.positions[2 * cell]! >> shift) |
      (interleaved(this.positions[2 * cell + 1]! >> shift) << 1)
    );
  }

  #countSquares(): Uint32Array {
    const starts = new Uint32Array(4 ** this.#bits + 1);
    for (let cell = 0; cell < this.placed; cell++)
      if (this.isPlaced(cell)) starts[this.#squareOf(cell) + 1]!++;
    for (let square = 1; square < starts.length; square++) starts[square]! += starts[square - 1]!;
    return starts;
  }

  #listBySquare(): Uint32Array {
    const listed = new Uint32Array(this.#starts.at(-1)!);
    const next = this.#starts.slice();
    for (let cell = 0; cell < this.placed; cell++)
      if (this.isPlaced(cell)) listed[next[this.#squareOf(cell)]!++] = cell;
    return listed;
  }
}

export function isShown({ slots, palette }: Layer, cell: number): boolean {
  const slot = slots[cell]!;
  return slot !== outsideSlot && palette[4 * slot + 3] !== 0;
}

function interleaved(value: number): number {
  let bits = value;
  bits = (bits | (bits << 8)) & 0x00ff00ff;
  bits = (bits | (bits << 4)) & 0x0f0f0f0f;
  bits = (bits | (bits << 2)) & 0x33333333;
  return (bits | (bits << 1)) & 0x55555555;
}

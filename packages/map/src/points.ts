import { type Box, type Camera, gridPlace, pixelsOfGrid, type Place, type Size } from './camera.ts';
import { cellsInPolygon } from './lasso.ts';
import type { Layer } from './map-view.ts';
import { outsideSlot } from './slot-palettes.ts';

const largest = 65_535;

/** Where cells are; of `Points`. */
export type PlacedCells = Pick<Points, 'positions' | 'cells' | 'placed' | 'unplaced'>;

/**
 * Positions of cells with an index of the squares of a grid that they lie in, for finding the cell at a place. The squares
 * are numbered by their Morton code: cells in Morton order of these positions are in the order of the squares already, so
 * that the start of each square is all that is kept; otherwise the cells are listed by square (4 bytes a cell).
 */
export class Points {
  /** x0, y0, x1, y1, … of 0 to 65,535. Not copied. */
  readonly positions: Uint16Array;
  /** All cells, those without a position included. */
  readonly cells: number;
  /** Only the first so many cells have a position, and of these not those of `unplaced`. */
  readonly placed: number;
  /** One bit a cell, set for those that are never drawn, found or selected. */
  readonly unplaced: Uint8Array | undefined;
  readonly #bits: number;
  readonly #starts: Uint32Array;
  readonly #listed: Uint32Array | undefined;

  /**
   * @param options.morton whether the cells are in Morton order of these positions (x in the even bits)
   * @param options.missing cells that have no position: the last ones, unless `unplaced` says which
   * @param options.unplaced one bit a cell, set for those without a position; in Morton order these are the last ones
   * @throws RangeError for numbers that do not fit together
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

  /** Of the index, the positions and which cells have none. */
  get bytes(): number {
    const index = this.#starts.byteLength + (this.#listed?.byteLength ?? 0);
    return this.positions.byteLength + index + (this.unplaced?.byteLength ?? 0);
  }

  /**
   * @param at place on the screen
   * @param radius pixels beyond which no cell is taken
   * @param layer cells that it hides are not found
   * @returns the place in map order of the cell that is nearest, the first one where several are; -1 where there is none
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
    const found = { cell: -1, squared: reach * reach };
    for (let ring = 0; ring <= rings; ring++) {
      // What is `ring` squares away is at least so far.
      if (found.cell >= 0 && found.squared < (Math.max(0, ring - 1) * 2 ** shift) ** 2) break;
      for (let dy = -ring; dy <= ring; dy++) {
        const step = Math.abs(dy) === ring ? 1 : Math.max(1, 2 * ring);
        for (let dx = -ring; dx <= ring; dx += step)
          this.#nearestOfSquare(column + dx, row + dy, x, y, found, layer);
      }
    }
    return found.cell;
  }

  /** @returns one bit a cell for those within a polygon in [0, 1]² of the grid, by the even-odd rule; as `MapWorker` */
  cellsIn(polygon: Float32Array): Uint8Array {
    return this.withoutUnplaced(cellsInPolygon(this.positions, this.placed, polygon));
  }

  /** @returns the bits themselves, those of cells without a position taken out */
  withoutUnplaced(bits: Uint8Array): Uint8Array {
    if (this.unplaced !== undefined)
      for (let at = 0; at < bits.length; at++) bits[at]! &= ~this.unplaced[at]!;
    return bits;
  }

  isPlaced(cell: number): boolean {
    if (this.unplaced === undefined) return cell < this.placed;
    return !((this.unplaced[cell >> 3]! >> (cell & 7)) & 1);
  }

  /** @returns the box around the cells whose bits are set (all, without bits); undefined where none has a position */
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
    found: { cell: number; squared: number },
    layer: Layer | undefined,
  ): void {
    const side = 2 ** this.#bits;
    if (column < 0 || row < 0 || column >= side || row >= side) return;
    const square = interleaved(column) | (interleaved(row) << 1);
    const end = this.#starts[square + 1]!;
    for (let k = this.#starts[square]!; k < end; k++) {
      const cell = this.#listed === undefined ? k : this.#listed[k]!;
      const squared = (this.positions[2 * cell]! - x) ** 2 + (this.positions[2 * cell + 1]! - y) ** 2;
      if (squared > found.squared) continue;
      if (squared === found.squared && found.cell >= 0 && cell > found.cell) continue;
      if (layer !== undefined && !isShown(layer, cell)) continue;
      found.cell = cell;
      found.squared = squared;
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

/** Whether a cell is among those that a layer shows. */
export function isShown({ slots, palette }: Layer, cell: number): boolean {
  const slot = slots[cell]!;
  return slot !== outsideSlot && palette[4 * slot + 3] !== 0;
}

/** @returns the bits of a number below 65,536, with a zero before each */
function interleaved(value: number): number {
  let bits = value;
  bits = (bits | (bits << 8)) & 0x00ff00ff;
  bits = (bits | (bits << 4)) & 0x0f0f0f0f;
  bits = (bits | (bits << 2)) & 0x33333333;
  return (bits | (bits << 1)) & 0x55555555;
}

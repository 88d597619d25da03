/**
 * Columns of a dataset as a map of its cells draws them: what a screen can show, one to four bytes a cell. All columns
 * of a dataset version are in one order of the cells, the map order (see map-order.ts); a place is a position in it.
 */
export type MapColumn = PositionColumn | AreaColumn | CategoryColumn | LevelColumn | MaskColumn;

/** Positions of n cells on a grid of 65,536 × 65,536: coordinate = origin + step × position, one step for both axes. */
export interface PositionColumn {
  readonly kind: 'positions';
  readonly cells: number;
  /** 2n values x0, y0, x1, y1 and so on; 0 for cells without a position. */
  readonly positions: Uint16Array;
  readonly origin: readonly [x: number, y: number];
  readonly step: number;
  /** Whether the map order is the Morton order of these positions: cells without one then come last. */
  readonly morton: boolean;
  /** Cells without a finite coordinate. */
  readonly missing: number;
  /** One bit a cell, set for those without a position; absent where there are none. */
  readonly unplaced?: Uint8Array;
}

/** A square of the grid of positions, in its steps: all that lies on its rim is in it. */
export interface GridSquare {
  readonly left: number;
  readonly bottom: number;
  readonly side: number;
}

/** Exact coordinates of the cells in a square of the grid, for maps on which a step is wider than a pixel. */
export interface AreaColumn extends GridSquare {
  readonly kind: 'area';
  /** n, of the square alone. */
  readonly cells: number;
  /** n places in map order, rising. */
  readonly places: Uint32Array;
  /** 2n values x0, y0, x1, y1 and so on, from the lower left corner of the square on, in steps of the grid. */
  readonly positions: Float32Array;
}

export interface CategoryColumn {
  readonly kind: 'categories';
  readonly cells: number;
  /** n values: 0 for missing, k + 1 for category k. */
  readonly codes: Uint8Array | Uint16Array;
  readonly categories: readonly string[];
  /** Cells of each category. */
  readonly counts: readonly number[];
  readonly missing: number;
}

/** Numbers on 254 levels. */
export interface LevelColumn {
  readonly kind: 'levels';
  readonly cells: number;
  /** n values of at most 254; 0 is an exact zero where `zero` is true, else a missing value. */
  readonly levels: Uint8Array;
  /** 256 values: what each level stands for; NaN for the one that no cell has. */
  readonly values: Float64Array;
  /** Exact minimum and maximum of the finite values; 0 and 0 where there are none. */
  readonly range: readonly [minimum: number, maximum: number];
  readonly zero: boolean;
  readonly missing: number;
  /** Whether all values are whole numbers from 0 on, as counts are. */
  readonly counts: boolean;
}

export interface MaskColumn {
  readonly kind: 'mask';
  readonly cells: number;
  /** One bit a cell, the least significant first. */
  readonly bits: Uint8Array;
  readonly count: number;
}

/** Bytes or text that are not what this format writes. */
export class ColumnFormatError extends Error {
  override readonly name = 'ColumnFormatError';
}

/** Bytes that one bit for each of n cells takes. */
export function bitBytes(cells: number): number {
  return Math.ceil(cells / 8);
}

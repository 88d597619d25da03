/**
 * Columns of a dataset at screen resolution, for maps of its cells: one to four bytes per cell. All columns of a
 * dataset version are in the same cell order, the map order (see map-order.ts); a place is an index in it.
 */
export type MapColumn = PositionColumn | AreaColumn | CategoryColumn | LevelColumn | MaskColumn;

/**
 * Positions of n cells on a grid of 65,536 × 65,536: coordinate = origin + step × position, with the same step for both
 * axes.
 */
export interface PositionColumn {
  readonly kind: 'positions';
  readonly cells: number;
  /** 2n values x0, y0, x1, y1 and so on; 0 for cells without a position. */
  readonly positions: Uint16Array;
  readonly origin: readonly [x: number, y: number];
  readonly step: number;
  /** Draw the second axis downwards, as images count it: positions are in the direction of the coordinates. */
  readonly yDown?: true;
  /** Whether the map order is the Morton order of these positions, with cells without a position last. */
  readonly morton: boolean;
  readonly missing: number;
  /** One bit per cell, set for those without a position; absent if all have one. */
  readonly unplaced?: Uint8Array;
}

/** A square of the grid of positions, in grid steps, including its edges. */
export interface GridSquare {
  readonly left: number;
  readonly bottom: number;
  readonly side: number;
}

/** Exact coordinates of the cells in a square of the grid, for maps on which a step is wider than a pixel. */
export interface AreaColumn extends GridSquare {
  readonly kind: 'area';
  readonly cells: number;
  /** n places in map order, ascending. */
  readonly places: Uint32Array;
  /** 2n values x0, y0, x1, y1 and so on, relative to the square's lower left corner, in grid steps. */
  readonly positions: Float32Array;
}

export interface CategoryColumn {
  readonly kind: 'categories';
  readonly cells: number;
  /** n values: 0 for missing, k + 1 for category k. */
  readonly codes: Uint8Array | Uint16Array;
  readonly categories: readonly string[];
  readonly counts: readonly number[];
  readonly missing: number;
}

/** Numbers quantised to 254 levels. */
export interface LevelColumn {
  readonly kind: 'levels';
  readonly cells: number;
  /** n values up to 254; 0 is an exact zero if `zero` is true, else a missing value. */
  readonly levels: Uint8Array;
  /** 256 values, one per level; NaN for the level without a value. */
  readonly values: Float64Array;
  /** Exact minimum and maximum of the finite values; 0 and 0 without such values. */
  readonly range: readonly [minimum: number, maximum: number];
  readonly zero: boolean;
  readonly missing: number;
  /** Whether all values are non-negative integers, as counts are. */
  readonly counts: boolean;
}

export interface MaskColumn {
  readonly kind: 'mask';
  readonly cells: number;
  /** One bit per cell, least significant first. */
  readonly bits: Uint8Array;
  readonly count: number;
}

export class ColumnFormatError extends Error {
  override readonly name = 'ColumnFormatError';
}

export function bitBytes(cells: number): number {
  return Math.ceil(cells / 8);
}

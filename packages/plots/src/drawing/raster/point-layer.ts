/** No point for this cell. */
export const notDrawn = 255;

/** One ink a cell, and the order in which cells are painted: later ones lie on top. */
export interface PointLayer {
  readonly inks: readonly string[];
  /** Index into `inks`, or notDrawn. */
  readonly cellInk: Uint8Array;
  /** Cells in the order of painting. */
  readonly order: Int32Array;
  /** Ink that all cells are painted with first; `order` then holds only those on top of it. */
  readonly ground?: number;
  /** Where it is not that of the spec. */
  readonly pointRadius?: number;
}

/** The first ink of a layer. */
const outside = 0;

/** Gives the cells outside a mask the first ink. */
export function coverOutside(cellInk: Uint8Array, bits: Uint8Array): void {
  for (let cell = 0; cell < cellInk.length; cell++) if (bits[cell] !== 1) cellInk[cell] = outside;
}

/** Counting sort: rising ink, rising row within an ink; `starts[ink]` is the first place of an ink. */
export function orderByInk(
  cellInk: Uint8Array,
  inkCount: number,
): { order: Int32Array; starts: Uint32Array } {
  const next = new Uint32Array(inkCount + 1);
  for (let cell = 0; cell < cellInk.length; cell++) next[cellInk[cell]! + 1]!++;
  for (let ink = 1; ink <= inkCount; ink++) next[ink]! += next[ink - 1]!;
  const starts = next.slice();
  const order = new Int32Array(cellInk.length);
  for (let cell = 0; cell < cellInk.length; cell++) order[next[cellInk[cell]!]!++] = cell;
  return { order, starts };
}

/** Places in the file from which cells are taken in turn. */
const streams = 48;

/**
 * The two background inks in row order, then the rest: one cell from each of 48 evenly spaced places of
 * the file in turn, which mixes what files keep sorted. A true shuffle reads memory at random and takes
 * twice as long for a million cells.
 */
export function strewnOrder(cellInk: Uint8Array): Int32Array {
  const count = cellInk.length;
  const order = new Int32Array(count);
  let at = 0;
  for (let ink = 0; ink < 2; ink++) {
    for (let cell = 0; cell < count; cell++) if (cellInk[cell] === ink) order[at++] = cell;
  }
  const step = Math.max(1, Math.ceil(count / streams));
  for (let first = 0; first < step; first++) {
    for (let cell = first; cell < count; cell += step) if (cellInk[cell]! > 1) order[at++] = cell;
  }
  return order;
}

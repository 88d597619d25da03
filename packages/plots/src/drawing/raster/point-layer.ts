import type { CellMask } from '@cellfolio/model';
import type { Rectangle } from '../scene/scene.ts';

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
  /** Of several maps beside each other the one that the cells are on: a part of the panel of the scene. */
  readonly panel?: Rectangle;
}

/** The first ink of a layer. */
const outside = 0;

/** Gives the cells outside a mask the first ink. */
export function coverOutside(cellInk: Uint8Array, bits: Uint8Array): void {
  for (let cell = 0; cell < cellInk.length; cell++) if (bits[cell] !== 1) cellInk[cell] = outside;
}

/** Places in the file from which cells are taken in turn. */
const streams = 48;

/**
 * The lowest inks, the background, in row order, then the rest: one cell from each of 48 evenly spaced places of the
 * file in turn, which mixes what files keep sorted. No value decides which cell lies on top of another, and neither does
 * the file. A true shuffle reads memory at random and takes twice as long for a million cells.
 * @param backgrounds how many inks are background
 * @returns `background`: how many cells are, at the beginning of `order`
 */
export function strewnOrder(
  cellInk: Uint8Array,
  backgrounds: number,
): { readonly order: Int32Array; readonly background: number } {
  const count = cellInk.length;
  const order = new Int32Array(count);
  let background = 0;
  for (let ink = 0; ink < backgrounds; ink++) {
    for (let cell = 0; cell < count; cell++) if (cellInk[cell] === ink) order[background++] = cell;
  }
  const step = Math.max(1, Math.ceil(count / streams));
  let at = background;
  for (let first = 0; first < step; first++) {
    for (let cell = first; cell < count; cell += step) if (cellInk[cell]! >= backgrounds) order[at++] = cell;
  }
  return { order, background };
}

/** Gives the codes of groups the inks of their colours, which are added to `inks`. Colours repeat beyond 64 categories; inks do not. */
export function inkGroups(
  inkOfCode: Uint8Array,
  groups: readonly { readonly code: number; readonly colour: string }[],
  inks: string[],
): void {
  const placeOf = new Map<string, number>();
  for (const { code, colour } of groups) {
    const place = placeOf.get(colour) ?? inks.push(colour) - 1;
    placeOf.set(colour, place);
    inkOfCode[code] = place;
  }
}

/** The ink of each cell by its code; `without` where it has none, and outside the mask the first. */
export function inkOfCells(
  codes: ArrayLike<number>,
  inkOfCode: Uint8Array,
  { mask, without }: { readonly mask?: CellMask | undefined; readonly without: number },
): Uint8Array {
  const cellInk = new Uint8Array(codes.length);
  for (let cell = 0; cell < codes.length; cell++) {
    const code = codes[cell]!;
    cellInk[cell] = code >= 0 && code < inkOfCode.length ? inkOfCode[code]! : without;
  }
  if (mask !== undefined) coverOutside(cellInk, mask.bits);
  return cellInk;
}

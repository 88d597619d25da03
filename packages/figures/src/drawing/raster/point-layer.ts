import type { CellMask } from '@cellfolio/model';
import type { Rectangle } from '../scene/scene.ts';

export const undrawnShade = 255;

/** One ink per cell, and the draw order: later cells are on top. */
export interface PointLayer {
  inks: readonly string[];
  /** Index into `inks`, or notDrawn. */
  cellInk: Uint8Array;
  order: Int32Array;
  /** Ink that paints all cells first; `order` then contains only those on top of it. */
  ground?: number;
  pointRadius?: number;
  /** Panel of the cells' map, if several are side by side: a part of the scene's panel. */
  panel?: Rectangle;
}

const outside = 0;

export function coverOutside(cellInk: Uint8Array, bits: Uint8Array): void {
  for (let cell = 0; cell < cellInk.length; cell++) if (bits[cell] !== 1) cellInk[cell] = outside;
}

const streams = 48;

/**
 * Draw order: the lowest inks, the background, in row order, then the others shuffled: one cell from each of 48 evenly
 * spaced places of the file in turn, which mixes what files keep sorted. Neither a value nor the file decides which
 * cell is on top. A true shuffle reads memory at random and takes twice as long for a million cells. `backgrounds`:
 * number of background inks. The returned `background` is the number of cells with them, at the beginning of `order`.
 */
export function shuffledOrder(
  cellInk: Uint8Array,
  backgrounds: number,
): { order: Int32Array; background: number } {
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

/**
 * Assigns the codes of groups the inks of their colours, which are added to `inks`. Colours repeat beyond 64
 * categories; inks do not.
 */
export function inkGroups(
  inkOfCode: Uint8Array,
  groups: readonly { code: number; colour: string }[],
  inks: string[],
): void {
  const placeOf = new Map<string, number>();
  for (const { code, colour } of groups) {
    const place = placeOf.get(colour) ?? inks.push(colour) - 1;
    placeOf.set(colour, place);
    inkOfCode[code] = place;
  }
}

/** Ink of each cell by its code; `without` if it has none, and the first ink outside the mask. */
export function inkOfCells(
  codes: ArrayLike<number>,
  inkOfCode: Uint8Array,
  { mask, without }: { mask?: CellMask | undefined; without: number },
): Uint8Array {
  const cellInk = new Uint8Array(codes.length);
  for (let cell = 0; cell < codes.length; cell++) {
    const code = codes[cell]!;
    cellInk[cell] = code >= 0 && code < inkOfCode.length ? inkOfCode[code]! : without;
  }
  if (mask !== undefined) coverOutside(cellInk, mask.bits);
  return cellInk;
}

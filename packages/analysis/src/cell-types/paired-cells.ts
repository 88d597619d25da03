import type { CellGroups } from '../markers/cell-groups.ts';

/** Two types that one group resembles, as rows in var of the markers that it expresses. */
export interface TypePair {
  readonly group: number;
  readonly markers: readonly [ArrayLike<number>, ArrayLike<number>];
}

/** Cells of a group that express at least two markers of the one type, of the other, and of both. */
export interface PairedCells {
  readonly one: number;
  readonly other: number;
  readonly both: number;
}

/** Minimum expressed markers of a type per cell: a single one may be ambient RNA. */
const markersOfCell = 2;

/**
 * Distinguishes cells that look like two types at once, as doublets do, from cells of two types in one group. A cell is
 * in at most one group, so only one counter byte per cell and type is held.
 */
export class PairedCellCounter {
  readonly #codes: Uint16Array;
  readonly #pairs: readonly TypePair[];
  readonly #counts: readonly [Uint8Array, Uint8Array];
  readonly #sidesOf = new Map<number, { readonly group: number; readonly side: 0 | 1 }[]>();

  constructor({ codes }: Pick<CellGroups, 'codes'>, pairs: readonly TypePair[]) {
    this.#codes = codes;
    this.#pairs = pairs;
    this.#counts = [new Uint8Array(codes.length), new Uint8Array(codes.length)];
    for (const { group, markers } of pairs) {
      for (const side of [0, 1] as const) {
        for (const row of Array.from(markers[side])) {
          const sides = this.#sidesOf.get(row) ?? [];
          sides.push({ group, side });
          this.#sidesOf.set(row, sides);
        }
      }
    }
  }

  /** Rows in var of the genes to count, ascending. */
  get rows(): Int32Array {
    return Int32Array.from(this.#sidesOf.keys()).sort();
  }

  add(row: number, cells: Int32Array, values: Float32Array): void {
    for (const { group, side } of this.#sidesOf.get(row) ?? []) {
      const counts = this.#counts[side];
      for (let i = 0; i < cells.length; i++) {
        const cell = cells[i]!;
        if (this.#codes[cell] === group && values[i]! > 0 && counts[cell]! < 255) counts[cell]!++;
      }
    }
  }

  counted(): PairedCells[] {
    const placeOf = new Map(this.#pairs.map(({ group }, place) => [group, place]));
    const cellCounts = this.#pairs.map(() => ({ one: 0, other: 0, both: 0 }));
    const [first, second] = this.#counts;
    for (let cell = 0; cell < first.length; cell++) {
      const place = placeOf.get(this.#codes[cell]!);
      if (place === undefined) continue;
      const [isOne, isOther] = [first[cell]! >= markersOfCell, second[cell]! >= markersOfCell];
      if (isOne) cellCounts[place]!.one++;
      if (isOther) cellCounts[place]!.other++;
      if (isOne && isOther) cellCounts[place]!.both++;
    }
    return cellCounts;
  }
}

import type { CellGroups } from '../markers/cell-groups.ts';

/** Two types that one group looks like, by the rows in var of the markers that it expresses. */
export interface TypePair {
  /** Place among the groups. */
  readonly group: number;
  readonly markers: readonly [ArrayLike<number>, ArrayLike<number>];
}

/** Of a group, the cells that express at least two markers of the one type, of the other, and of both. */
export interface PairedCells {
  readonly one: number;
  readonly other: number;
  readonly both: number;
}

/** Of a type a cell has to express as many markers: one alone may be ambient RNA. */
const markersOfCell = 2;

/**
 * Tells cells that look like two types at once, as doublets do, from cells of two types in one group. A cell is in one
 * group at most, so a count of a byte for each cell and type is all that is held.
 */
export class PairedCellCounter {
  readonly #codes: Uint16Array;
  readonly #pairs: readonly TypePair[];
  readonly #counts: readonly [Uint8Array, Uint8Array];
  /** By the row in var: which sides of which groups it marks. */
  readonly #sidesOf = new Map<number, { readonly group: number; readonly side: 0 | 1 }[]>();

  /** @param pairs each of another group */
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

  /** The genes that have to be counted, rising. */
  get rows(): Int32Array {
    return Int32Array.from(this.#sidesOf.keys()).sort();
  }

  /** Counts the entries of a gene. */
  add(row: number, cells: Int32Array, values: Float32Array): void {
    for (const { group, side } of this.#sidesOf.get(row) ?? []) {
      const counts = this.#counts[side];
      for (let i = 0; i < cells.length; i++) {
        const cell = cells[i]!;
        if (this.#codes[cell] === group && values[i]! > 0 && counts[cell]! < 255) counts[cell]!++;
      }
    }
  }

  /** Of each pair. */
  counted(): PairedCells[] {
    const placeOf = new Map(this.#pairs.map(({ group }, place) => [group, place]));
    const found = this.#pairs.map(() => ({ one: 0, other: 0, both: 0 }));
    const [first, second] = this.#counts;
    for (let cell = 0; cell < first.length; cell++) {
      const place = placeOf.get(this.#codes[cell]!);
      if (place === undefined) continue;
      const [isOne, isOther] = [first[cell]! >= markersOfCell, second[cell]! >= markersOfCell];
      if (isOne) found[place]!.one++;
      if (isOther) found[place]!.other++;
      if (isOne && isOther) found[place]!.both++;
    }
    return found;
  }
}

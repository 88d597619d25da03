import type { ChosenColumn } from './choose-columns.ts';

/**
 * Cells cut by several columns at once: two cells are of one stratum where they agree in all of them. What is added
 * up by stratum is then added up by column at little cost, and the entries of a matrix are looked at once for all.
 */
export interface CellStrata {
  readonly columns: readonly ChosenColumn[];
  readonly count: number;
  /** Stratum of each cell. */
  readonly strata: Uint16Array;
  /** For each of the columns the slot of each stratum. */
  readonly slots: readonly Uint8Array[];
}

/** Columns go together as long as their strata stay few; patients' columns, and types and clusters, mostly do. */
export function cellStrata(
  columns: readonly ChosenColumn[],
  { cellCount, mostStrata }: { cellCount: number; mostStrata: number },
): CellStrata[] {
  const found: CellStrata[] = [];
  let current: CellStrata | undefined;
  for (const column of columns) {
    const finer: CellStrata | undefined = current && cut(current, column, mostStrata);
    if (!finer && current) found.push(current);
    const whole = { columns: [], count: 1, strata: new Uint16Array(cellCount), slots: [] };
    current = finer ?? cut(whole, column, Infinity)!;
  }
  return current ? [...found, current] : found;
}

/** The strata cut further by a column, or undefined where that makes too many. */
function cut(coarse: CellStrata, column: ChosenColumn, most: number): CellStrata | undefined {
  const { slotCount, slots: ofCell } = column;
  const numbers = new Int32Array(coarse.count * slotCount).fill(-1);
  const strata = new Uint16Array(ofCell.length);
  const origins: number[] = [];
  for (let cell = 0; cell < strata.length; cell++) {
    const both = coarse.strata[cell]! * slotCount + ofCell[cell]!;
    if (numbers[both]! < 0) {
      if (origins.length >= most) return undefined;
      numbers[both] = origins.length;
      origins.push(both);
    }
    strata[cell] = numbers[both]!;
  }
  const before = origins.map((both) => Math.floor(both / slotCount));
  return {
    columns: [...coarse.columns, column],
    count: origins.length,
    strata,
    slots: [
      ...coarse.slots.map((slots) => Uint8Array.from(before, (stratum) => slots[stratum]!)),
      Uint8Array.from(origins, (both) => both % slotCount),
    ],
  };
}

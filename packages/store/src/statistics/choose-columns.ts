import type { CategoricalColumn } from '@cellfolio/model';

/** A column whose groups get statistics. */
export interface ChosenColumn {
  readonly name: string;
  /** Codes of the categories that have cells, rising. */
  readonly categories: Int32Array;
  /** Categories that have cells, and one for the cells without a category. */
  readonly slotCount: number;
  /** Slot of each cell. */
  readonly slots: Uint8Array;
}

/** More groups than these are seldom compared as a whole. */
const maxCategories = 64;
/** Bytes of the statistics of a gene and slot. */
const slotBytes = 20;
/** Statistics of all columns in memory, and at most so many entries of a gene for each of its slots. */
const maxBytes = 64 * 1024 * 1024;
const entriesPerSlot = 16;

/**
 * The columns of which statistics are worth their place: those with few categories, the first ones as far as all
 * together stay small beside the matrix (20 bytes a slot, where 16 entries take 128) and within 64 MiB.
 */
export function chooseColumns(
  groups: ReadonlyMap<string, CategoricalColumn>,
  { geneCount, valueCount }: { geneCount: number; valueCount: number },
): ChosenColumn[] {
  const perGene = valueCount / Math.max(1, geneCount);
  let left = Math.min(perGene / entriesPerSlot, maxBytes / (slotBytes * Math.max(1, geneCount)));
  const chosen: ChosenColumn[] = [];
  for (const [name, { codes, categories }] of groups) {
    const used = new Uint8Array(categories.length);
    for (let cell = 0; cell < codes.length; cell++) if (codes[cell]! >= 0) used[codes[cell]!] = 1;
    const present = Int32Array.from(categories.keys()).filter((code) => used[code] === 1);
    const slotCount = present.length + 1;
    if (present.length === 0 || present.length > maxCategories || slotCount > left) continue;
    left -= slotCount;
    const slotOf = new Uint8Array(categories.length);
    present.forEach((code, slot) => (slotOf[code] = slot));
    const slots = Uint8Array.from(codes, (code) => (code < 0 ? present.length : slotOf[code]!));
    chosen.push({ name, categories: present, slotCount, slots });
  }
  return chosen;
}

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
  { cellCount, maxStrata }: { cellCount: number; maxStrata: number },
): CellStrata[] {
  const found: CellStrata[] = [];
  let current: CellStrata | undefined;
  for (const column of columns) {
    const finer: CellStrata | undefined = current && cut(current, column, maxStrata);
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

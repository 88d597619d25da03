import type { CategoricalColumn } from '@cellfolio/model';

export interface ChosenColumn {
  name: string;
  /** Codes of the non-empty categories, ascending. */
  categories: Int32Array;
  /** Non-empty categories, plus one for cells without a category. */
  slotCount: number;
  slots: Uint8Array;
}

/** Larger numbers of groups are seldom compared as a whole. */
const maxCategories = 64;
const slotBytes = 20;
/** Maximum bytes of the statistics of all columns in memory, and the entries of a gene that justify one slot. */
const maxBytes = 64 * 1024 * 1024;
const entriesPerSlot = 16;

/**
 * Columns whose statistics are worth their space: those with few categories, the first ones as long as all together
 * stay small relative to the matrix (20 bytes per slot, where 16 entries take 128) and within 64 MiB.
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
 * Cells cut by several columns at once: two cells share a stratum if they agree in all of them. Sums by stratum are
 * then cheaply added up by column, so that the entries of a matrix are visited once for all.
 */
export interface CellStrata {
  columns: readonly ChosenColumn[];
  count: number;
  strata: Uint16Array;
  slots: readonly Uint8Array[];
}

/** Combines columns as long as their strata stay few; patients' columns, and types and clusters, mostly do. */
export function cellStrata(
  columns: readonly ChosenColumn[],
  { cellCount, maxStrata }: { cellCount: number; maxStrata: number },
): CellStrata[] {
  const finished: CellStrata[] = [];
  let current: CellStrata | undefined;
  for (const column of columns) {
    const finer: CellStrata | undefined = current && cut(current, column, maxStrata);
    if (!finer && current) finished.push(current);
    const whole = { columns: [], count: 1, strata: new Uint16Array(cellCount), slots: [] };
    current = finer ?? cut(whole, column, Infinity)!;
  }
  return current ? [...finished, current] : finished;
}

function cut(coarse: CellStrata, column: ChosenColumn, maxStrata: number): CellStrata | undefined {
  const { slotCount, slots: ofCell } = column;
  const numbers = new Int32Array(coarse.count * slotCount).fill(-1);
  const strata = new Uint16Array(ofCell.length);
  const origins: number[] = [];
  for (let cell = 0; cell < strata.length; cell++) {
    const both = coarse.strata[cell]! * slotCount + ofCell[cell]!;
    if (numbers[both]! < 0) {
      if (origins.length >= maxStrata) return undefined;
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

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
const mostCategories = 64;
/** Bytes of the statistics of a gene and slot. */
export const slotBytes = 20;
/** Statistics of all columns in memory, and at most so many entries of a gene for each of its slots. */
const mostBytes = 64 * 1024 * 1024;
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
  let left = Math.min(perGene / entriesPerSlot, mostBytes / (slotBytes * Math.max(1, geneCount)));
  const chosen: ChosenColumn[] = [];
  for (const [name, { codes, categories }] of groups) {
    const used = new Uint8Array(categories.length);
    for (let cell = 0; cell < codes.length; cell++) if (codes[cell]! >= 0) used[codes[cell]!] = 1;
    const present = Int32Array.from(categories.keys()).filter((code) => used[code] === 1);
    const slotCount = present.length + 1;
    if (present.length === 0 || present.length > mostCategories || slotCount > left) continue;
    left -= slotCount;
    const slotOf = new Uint8Array(categories.length);
    present.forEach((code, slot) => (slotOf[code] = slot));
    const slots = Uint8Array.from(codes, (code) => (code < 0 ? present.length : slotOf[code]!));
    chosen.push({ name, categories: present, slotCount, slots });
  }
  return chosen;
}

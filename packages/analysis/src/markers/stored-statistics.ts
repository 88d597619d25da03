import type { CategoricalColumn, CellMask } from '@cellfolio/model';
import type { BlockStatistics } from './block-statistics.ts';
import type { CellGroups } from './cell-groups.ts';

/** Sums of every gene in the groups of a column over all cells of a dataset, made when it was written. */
export interface ColumnSums {
  /** Codes of the categories that have cells, rising. */
  readonly categories: Int32Array;
  /** A value for each gene and slot: one slot for each of `categories`, and a last one for cells without a category. */
  readonly sums: Float64Array;
  readonly squares: Float64Array;
  readonly expressing: Int32Array;
}

/**
 * The statistics of a t-test of all genes, as `blockStatistics` gives them, from the sums of the column that `groups`
 * were made of with the same mask. Undefined where the mask cuts through a group: the sums are those of whole groups.
 */
export function storedStatistics(
  stored: ColumnSums,
  column: CategoricalColumn,
  groups: CellGroups,
  mask?: CellMask,
): BlockStatistics | undefined {
  const { categories, sums } = stored;
  const storedSlots = categories.length + 1;
  const geneCount = sums.length / storedSlots;
  const kept = keptSlots(column, categories, mask);
  if (!kept) return undefined;
  const slotCount = groups.names.length + 1;
  const copied = <T extends Float64Array | Int32Array>(from: T, to: T): T => {
    for (let gene = 0; gene < geneCount; gene++) {
      let group = 0;
      for (let slot = 0; slot < storedSlots; slot++) {
        if (kept[slot] === 0) continue;
        // Cells without a category are in the last slot, also where some groups are left out.
        const at = slot === storedSlots - 1 ? slotCount - 1 : group++;
        to[gene * slotCount + at] = from[gene * storedSlots + slot]!;
      }
    }
    return to;
  };
  const size = geneCount * slotCount;
  return {
    method: 't-test',
    firstGene: 0,
    geneCount,
    slotCount,
    sums: copied(sums, new Float64Array(size)),
    expressing: copied(stored.expressing, new Int32Array(size)),
    squares: copied(stored.squares, new Float64Array(size)),
    rankSums: new Float64Array(),
    tieTerms: new Float64Array(),
  };
}

/** 1 for each slot whose cells are all in the mask; undefined where those of any are in part, or of unknown categories. */
function keptSlots(
  { codes }: CategoricalColumn,
  categories: Int32Array,
  mask: CellMask | undefined,
): Uint8Array | undefined {
  const slotOf = new Map(Array.from(categories, (code, slot) => [code, slot]));
  slotOf.set(-1, categories.length);
  const greatest = categories[categories.length - 1] ?? -1;
  // A code may be -1.
  const slots = Int32Array.from({ length: greatest + 2 }, (_, i) => slotOf.get(i - 1) ?? -1);
  const all = new Float64Array(categories.length + 1);
  const inside = new Float64Array(categories.length + 1);
  for (let cell = 0; cell < codes.length; cell++) {
    const slot = slots[codes[cell]! + 1];
    if (slot === undefined || slot < 0) return undefined;
    all[slot]!++;
    if (!mask || mask.bits[cell] === 1) inside[slot]!++;
  }
  const kept = new Uint8Array(all.length);
  for (let slot = 0; slot < all.length; slot++) {
    if (inside[slot]! > 0 && inside[slot] !== all[slot]) return undefined;
    kept[slot] = inside[slot]! > 0 ? 1 : 0;
  }
  return kept;
}

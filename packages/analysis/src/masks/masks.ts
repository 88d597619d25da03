import type { CategoricalColumn, CellMask, GeneColumn } from '@cellfolio/model';

/**
 * Cells whose category is one of `categories`. A cell without a category is never kept; a name that the column lacks
 * keeps nothing.
 */
export function categoryMask(column: CategoricalColumn, categories: readonly string[]): CellMask {
  const names = new Set(categories);
  const isSelected = Uint8Array.from(column.categories, (category) => (names.has(category) ? 1 : 0));
  const { codes } = column;
  const bits = new Uint8Array(codes.length);
  let count = 0;
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i]!;
    if (code >= 0 && isSelected[code] === 1) {
      bits[i] = 1;
      count++;
    }
  }
  return { bits, count };
}

/**
 * Cells that express a gene (`positive`: x > 0) or do not (`negative`: x = 0). A negative value, which only scaled data
 * has, is neither; nor is NaN.
 */
export function presenceMask(gene: GeneColumn, presence: 'positive' | 'negative'): CellMask {
  const bits = new Uint8Array(gene.cellCount);
  const { cells, values } = gene;
  let count = 0;
  if (presence === 'positive') {
    for (let i = 0; i < cells.length; i++) {
      if (values[i]! > 0) {
        bits[cells[i]!] = 1;
        count++;
      }
    }
    return { bits, count };
  }
  bits.fill(1);
  count = gene.cellCount;
  for (let i = 0; i < cells.length; i++) {
    if (values[i]! !== 0) {
      bits[cells[i]!] = 0;
      count--;
    }
  }
  return { bits, count };
}

/** Cells in every mask. Throws RangeError if lengths differ, as for different datasets. */
export function intersectMasks(first: CellMask, ...others: readonly CellMask[]): CellMask {
  if (others.length === 0) return first;
  const bits = first.bits.slice();
  for (const { bits: otherBits } of others) {
    if (otherBits.length !== bits.length) {
      throw new RangeError(`A mask of ${otherBits.length} cells does not fit one of ${bits.length}.`);
    }
    for (let i = 0; i < bits.length; i++) bits[i]! &= otherBits[i]!;
  }
  let count = 0;
  for (let i = 0; i < bits.length; i++) count += bits[i]!;
  return { bits, count };
}

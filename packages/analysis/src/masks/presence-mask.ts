import type { CellMask, GeneColumn } from '@cellfolio/model';

/**
 * The cells that express a gene (`positive`: x > 0) or do not (`negative`: x = 0). A value below zero, which only
 * scaled data has, is neither; nor is NaN.
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

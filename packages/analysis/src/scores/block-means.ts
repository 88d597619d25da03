import type { CellMask, GeneBlock } from '@cellfolio/model';

/** Of each gene of a block: the mean over the cells taken into account, and how many of them express it (x > 0). */
export interface BlockMeans {
  readonly firstGene: number;
  readonly means: Float64Array;
  readonly expressing: Float64Array;
}

/**
 * Mean expression of each gene of a block over the cells of the mask (all cells without one), zeros included; NaN
 * where the mask is empty. The values are added up cell after cell in float32, as scipy sums the columns of a
 * float32 CSR matrix and so as scanpy's `score_genes` does: the last bits decide which of two almost equal genes
 * stands first, and with it which control genes are drawn.
 */
export function blockMeans(block: GeneBlock, mask?: CellMask): BlockMeans {
  const { starts, values } = block;
  const geneCount = starts.length - 1;
  const means = new Float64Array(geneCount);
  const expressing = new Float64Array(geneCount);
  const cellCount = mask ? mask.count : block.cellCount;
  for (let gene = 0; gene < geneCount; gene++) {
    const start = starts[gene]!;
    const end = starts[gene + 1]!;
    let sum = 0;
    let positive = 0;
    if (mask) {
      const { bits } = mask;
      const { cells } = block;
      for (let i = start; i < end; i++) {
        if (bits[cells[i]!] === 0) continue;
        const value = values[i]!;
        sum = Math.fround(sum + value);
        if (value > 0) positive++;
      }
    } else {
      for (let i = start; i < end; i++) {
        const value = values[i]!;
        sum = Math.fround(sum + value);
        if (value > 0) positive++;
      }
    }
    means[gene] = sum / cellCount;
    expressing[gene] = positive;
  }
  return { firstGene: block.firstGene, means, expressing };
}

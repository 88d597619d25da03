import type { CellMask, GeneBlock } from '@cellfolio/model';

/** Per gene of a block: mean over the counted cells, and number of those that express it (x > 0). */
export interface BlockMeans {
  readonly firstGene: number;
  readonly means: Float64Array;
  readonly expressing: Float64Array;
}

/**
 * Mean expression of each gene of a block over the cells of the mask (all cells without one), zeros included and NaN
 * excluded. NaN if no cell counts. Values are summed cell by cell in float32, as scipy sums the columns of a float32
 * CSR matrix and thus scanpy's `score_genes`: the last bits decide the order of two almost equal genes, and thereby the
 * control genes.
 */
export function blockMeans(block: GeneBlock, mask?: CellMask): BlockMeans {
  const { starts } = block;
  const geneCount = starts.length - 1;
  const means = new Float64Array(geneCount);
  const expressing = new Float64Array(geneCount);
  const cellCount = mask ? mask.count : block.cellCount;
  const maskedValues = mask && new Float32Array(block.cellCount);
  for (let gene = 0; gene < geneCount; gene++) {
    const start = starts[gene]!;
    const end = starts[gene + 1]!;
    const values = maskedValues ? maskedValues : block.values;
    const from = maskedValues ? 0 : start;
    const to = maskedValues ? keepMasked(block, start, end, mask.bits, maskedValues) : end;
    let sum = 0;
    let positive = 0;
    let missing = 0;
    for (let i = from; i < to; i++) {
      const value = values[i]!;
      if (value !== value) {
        missing++;
        continue;
      }
      sum = Math.fround(sum + value);
      if (value > 0) positive++;
    }
    means[gene] = sum / (cellCount - missing);
    expressing[gene] = positive;
  }
  return { firstGene: block.firstGene, means, expressing };
}

/**
 * Packs the values of the entries [start, end) whose cells are in the mask; returns their number. Writes every value
 * and advances only past kept ones: without a branch to mispredict, 2.5 times as fast as skipping.
 */
function keepMasked(
  block: GeneBlock,
  start: number,
  end: number,
  bits: Uint8Array,
  maskedValues: Float32Array,
): number {
  const { cells, values } = block;
  let count = 0;
  for (let i = start; i < end; i++) {
    maskedValues[count] = values[i]!;
    count += bits[cells[i]!]!;
  }
  return count;
}

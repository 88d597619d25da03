import { addShared, takeOffShared } from './shared-sums.ts';
import type { DiverseClusters } from './diverse-clusters.ts';
import type { BatchedCells } from './batched-cells.ts';

/**
 * Second half of a Harmony round: a ridge regression on the batches within each cluster, weighted by each cell's share
 * in it; the estimated batch effects are subtracted, the intercept stays. Each cell is in one batch, so that all but
 * the first row and column of the normal equations are diagonal: they are solved by elimination, without a matrix.
 * `observed` and `sizes` of the clusters are their entries.
 */
export function correctedCells(
  cells: BatchedCells,
  { count, shares, observed, sizes }: Pick<DiverseClusters, 'count' | 'shares' | 'observed' | 'sizes'>,
  ridge: number,
): Float64Array {
  const { coordinates, components: width, batches, batchCount } = cells;
  const effects = sumsByBatch(cells, count, shares);
  const intercept = new Float64Array(width);
  for (let cluster = 0; cluster < count; cluster++) {
    let weight = sizes[cluster]!;
    intercept.fill(0);
    for (let batch = 0; batch < batchCount; batch++) {
      const observedCells = observed[batch * count + cluster]!;
      const shrinkage = ridge / (observedCells + ridge);
      // Rounding may leave less than nothing of a cluster without cells.
      weight -= observedCells * (1 - shrinkage);
      const from = (batch * count + cluster) * width;
      for (let at = 0; at < width; at++) intercept[at]! += shrinkage * effects[from + at]!;
    }
    for (let at = 0; at < width; at++) intercept[at] = weight > 0 ? intercept[at]! / weight : 0;
    for (let batch = 0; batch < batchCount; batch++) {
      const observedCells = observed[batch * count + cluster]!;
      const from = (batch * count + cluster) * width;
      for (let at = 0; at < width; at++)
        effects[from + at] = (effects[from + at]! - observedCells * intercept[at]!) / (observedCells + ridge);
    }
  }
  const corrected = coordinates.slice();
  takeOffShared({ vectors: corrected, width, shares, count }, batches, effects);
  return corrected;
}

/** Batches x clusters x components: coordinates of the cells, weighted by their shares in the cluster. */
function sumsByBatch(
  { coordinates, components: width, batches, batchCount }: BatchedCells,
  count: number,
  shares: Float64Array,
): Float64Array {
  const sums = new Float64Array(batchCount * count * width);
  const all = Int32Array.from(batches.keys());
  for (let batch = 0; batch < batchCount; batch++) {
    const own = all.filter((cell) => batches[cell] === batch);
    addShared(sums, { vectors: coordinates, width, shares, count }, own, batch * count);
  }
  return sums;
}

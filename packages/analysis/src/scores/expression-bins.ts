/**
 * The bin of each gene, where genes of like mean expression share a bin: floor(rank / (genes / (bins − 1))), equal
 * means having the least rank of them all, as `pandas.Series.rank(method="min")`. A gene without a finite mean has
 * no bin (−1) and does not count. The first bin has one gene less than the others, and with fewer genes than half
 * the bins all are in one bin, as in scanpy.
 */
export function expressionBins(means: Float64Array, binCount: number): Int32Array {
  const finite = means.filter((mean) => Number.isFinite(mean)).sort();
  const genesPerBin = roundHalfToEven(finite.length / (binCount - 1));
  const bins = new Int32Array(means.length);
  for (let gene = 0; gene < means.length; gene++) {
    const mean = means[gene]!;
    if (!Number.isFinite(mean)) bins[gene] = -1;
    else if (genesPerBin > 0) bins[gene] = Math.floor((firstAtLeast(finite, mean) + 1) / genesPerBin);
  }
  return bins;
}

function firstAtLeast(rising: Float64Array, value: number): number {
  let low = 0;
  let high = rising.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rising[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function roundHalfToEven(value: number): number {
  const below = Math.floor(value);
  const over = value - below;
  if (over !== 0.5) return Math.round(value);
  return below % 2 === 0 ? below : below + 1;
}

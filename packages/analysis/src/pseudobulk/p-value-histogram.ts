const binCount = 20;

/**
 * How many p-values lie in each twentieth of 0 to 1, its lower end included, 1 in the last. Without effects all bins are
 * of one height; a peak at 0 shows effects, one elsewhere that the model does not fit. NaN counts nowhere.
 */
export function pValueHistogram(pValues: Float64Array): Int32Array {
  const bins = new Int32Array(binCount);
  for (const p of pValues) if (p >= 0 && p <= 1) bins[Math.min(binCount - 1, Math.floor(p * binCount))]!++;
  return bins;
}

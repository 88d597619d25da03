import type { AxisOrder } from './axis-order.ts';

/** A gene along an axis: one value per bin. */
export interface BinnedMeans {
  readonly means: Float64Array;
  /** Standard errors of the means: standard deviation (n - 1) divided by the square root of n, over single cells. */
  readonly errors: Float64Array;
}

/** Means of one gene in the bins of an order, from its non-zero entries; cells without an entry count as 0. */
export function binnedMeans(
  cells: Int32Array,
  values: Float32Array,
  { bins, sizes }: Pick<AxisOrder, 'bins' | 'sizes'>,
): BinnedMeans {
  const means = new Float64Array(sizes.length);
  const errors = new Float64Array(sizes.length);
  const entries = new Int32Array(sizes.length);
  for (let at = 0; at < cells.length; at++) {
    const bin = bins[cells[at]!]!;
    if (bin < 0) continue;
    means[bin]! += values[at]! / sizes[bin]!;
    entries[bin]!++;
  }
  for (let at = 0; at < cells.length; at++) {
    const bin = bins[cells[at]!]!;
    if (bin >= 0) errors[bin]! += (values[at]! - means[bin]!) ** 2;
  }
  for (let bin = 0; bin < sizes.length; bin++) {
    const size = sizes[bin]!;
    const squares = errors[bin]! + (size - entries[bin]!) * means[bin]! ** 2;
    errors[bin] = size < 2 ? NaN : Math.sqrt(squares / (size - 1) / size);
  }
  return { means, errors };
}

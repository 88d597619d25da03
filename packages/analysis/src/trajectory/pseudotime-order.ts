/** The cells with a pseudotime, and their order, as the tests of genes need them. */
export interface PseudotimeOrder {
  /** Of every cell: the mean rank of its pseudotime less the mean of all ranks; NaN where it has none. */
  readonly ranks: Float64Array;
  /** Of every cell: its bin along pseudotime, or -1. */
  readonly bins: Int16Array;
  /** Cells with a pseudotime. */
  readonly cellCount: number;
  /** Cells of each bin, equal to within one, and the mean, first and last pseudotime of each. */
  readonly sizes: Int32Array;
  readonly times: Float64Array;
  readonly starts: Float64Array;
  readonly ends: Float64Array;
}

/** Means of fewer cells are mostly noise. */
const minCellsOfBin = 15;

/**
 * Ranks cells by pseudotime, equal ones sharing their mean, and cuts them into bins of equal numbers of cells as
 * numpy's `array_split` does; fewer bins where they would have fewer than fifteen cells. NaN and Infinity are no pseudotime.
 */
export function pseudotimeOrder(pseudotime: Float64Array, wantedBins: number): PseudotimeOrder {
  const cells = Int32Array.from(pseudotime.keys()).filter((cell) => Number.isFinite(pseudotime[cell]));
  cells.sort((one, other) => pseudotime[one]! - pseudotime[other]! || one - other);
  const cellCount = cells.length;
  const ranks = new Float64Array(pseudotime.length).fill(NaN);
  for (let start = 0; start < cellCount;) {
    let end = start + 1;
    while (end < cellCount && pseudotime[cells[end]!] === pseudotime[cells[start]!]) end++;
    // Ranks from 1 have the mean (n + 1) / 2.
    const rank = (start + end + 1) / 2 - (cellCount + 1) / 2;
    for (let at = start; at < end; at++) ranks[cells[at]!] = rank;
    start = end;
  }
  const binCount = Math.max(1, Math.min(wantedBins, Math.floor(cellCount / minCellsOfBin)));
  const bins = new Int16Array(pseudotime.length).fill(-1);
  const order: PseudotimeOrder = {
    ranks,
    bins,
    cellCount,
    sizes: new Int32Array(binCount),
    times: new Float64Array(binCount),
    starts: new Float64Array(binCount),
    ends: new Float64Array(binCount),
  };
  let next = 0;
  for (let bin = 0; bin < binCount; bin++) {
    const size = Math.floor(cellCount / binCount) + (bin < cellCount % binCount ? 1 : 0);
    const own = cells.subarray(next, next + size);
    next += size;
    for (const cell of own) {
      bins[cell] = bin;
      order.times[bin]! += pseudotime[cell]! / size;
    }
    order.sizes[bin] = size;
    order.starts[bin] = pseudotime[own[0]!] ?? NaN;
    order.ends[bin] = pseudotime[own[size - 1]!] ?? NaN;
  }
  return order;
}

/** Order of the cells with a position on an axis, such as pseudotime, as tests of genes need it. */
export interface AxisOrder {
  /** Per cell: mean rank of its position, centred on the mean of all ranks; NaN without a position. */
  readonly ranks: Float64Array;
  /** Per cell: bin along the axis, or -1. */
  readonly bins: Int16Array;
  /** Number of cells with a position. */
  readonly cellCount: number;
  /** Number of cells per bin; `places` has their mean position. */
  readonly sizes: Int32Array;
  readonly places: Float64Array;
}

/** Means of fewer cells are mostly noise. */
const minCellsOfBin = 15;

/**
 * Ranks cells by position (ties share their mean rank) and cuts them into bins of equal cell numbers like numpy's
 * `array_split`; fewer bins if one would have fewer than fifteen cells. With ties `together`, a bin extends to the last
 * cell that shares the position of its last one, so that a position is in one bin. NaN and Infinity are no position.
 */
export function axisOrder(
  values: Float64Array,
  wantedBins: number,
  ties: 'split' | 'together' = 'split',
): AxisOrder {
  const ranks = new Float64Array(values.length).fill(NaN);
  const cells = Int32Array.from(values.keys()).filter((cell) => Number.isFinite(values[cell]));
  rankCells(cells, values, ranks);
  const ends = equalEnds(cells.length, wantedBins);
  const binEnds = ties === 'split' ? ends : tiedEnds(ends, cells, values);
  const bins = new Int16Array(values.length).fill(-1);
  const sizes = new Int32Array(binEnds.length);
  const places = new Float64Array(binEnds.length);
  binEnds.forEach((end, bin) => {
    const own = cells.subarray(binEnds[bin - 1] ?? 0, end);
    sizes[bin] = own.length;
    for (const cell of own) {
      bins[cell] = bin;
      places[bin]! += values[cell]! / own.length;
    }
  });
  return { ranks, bins, cellCount: cells.length, sizes, places };
}

/** Sorts cells by their values (all finite) and writes their mean ranks, centred on the mean of all ranks. */
export function rankCells(cells: Int32Array, values: Float64Array, ranks: Float64Array): void {
  cells.sort((one, other) => values[one]! - values[other]! || one - other);
  const { length } = cells;
  for (let start = 0; start < length;) {
    let end = start + 1;
    while (end < length && values[cells[end]!] === values[cells[start]!]) end++;
    // Ranks from 1 have the mean (n + 1) / 2.
    const rank = (start + end + 1) / 2 - (length + 1) / 2;
    for (let at = start; at < end; at++) ranks[cells[at]!] = rank;
    start = end;
  }
}

function equalEnds(cellCount: number, wantedBins: number): number[] {
  const count = Math.max(1, Math.min(wantedBins, Math.floor(cellCount / minCellsOfBin)));
  const baseSize = Math.floor(cellCount / count);
  const larger = cellCount % count;
  return Array.from({ length: count }, (_, bin) => (bin + 1) * baseSize + Math.min(bin + 1, larger));
}

function tiedEnds(ends: readonly number[], cells: Int32Array, values: Float64Array): number[] {
  const mergedEnds: number[] = [];
  for (const end of ends) {
    let last = Math.max(end, mergedEnds.at(-1) ?? 0);
    while (last < cells.length && values[cells[last]!] === values[cells[end - 1]!]) last++;
    if (last > (mergedEnds.at(-1) ?? 0)) mergedEnds.push(last);
  }
  return mergedEnds;
}

/** Spearman correlation of two orders of the same cells; NaN if one of them has fewer than two distinct ranks. */
export function correlationOfRanks(one: Float64Array, other: Float64Array): number {
  let [product, ofOne, ofOther] = [0, 0, 0];
  for (let cell = 0; cell < one.length; cell++) {
    const [a, b] = [one[cell]!, other[cell]!];
    if (Number.isNaN(a) || Number.isNaN(b)) continue;
    product += a * b;
    ofOne += a * a;
    ofOther += b * b;
  }
  return ofOne > 0 && ofOther > 0 ? product / Math.sqrt(ofOne * ofOther) : NaN;
}

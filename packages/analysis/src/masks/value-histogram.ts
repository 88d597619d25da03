import type { CellMask, GeneColumn } from '@cellfolio/model';

/**
 * Distribution of the values of a gene or a score over the cells, with exact zeros separate, and the part that a mask
 * keeps.
 */
export interface ValueHistogram {
  readonly zeros: number;
  readonly zerosKept: number;
  readonly positive: number;
  /** Cells without a finite value; they are in no bin. */
  readonly missing: number;
  /**
   * Start of the first and end of the last bin: minimum and maximum of the finite non-zero values. Both 0 without such
   * values.
   */
  readonly low: number;
  readonly high: number;
  /** Cells per bin of equal width; empty if every value is 0 or missing. */
  readonly counts: readonly number[];
  readonly keptCounts: readonly number[];
}

const histogramBins = 30;

export function geneHistogram({ cellCount, cells, values }: GeneColumn, mask: CellMask): ValueHistogram {
  let stored = 0;
  for (let i = 0; i < cells.length; i++) stored += mask.bits[cells[i]!]!;
  return histogram(values, (place) => mask.bits[cells[place]!]!, {
    zeros: cellCount - cells.length,
    zerosKept: mask.count - stored,
  });
}

/** Histogram of a score: one value per cell, NaN if missing. */
export function scoreHistogram(scores: Float64Array, mask: CellMask): ValueHistogram {
  return histogram(scores, (place) => mask.bits[place]!, { zeros: 0, zerosKept: 0 });
}

/**
 * Bins of `np.histogram(x[x != 0], bins=30)` in float64: the last one includes its upper end, and a range without width
 * is widened by 0.5 on either side. `keptAt`: 1 if the value at an index is kept, else 0. `implicit`: zeros that are
 * not among the values.
 */
function histogram(
  values: Float32Array | Float64Array,
  keptAt: (place: number) => number,
  implicit: { zeros: number; zerosKept: number },
): ValueHistogram {
  let { zeros, zerosKept } = implicit;
  let positive = 0;
  let missing = 0;
  let min = Infinity;
  let max = -Infinity;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (value > 0) positive++;
    if (value === 0) {
      zeros++;
      zerosKept += keptAt(i);
    } else if (!Number.isFinite(value)) missing++;
    else {
      if (value < min) min = value;
      if (value > max) max = value;
    }
  }
  if (min > max) return { zeros, zerosKept, positive, missing, low: 0, high: 0, counts: [], keptCounts: [] };
  const [low, high] = min === max ? [min - 0.5, max + 0.5] : [min, max];
  const step = (high - low) / histogramBins;
  const edges = Float64Array.from({ length: histogramBins + 1 }, (_, bin) => low + bin * step);
  edges[histogramBins] = high;
  const counts = new Array<number>(histogramBins).fill(0);
  const keptCounts = new Array<number>(histogramBins).fill(0);
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (value === 0 || !Number.isFinite(value)) continue;
    let bin = Math.min(Math.floor(((value - low) / (high - low)) * histogramBins), histogramBins - 1);
    // Division rounds: the edges decide, as in numpy.
    if (value < edges[bin]!) bin--;
    else if (bin < histogramBins - 1 && value >= edges[bin + 1]!) bin++;
    counts[bin]!++;
    keptCounts[bin]! += keptAt(i);
  }
  return { zeros, zerosKept, positive, missing, low, high, counts, keptCounts };
}

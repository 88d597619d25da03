import type { CellMask, GeneColumn } from '@cellfolio/model';
import {
  interpolate,
  percentilePlace,
  orderStatistics,
  checkPercentiles,
  type PercentileRange,
  withoutNaN,
} from './percentiles.ts';

interface PercentileMask {
  mask: CellMask;
  /** Values at the two percentiles; cells between them, both included, are kept. */
  thresholds: readonly [number, number];
}

/** Cells whose values the percentiles are computed on: all, zeros included, or those above zero. */
export type PercentilesAmong = 'all' | 'expressing';

/**
 * Keeps the cells whose expression is between two percentiles of the gene. Over all cells, zeros are included and
 * thresholds equal `np.percentile(x, [min, max])` on the dense float32 column, to the last bit; over expressing cells
 * they equal `np.percentile(x[x > 0], [min, max])`, NaN if no cell expresses the gene, and cells at or below zero are
 * never kept. A missing value (NaN) is never kept and does not count in the percentiles, as in `np.nanpercentile`.
 * Reads stored values only. Throws InvalidPercentiles.
 */
export function genePercentileMask(
  gene: GeneColumn,
  range: PercentileRange,
  among: PercentilesAmong = 'all',
): PercentileMask {
  checkPercentiles(range);
  const expressing = among === 'expressing';
  const thresholds = expressing
    ? geneThresholds(
        gene.values.filter((value) => value > 0),
        0,
        range,
      )
    : geneThresholds(withoutNaN(gene.values), gene.cellCount - gene.values.length, range);
  return { mask: maskBetween(gene, thresholds[0], thresholds[1]), thresholds };
}

/** `zeros`: number of values that are not stored and count as 0. */
function geneThresholds(
  values: Float32Array,
  zeros: number,
  range: PercentileRange,
): readonly [number, number] {
  const cellCount = zeros + values.length;
  if (cellCount === 0) return [NaN, NaN];
  let negative = 0;
  for (let i = 0; i < values.length; i++) if (values[i]! < 0) negative++;
  const places = [percentilePlace(range.min, cellCount), percentilePlace(range.max, cellCount)] as const;
  // A rank among all cells is one among the stored values once the zeros before it are subtracted.
  const stored = (rank: number) => (rank < negative ? rank : rank - zeros);
  const isZero = (rank: number) => rank >= negative && rank < negative + zeros;
  const ranks = new Set<number>();
  for (const { lower, upper } of places) {
    for (const rank of [lower, upper]) if (!isZero(rank)) ranks.add(stored(rank));
  }
  const rising = [...ranks].sort((a, b) => a - b);
  const statistics = orderStatistics(values, rising);
  const at = (rank: number) => (isZero(rank) ? 0 : statistics[rising.indexOf(stored(rank))]!);

  const [min, max] = places.map(({ lower, upper, fraction }) => {
    const [from, to] = [at(lower), at(upper)];
    return interpolate(from, to, Math.fround(to - from), fraction);
  }) as [number, number];
  return [min, max];
}

function maskBetween(gene: GeneColumn, min: number, max: number): CellMask {
  const { cellCount, cells, values } = gene;
  const bits = new Uint8Array(cellCount);
  const keepsZero = min <= 0 && max >= 0;
  let count = 0;
  if (keepsZero) {
    bits.fill(1);
    count = cellCount - cells.length;
  }
  for (let i = 0; i < cells.length; i++) {
    const value = values[i]!;
    const bit = Number(value >= min) & Number(value <= max);
    bits[cells[i]!] = bit;
    count += bit;
  }
  return { bits, count };
}

/**
 * Keeps the cells whose score is between two percentiles of the scores. A missing score (NaN) is never kept and does
 * not count: thresholds equal `np.nanpercentile(scores, [min, max])`, to the last bit, and NaN if no cell has a score.
 * Throws InvalidPercentiles.
 */
export function scorePercentileMask(scores: Float64Array, range: PercentileRange): PercentileMask {
  checkPercentiles(range);
  const [min, max] = scoreThresholds(scores, range);
  const bits = new Uint8Array(scores.length);
  let count = 0;
  for (let i = 0; i < scores.length; i++) {
    const score = scores[i]!;
    const bit = Number(score >= min) & Number(score <= max);
    bits[i] = bit;
    count += bit;
  }
  return { mask: { bits, count }, thresholds: [min, max] };
}

function scoreThresholds(scores: Float64Array, range: PercentileRange): [number, number] {
  const scored = withoutNaN(scores);
  if (scored.length === 0) return [NaN, NaN];
  const low = percentilePlace(range.min, scored.length);
  const high = percentilePlace(range.max, scored.length);
  const ranks = [...new Set([low.lower, low.upper, high.lower, high.upper])].sort((a, b) => a - b);
  const statistics = orderStatistics(scored, ranks);
  const at = (rank: number) => statistics[ranks.indexOf(rank)]!;
  const threshold = ({ lower, upper, fraction }: typeof low) =>
    interpolate(at(lower), at(upper), at(upper) - at(lower), fraction);
  return [threshold(low), threshold(high)];
}

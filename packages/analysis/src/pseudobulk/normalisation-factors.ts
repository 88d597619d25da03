import { moveLargestToEnd, quantileAmong, quantileOf } from '../statistics/quantile.ts';
import { type GeneSampleMatrix, librarySizes } from './gene-sample-matrix.ts';

/** Share trimmed from either end, and the minimum mean log expression: edgeR's defaults. */
const ratioTrim = 0.3;
const sumTrim = 0.05;
const minExpression = -1e10;

/**
 * Normalisation factors of the libraries: weighted trimmed means of M values (Robinson and Oshlack 2010), as edgeR's
 * `calcNormFactors`, against the sample whose upper quartile is nearest to the mean of all. Their product is 1. One per
 * sample; NaN for an empty library.
 */
export function normalisationFactors(counts: GeneSampleMatrix): Float64Array {
  const { sampleCount } = counts;
  const sizes = librarySizes(counts);
  const samples = countsOfSamples(counts);
  if (sampleCount < 2 || samples[0]!.length === 0) return new Float64Array(sampleCount).fill(1);
  const reference = referenceSample(samples, sizes);
  const others = libraryOf(samples[reference]!, sizes[reference]!);
  const logs = samples.map((sample, at) => Math.log(trimmedFactor(libraryOf(sample, sizes[at]!), others)));
  const mean = logs.reduce((sum, log) => sum + log, 0) / sampleCount;
  return Float64Array.from(logs, (log) => Math.exp(log - mean));
}

function countsOfSamples({ geneCount, sampleCount, values }: GeneSampleMatrix): Float64Array[] {
  const present: number[] = [];
  for (let gene = 0; gene < geneCount; gene++) {
    const row = values.subarray(gene * sampleCount, (gene + 1) * sampleCount);
    if (row.some((count) => count > 0)) present.push(gene * sampleCount);
  }
  return Array.from({ length: sampleCount }, (_, sample) => {
    const own = new Float64Array(present.length);
    for (let at = 0; at < own.length; at++) own[at] = values[present[at]! + sample]!;
    return own;
  });
}

function referenceSample(samples: readonly Float64Array[], sizes: Float64Array): number {
  const quartiles = samples.map((counts, at) => quantileAmong(counts, 0.75) / sizes[at]!);
  const rising = Float64Array.from(quartiles).sort();
  // Where most genes have no counts in most samples, the deepest sample serves.
  const isSparse = quantileOf(rising, 0.5) < 1e-20;
  const mean = quartiles.reduce((sum, quartile) => sum + quartile, 0) / quartiles.length;
  const scores = isSparse
    ? samples.map((counts) => -counts.reduce((sum, count) => sum + Math.sqrt(count), 0))
    : quartiles.map((quartile) => Math.abs(quartile - mean));
  let best = 0;
  for (let sample = 1; sample < scores.length; sample++) if (scores[sample]! < scores[best]!) best = sample;
  return best;
}

interface Library {
  counts: Float64Array;
  /** Share of each gene in all counts; and its log2. */
  shares: Float64Array;
  logs: Float64Array;
}

function libraryOf(counts: Float64Array, size: number): Library {
  const shares = counts.map((count) => count / size);
  return { counts, shares, logs: shares.map(Math.log2) };
}

function trimmedFactor(own: Library, others: Library): number {
  const all = () => new Float64Array(own.counts.length);
  const [ratios, means, variances] = [all(), all(), all()];
  let count = 0;
  let largest = 0;
  for (let gene = 0; gene < own.counts.length; gene++) {
    const [share, other] = [own.shares[gene]!, others.shares[gene]!];
    // Genes without counts in either have no ratio.
    if (share === 0 || other === 0) continue;
    const mean = (own.logs[gene]! + others.logs[gene]!) / 2;
    if (!(mean > minExpression)) continue;
    const ratio = Math.log2(share / other);
    ratios[count] = ratio;
    means[count] = mean;
    variances[count++] = (1 - share) / own.counts[gene]! + (1 - other) / others.counts[gene]!;
    largest = Math.max(largest, Math.abs(ratio));
  }
  if (largest < 1e-6) return 1;
  const keepsRatio = trimmed(ratios.subarray(0, count), ratioTrim);
  const keepsMean = trimmed(means.subarray(0, count), sumTrim);
  let [sum, weights] = [0, 0];
  for (let i = 0; i < count; i++) {
    if (!keepsRatio(ratios[i]!) || !keepsMean(means[i]!)) continue;
    sum += ratios[i]! / variances[i]!;
    weights += 1 / variances[i]!;
  }
  return weights > 0 ? 2 ** (sum / weights) : 1;
}

/**
 * Predicate of the values that remain after trimming a share of the ranks from both ends. Ties share their mean rank,
 * so they are kept or trimmed together, and the remaining values form a range.
 */
function trimmed(values: Float64Array, trim: number): (value: number) => boolean {
  const count = values.length;
  const own = values.slice();
  const low = Math.floor(count * trim) + 1;
  const high = count + 1 - low;
  const [lowest, highest] = [low, high].map((rank) => {
    moveLargestToEnd(own, count + 1 - rank);
    return own[rank - 1]!;
  }) as [number, number];
  const [keepsLeast, keepsMost] = [lowest, highest].map((value) => {
    const rank = meanRank(own, value);
    return rank >= low && rank <= high;
  });
  return (value) =>
    (value > lowest || (value === lowest && keepsLeast!)) &&
    (value < highest || (value === highest && keepsMost!));
}

function meanRank(values: Float64Array, value: number): number {
  let [below, equal] = [0, 0];
  for (let i = 0; i < values.length; i++) {
    if (values[i]! < value) below++;
    else if (values[i] === value) equal++;
  }
  return below + (equal + 1) / 2;
}

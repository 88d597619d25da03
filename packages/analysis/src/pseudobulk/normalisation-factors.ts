import { quantileOf } from '../statistics/quantile.ts';
import type { GeneSampleMatrix } from './gene-sample-matrix.ts';
import { librarySizes } from './library-sizes.ts';

/** What is trimmed from either end, and the least mean log expression that counts: edgeR's defaults. */
const ratioTrim = 0.3;
const sumTrim = 0.05;
const leastExpression = -1e10;

/**
 * Factors by which each library is larger for a gene than its sum says: the trimmed means of M values of Robinson and
 * Oshlack (2010), as edgeR's `calcNormFactors` gives them, weighted, against the sample whose upper quartile is nearest
 * to the mean of all. Their product is 1. One for each sample; NaN where a library is empty.
 */
export function normalisationFactors(counts: GeneSampleMatrix): Float64Array {
  const { sampleCount } = counts;
  const sizes = librarySizes(counts);
  const samples = shares(counts);
  if (sampleCount < 2 || samples[0]!.length === 0) return new Float64Array(sampleCount).fill(1);
  const reference = referenceSample(samples, sizes);
  const logs = samples.map((sample, at) =>
    Math.log(trimmedFactor([sample, sizes[at]!], [samples[reference]!, sizes[reference]!])),
  );
  const mean = logs.reduce((sum, log) => sum + log, 0) / sampleCount;
  return Float64Array.from(logs, (log) => Math.exp(log - mean));
}

/** Counts of each sample, of the genes that any sample has. */
function shares({ geneCount, sampleCount, values }: GeneSampleMatrix): Float64Array[] {
  const present: number[] = [];
  for (let gene = 0; gene < geneCount; gene++) {
    const row = values.subarray(gene * sampleCount, (gene + 1) * sampleCount);
    if (row.some((count) => count > 0)) present.push(gene * sampleCount);
  }
  return Array.from({ length: sampleCount }, (_, sample) =>
    Float64Array.from(present, (base) => values[base + sample]!),
  );
}

function referenceSample(samples: readonly Float64Array[], sizes: Float64Array): number {
  const quartiles = samples.map((counts, at) => quantileOf(counts.slice().sort(), 0.75) / sizes[at]!);
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

type Library = readonly [counts: Float64Array, size: number];

function trimmedFactor([counts, size]: Library, [others, otherSize]: Library): number {
  const [ratios, means, variances] = [[], [], []] as [number[], number[], number[]];
  let largest = 0;
  for (let gene = 0; gene < counts.length; gene++) {
    const [share, other] = [counts[gene]! / size, others[gene]! / otherSize];
    const ratio = Math.log2(share / other);
    const mean = (Math.log2(share) + Math.log2(other)) / 2;
    // Genes without counts in either have no ratio.
    if (!Number.isFinite(ratio) || !Number.isFinite(mean) || mean <= leastExpression) continue;
    ratios.push(ratio);
    means.push(mean);
    variances.push((1 - share) / counts[gene]! + (1 - other) / others[gene]!);
    largest = Math.max(largest, Math.abs(ratio));
  }
  if (largest < 1e-6) return 1;
  const keepsRatio = trimmed(ratios, ratioTrim);
  const keepsMean = trimmed(means, sumTrim);
  let [sum, weights] = [0, 0];
  for (let i = 0; i < ratios.length; i++) {
    if (!keepsRatio(ratios[i]!) || !keepsMean(means[i]!)) continue;
    sum += ratios[i]! / variances[i]!;
    weights += 1 / variances[i]!;
  }
  return weights > 0 ? 2 ** (sum / weights) : 1;
}

/**
 * Which values stay when a part of the ranks is trimmed from both ends. Equal values share the mean of their ranks and
 * so stay or go together: what stays is a range of values.
 */
function trimmed(values: readonly number[], trim: number): (value: number) => boolean {
  const rising = Float64Array.from(values).sort();
  const count = rising.length;
  const low = Math.floor(count * trim) + 1;
  const high = count + 1 - low;
  let [from, to] = [Infinity, -Infinity];
  for (let start = 0; start < count;) {
    let end = start;
    while (end + 1 < count && rising[end + 1] === rising[start]) end++;
    const rank = (start + end) / 2 + 1;
    if (rank >= low && rank <= high) {
      from = Math.min(from, rising[start]!);
      to = Math.max(to, rising[start]!);
    }
    start = end + 1;
  }
  return (value) => value >= from && value <= to;
}

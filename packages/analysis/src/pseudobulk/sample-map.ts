import { moveLargestToEnd } from '../statistics/quantile.ts';
import type { GeneSampleMatrix } from './gene-sample-matrix.ts';
import { symmetricEigen } from './symmetric-eigen.ts';

export interface SampleMap {
  /** Per sample: leading log2 fold change from the centre in the first dimension; `y` in the second. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Share (0 to 1) of the variance per dimension, descending. */
  readonly explained: Float64Array;
}

/** Number of most differing genes that define the distance of two samples: limma's default. */
const leadingGenes = 500;

/**
 * Classical scaling of samples by the root mean square of their largest log fold changes, as limma's `plotMDS`. The
 * sign of a dimension is arbitrary. The distances take genes × samples² / 2 steps.
 */
export function sampleMap(logCpm: GeneSampleMatrix, top: number = leadingGenes): SampleMap {
  const { sampleCount: n } = logCpm;
  const squaredDistances = leadingDistances(logCpm, top);
  const centred = squaredDistances.slice();
  const means = new Float64Array(n);
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) means[i]! += squaredDistances[i * n + j]! / n;
  const mean = means.reduce((sum, value) => sum + value, 0) / n;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      centred[i * n + j] = -0.5 * (squaredDistances[i * n + j]! - means[i]! - means[j]! + mean);
    }
  }
  const { values, vectors } = symmetricEigen(centred, n);
  const variances = values.map((value) => Math.max(0, value));
  const total = variances.reduce((sum, value) => sum + value, 0);
  const along = (dimension: number) =>
    Float64Array.from(
      { length: n },
      (_, at) => (vectors[dimension]?.[at] ?? 0) * Math.sqrt(variances[dimension] ?? 0),
    );
  return {
    x: along(0),
    y: along(1),
    explained: variances.map((value) => (total > 0 ? value / total : 0)),
  };
}

function leadingDistances(logCpm: GeneSampleMatrix, top: number): Float64Array {
  const { geneCount, sampleCount: n } = logCpm;
  const distances = new Float64Array(n * n);
  const count = Math.min(top, geneCount);
  const samples = bySample(logCpm);
  const squares = new Float64Array(geneCount + 1);
  // The largest changes of pairs are about alike: those that are far from the largest of the last pair are not sorted.
  let threshold = 0;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      let squareCount = squaresFrom(threshold, [samples[i]!, samples[j]!], squares);
      if (squareCount < count) squareCount = squaresFrom(0, [samples[i]!, samples[j]!], squares);
      const all = squares.subarray(0, squareCount);
      moveLargestToEnd(all, count);
      let sum = 0;
      for (let at = squareCount - count; at < squareCount; at++) sum += all[at]!;
      threshold = 0.7 * (all[squareCount - count] ?? 0);
      distances[i * n + j] = sum / count;
      distances[j * n + i] = sum / count;
    }
  }
  return distances;
}

/**
 * Writes the squared differences of two samples that are at least `threshold`; returns their number. `into` needs room
 * for one more.
 */
function squaresFrom(
  threshold: number,
  [one, other]: readonly [Float64Array, Float64Array],
  into: Float64Array,
): number {
  let count = 0;
  for (let gene = 0; gene < one.length; gene++) {
    const difference = one[gene]! - other[gene]!;
    const square = difference * difference;
    // What is left out is written and then written over, without a branch, which a choice between 0 and 1 would be.
    into[count] = square;
    count += Number(square >= threshold);
  }
  return count;
}

/** Sample-major copy of the values: strided access takes several times as long. */
function bySample({ geneCount, sampleCount, values }: GeneSampleMatrix): Float64Array[] {
  const samples = Array.from({ length: sampleCount }, () => new Float64Array(geneCount));
  for (let sample = 0; sample < sampleCount; sample++) {
    const own = samples[sample]!;
    for (let gene = 0; gene < geneCount; gene++) own[gene] = values[gene * sampleCount + sample]!;
  }
  return samples;
}

import type { GeneSampleMatrix } from './gene-sample-matrix.ts';
import { symmetricEigen } from './symmetric-eigen.ts';

/** Samples in the plane: those that differ lie apart. */
export interface SampleMap {
  /** One for each sample: its leading log2 fold change from the centre in the first and second dimension. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Share of the variance of each dimension, falling, from 0 to 1. */
  readonly explained: Float64Array;
}

/** limma's default: genes that differ most between two samples make their distance. */
const leadingGenes = 500;

/**
 * Classical scaling of samples by the root mean square of their largest log fold changes, as limma's `plotMDS`. The sign
 * of a dimension has no meaning. The distances take genes × samples² / 2 steps.
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

function leadingDistances(
  { geneCount, sampleCount: n, values }: GeneSampleMatrix,
  top: number,
): Float64Array {
  const distances = new Float64Array(n * n);
  const count = Math.min(top, geneCount);
  const squares = new Float64Array(geneCount);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      for (let gene = 0; gene < geneCount; gene++) {
        squares[gene] = (values[gene * n + i]! - values[gene * n + j]!) ** 2;
      }
      moveLargestToEnd(squares, count);
      let sum = 0;
      for (let at = geneCount - count; at < geneCount; at++) sum += squares[at]!;
      distances[i * n + j] = sum / count;
      distances[j * n + i] = sum / count;
    }
  }
  return distances;
}

/** Hoare's selection: in time linear in the values, where sorting them would take most of the time. */
function moveLargestToEnd(values: Float64Array, count: number): void {
  const place = values.length - count;
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const pivot = values[(low + high) >> 1]!;
    let [i, j] = [low, high];
    while (i <= j) {
      while (values[i]! < pivot) i++;
      while (values[j]! > pivot) j--;
      if (i > j) break;
      const other = values[i]!;
      values[i++] = values[j]!;
      values[j--] = other;
    }
    if (place <= j) high = j;
    else if (place >= i) low = i;
    else return;
  }
}

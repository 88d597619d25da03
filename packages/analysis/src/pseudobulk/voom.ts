import type { BlockWhitening } from './block-correlation.ts';
import type { Design } from './design.ts';
import { type GeneSampleMatrix, logCountsPerMillion } from './gene-sample-matrix.ts';
import { linearFit } from './linear-fit.ts';
import { lowess } from './lowess.ts';

export interface Points {
  x: Float64Array;
  y: Float64Array;
}

/** Log counts with a weight for each, for methods that assume normal errors. */
interface Voom {
  logCpm: GeneSampleMatrix;
  /** Genes × samples: 1 over the variance predicted by the trend. */
  weights: Float64Array;
  /**
   * One point per gene with counts: log2 of its mean count + 0.5, and the square root of its residual standard
   * deviation.
   */
  points: Points;
  /** The curve through them, with ascending x. */
  trend: Points;
}

/** Share of the genes that determine the curve at each: limma's default. */
const trendSpan = 0.5;

/**
 * voom (Law and others 2014), as in limma: a curve of each gene's residual spread over its mean count; the weight of a
 * value is the curve at its fitted count to the power of -4. `sizes`: library sizes times their factors. `blocks`:
 * those of correlated samples. The design must have fewer coefficients than samples.
 */
export function voom(
  counts: GeneSampleMatrix,
  sizes: Float64Array,
  design: Design,
  blocks?: BlockWhitening,
): Voom {
  const { geneCount, sampleCount } = counts;
  const logCpm = logCountsPerMillion(counts, sizes);
  const fit = linearFit(logCpm, design, { blocks });
  // From counts per million to counts.
  const logSizes = sizes.map((size) => Math.log2(size + 1) - Math.log2(1e6));
  const meanLogSize = logSizes.reduce((sum, size) => sum + size, 0) / sampleCount;
  const withCounts: number[] = [];
  for (let gene = 0; gene < geneCount; gene++) {
    const row = counts.values.subarray(gene * sampleCount, (gene + 1) * sampleCount);
    if (row.some((count) => count > 0)) withCounts.push(gene);
  }
  const points = {
    x: Float64Array.from(withCounts, (gene) => fit.means[gene]! + meanLogSize),
    y: Float64Array.from(withCounts, (gene) => Math.sqrt(fit.sigma[gene]!)),
  };
  const trend = trendOf(points);
  const curveAt = curveReader(trend);
  const p = design.columns.length;
  const weights = new Float64Array(geneCount * sampleCount);
  for (let gene = 0, at = 0; gene < geneCount; gene++) {
    for (let sample = 0; sample < sampleCount; sample++, at++) {
      let fitted = logSizes[sample]!;
      for (let j = 0; j < p; j++) fitted += fit.coefficients[gene * p + j]! * design.columns[j]![sample]!;
      const deviation = curveAt(fitted) ** 2;
      weights[at] = 1 / (deviation * deviation);
    }
  }
  return { logCpm, weights, points, trend };
}

function trendOf({ x, y }: Points): Points {
  const order = Int32Array.from(x, (_, at) => at).sort((a, b) => x[a]! - x[b]!);
  const rising = Float64Array.from(order, (at) => x[at]!);
  return {
    x: rising,
    y: lowess(
      rising,
      Float64Array.from(order, (at) => y[at]!),
      trendSpan,
    ),
  };
}

/** Steps of the range of a curve in the lookup table of its points. */
const lookedUp = 4096;

/** Evaluates a curve: linear between its points, constant beyond its ends. Points with equal x must have equal y. */
function curveReader({ x, y }: Points): (at: number) => number {
  const last = x.length - 1;
  const [from, to] = [x[0]!, x[last]!];
  const perStep = lookedUp / (to - from);
  // For each step, the last point at its beginning or before.
  const pointOf = new Int32Array(lookedUp + 1);
  for (let step = 0, point = 0; step <= lookedUp; step++) {
    while (point + 1 < last && (x[point + 1]! - from) * perStep <= step) point++;
    pointOf[step] = point;
  }
  return (at) => {
    if (!(at > from)) return y[0]!;
    if (at >= to) return y[last]!;
    let low = pointOf[Math.floor((at - from) * perStep)]!;
    while (x[low + 1]! <= at) low++;
    return y[low]! + ((y[low + 1]! - y[low]!) * (at - x[low]!)) / (x[low + 1]! - x[low]!);
  };
}

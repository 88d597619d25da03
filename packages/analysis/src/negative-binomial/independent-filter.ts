import { benjaminiHochberg } from '../statistics/benjamini-hochberg.ts';
import { median, quantileOf } from '../statistics/quantile.ts';

const thresholds = 50;
const maxFiltered = 0.95;
/** Share of the thresholds used by the local regression at each. */
const span = 0.2;
const robustPasses = 3;
/** If no threshold gives more rejections than this, nothing is filtered. */
const fewRejections = 10;

interface FilteredTests {
  /** NaN for filtered genes and for those without a p-value. */
  readonly adjusted: Float64Array;
  /** Genes with a lower mean were filtered out. */
  readonly minMean: number;
}

/**
 * P-values adjusted by Benjamini and Hochberg over the genes above a mean count: among 50 quantiles of the means, the
 * lowest threshold that rejects nearly as many genes as the best one (Love, Huber and Anders 2014; Bourgon, Gentleman
 * and Huber 2010). `rate`: false discovery rate at which rejections are counted.
 */
export function filteredTests(pValues: Float64Array, means: Float64Array, rate = 0.05): FilteredTests {
  const empty = means.filter((mean) => mean === 0).length / means.length;
  const end = empty < maxFiltered ? maxFiltered : 1;
  const shares = Float64Array.from(
    { length: thresholds },
    (_, i) => empty + (i * (end - empty)) / (thresholds - 1),
  );
  const rising = means.slice().sort();
  const cutoffs = shares.map((share) => quantileOf(rising, share));
  const adjusted = Array.from(cutoffs, (cutoff) => adjustedAbove(pValues, means, cutoff));
  const rejected = Float64Array.from(adjusted, (values) => values.filter((value) => value < rate).length);
  const chosen = thresholdOf(shares, rejected);
  return { adjusted: adjusted[chosen]!, minMean: cutoffs[chosen]! };
}

function adjustedAbove(pValues: Float64Array, means: Float64Array, cutoff: number): Float64Array {
  const used = Int32Array.from(pValues.keys()).filter(
    (gene) => means[gene]! >= cutoff && !Number.isNaN(pValues[gene]),
  );
  const answer = new Float64Array(pValues.length).fill(NaN);
  const own = benjaminiHochberg(Float64Array.from(used, (gene) => pValues[gene]!));
  used.forEach((gene, at) => (answer[gene] = own[at]!));
  return answer;
}

function thresholdOf(shares: Float64Array, rejected: Float64Array): number {
  if (Math.max(...rejected) <= fewRejections) return 0;
  const curve = smoothed(shares, rejected);
  const squares = rejected.map((count, i) => (count - curve[i]!) ** 2).filter((_, i) => rejected[i]! > 0);
  const deviation = Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / squares.length);
  const enough = Math.max(...curve) - deviation;
  return Math.max(
    0,
    rejected.findIndex((count) => count > enough),
  );
}

/**
 * Cleveland's robust locally weighted regression (1979) as in PyDESeq2, which differs from R's `lowess` in window width
 * and number of passes.
 */
function smoothed(x: Float64Array, y: Float64Array): Float64Array {
  const near = Math.ceil(span * x.length);
  const curve = new Float64Array(x.length);
  let robustness = new Float64Array(x.length).fill(1);
  for (let pass = 0; pass < robustPasses; pass++) {
    for (let i = 0; i < x.length; i++) {
      const distances = x.map((value) => Math.abs(value - x[i]!));
      const reach = Math.max(1e-12, distances.slice().sort()[near]!);
      const weights = distances.map(
        (distance, at) => robustness[at]! * (1 - Math.min(1, distance / reach) ** 3) ** 3,
      );
      curve[i] = lineAt(i, { x, y, weights });
    }
    const residuals = y.map((value, i) => value - curve[i]!);
    const scale = median(residuals.map(Math.abs));
    robustness = residuals.map((residual) => {
      const share = scale === 0 ? Number(residual !== 0) : Math.max(-1, Math.min(1, residual / (6 * scale)));
      return (1 - share ** 2) ** 2;
    });
  }
  return curve;
}

function lineAt(
  i: number,
  { x, y, weights }: { x: Float64Array; y: Float64Array; weights: Float64Array },
): number {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  if (sum === 0) return 0;
  const mean = weights.reduce((total, weight, at) => total + weight * x[at]!, 0) / sum;
  const height = weights.reduce((total, weight, at) => total + weight * y[at]!, 0) / sum;
  const square = weights.reduce((total, weight, at) => total + weight * (x[at]! - mean) ** 2, 0);
  const product = weights.reduce((total, weight, at) => total + weight * (x[at]! - mean) * y[at]!, 0);
  return height + (square > 0 ? (product / square) * (x[i]! - mean) : 0);
}

import { median } from '../statistics/quantile.ts';
import { studentQuantile, studentTwoSidedTail } from '../statistics/tails.ts';

/** limma's assumptions: the share of genes that differ … */
const differing = 0.01;
/** … and the limits of their effects' standard deviation. */
const effectLimits = [0.1, 4] as const;

interface TestedEffects {
  readonly t: Float64Array;
  /** Standard errors for a residual standard deviation of 1. */
  readonly unscaled: Float64Array;
  /** Degrees of freedom of each gene's test; `priorDegrees` are those of its prior alone. */
  readonly degrees: Float64Array;
  readonly priorDegrees: Float64Array;
  readonly priorVariances: Float64Array;
}

/** Smyth's posterior log odds (2004, section 6) that an effect is not zero: limma's B. */
export function logOdds({ t, unscaled, degrees, priorDegrees, priorVariances }: TestedEffects): Float64Array {
  const typical = median(priorVariances);
  const limits = effectLimits.map((limit) => limit ** 2 / typical) as [number, number];
  const spread = effectVariance(asLikely(t, degrees), unscaled, limits);
  const base = Math.log(differing / (1 - differing));
  return t.map((value, gene) => {
    const widening = 1 + spread / unscaled[gene]! ** 2;
    const square = value * value;
    const own = degrees[gene]!;
    const kernel =
      priorDegrees[gene]! > 1e6
        ? (square * (1 - 1 / widening)) / 2
        : ((1 + own) / 2) * Math.log((square + own) / (square / widening + own));
    return base - Math.log(widening) / 2 + kernel;
  });
}

/** Largest degrees of freedom of a gene, and for each gene the |t| with the same tail probability at these. */
function asLikely(t: Float64Array, degrees: Float64Array): { sizes: Float64Array; degrees: number } {
  const maxDegrees = degrees.reduce((largest, own) => Math.max(largest, own), 0);
  const sizes = t.map((value, gene) => {
    const size = Math.abs(value);
    return degrees[gene] === maxDegrees
      ? size
      : studentQuantile(studentTwoSidedTail(size, degrees[gene]!), maxDegrees);
  });
  return { sizes, degrees: maxDegrees };
}

/**
 * Unscaled variance of the non-zero effects (Smyth 2004, section 6.3): from the top half of those expected, each
 * compared with the mixture quantile at its rank.
 */
function effectVariance(
  { sizes, degrees }: { sizes: Float64Array; degrees: number },
  unscaled: Float64Array,
  [lower, upper]: readonly [number, number],
): number {
  const count = sizes.length;
  const target = Math.ceil((differing / 2) * count);
  const share = Math.max(target / count, differing);
  const falling = Int32Array.from(sizes.keys()).sort((a, b) => sizes[b]! - sizes[a]!);
  let sum = 0;
  for (let rank = 0; rank < target; rank++) {
    const gene = falling[rank]!;
    const tail = studentTwoSidedTail(sizes[gene]!, degrees);
    const expected = ((rank + 0.5) / count - (1 - share) * tail) / share;
    const variance =
      expected > tail
        ? unscaled[gene]! ** 2 * ((sizes[gene]! / studentQuantile(expected, degrees)) ** 2 - 1)
        : 0;
    sum += Math.min(Math.max(variance, lower), upper);
  }
  return sum / target;
}

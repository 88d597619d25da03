import { median } from '../statistics/quantile.ts';
import { studentQuantile } from '../statistics/student-quantile.ts';
import { studentTwoSidedTail } from '../statistics/tails.ts';
import type { VariancePrior } from './variance-prior.ts';

/** limma's assumptions: of the genes, as many differ … */
const differing = 0.01;
/** … by effects whose standard deviation lies between these. */
const effectLimits = [0.1, 4] as const;

interface TestedEffects {
  readonly t: Float64Array;
  /** Standard errors where the residual standard deviation is 1. */
  readonly unscaled: Float64Array;
  readonly degrees: number;
  readonly prior: VariancePrior;
}

/** Smyth's posterior log odds (2004, section 6) that each effect is not zero: limma's B. */
export function logOdds({ t, unscaled, degrees, prior }: TestedEffects): Float64Array {
  const typical = median(prior.scales);
  const limits = effectLimits.map((limit) => limit ** 2 / typical) as [number, number];
  const spread = effectVariance({ t, unscaled, degrees }, limits);
  const base = Math.log(differing / (1 - differing));
  return t.map((value, gene) => {
    const widening = 1 + spread / unscaled[gene]! ** 2;
    const square = value * value;
    const kernel =
      prior.degrees > 1e6
        ? (square * (1 - 1 / widening)) / 2
        : ((1 + degrees) / 2) * Math.log((square + degrees) / (square / widening + degrees));
    return base - Math.log(widening) / 2 + kernel;
  });
}

/**
 * The unscaled variance of the effects that are not zero (Smyth 2004, section 6.3): from the largest half of those
 * expected, each compared with the quantile that its rank has in the mixture of both kinds.
 */
function effectVariance(
  { t, unscaled, degrees }: Omit<TestedEffects, 'prior'>,
  [least, most]: readonly [number, number],
): number {
  const count = t.length;
  const target = Math.ceil((differing / 2) * count);
  const share = Math.max(target / count, differing);
  const sizes = t.map(Math.abs);
  const falling = Int32Array.from(t, (_, gene) => gene).sort((a, b) => sizes[b]! - sizes[a]!);
  let sum = 0;
  for (let rank = 0; rank < target; rank++) {
    const gene = falling[rank]!;
    const tail = studentTwoSidedTail(sizes[gene]!, degrees);
    const expected = ((rank + 0.5) / count - (1 - share) * tail) / share;
    const found =
      expected > tail
        ? unscaled[gene]! ** 2 * ((sizes[gene]! / studentQuantile(expected, degrees)) ** 2 - 1)
        : 0;
    sum += Math.min(Math.max(found, least), most);
  }
  return sum / target;
}

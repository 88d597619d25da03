import { benjaminiHochberg } from '../statistics/benjamini-hochberg.ts';
import { fUpperTail } from '../statistics/f-tails.ts';
import { studentTwoSidedTail, studentQuantile } from '../statistics/tails.ts';
import { median } from '../statistics/quantile.ts';
import type { LinearFit } from './linear-fit.ts';
import { robustVariancePrior } from './robust-variance-prior.ts';
import { moderatedVariance, variancePrior } from './variance-prior.ts';

/** Tests of one contrast: one value per gene, in their order. */
export interface ModeratedTest {
  /** The contrast: a log2 fold change if the values are log2. limma's logFC. */
  readonly effects: Float64Array;
  /** Standard errors of the effects, with moderated variances. */
  readonly standardErrors: Float64Array;
  readonly t: Float64Array;
  /** Two-sided. */
  readonly pValues: Float64Array;
  /** Benjamini and Hochberg over the genes. */
  readonly adjusted: Float64Array;
  /** Natural log odds that the effect is not zero, assuming this for one gene in a hundred. limma's B. */
  readonly logOdds: Float64Array;
}

interface JointTest {
  f: Float64Array;
  pValues: Float64Array;
  adjusted: Float64Array;
}

export interface ModeratedTests {
  /** Prior degrees of freedom of the variances; Infinity if they differ by chance alone. */
  readonly priorDegrees: number;
  /** Per gene; fewer if a robust prior finds it more variable than the others. */
  readonly genePriorDegrees: Float64Array;
  readonly priorVariances: Float64Array;
  /** Moderated variance of each gene. */
  readonly variances: Float64Array;
  /** Degrees of freedom of the tests: residual and prior, at most those of all genes together. */
  readonly degrees: number;
  /** Per gene, with its own prior degrees. */
  readonly geneDegrees: Float64Array;
  readonly contrasts: readonly ModeratedTest[];
  readonly joint: JointTest;
}

export interface ModerationOptions {
  /** Lets the prior variance follow the mean log expression. */
  trend?: boolean;
  /** Keeps far more variable genes from affecting the prior, and the prior from shrinking their variances. */
  robust?: boolean;
}

/**
 * Smyth's moderated t and F tests (2004), as limma's `eBayes` with the same options: shrinks each gene's variance
 * towards those of the others, as far as these agree.
 */
export function moderatedTests(
  fit: LinearFit,
  { trend = false, robust = false }: ModerationOptions = {},
): ModeratedTests {
  const { geneCount, residualDegrees, contrastCount, sigma } = fit;
  const raw = sigma.map((value) => value * value);
  const priorOf = robust ? robustVariancePrior : variancePrior;
  const prior = priorOf(raw, residualDegrees, trend ? fit.means : undefined);
  const genePriorDegrees = prior.geneDegrees ?? new Float64Array(geneCount).fill(prior.degrees);
  const variances = raw.map((variance, gene) =>
    moderatedVariance(
      { variance, degrees: residualDegrees },
      { variance: prior.scales[gene]!, degrees: genePriorDegrees[gene]! },
    ),
  );
  const degreesWith = (own: number) => Math.min(residualDegrees + own, residualDegrees * geneCount);
  const degrees = genePriorDegrees.map(degreesWith);
  const contrasts = Array.from({ length: contrastCount }, (_, contrast): ModeratedTest => {
    const effects = columnOf(fit.effects, contrast, contrastCount);
    const unscaled = columnOf(fit.unscaled, contrast, contrastCount);
    const standardErrors = unscaled.map((error, gene) => error * Math.sqrt(variances[gene]!));
    const t = effects.map((effect, gene) => effect / standardErrors[gene]!);
    const pValues = t.map((value, gene) => studentTwoSidedTail(value, degrees[gene]!));
    return {
      effects,
      standardErrors,
      t,
      pValues,
      adjusted: benjaminiHochberg(pValues),
      logOdds: logOdds({
        t,
        unscaled,
        degrees,
        priorDegrees: genePriorDegrees,
        priorVariances: prior.scales,
      }),
    };
  });
  const f = fit.jointSquares.map((square, gene) => square / variances[gene]!);
  const joint = f.map((value, gene) => fUpperTail(value, contrastCount, degrees[gene]!));
  return {
    priorDegrees: prior.degrees,
    genePriorDegrees,
    priorVariances: prior.scales,
    variances,
    degrees: degreesWith(prior.degrees),
    geneDegrees: degrees,
    contrasts,
    joint: { f, pValues: joint, adjusted: benjaminiHochberg(joint) },
  };
}

function columnOf(values: Float64Array, column: number, columnCount: number): Float64Array {
  const out = new Float64Array(values.length / columnCount);
  for (let row = 0; row < out.length; row++) out[row] = values[row * columnCount + column]!;
  return out;
}

/** limma's assumptions: the share of genes that differ … */
const differing = 0.01;
/** … and the limits of their effects' standard deviation. */
const effectLimits = [0.1, 4] as const;

interface TestedEffects {
  t: Float64Array;
  /** Standard errors for a residual standard deviation of 1. */
  unscaled: Float64Array;
  /** Degrees of freedom of each gene's test; `priorDegrees` are those of its prior alone. */
  degrees: Float64Array;
  priorDegrees: Float64Array;
  priorVariances: Float64Array;
}

/** Smyth's posterior log odds (2004, section 6) that an effect is not zero: limma's B. */
function logOdds({ t, unscaled, degrees, priorDegrees, priorVariances }: TestedEffects): Float64Array {
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

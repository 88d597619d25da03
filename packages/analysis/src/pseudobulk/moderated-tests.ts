import { benjaminiHochberg } from '../statistics/benjamini-hochberg.ts';
import { fUpperTail } from '../statistics/f-tails.ts';
import { studentTwoSidedTail } from '../statistics/tails.ts';
import type { LinearFit } from './linear-fit.ts';
import { logOdds } from './log-odds.ts';
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
  readonly f: Float64Array;
  readonly pValues: Float64Array;
  readonly adjusted: Float64Array;
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
  readonly trend?: boolean;
  /** Keeps far more variable genes from affecting the prior, and the prior from shrinking their variances. */
  readonly robust?: boolean;
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

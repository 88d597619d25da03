import { benjaminiHochberg } from '../statistics/benjamini-hochberg.ts';
import { fUpperTail } from '../statistics/f-tails.ts';
import { studentTwoSidedTail } from '../statistics/tails.ts';
import type { LinearFit } from './linear-fit.ts';
import { logOdds } from './log-odds.ts';
import { variancePrior } from './variance-prior.ts';

/** Tests of one contrast: a value for each gene, in their order. */
export interface ModeratedTest {
  /** The contrast itself: a log2 fold change where the values are log2. limma's logFC. */
  readonly effects: Float64Array;
  /** Of the effects, with moderated variances. */
  readonly standardErrors: Float64Array;
  readonly t: Float64Array;
  /** Two-sided. */
  readonly pValues: Float64Array;
  /** By Benjamini and Hochberg over the genes. */
  readonly adjusted: Float64Array;
  /** Natural logarithm of the odds that the effect is not zero, were it so for one gene in a hundred. limma's B. */
  readonly logOdds: Float64Array;
}

/** Tests of all contrasts together; NaN without contrasts. */
interface JointTest {
  readonly f: Float64Array;
  readonly pValues: Float64Array;
  readonly adjusted: Float64Array;
}

export interface ModeratedTests {
  /** Degrees of freedom that the prior of the variances is worth: Infinity where they differ by chance alone. */
  readonly priorDegrees: number;
  /** Prior variance of each gene. */
  readonly priorVariances: Float64Array;
  /** Variance of each gene after the others were taken into account. */
  readonly variances: Float64Array;
  /** Degrees of freedom of the tests: residual and prior, at most those of all genes together. */
  readonly degrees: number;
  /** One for each contrast of the fit. */
  readonly contrasts: readonly ModeratedTest[];
  readonly joint: JointTest;
}

/**
 * Smyth's moderated t and F tests (2004): each gene's variance is drawn towards that of the others as far as these
 * agree. As limma's `eBayes`; `trend` lets the prior variance follow the mean log expression.
 */
export function moderatedTests(fit: LinearFit, { trend = false }: { trend?: boolean } = {}): ModeratedTests {
  const { geneCount, residualDegrees, contrastCount, sigma } = fit;
  const raw = sigma.map((value) => value * value);
  const prior = variancePrior(raw, residualDegrees, trend ? fit.means : undefined);
  const variances = raw.map((variance, gene) =>
    prior.degrees === Infinity
      ? prior.scales[gene]!
      : (residualDegrees * variance + prior.degrees * prior.scales[gene]!) /
        (residualDegrees + prior.degrees),
  );
  const degrees = Math.min(residualDegrees + prior.degrees, residualDegrees * geneCount);
  const contrasts = Array.from({ length: contrastCount }, (_, contrast): ModeratedTest => {
    const effects = columnOf(fit.effects, contrast, contrastCount);
    const unscaled = columnOf(fit.unscaled, contrast, contrastCount);
    const standardErrors = unscaled.map((error, gene) => error * Math.sqrt(variances[gene]!));
    const t = effects.map((effect, gene) => effect / standardErrors[gene]!);
    const pValues = t.map((value) => studentTwoSidedTail(value, degrees));
    return {
      effects,
      standardErrors,
      t,
      pValues,
      adjusted: benjaminiHochberg(pValues),
      logOdds: logOdds({ t, unscaled, degrees, prior }),
    };
  });
  const f = fit.jointSquares.map((square, gene) => square / variances[gene]!);
  const joint = f.map((value) => fUpperTail(value, contrastCount, degrees));
  return {
    priorDegrees: prior.degrees,
    priorVariances: prior.scales,
    variances,
    degrees,
    contrasts,
    joint: { f, pValues: joint, adjusted: benjaminiHochberg(joint) },
  };
}

function columnOf(values: Float64Array, column: number, columnCount: number): Float64Array {
  const out = new Float64Array(values.length / columnCount);
  for (let row = 0; row < out.length; row++) out[row] = values[row * columnCount + column]!;
  return out;
}

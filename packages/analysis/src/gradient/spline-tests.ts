import type { GeneBlock } from '@cellfolio/model';
import { fUpperTail } from '../statistics/f-tails.ts';
import { moderatedVariance, variancePrior } from '../pseudobulk/variance-prior.ts';
import type { CurveReplicates, SplineBasis } from './spline-basis.ts';

/** Results of consecutive genes; NaN for a gene that does not vary in any stratum or has a missing value. */
export interface SplineTests {
  /** F of the curve against a constant level per stratum. */
  readonly f: Float64Array;
  /** Share of the variance within strata that the curve explains. */
  readonly explained: Float64Array;
  /**
   * How much the curve differs between strata, 1 where no more than the residual variance makes it; NaN for strata that
   * are no replicates and genes of few cells.
   */
  readonly variation: Float64Array;
  /** Part of the degrees of freedom of the curve that is left where few cells have most of the gene; 1 for normal values, NaN for genes of fewer than `minCurveCells`. */
  readonly normality: Float64Array;
  /** Over all genes, products of the columns of what strata differ by, in residual variances (degrees × degrees). */
  readonly shape: Float64Array;
}

/** Genes that fewer cells express have no p-value of a curve: it follows single cells, far out more often than F allows for. */
export const minCurveCells = 50;
/** Sums of squares below this share of the total are rounding errors. */
const minVariance = 1e-12;

/**
 * F tests of natural cubic splines: how much better a smooth curve over the axis fits a gene by least squares than one
 * level per stratum, as in an analysis of variance of both models. One pass over the entries: columns are orthogonal to
 * the strata, so that cells with 0 add nothing. Throws RangeError for genes of other cells.
 */
export function splineTests(block: GeneBlock, basis: SplineBasis): SplineTests {
  const { values: columns, degrees, left, strata, sizes, leverage, replicates } = basis;
  if (block.cellCount !== strata.length) {
    throw new RangeError(`${strata.length} places do not fit genes of ${block.cellCount} cells`);
  }
  const geneCount = block.starts.length - 1;
  const results: SplineTests = {
    f: new Float64Array(geneCount).fill(NaN),
    explained: new Float64Array(geneCount).fill(NaN),
    variation: new Float64Array(geneCount).fill(NaN),
    normality: new Float64Array(geneCount).fill(NaN),
    shape: new Float64Array(degrees * degrees),
  };
  if (degrees === 0 || left < 1) return results;
  // Products of the values with the columns, in each stratum and in all together.
  const products = new Float64Array(sizes.length * degrees);
  const sum = new Float64Array(degrees);
  const sums = new Float64Array(sizes.length);
  const placed = sizes.reduce((cells, size) => cells + size, 0);
  for (let gene = 0; gene < geneCount; gene++) {
    products.fill(0);
    sums.fill(0);
    let [squares, expressing] = [0, 0];
    for (let at = block.starts[gene]!; at < block.starts[gene + 1]!; at++) {
      const cell = block.cells[at]!;
      const stratum = strata[cell]!;
      if (stratum < 0) continue;
      const value = block.values[at]!;
      squares += value * value;
      if (value !== 0) expressing++;
      sums[stratum]! += value;
      const [row, own] = [cell * degrees, stratum * degrees];
      for (let column = 0; column < degrees; column++)
        products[own + column]! += value * columns[row + column]!;
    }
    let total = squares;
    sums.forEach((own, stratum) => (total -= sizes[stratum]! > 0 ? own ** 2 / sizes[stratum]! : 0));
    // A missing value makes all of them NaN, and no comparison with NaN holds.
    if (!(total > minVariance * squares)) continue;
    sum.fill(0);
    products.forEach((product, at) => (sum[at % degrees]! += product));
    const explained = Math.min(
      total,
      sum.reduce((squares, one) => squares + one ** 2, 0),
    );
    const residual = (total - explained) / left;
    const f = explained / degrees / residual;
    results.explained[gene] = explained / total;
    results.f[gene] = f;
    if (expressing < minCurveCells) continue;
    const kurtosis = (placed * fourthPowers(block, gene, { strata, sizes, sums })) / total ** 2 - 3;
    results.normality[gene] = 1 / (1 + (Math.max(0, kurtosis) * leverage) / (2 * degrees));
    if (replicates === undefined) continue;
    const between =
      residual > 0 ? differences(products, sum, { replicates, residual, shape: results.shape }) : 0;
    results.variation[gene] = between / replicates.trace;
  }
  return results;
}

/** Sums of fourth powers of the values of all cells about the means of their strata. */
function fourthPowers(
  { starts, cells, values }: GeneBlock,
  gene: number,
  { strata, sizes, sums }: { strata: Int16Array; sizes: Int32Array; sums: Float64Array },
): number {
  let powers = 0;
  sums.forEach((sum, stratum) => (powers += sizes[stratum]! > 0 ? sum ** 4 / sizes[stratum]! ** 3 : 0));
  for (let at = starts[gene]!; at < starts[gene + 1]!; at++) {
    const stratum = strata[cells[at]!]!;
    if (stratum < 0) continue;
    const mean = sums[stratum]! / sizes[stratum]!;
    // Instead of the fourth power of a cell with 0, which the sums above have.
    powers += (values[at]! - mean) ** 4 - mean ** 4;
  }
  return powers;
}

/** The squares of what the products of strata are apart from the common curve, which their sum is; they are added to the shape. */
function differences(
  products: Float64Array,
  sum: Float64Array,
  {
    replicates: { information },
    residual,
    shape,
  }: { replicates: CurveReplicates; residual: number; shape: Float64Array },
): number {
  const { length: degrees } = sum;
  const apart = new Float64Array(degrees);
  let squares = 0;
  for (let start = 0; start < products.length; start += degrees) {
    for (let row = 0; row < degrees; row++) {
      let common = 0;
      for (let at = 0; at < degrees; at++) common += information[(start + row) * degrees + at]! * sum[at]!;
      apart[row] = products[start + row]! - common;
      squares += apart[row]! ** 2;
    }
    for (let at = 0; at < shape.length; at++)
      shape[at]! += (apart[Math.floor(at / degrees)]! * apart[at % degrees]!) / residual;
  }
  return squares / residual;
}

/** P-values of curves by least squares with normal values, each cell a replicate; NaN where f is. */
export function leastSquaresP(
  { f }: Pick<SplineTests, 'f'>,
  { degrees, left }: Pick<SplineBasis, 'degrees' | 'left'>,
): Float64Array {
  return f.map((one) => upperTail(one, degrees, left));
}

function upperTail(f: number, above: number, below: number): number {
  return f === Infinity ? 0 : fUpperTail(f, above, below);
}

/** The curves of all genes tested together; NaN where a gene has no test. */
export interface CurveTests {
  f: Float64Array;
  p: Float64Array;
  /** Degrees of freedom below the line: of cells, or of the variation of a gene with what that of the others is worth. */
  below: number;
}

/**
 * F tests of curves with strata, such as samples, for replicates: the mean square of the curve over that of its
 * differences between them. Of few strata the latter is known badly: that of each gene, in residual variances, is drawn
 * towards those of all (Smyth 2004; limma's `squeezeVar`). Strata differ more in some shapes than in others, in slopes
 * above all, which leaves fewer degrees of freedom on both sides (Greenhouse and Geisser 1959), by the `shape` of all
 * genes. Where strata are no replicates, cells are. In both a gene of few cells has fewer degrees of freedom, as the
 * distribution over all orders of its values has them (Box and Andersen 1955): a few cells at an end of the axis make a
 * curve.
 */
export function curveTests(
  tests: Pick<SplineTests, 'f' | 'variation' | 'normality' | 'shape'>,
  curve: Pick<SplineBasis, 'degrees' | 'left'> & {
    readonly replicates: Pick<CurveReplicates, 'degrees'> | undefined;
  },
): CurveTests {
  const { degrees, left, replicates } = curve;
  const { f, normality } = tests;
  if (replicates === undefined) {
    const p = f.map((one, gene) => upperTail(one, normality[gene]! * degrees, normality[gene]! * left));
    return { f, p, below: left };
  }
  const share = sphericity(tests.shape, degrees);
  const own = share * replicates.degrees;
  const genes = Int32Array.from(f.keys()).filter((gene) => !Number.isNaN(tests.variation[gene]));
  const variances = Float64Array.from(genes, (gene) => tests.variation[gene]!);
  const prior = variancePrior(variances, own);
  const below = Math.min(own + prior.degrees, own * genes.length);
  const result = { f: new Float64Array(f.length).fill(NaN), p: new Float64Array(f.length).fill(NaN) };
  genes.forEach((gene, at) => {
    const variation = moderatedVariance(
      { variance: variances[at]!, degrees: own },
      { variance: prior.scales[at]!, degrees: prior.degrees },
    );
    result.f[gene] = f[gene]! / variation;
    result.p[gene] = upperTail(result.f[gene]!, normality[gene]! * share * degrees, below);
  });
  return { ...result, below };
}

/** 1 where strata differ in all columns alike, and one over their number where they differ in one alone. */
function sphericity(shape: Float64Array, degrees: number): number {
  let [trace, squares] = [0, 0];
  shape.forEach((value, at) => {
    if (at % (degrees + 1) === 0) trace += value;
    squares += value ** 2;
  });
  return squares > 0 ? trace ** 2 / (degrees * squares) : 1;
}

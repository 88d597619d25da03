import type { GeneBlock } from '@cellfolio/model';
import { fUpperTail } from '../statistics/f-tails.ts';
import type { SplineBasis } from './spline-basis.ts';

/** Of consecutive genes; NaN where a gene does not vary in any stratum or has a value that is missing. */
export interface SplineTests {
  /** Of the curve against a level for each stratum. */
  readonly f: Float64Array;
  readonly p: Float64Array;
  /** Share of the variance within strata that the curve explains. */
  readonly explained: Float64Array;
}

/** Squares below this part of all squares are rounding errors. */
const minVariance = 1e-12;

/**
 * F tests of natural cubic splines: how much better a smooth curve over the axis fits a gene by least squares than a
 * level for each stratum, as an analysis of variance of both models has it. One pass over the entries: the columns
 * stand at right angles to the strata, so that cells with 0 add nothing. Throws RangeError for genes of other cells.
 */
export function splineTests(block: GeneBlock, basis: SplineBasis): SplineTests {
  const { values: columns, degrees, left, strata, sizes } = basis;
  if (block.cellCount !== strata.length) {
    throw new RangeError(`${strata.length} places do not fit genes of ${block.cellCount} cells`);
  }
  const geneCount = block.starts.length - 1;
  const found: SplineTests = {
    f: new Float64Array(geneCount).fill(NaN),
    p: new Float64Array(geneCount).fill(NaN),
    explained: new Float64Array(geneCount).fill(NaN),
  };
  if (degrees === 0 || left < 1) return found;
  const products = new Float64Array(degrees);
  const sums = new Float64Array(sizes.length);
  for (let gene = 0; gene < geneCount; gene++) {
    products.fill(0);
    sums.fill(0);
    let squares = 0;
    for (let at = block.starts[gene]!; at < block.starts[gene + 1]!; at++) {
      const cell = block.cells[at]!;
      const stratum = strata[cell]!;
      if (stratum < 0) continue;
      const value = block.values[at]!;
      squares += value * value;
      sums[stratum]! += value;
      const row = cell * degrees;
      for (let column = 0; column < degrees; column++) products[column]! += value * columns[row + column]!;
    }
    let total = squares;
    sums.forEach((sum, stratum) => (total -= sizes[stratum]! > 0 ? sum ** 2 / sizes[stratum]! : 0));
    // A missing value makes all of them NaN, and no comparison with NaN holds.
    if (!(total > minVariance * squares)) continue;
    const explained = Math.min(
      total,
      products.reduce((sum, product) => sum + product ** 2, 0),
    );
    const f = explained / degrees / ((total - explained) / left);
    found.explained[gene] = explained / total;
    found.f[gene] = f;
    found.p[gene] = f === Infinity ? 0 : fUpperTail(f, degrees, left);
  }
  return found;
}

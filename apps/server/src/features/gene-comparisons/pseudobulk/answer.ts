import type { PseudobulkResult } from '@cellfolio/analyses';
import type { TestedPart, TestedParts } from './pseudobulk-comparisons.ts';
import type { SumChecks } from './sum-table.ts';
import { columnKindsOf, leftOutSums, type RefusedPart, sampleValuesOf } from '../../sample-design/index.ts';
import { thinned } from './thinned.ts';

export function pseudobulkAnswer({ tested, refused }: TestedParts): PseudobulkResult {
  const points = Math.max(minPoints, Math.floor(maxPoints / tested.length));
  return { parts: tested.map((one) => partAnswer(one, points)), refused: refused.map(refusedAnswer) };
}

export function refusedAnswer({ name, code, reason }: RefusedPart): PseudobulkResult['refused'][number] {
  return { name, code, reason };
}

/** Maximum points of spreads in a response: for all parts together, and the minimum for each of many parts. */
const maxPoints = 5000;
const minPoints = 500;

function partAnswer(tested: TestedPart, maxPoints: number): PseudobulkResult['parts'][number] {
  const { part, design, checks, sums, notTested } = tested;
  const { spread, map } = checks;
  const [, ...others] = design.columns;
  return {
    name: part.name,
    formula: design.formula,
    columns: design.columns.map(({ name }) => name),
    column_kinds: columnKindsOf(design),
    coefficients: design.design.coefficients.map(({ name }) => name),
    tested: Array.from(design.contrast),
    paired: design.isPaired,
    samples_of_both: design.both,
    samples: sums.map(({ sample: name, side, cells }, at) => ({
      name,
      side,
      cells,
      library_size: checks.librarySizes[at]!,
      factor: checks.factors[at]!,
      values: others.map((column) => sampleValuesOf(column)[at]!),
      x: map.x[at]!,
      y: map.y[at]!,
    })),
    left_out: leftOutSums(tested),
    residual_df: checks.residualDegrees,
    ...shrinkageAnswer(checks.shrinkage),
    correlation: checks.correlation ?? null,
    genes_tested: checks.tested,
    genes_not_tested: notTested,
    axes: map.axes,
    spread: {
      measure: spread.measure,
      points: pointsOf(thinned(spread.points, maxPoints)),
      curve: pointsOf(thinned(spread.trend, maxPoints)),
      genes: checks.tested,
    },
    p_values: Array.from(checks.histogram),
  };
}

function shrinkageAnswer(shrinkage: SumChecks['shrinkage']) {
  if (shrinkage.of !== 'dispersions') {
    const { priorDegrees, priorVariance } = shrinkage;
    const degrees = priorDegrees === Infinity ? null : priorDegrees;
    return { prior_df: degrees, prior_variance: priorVariance, dispersions: null };
  }
  const { trend, coefficients, priorVariance, replaced, outliers, filtered, minMean } = shrinkage;
  return {
    prior_df: null,
    prior_variance: priorVariance,
    dispersions: {
      trend,
      coefficients: [...coefficients] as [number, number],
      replaced,
      outliers,
      filtered,
      least_mean: minMean,
    },
  };
}

function pointsOf({ x, y }: TestedPart['checks']['spread']['points']): [number, number][] {
  return Array.from(x, (value, at) => [rounded(value), rounded(y[at]!)]);
}

function rounded(value: number): number {
  return Number(value.toPrecision(5));
}

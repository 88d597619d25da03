import type { SampleColumn as DesignColumn } from '@cellfolio/analysis';
import type { ComparisonDesign, PseudobulkAnswer } from '@cellfolio/contract';
import type { PseudobulkInput } from '@cellfolio/figures';
import type { DesignedParts, TestedPart, TestedParts } from './pseudobulk-comparisons.ts';
import type { SumChecks } from './sum-table.ts';
import { nestingCautions } from '../../../runtime/nesting-cautions.ts';
import { type SampleColumn, samplesAnswer } from '../../../runtime/sample-column.ts';
import {
  codesTaken,
  columnKindsOf,
  labelsOf,
  leftOutSums,
  numbersOf,
  type RefusedPart,
  sampleValuesOf,
  sumsOnSides,
} from '../../sample-design/index.ts';
import { thinned } from './thinned.ts';
import { sumTestWords } from './words.ts';

export function pseudobulkAnswer({ tested, refused }: TestedParts): PseudobulkAnswer {
  const points = Math.max(minPoints, Math.floor(maxPoints / tested.length));
  return { parts: tested.map((one) => partAnswer(one, points)), refused: refused.map(refusedAnswer) };
}

function refusedAnswer({ name, code, reason }: RefusedPart): PseudobulkAnswer['refused'][number] {
  return { name, code, reason };
}

export function designAnswer(
  { designed, refused }: DesignedParts,
  samples: SampleColumn,
  random: string | undefined,
): ComparisonDesign {
  return {
    parts: designed.map((one) => {
      const { part, design, sums } = one;
      const { a, b } = sumsOnSides(one);
      return {
        name: part.name,
        formula: design.formula,
        columns: design.columns.map(({ name: column }) => column),
        column_kinds: columnKindsOf(design),
        paired: design.isPaired,
        samples_a: a,
        samples_b: b,
        left_out_columns: [
          ...design.constant.map((column) => ({ column, reason: 'constant' as const })),
          ...design.held.map((column) => ({ column, reason: 'held-by-pairs' as const })),
        ],
        residual_df: sums.length - design.design.columns.length,
        left_out: leftOutSums(one),
      };
    }),
    refused: refused.map(refusedAnswer),
    samples: samplesAnswer(samples),
    warnings: [...nestingCautions(samples, { correlation: undefined, random }), ...codesTaken(designed)],
  };
}

/** Maximum points of spreads in a response: for all parts together, and the minimum for each of many parts. */
const maxPoints = 5000;
const minPoints = 500;

function partAnswer(tested: TestedPart, maxPoints: number): PseudobulkAnswer['parts'][number] {
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

export function pseudobulkInput(
  tested: TestedPart,
  { a, b, cautions, gene, surest }: Pick<PseudobulkInput, 'a' | 'b' | 'cautions' | 'gene' | 'surest'>,
): PseudobulkInput {
  const { part, design, checks, sums } = tested;
  return {
    a,
    b,
    part: part.name,
    test: sumTestWords(tested),
    formula: design.formula,
    samples: sums.map(({ sample: name, side, cells }, at) => ({
      name,
      side,
      cells,
      librarySize: checks.librarySizes[at]!,
      factor: checks.factors[at]!,
      x: checks.map.x[at]!,
      y: checks.map.y[at]!,
    })),
    axes: checks.map.axes,
    columns: design.columns.map((column, at) => columnInput(column, roleOf(design, at))),
    coefficients: design.design.coefficients.map(({ name }, at) => ({
      name,
      values: design.design.columns[at]!,
    })),
    spread: checks.spread,
    histogram: checks.histogram,
    tested: checks.tested,
    ...(cautions && { cautions }),
    ...(gene && { gene }),
    ...(surest && { surest }),
  };
}

type ColumnInput = PseudobulkInput['columns'][number];

function roleOf({ columns, pairedBy }: TestedPart['design'], at: number): ColumnInput['role'] {
  if (at === 0) return 'side';
  return columns[at]!.name === pairedBy ? 'pairing' : 'covariate';
}

function columnInput(column: DesignColumn, role: ColumnInput['role']): ColumnInput {
  const { name } = column;
  return column.kind === 'numeric'
    ? { name, role, kind: 'numeric', values: numbersOf(column) }
    : { name, role, kind: 'categorical', values: labelsOf(column) };
}

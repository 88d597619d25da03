import { noteDifferences } from '@cellfolio/model/testing';
import { readReference } from '../../markers/testing/reference.ts';
import { designOf } from '../design-of.ts';
import type { Design, SampleColumn } from '../design.ts';
import type { GeneSampleMatrix } from '../gene-sample-matrix.ts';

export type Numbers = readonly (number | string)[];

export interface ReferenceTable {
  logFC: Numbers;
  AveExpr: Numbers;
  t: Numbers;
  'P.Value': Numbers;
  'adj.P.Val': Numbers;
  B: Numbers;
}

interface ReferenceTest extends ReferenceTable {
  'df.prior': Numbers | number | string;
  's2.prior': Numbers | number;
  's2.post': Numbers;
  'df.total': Numbers;
}

interface ReferenceCurve {
  x: Numbers;
  y: Numbers;
}

type ReferenceSamples = Readonly<Record<string, readonly (string | number)[]>>;

export interface ReferenceCase {
  name: string;
  genes: number;
  samples: ReferenceSamples;
  trend: boolean;
  filter: boolean;
  counts: readonly number[];
  coefficientNames: readonly string[];
  design: readonly number[];
  coef: string;
  kept: readonly number[];
  librarySizes: readonly number[];
  factors: Numbers;
  trendPoints: ReferenceCurve;
  trendLine: ReferenceCurve;
  logCpm?: Numbers;
  weights: Numbers;
  coefficients: Numbers;
  sigma: Numbers;
  unscaled: Numbers;
  degrees: number;
  test: ReferenceTest;
  effect?: readonly number[];
  effectTest?: ReferenceTable;
}

type ReferenceComposition = ReferenceTable & {
  'df.prior': Numbers | number | string;
  F: Numbers;
  'F.p.value': Numbers;
};

interface ReferenceScaling {
  explained: Numbers;
  x: Numbers;
  y: Numbers;
}

interface ReferenceSides {
  name: string;
  genes: number;
  counts: readonly number[];
  sides: readonly string[];
  sample: readonly string[];
  interaction: readonly (string | number)[] | Record<string, never>;
  batch: readonly string[] | Record<string, never>;
  paired: boolean;
  degrees: number;
  logFC: Numbers;
  'CI.L': Numbers;
  'CI.R': Numbers;
  AveExpr: Numbers;
  t: Numbers;
  'P.Value': Numbers;
  'adj.P.Val': Numbers;
  'df.prior': Numbers | number | string;
}

interface PseudobulkReference {
  sides: readonly ReferenceSides[];
  cases: readonly ReferenceCase[];
  filters: {
    genes: number;
    counts: readonly number[];
    groups: readonly string[];
    kept: readonly number[];
    keptOfOne: readonly number[];
    factors: Numbers;
  };
  curves: readonly { x: Numbers; y: Numbers; line: Numbers }[];
  priors: readonly {
    variance: Numbers;
    mean: Numbers;
    scale: Numbers | number;
    df2: number | string;
    trendScale: Numbers | number;
    trendDf2: number | string;
  }[];
  scaling: { top500: ReferenceScaling; top20: ReferenceScaling };
  compositions: readonly {
    name: string;
    types: number;
    samples: ReferenceSamples;
    cells: readonly number[];
    coef: string;
    columns: number | readonly number[];
    logit: ReferenceComposition;
    asin: ReferenceComposition;
  }[];
}

export const reference = readReference<PseudobulkReference>(
  new URL('../pseudobulk-reference.json', import.meta.url),
);

export function numbersOf(values: Numbers | number | string): Float64Array {
  const list = Array.isArray(values) ? (values as Numbers) : [values as number | string];
  return Float64Array.from(list, (value) => (value === 'Inf' ? Infinity : Number(value)));
}

export function matrixOf(values: readonly number[], geneCount: number): GeneSampleMatrix {
  return { geneCount, sampleCount: values.length / geneCount, values: Float64Array.from(values) };
}

export function sampleColumn(name: string, values: readonly (string | number)[]): SampleColumn {
  if (typeof values[0] === 'number') return { kind: 'numeric', name, values: values as number[] };
  const categories = [...new Set(values as string[])];
  return {
    kind: 'categorical',
    name,
    categories,
    codes: values.map((value) => categories.indexOf(value as string)),
  };
}

export function designOfCase({ samples, coefficientNames }: ReferenceCase): Design {
  const [tested, ...covariates] = Object.entries(samples).map(([name, values]) => sampleColumn(name, values));
  if (tested?.kind !== 'categorical') throw new Error('the first column has labels');
  const interactions = coefficientNames.some((name) => name.includes(':'))
    ? [[tested.name, covariates[0]!.name] as const]
    : [];
  const [reference, level] = tested.categories as [string, string];
  const answer = designOf({ tested, level, reference, covariates, interactions });
  if ('refusal' in answer) throw new Error(answer.refusal.code);
  return answer.design;
}

type Compared = readonly [actual: Float64Array, expected: Numbers | number | string, floor?: number];

export function mismatches(compared: Readonly<Record<string, Compared>>, of = 'pseudobulk'): string[] {
  return Object.entries(compared).flatMap(([what, [actual, expected, floor = 1e-300]]) => {
    const expectedNumbers = numbersOf(expected);
    if (actual.length !== expectedNumbers.length)
      return [`${what}: ${actual.length} instead of ${expectedNumbers.length} numbers`];
    noteDifferences(of, actual, expectedNumbers, floor);
    const isNear = (value: number, at: number) =>
      value === expectedNumbers[at] ||
      Math.abs(value - expectedNumbers[at]!) <= 1e-6 * Math.max(Math.abs(expectedNumbers[at]!), floor);
    const wrong = Array.from(actual.keys()).filter((at) => !isNear(actual[at]!, at));
    const [first] = wrong;
    return first === undefined
      ? []
      : [`${what}: ${wrong.length} wrong, ${actual[first]} instead of ${expectedNumbers[first]} at ${first}`];
  });
}

import { noteDifferences } from '@cellfolio/model/testing';
import { readReference } from '../../markers/testing/reference.ts';
import { designOf } from '../design-of.ts';
import type { Design, SampleColumn } from '../design.ts';
import type { GeneSampleMatrix } from '../gene-sample-matrix.ts';

export type Numbers = readonly (number | string)[];

export interface ReferenceTable {
  readonly logFC: Numbers;
  readonly AveExpr: Numbers;
  readonly t: Numbers;
  readonly 'P.Value': Numbers;
  readonly 'adj.P.Val': Numbers;
  readonly B: Numbers;
}

interface ReferenceTest extends ReferenceTable {
  readonly 'df.prior': Numbers | number | string;
  readonly 's2.prior': Numbers | number;
  readonly 's2.post': Numbers;
  readonly 'df.total': Numbers;
}

interface ReferenceCurve {
  readonly x: Numbers;
  readonly y: Numbers;
}

type ReferenceSamples = Readonly<Record<string, readonly (string | number)[]>>;

export interface ReferenceCase {
  readonly name: string;
  readonly genes: number;
  readonly samples: ReferenceSamples;
  readonly trend: boolean;
  readonly filter: boolean;
  readonly counts: readonly number[];
  readonly coefficientNames: readonly string[];
  readonly design: readonly number[];
  readonly coef: string;
  readonly kept: readonly number[];
  readonly librarySizes: readonly number[];
  readonly factors: Numbers;
  readonly trendPoints: ReferenceCurve;
  readonly trendLine: ReferenceCurve;
  readonly logCpm?: Numbers;
  readonly weights: Numbers;
  readonly coefficients: Numbers;
  readonly sigma: Numbers;
  readonly unscaled: Numbers;
  readonly degrees: number;
  readonly test: ReferenceTest;
  readonly effect?: readonly number[];
  readonly effectTest?: ReferenceTable;
}

type ReferenceComposition = ReferenceTable & {
  readonly 'df.prior': Numbers | number | string;
  readonly F: Numbers;
  readonly 'F.p.value': Numbers;
};

interface ReferenceScaling {
  readonly explained: Numbers;
  readonly x: Numbers;
  readonly y: Numbers;
}

interface ReferenceSides {
  readonly name: string;
  readonly genes: number;
  readonly counts: readonly number[];
  readonly sides: readonly string[];
  readonly sample: readonly string[];
  readonly interaction: readonly (string | number)[] | Record<string, never>;
  readonly batch: readonly string[] | Record<string, never>;
  readonly paired: boolean;
  readonly degrees: number;
  readonly logFC: Numbers;
  readonly 'CI.L': Numbers;
  readonly 'CI.R': Numbers;
  readonly AveExpr: Numbers;
  readonly t: Numbers;
  readonly 'P.Value': Numbers;
  readonly 'adj.P.Val': Numbers;
  readonly 'df.prior': Numbers | number | string;
}

interface PseudobulkReference {
  readonly sides: readonly ReferenceSides[];
  readonly cases: readonly ReferenceCase[];
  readonly filters: {
    readonly genes: number;
    readonly counts: readonly number[];
    readonly groups: readonly string[];
    readonly kept: readonly number[];
    readonly keptOfOne: readonly number[];
    readonly factors: Numbers;
  };
  readonly curves: readonly { readonly x: Numbers; readonly y: Numbers; readonly line: Numbers }[];
  readonly priors: readonly {
    readonly variance: Numbers;
    readonly mean: Numbers;
    readonly scale: Numbers | number;
    readonly df2: number | string;
    readonly trendScale: Numbers | number;
    readonly trendDf2: number | string;
  }[];
  readonly scaling: { readonly top500: ReferenceScaling; readonly top20: ReferenceScaling };
  readonly compositions: readonly {
    readonly name: string;
    readonly types: number;
    readonly samples: ReferenceSamples;
    readonly cells: readonly number[];
    readonly coef: string;
    readonly columns: number | readonly number[];
    readonly logit: ReferenceComposition;
    readonly asin: ReferenceComposition;
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

type Compared = readonly [found: Float64Array, expected: Numbers | number | string, least?: number];

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

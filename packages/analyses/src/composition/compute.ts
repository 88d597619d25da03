import {
  compositionTest,
  type Design,
  minTypes,
  type ShareTransform,
  studentQuantile,
} from '@cellfolio/analysis';
import type { ThreadDataset } from '../context.ts';

interface SharesInput {
  readonly by: string;
  /** Index of each cell's sum, or -1; in shared memory. */
  readonly sumOf: Int32Array;
  readonly sumCount: number;
  /** Indices of the compared sums, in the order of the design, and the side of each: 0 for A, 1 for B. */
  places: readonly number[];
  sides: readonly (0 | 1)[];
  design: Design;
  contrast: Float64Array;
  transform: ShareTransform;
}

export type TestedShares =
  | { readonly refusal: 'too_few_categories' | 'too_many_categories'; readonly categoryCount: number }
  | {
      /** Categories with cells in these samples, by ascending p-value. */
      categories: readonly TestedCategory[];
      residualDegrees: number;
      priorDegrees: number;
    };

export interface TestedCategory {
  name: string;
  /** Share in each sample, from 0 to 1. */
  shares: readonly number[];
  /** Mean of the samples' shares. */
  shareA: number;
  shareB: number;
  cellsA: number;
  cellsB: number;
  /** On the scale of the test, with the 95 % confidence limits. */
  effect: number;
  low: number;
  high: number;
  t: number;
  p: number;
  adjustedP: number;
}

/** A column with more is not a grouping whose shares are worth comparing. */
const maxCategories = 2000;

/** Counts the cells of each category in each sample, and tests the shares. */
async function testShares(input: SharesInput, dataset: ThreadDataset): Promise<TestedShares> {
  const { places, sides, design, contrast, transform } = input;
  const column = await dataset.categories(input.by);
  if (column.categories.length > maxCategories) {
    return { refusal: 'too_many_categories', categoryCount: column.categories.length };
  }
  const counts = countsIn(column.codes, column.categories.length, input);
  const sampleCount = places.length;
  const rows = [...column.categories.keys()].filter((category) =>
    places.some((_, at) => counts[category * sampleCount + at]! > 0),
  );
  if (rows.length < minTypes) return { refusal: 'too_few_categories', categoryCount: rows.length };
  const values = new Float64Array(rows.length * sampleCount);
  rows.forEach((category, row) => {
    values.set(counts.subarray(category * sampleCount, (category + 1) * sampleCount), row * sampleCount);
  });
  const cells = { geneCount: rows.length, sampleCount, values };
  const { shares, tests } = compositionTest(cells, design, [contrast], transform);
  const [test] = tests.contrasts;
  const reach = studentQuantile(0.05, tests.degrees);
  const ofSide = (row: ArrayLike<number>, side: 0 | 1): number[] =>
    Array.from(row).filter((_, at) => sides[at] === side);
  const categories = rows.map((category, row): TestedCategory => {
    const own = shares.values.subarray(row * sampleCount, (row + 1) * sampleCount);
    const counted = values.subarray(row * sampleCount, (row + 1) * sampleCount);
    const [effect, error] = [test!.effects[row]!, test!.standardErrors[row]!];
    return {
      name: column.categories[category]!,
      shares: Array.from(own),
      shareA: mean(ofSide(own, 0)),
      shareB: mean(ofSide(own, 1)),
      cellsA: sum(ofSide(counted, 0)),
      cellsB: sum(ofSide(counted, 1)),
      effect,
      low: effect - reach * error,
      high: effect + reach * error,
      t: test!.t[row]!,
      p: test!.pValues[row]!,
      adjustedP: test!.adjusted[row]!,
    };
  });
  return {
    categories: categories.toSorted((one, other) => one.p - other.p || Math.abs(other.t) - Math.abs(one.t)),
    residualDegrees: sampleCount - design.columns.length,
    priorDegrees: tests.priorDegrees,
  };
}

/** Cells of each category in each sample: categories × samples. */
function countsIn(
  codes: ArrayLike<number>,
  categoryCount: number,
  { sumOf, sumCount, places }: SharesInput,
): Float64Array {
  const sampleOf = new Int32Array(sumCount).fill(-1);
  places.forEach((place, at) => (sampleOf[place] = at));
  const counts = new Float64Array(categoryCount * places.length);
  for (let cell = 0; cell < sumOf.length; cell++) {
    const sample = sumOf[cell]! < 0 ? -1 : sampleOf[sumOf[cell]!]!;
    if (sample >= 0 && codes[cell]! >= 0) counts[codes[cell]! * places.length + sample]!++;
  }
  return counts;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}

export const steps = { testShares };

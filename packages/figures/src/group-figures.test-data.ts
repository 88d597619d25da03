import { readFileSync } from 'node:fs';
import type { CategoricalColumn } from '@cellfolio/model';
import { expect } from 'vitest';
import { figureContent } from './all-content.ts';
import type { CommonSpec } from './drawing/figure.ts';
import { categorical, geneOf } from './mixture.test-data.ts';
import type { FigureSetting } from './plot.ts';
import { plotFigure } from './all-plots.ts';

/** Written by reference/group_figures_reference.py with scanpy and scipy. */
export const reference = JSON.parse(
  readFileSync(new URL('../reference/group-figures-reference.json', import.meta.url), 'utf8'),
) as {
  values: readonly (readonly number[])[];
  codes: readonly number[];
  number: readonly number[];
  mean: readonly number[];
  fraction: readonly number[];
  scaled: readonly number[];
  medians: readonly number[];
  edges: readonly number[];
  crosstab: readonly number[];
  pearson: number;
  spearman: number;
  sample: readonly number[];
  score: readonly number[];
  counts: readonly number[];
  percent: readonly number[];
  /** Group, sample, mean and cells. */
  geneSampleMeans: readonly (readonly [number, number, number, number])[];
  scoreSampleMeans: readonly (readonly [number, number, number, number])[];
  geneSampleDeviations: readonly number[];
  /** Lower and upper bound, cells beyond, median. */
  countBounds: readonly (readonly [number, number, number, number])[];
  percentBounds: readonly (readonly [number, number, number, number])[];
  scorePearson: number;
  scoreSpearman: number;
  samplesByShare: readonly number[];
};

const unit = 'log-normalized expression';
export const genes = reference.values.map((values, i) => {
  const cells = [...values.keys()].filter((cell) => values[cell]! !== 0);
  const stored = cells.map((cell) => values[cell]!);
  return { gene: geneOf(values.length, cells, stored), symbol: `x${i}`, unit };
});
export const groups = inputOf(categorical(Int16Array.from(reference.codes), ['a', 'b', 'c', 'd']));
export const samples = inputOf(
  categorical(Int16Array.from(reference.sample), ['s0', 's1', 's2', 's3', 's4', 's5']),
  'Sample',
);
export const setting: FigureSetting = { datasetName: 'Lung' };

export function inputOf(column: CategoricalColumn, title = 'Group') {
  return { column, title, columnName: 'group', palette: 'cluster' as const, chosen: [] };
}

export function numbersOf(columnName: string, numbers: readonly number[]) {
  return {
    title: columnName.toUpperCase(),
    columnName,
    scores: Float64Array.from(numbers),
    unit: columnName,
  };
}

export const score = {
  title: 'Mine',
  subtitle: '3 genes',
  scores: Float64Array.from(reference.score),
  cautions: [{ code: 'few-genes', message: 'Few genes.' }],
};

export function specOf(content: object, values: object, how = setting) {
  const parsed = figureContent.parse(content);
  return plotFigure(parsed, values, how).spec as CommonSpec & Record<string, unknown>;
}

export function farthest(ours: unknown, theirs: readonly number[]): number {
  const list = ours as readonly number[];
  expect(list).toHaveLength(theirs.length);
  return Math.max(...theirs.map((value, i) => Math.abs(value - list[i]!)));
}

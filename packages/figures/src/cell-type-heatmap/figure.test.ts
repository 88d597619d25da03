import { expect, test } from 'vitest';
import { FigureInputError } from '../drawing/checked-input.ts';
import { cellTypeHeatmapFigure, maxTypeColumns } from './figure.ts';
import { cellTypesOf } from './cell-types.test-data.ts';
import { cellTypeHeatmapWords } from './words.ts';

const datasetName = 'Blood';
const inputOf = (groups: number, types: number) =>
  cellTypesOf(
    groups,
    Array.from({ length: types }, (_, type) => `Type ${type}`),
  );

test('groups are rows with what is suggested, their best types columns, and scores below 0 are blank', () => {
  const { spec } = cellTypeHeatmapFigure({ ...inputOf(3, 4), datasetName });
  expect(spec.rows).toEqual(['0 · Type 0', '1 · Unclear', '2 · Type 2']);
  expect(spec.columns).toEqual(['Type 0', 'Type 1', 'Type 2', 'Type 3']);
  expect(spec.values).toEqual([12, 1, 2, 3, null, 12, 1, 2, null, null, 12, 1]);
  expect(spec.summary).toBe('A type is suggested for 2 of 3 groups, the others are Unclear');
});

test('of many types those that groups resemble most are drawn, and the words say so', () => {
  const { spec } = cellTypeHeatmapFigure({ ...inputOf(40, 45), datasetName });
  expect(spec.columns).toHaveLength(maxTypeColumns);
  const numbers = cellTypeHeatmapWords.numbers.parse(JSON.parse(JSON.stringify(spec)));
  const { more, cautions } = cellTypeHeatmapWords.sentences(numbers);
  expect(more![1]).toBe('0 (50 cells): Type 0; Type 23 (23) and Type 22 (22).');
  expect(cautions).toEqual(['Of 45 types the figure shows the 24 most similar to the groups.']);
});

test('scores that are not those of the groups and types are refused', () => {
  const input = inputOf(3, 4);
  expect(() => cellTypeHeatmapFigure({ ...input, scores: new Float64Array(11), datasetName })).toThrow(
    FigureInputError,
  );
});

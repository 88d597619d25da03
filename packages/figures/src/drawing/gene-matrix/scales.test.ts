import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseHex } from '../colour/oklab.ts';
import { dotPlotFigure } from '../../gene-matrix/figure.ts';
import { dotArea, legendFractions, meanColour } from './scales.ts';

interface Reference {
  cases: readonly {
    name: string;
    groups: number;
    genes: number;
    fraction: readonly number[];
    mean: readonly number[];
    dotMax: number;
    /** Relative to the area of the largest dot. */
    areas: readonly number[];
    colours: readonly string[];
    legendLabels: readonly string[];
    legendAreas: readonly number[];
  }[];
}

/** Written by reference/dot_plot_reference.py with scanpy and matplotlib. */
const reference = JSON.parse(
  readFileSync(new URL('../../../reference/dot-plot-reference.json', import.meta.url), 'utf8'),
) as Reference;

function specOf(testCase: Reference['cases'][number]) {
  return dotPlotFigure({
    groups: Array.from({ length: testCase.groups }, (_, i) => ({ label: `g${i}`, cells: 10 })),
    genes: Array.from({ length: testCase.genes }, (_, i) => ({ symbol: `x${i}` })),
    mean: Float64Array.from(testCase.mean),
    fraction: Float64Array.from(testCase.fraction),
    title: 't',
    datasetName: 'd',
    groupTitle: 'g',
  }).spec;
}

test.each(reference.cases)('the dots of "$name" have the areas of scanpy', (testCase) => {
  const spec = specOf(testCase);
  expect(spec.dotMax).toBe(testCase.dotMax);
  spec.fraction.forEach((fraction, i) =>
    expect(dotArea(fraction, spec.dotMax)).toBeCloseTo(testCase.areas[i]!, 5),
  );
});

test.each(reference.cases)('the dots of "$name" have the colours of scanpy', (testCase) => {
  const spec = specOf(testCase);
  const farthest = spec.mean.map((mean, i) => {
    const [ours, theirs] = [meanColour(mean, spec.meanDomain), testCase.colours[i]!].map(parseHex);
    return Math.max(...ours!.map((byte, channel) => Math.abs(byte - theirs![channel]!)));
  });
  // Both round to bytes, each in its own way.
  expect(Math.max(...farthest)).toBeLessThanOrEqual(1);
});

test.each(reference.cases)('the legend of "$name" shows the sizes that scanpy shows', (testCase) => {
  const fractions = legendFractions(testCase.dotMax);
  expect(fractions.map((fraction) => String(Math.round(100 * fraction)))).toEqual(testCase.legendLabels);
  fractions.forEach((fraction, i) =>
    expect(dotArea(fraction, testCase.dotMax)).toBeCloseTo(testCase.legendAreas[i]!, 6),
  );
});

test('where no cell expresses a gene there is no dot and no size to show', () => {
  expect(dotArea(0, 0)).toBe(0);
  expect(legendFractions(0)).toEqual([]);
});

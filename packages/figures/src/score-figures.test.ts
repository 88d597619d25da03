import { readFileSync } from 'node:fs';
import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { parseHex } from './drawing/colour/oklab.ts';
import { FigureInputError, renderPng, scoreRamp, scoreUmapFigure, scoreViolinFigure } from './index.ts';
import type { Figure } from './index.ts';
import { categorical, maskOf, mixture } from './mixture.test-data.ts';

const datasetName = 'Blood';
const { embedding, column } = mixture(1000, ['B', 'T', 'NK']);
const rising = Float64Array.from({ length: 1000 }, (_, i) => i / 1000 - 0.5);

async function pixelsOf(figure: Figure, hex: string): Promise<number> {
  const image = PNG.sync.read(Buffer.from((await renderPng(figure)).png));
  const [red, green, blue] = parseHex(hex);
  let count = 0;
  for (let i = 0; i < image.data.length; i += 4) {
    if ((i / 4) % image.width > 800) continue;
    if (image.data[i] === red && image.data[i + 1] === green && image.data[i + 2] === blue) count++;
  }
  return count;
}

test('a score figure says its range, and counts the cells with and without a score', () => {
  const scores = rising.slice();
  scores.set([NaN, Infinity], 10);
  const { spec } = scoreUmapFigure({
    embedding,
    scores,
    title: 'Hypoxia',
    subtitle: '12 of 14 genes found',
    datasetName,
  });
  expect(spec).toMatchObject({ unit: 'signature score', subtitle: '12 of 14 genes found', notScored: 2 });
  expect(spec.summary).toBe('998 cells · 2 not scored');
  expect(spec.domain).toMatchObject({ low: -0.5, high: 0.499, clippedLow: false, clippedHigh: false });
});

test('cells without a score are a silhouette, and scores far beyond the bar take its ends', async () => {
  const scores = Float64Array.from(column.codes, (code) => [NaN, 0, 1][code]!);
  const at = column.codes.indexOf(1);
  scores[at] = -1e12;
  const figure = scoreUmapFigure({ embedding, scores, title: 'x', datasetName });
  expect(await pixelsOf(figure, figure.spec.colours.outside)).toBeGreaterThan(1000);
  expect(figure.spec.domain.clippedLow).toBe(true);
  expect(await pixelsOf(figure, scoreRamp[0]!)).toBeGreaterThan(1000);
  expect(await pixelsOf(figure, scoreRamp.at(-1)!)).toBeGreaterThan(1000);
});

test('only the cells of the mask are scored, counted and coloured', async () => {
  const scores = Float64Array.from(column.codes, (code) => code);
  const mask = maskOf(Array.from(column.codes, (code) => (code < 2 ? 1 : 0)));
  const figure = scoreUmapFigure({ embedding, scores, title: 'x', datasetName, mask });
  expect(figure.spec.domain).toMatchObject({ low: 0, high: 1 });
  expect(figure.spec.notScored).toBe(0);
  expect(figure.spec.counts.cells).toBe(mask.count);
  expect(await pixelsOf(figure, figure.spec.colours.outside)).toBeGreaterThan(1000);
});

test('scores that are all one, none, or of no cell are drawn', async () => {
  const empty = { ...embedding, values: new Float32Array(0) };
  for (const figure of [
    scoreUmapFigure({ embedding, scores: new Float64Array(1000).fill(0.25), title: 'x', datasetName }),
    scoreUmapFigure({ embedding, scores: new Float64Array(1000).fill(NaN), title: 'x', datasetName }),
    scoreUmapFigure({ embedding: empty, scores: new Float64Array(0), title: 'x', datasetName }),
  ]) {
    expect((await renderPng(figure)).width).toBe(1200);
    expect(JSON.parse(JSON.stringify(figure.spec))).toEqual(figure.spec);
  }
});

test.each([
  ['embedding', { scores: rising.slice(1) }],
  ['mask', { mask: maskOf([1, 0]) }],
])('a wrong %s of a score figure is named in the error', (field, wrong) => {
  const make = () => scoreUmapFigure({ embedding, scores: rising, title: 'x', datasetName, ...wrong });
  expect(make).toThrow(FigureInputError);
  expect(make).toThrow(expect.objectContaining({ tag: 'figure-input', field }));
});

interface Reference {
  cases: readonly {
    name: string;
    nonzero: readonly number[];
    zeros: number;
    density: readonly number[];
    quartiles: readonly number[];
  }[];
}

const reference = JSON.parse(
  readFileSync(new URL('../reference/violin-reference.json', import.meta.url), 'utf8'),
) as Reference;

function violin(scores: Float64Array, codes: Int16Array, categories: readonly string[]) {
  return scoreViolinFigure({
    scores,
    groups: categorical(codes, categories),
    title: 'Hypoxia',
    groupTitle: 'Cell type',
    datasetName,
  }).spec;
}

test.each(reference.cases)(
  'the violin of scores "$name" has numpy\'s quartiles and scipy\'s density',
  (testCase) => {
    const values = [...testCase.nonzero, ...new Array<number>(testCase.zeros).fill(0)];
    // Other groups between, so that gathering is put to the test too.
    const scores = Float64Array.from([...values.flatMap((value) => [9, value]), NaN]);
    const codes = Int16Array.from(scores, (_, i) => (i + 1) % 2);
    const group = violin(scores, codes, ['these', 'nines']).groups[0]!;
    expect(group.cells).toBe(values.length);
    group.quartiles!.forEach((value, i) => expect(value).toBeCloseTo(testCase.quartiles[i]!, 6));
    expect(group.mean).toBeCloseTo(values.reduce((sum, value) => sum + value, 0) / values.length, 9);
    const few = values.length < 10;
    expect(group.points).toEqual(few ? values.sort((a, b) => a - b) : null);
    const farthest = testCase.density.map((value, i) => Math.abs(value - (few ? value : group.density![i]!)));
    expect(Math.max(...farthest)).toBeLessThan(0.01);
  },
);

test('violins of a score keep the order of the categories and leave out what has no score', () => {
  const spec = violin(Float64Array.of(3, 1, NaN, -1, Infinity, 2, 7), Int16Array.of(2, 0, 1, 0, 0, 2, -1), [
    'a',
    'without',
    'c',
  ]);
  expect(spec.groups.map(({ label, cells, range }) => [label, cells, range])).toEqual([
    ['a', 2, [-1, 1]],
    ['c', 2, [2, 3]],
  ]);
  expect(spec).toMatchObject({ groupCount: 2, notScored: 2, domain: [-1, 3], unit: 'signature score' });
  expect(spec.summary).toBe('4 cells · 2 not scored');
});

test('scores and groups of different lengths are named in the error', () => {
  const make = () => violin(new Float64Array(3), new Int16Array(2), ['a']);
  expect(make).toThrow(expect.objectContaining({ tag: 'figure-input', field: 'groups' }));
});

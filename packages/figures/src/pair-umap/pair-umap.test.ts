import { describe, expect, test } from 'vitest';
import { colourDistance, lookAlike } from '../drawing/colour/colour-vision.ts';
import { geneOf, maskOf, mixture, tenTypes } from '../mixture.test-data.ts';
import { numbersOf, summariseFigure } from '../all-words.ts';
import { lowestExpressed } from './complex.ts';
import { figureContent, notShown } from '../all-content.ts';
import { pairUmapFigure } from './figure.ts';
import { pairLevel, pairLevels, pairShade } from './groups.ts';
import { pairShades } from './shades.ts';

const { embedding } = mixture(6, tenTypes);
const named = (symbol: string, cells: number[], values: number[]) => ({
  symbol,
  unit: 'log-normalized expression',
  gene: geneOf(6, cells, values),
});
const ligand = [named('CXCL12', [0, 1, 2], [1, 2, 4])];
const receptor = [named('ITGAV', [1, 2, 5], [3, 1, 2]), named('ITGB3', [1, 3, 5], [1, 9, 5])];
const input = { embedding, first: ligand, second: receptor, datasetName: 'Lung' };

test('of a complex the least expressed subunit counts, and a cell without one of them has none', () => {
  const { cells, values } = lowestExpressed(receptor.map(({ gene }) => gene));
  expect([[...cells], [...values]]).toEqual([
    [1, 5],
    [1, 2],
  ]);
});

test('cells with both, one and none are counted, and coloured by both levels', () => {
  const { spec, drawing, columns } = pairUmapFigure(input);
  expect(spec).toMatchObject({
    title: 'CXCL12 and ITGAV+ITGB3',
    first: { label: 'CXCL12', high: 4, max: 4, clipped: false, expressing: 3 },
    second: { label: 'ITGAV+ITGB3', high: 2, expressing: 2 },
    both: 1,
    neither: 2,
  });
  const [layer] = drawing.points!({ spec, columns });
  // Behind the ink of cells outside.
  const place = (a: number, b: number) => 1 + pairShade(pairLevel(a, 4), pairLevel(b, 2));
  expect([...layer!.cellInk]).toEqual([
    place(1, 0),
    place(2, 1),
    place(4, 0),
    place(0, 0),
    place(0, 0),
    place(0, 2),
  ]);
});

test('cells outside of a subset are neither counted nor coloured', () => {
  const { spec, drawing, columns } = pairUmapFigure({ ...input, mask: maskOf([1, 0, 1, 1, 1, 1]) });
  expect(spec).toMatchObject({ both: 0, neither: 2, first: { expressing: 2 }, counts: { cells: 5 } });
  expect(drawing.points!({ spec, columns })[0]!.cellInk[1]).toBe(0);
});

test('genes of different cells are refused', () => {
  const second = [{ ...receptor[0]!, gene: geneOf(7, [1], [1]) }];
  expect(() => pairUmapFigure({ ...input, second })).toThrow('the genes hold 6 and 7 cells');
});

test('levels rise in equal steps, and what is no expression has none', () => {
  expect([Number.NaN, -1, 0].map((value) => pairLevel(value, 6))).toEqual([0, 0, 0]);
  expect([0.01, 0.99, 1, 5.5, 6, 99].map((value) => pairLevel(value, 6))).toEqual([1, 1, 2, 6, 6, 6]);
});

describe.each(['light', 'dark'] as const)('the colours of the %s theme', (theme) => {
  const shades = pairShades(theme);
  const maxLevel = pairLevels - 1;
  const at = (a: number, b: number) => shades[pairShade(a, b)]!;

  test('fit into the inks of an indexed image', () => {
    expect(shades).toHaveLength(49);
    expect(shades.length + 1).toBeLessThanOrEqual(58);
  });

  test('distinguish none, either and both with every sight', () => {
    const ends = [at(0, 0), at(maxLevel, 0), at(0, maxLevel), at(maxLevel, maxLevel)];
    for (const [i, one] of ends.entries())
      for (const other of ends.slice(i + 1)) expect(lookAlike(one, other)).toBeUndefined();
  });

  test('change the least expressed cell from one that expresses nothing', () => {
    for (const one of [at(1, 0), at(0, 1)])
      expect(colourDistance(one, at(0, 0), 'ordinary sight')).toBeGreaterThan(0.05);
  });
});

test('the words say how many cells have both, and that a map shows no neighbours in the tissue', () => {
  const summary = summariseFigure(numbersOf(JSON.parse(JSON.stringify(pairUmapFigure(input).spec)))!);
  expect(summary).toContain('1 (16.7 %) with both and 2 with neither.');
  expect(summary).toContain(
    'CXCL12 is above 0 in 3 cells (50.0 %), up to 4, and ITGAV+ITGB3 in 2 (33.3 %), up to 2.',
  );
  expect(summary).toContain('no positions in the tissue');
});

test('its colours have two scales: a request for a range or a log is refused', () => {
  const content = figureContent.parse({ kind: 'pair-umap', first: ['A'], second: ['B'] });
  expect(notShown(content, { log: true })).toMatchObject({ field: 'log' });
  expect(notShown(content, { axes: [0, 1] })).toBeUndefined();
});

import { expect, test } from 'vitest';
import { RUN_GAP, bandWidth, geneBands } from './gene-bands.ts';

const PITCH = 20;

function genesOf(...brackets: readonly (readonly [string | null, number])[]) {
  return brackets.flatMap(([bracket, count]) => Array.from({ length: count }, () => ({ bracket })));
}

const shape = (bands: ReturnType<typeof geneBands>) =>
  bands.map((runs) => runs.map(({ bracket, count }) => [bracket, count]));

test('genes that fit stay in one band, in their order', () => {
  const bands = geneBands(genesOf(['B', 3], ['T', 2]), PITCH, 5 * PITCH + RUN_GAP);
  expect(bands).toEqual([
    [
      { bracket: 'B', first: 0, count: 3 },
      { bracket: 'T', first: 3, count: 2 },
    ],
  ]);
  expect(bandWidth(bands[0]!, PITCH)).toBe(5 * PITCH + RUN_GAP);
});

test('a bracket that does not fit goes whole into the next band', () => {
  expect(shape(geneBands(genesOf(['B', 3], ['T', 2]), PITCH, 4 * PITCH + RUN_GAP))).toEqual([
    [['B', 3]],
    [['T', 2]],
  ]);
});

test('bands are evened out', () => {
  const four = genesOf(['a', 10], ['b', 10], ['c', 10], ['d', 10]);
  expect(shape(geneBands(four, PITCH, 35 * PITCH))).toEqual([
    [
      ['a', 10],
      ['b', 10],
    ],
    [
      ['c', 10],
      ['d', 10],
    ],
  ]);
});

test('a bracket wider than a band is broken, and so are genes without one', () => {
  expect(shape(geneBands(genesOf(['a', 25]), PITCH, 10 * PITCH))).toEqual([
    [['a', 9]],
    [['a', 9]],
    [['a', 7]],
  ]);
  expect(shape(geneBands(genesOf([null, 12]), PITCH, 10 * PITCH))).toEqual([[[null, 6]], [[null, 6]]]);
});

test('no gene is lost or repeated, however narrow the bands', () => {
  const genes = genesOf(['a', 7], [null, 5], ['b', 1], ['c', 13], [null, 2], ['a', 4]);
  for (let width = 1; width < 40 * PITCH; width += 7) {
    const bands = geneBands(genes, PITCH, width);
    const seen = bands
      .flat()
      .flatMap(({ first, count }) => Array.from({ length: count }, (_, i) => first + i));
    expect(seen).toEqual(genes.map((_, i) => i));
    for (const band of bands) expect(bandWidth(band, PITCH)).toBeLessThanOrEqual(Math.max(width, PITCH));
  }
});

test('no genes make no bands', () => {
  expect(geneBands([], PITCH, 100)).toEqual([]);
});

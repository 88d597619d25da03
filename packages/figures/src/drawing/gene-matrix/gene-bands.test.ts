import { expect, test } from 'vitest';
import { runGap, bandWidth, geneBands } from './gene-bands.ts';

const pitch = 20;

function genesOf(...brackets: readonly (readonly [string | null, number])[]) {
  return brackets.flatMap(([bracket, count]) => Array.from({ length: count }, () => ({ bracket })));
}

const shape = (bands: ReturnType<typeof geneBands>) =>
  bands.map((runs) => runs.map(({ bracket, count }) => [bracket, count]));

test('genes that fit stay in one band, in their order', () => {
  const bands = geneBands(genesOf(['B', 3], ['T', 2]), pitch, 5 * pitch + runGap);
  expect(bands).toEqual([
    [
      { bracket: 'B', first: 0, count: 3 },
      { bracket: 'T', first: 3, count: 2 },
    ],
  ]);
  expect(bandWidth(bands[0]!, pitch)).toBe(5 * pitch + runGap);
});

test('a bracket that does not fit goes whole into the next band', () => {
  expect(shape(geneBands(genesOf(['B', 3], ['T', 2]), pitch, 4 * pitch + runGap))).toEqual([
    [['B', 3]],
    [['T', 2]],
  ]);
});

test('bands are evened out', () => {
  const four = genesOf(['a', 10], ['b', 10], ['c', 10], ['d', 10]);
  expect(shape(geneBands(four, pitch, 35 * pitch))).toEqual([
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
  expect(shape(geneBands(genesOf(['a', 25]), pitch, 10 * pitch))).toEqual([
    [['a', 9]],
    [['a', 9]],
    [['a', 7]],
  ]);
  expect(shape(geneBands(genesOf([null, 12]), pitch, 10 * pitch))).toEqual([[[null, 6]], [[null, 6]]]);
});

test('no gene is lost or repeated, however narrow the bands', () => {
  const genes = genesOf(['a', 7], [null, 5], ['b', 1], ['c', 13], [null, 2], ['a', 4]);
  for (let width = 1; width < 40 * pitch; width += 7) {
    const bands = geneBands(genes, pitch, width);
    const places = bands
      .flat()
      .flatMap(({ first, count }) => Array.from({ length: count }, (_, i) => first + i));
    expect(places).toEqual(genes.map((_, i) => i));
    for (const band of bands) expect(bandWidth(band, pitch)).toBeLessThanOrEqual(Math.max(width, pitch));
  }
});

test('no genes make no bands', () => {
  expect(geneBands([], pitch, 100)).toEqual([]);
});

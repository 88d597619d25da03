import type { GeneIndex } from '@cellfolio/store';
import { expect, test } from 'vitest';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { scoredGenes } from './scored-genes.ts';

/** Finds genes whatever their case, as that of a dataset does. */
function indexOf(symbols: string[]): GeneIndex {
  const lower = symbols.map((symbol) => symbol.toLowerCase());
  return {
    symbols,
    find: (name: string) => {
      const row = lower.indexOf(name.toLowerCase());
      return row < 0 ? undefined : row;
    },
  } as unknown as GeneIndex;
}
const names = (count: number, from = 0) => Array.from({ length: count }, (_, gene) => `G${from + gene}`);
const codesOf = (found: number, total: number, minimumGenes = 3) =>
  scoredGenes(indexOf(names(found)), {
    name: 'STATE',
    genes: names(total),
    state: { minimumGenes },
  }).cautions.map(({ code }) => code);

test('a cell state has a caution below ten genes, and below half of its set', () => {
  expect(codesOf(9, 9)).toEqual(['few-genes']);
  expect(codesOf(10, 20)).toEqual([]);
  expect(codesOf(10, 21)).toEqual(['few-genes']);
  expect(codesOf(30, 60)).toEqual([]);
});

test('a cell state is scored from the minimum on, and refused below it', () => {
  expect(codesOf(3, 60)).toEqual(['few-genes']);
  expect(codesOf(1, 60, 1)).toEqual(['few-genes']);
  for (const [found, minimum] of [
    [2, 3],
    [9, 10],
  ] as const) {
    expect(() => codesOf(found, 60, minimum)).toThrow(ApiFailure);
    expect(() => codesOf(found, 60, minimum)).toThrow(`At least ${minimum} are required`);
  }
});

test('symbols in another case are counted among those found, of cell states alone', () => {
  const index = indexOf(['G0', 'g1', ...names(10, 2)]);
  const genes = names(12);
  const { cautions } = scoredGenes(index, { name: 'STATE', genes, state: { minimumGenes: 3 } });
  expect(cautions).toMatchObject([
    { code: 'matched-regardless-of-case', numbers: { otherCase: 1, foundGenes: 12, example: 'g1' } },
  ]);
  expect(scoredGenes(index, { name: 'mine', genes }).cautions).toEqual([]);
});

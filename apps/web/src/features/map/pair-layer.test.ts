import type { LevelColumn } from '@cellfolio/columns';
import { outsideSlot } from '@cellfolio/map';
import { pairLevels, pairShade } from '@cellfolio/figures/content';
import { expect, test } from 'vitest';
import { type PairFigure, pairPalette, pairSlots, pairSourcesOf } from './pair-layer.ts';

const values = Float64Array.from({ length: 256 }, (_, level) => level);
const column = (...levels: number[]): LevelColumn => ({
  kind: 'levels',
  cells: levels.length,
  levels: Uint8Array.from(levels),
  values,
  range: [0, 6],
  zero: true,
  missing: 0,
  counts: false,
});
const side = (label: string) => ({ label, high: 6, clipped: false, expressing: 2 });
const figure: PairFigure = {
  title: 'A and B',
  summary: '',
  counts: { cells: 4, datasetCells: 4, withoutPosition: 0 },
  unit: 'log-normalized expression',
  first: side('A'),
  second: side('B+C'),
  both: 1,
  neither: 1,
  colours: {
    outside: '#f1f2f4',
    shades: Array.from({ length: pairLevels ** 2 }, (_, at) => `#0000${at.toString(16).padStart(2, '0')}`),
  },
};

test('cells have the slot of both levels, of a complex that of the least expressed subunit', () => {
  const columns = { first: [column(0, 3, 6, 0)], second: [column(0, 2, 6, 5), column(6, 6, 1, 4)] };
  const { slots, onTopFrom } = pairSlots(figure, columns, undefined);
  expect([...slots]).toEqual([pairShade(0, 0), pairShade(4, 3), pairShade(6, 2), pairShade(0, 5)]);
  expect(onTopFrom).toBe(1);
});

test('cells outside of the subset have none, and are a silhouette', () => {
  const columns = { first: [column(6, 6)], second: [column(6, 6)] };
  const mask = { kind: 'mask' as const, cells: 2, count: 1, bits: Uint8Array.of(0b10) };
  expect([...pairSlots(figure, columns, mask).slots]).toEqual([outsideSlot, pairShade(6, 6)]);
  const palette = pairPalette(figure, true);
  expect([...palette.subarray(4 * outsideSlot, 4 * outsideSlot + 4)]).toEqual([0xf1, 0xf2, 0xf4, 255]);
  expect(palette[4 * 48 + 2]).toBe(48);
});

test('the columns of a pair are those of all its genes', () => {
  const sources = pairSourcesOf({ kind: 'pair-umap', first: ['A'], second: ['B', 'C'] });
  expect(sources?.second).toEqual([
    { from: 'gene', name: 'B' },
    { from: 'gene', name: 'C' },
  ]);
  expect(pairSourcesOf({ kind: 'gene-umap', gene: 'A' })).toBeUndefined();
});

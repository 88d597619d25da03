import type { CategoryColumn, LevelColumn, MaskColumn } from '@cellfolio/columns';
import type { MapFigure } from '@cellfolio/contract';
import { outsideSlot } from '@cellfolio/map';
import { describe, expect, test } from 'vitest';
import {
  cellsByLevel,
  groupPalette,
  groupSlots,
  partOfCategory,
  percentileOf,
  rangeSlots,
  valuePalette,
} from './map-layer.ts';

type GroupFigure = Extract<MapFigure, { groups: unknown }>;
type RangeFigure = Extract<MapFigure, { domain: unknown }>;

const column: CategoryColumn = {
  kind: 'categories',
  cells: 6,
  codes: Uint8Array.of(1, 2, 3, 0, 2, 1),
  categories: ['B', 'T', 'NK'],
  counts: [2, 2, 1],
  missing: 1,
};
const group = (label: string, code: number, colour: string, cells: number) => ({
  label,
  code,
  colour,
  cells,
});
const figure: GroupFigure = {
  title: 'Cell types',
  summary: '6 cells',
  counts: { cells: 6, datasetCells: 6, withoutPosition: 0 },
  groups: [group('B', 0, '#010203', 2), group('T', 1, '#040506', 2), group('NK', 2, '#070809', 1)],
  missing: 1,
  others: 0,
  colours: { outside: '#f1f2f4', missing: '#c9cdd3' },
};
const mask: MaskColumn = { kind: 'mask', cells: 6, bits: Uint8Array.of(0b011101), count: 4 };
const all = { cells: 6, mask: undefined };
const colourAt = (palette: Uint8Array, slot: number) => [...palette.subarray(4 * slot, 4 * slot + 4)];

describe('categories', () => {
  test('are the codes of the column themselves where a figure names all of them', () => {
    const { slots, legend, onTopFrom } = groupSlots(figure, column, all);
    expect(slots).toBe(column.codes);
    expect(onTopFrom).toBeUndefined();
    expect(legend.map(({ key, slot }) => [key, slot])).toEqual([
      ['=B', 1],
      ['=T', 2],
      ['=NK', 3],
      ['missing', 0],
    ]);
  });

  test('have the colours of the figure, and those that are hidden are not drawn', () => {
    const groupLayer = groupSlots(figure, column, all);
    const palette = groupPalette(figure, groupLayer, { hidden: ['=T', 'missing'] }, false);
    expect([0, 1, 2, 3, outsideSlot].map((slot) => colourAt(palette, slot)[3])).toEqual([0, 255, 0, 255, 0]);
    expect(colourAt(palette, 3)).toEqual([7, 8, 9, 255]);
  });

  test('outside of the subset are a silhouette', () => {
    const groupLayer = groupSlots(figure, column, { cells: 6, mask });
    expect([...groupLayer.slots]).toEqual([1, outsideSlot, 3, 0, 2, outsideSlot]);
    expect(colourAt(groupPalette(figure, groupLayer, {}, true), outsideSlot)).toEqual([
      0xf1, 0xf2, 0xf4, 255,
    ]);
  });

  test('that a figure highlights lie on top of all other cells', () => {
    const highlighted: GroupFigure = {
      ...figure,
      groups: [group('T', 1, '#040506', 2)],
      missing: 0,
      others: 4,
      colours: { outside: '#f1f2f4', others: '#dcdfe4' },
    };
    const groupLayer = groupSlots(highlighted, column, all);
    expect([...groupLayer.slots]).toEqual([0, 1, 0, 0, 1, 0]);
    expect(groupLayer.onTopFrom).toBe(1);
    expect(groupLayer.legend.map(({ key, cells }) => [key, cells])).toEqual([
      ['=T', 2],
      ['others', 4],
    ]);
  });

  test('beyond those that a figure names share a slot', () => {
    const categories = Array.from({ length: 300 }, (_, code) => `c${code}`);
    const many: CategoryColumn = {
      kind: 'categories',
      cells: 3,
      codes: Uint16Array.of(300, 1, 0),
      categories,
      counts: categories.map(() => 1),
      missing: 1,
    };
    const named: GroupFigure = {
      ...figure,
      groups: [group('c299', 299, '#010101', 1)],
      rest: { groups: 299, cells: 299, colour: '#aaaaaa' },
      missing: 1,
    };
    const { slots, legend } = groupSlots(named, many, { cells: 3, mask: undefined });
    expect([...slots]).toEqual([1, 253, 0]);
    expect(legend.map(({ label }) => label)).toEqual(['c299', '299 more groups', 'Not assigned']);
  });

  test('of a split leave only their own cells, and count those of the figure', () => {
    const _ = outsideSlot;
    const slots = Uint8Array.of(9, 8, 7, 6, 5, 4);
    expect(partOfCategory(slots, column.codes, 1)).toEqual({
      slots: Uint8Array.of(_, 8, _, _, 5, _),
      cells: 2,
    });
    const subset = Uint8Array.of(_, 8, 7, _, _, _);
    expect(partOfCategory(subset, column.codes, 1)).toEqual({
      slots: Uint8Array.of(_, 8, _, _, _, _),
      cells: 1,
    });
    expect(partOfCategory(subset, column.codes, 0).cells).toBe(0);
  });

  test('without a column are one group', () => {
    const one = { ...figure, groups: [group('All cells', 0, '#010203', 6)], missing: 0 };
    expect([...groupSlots(one, undefined, all).slots]).toEqual([1, 1, 1, 1, 1, 1]);
  });
});

describe('values', () => {
  const values = new Float64Array(256).fill(NaN);
  values.set([0, 1, 2, 3, 4]);
  const gene: LevelColumn = {
    kind: 'levels',
    cells: 6,
    levels: Uint8Array.of(0, 1, 2, 3, 4, 0),
    values,
    range: [0, 4],
    zero: true,
    missing: 0,
    counts: true,
  };
  const range: RangeFigure = {
    title: 'CD3D',
    summary: '4 of 6 cells',
    counts: { cells: 6, datasetCells: 6, withoutPosition: 0 },
    unit: 'log-normalized expression',
    domain: { low: 0, high: 4 },
    colours: { outside: '#f1f2f4', zero: '#dcdfe4', ramp: ['#000000', '#ffffff'] },
  };

  test('lie on top where the figure says so', () => {
    expect(rangeSlots({ order: 'expressing-on-top' }, gene, undefined)).toMatchObject({ onTopFrom: 1 });
    expect(rangeSlots({ order: 'shuffled' }, gene, undefined).onTopFrom).toBeUndefined();
    expect([...rangeSlots({}, gene, mask).slots]).toEqual([0, outsideSlot, 2, 3, 4, outsideSlot]);
  });

  test('are coloured between the ends of the bar, linearly or by their logarithm', () => {
    const palette = valuePalette(range, gene, { range: [0, 4] }, false);
    expect(colourAt(palette, 0)).toEqual([0xdc, 0xdf, 0xe4, 255]);
    expect(colourAt(palette, 2)).toEqual([128, 128, 128, 255]);
    expect(colourAt(valuePalette(range, gene, { range: [0, 2] }, false), 3)).toEqual([255, 255, 255, 255]);
    const log = valuePalette(range, gene, { range: [0, 3], log: true }, false);
    expect(colourAt(log, 1)).toEqual([128, 128, 128, 255]);
  });

  test('have percentiles of the cells that express a gene', () => {
    const counts = cellsByLevel(Uint8Array.of(0, 0, 0, 1, 1, 2, 3, outsideSlot));
    expect(percentileOf(gene, counts, 0.01)).toBe(1);
    expect(percentileOf(gene, counts, 0.75)).toBe(2);
    expect(percentileOf(gene, counts, 0.99)).toBe(3);
    expect(percentileOf(gene, new Uint32Array(256), 0.5)).toBe(0);
  });
});

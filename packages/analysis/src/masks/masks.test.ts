import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CategoricalColumn, CellMask, GeneColumn } from '@cellfolio/model';
import { categoryMask, intersectMasks, presenceMask } from './masks.ts';
import { genePercentileMask, scorePercentileMask } from './percentile-masks.ts';
import { InvalidPercentiles } from './percentiles.ts';
import { geneHistogram, scoreHistogram, type ValueHistogram } from './value-histogram.ts';

interface Filter {
  range: [number, number];
  /** Bits of two doubles. */
  thresholds: [string, string];
  mask: string;
  count: number;
}
/** Ends as the bits of two doubles; null if there is nothing to count, or numpy cannot. */
type Bins = { low: string; high: string; counts: number[] } | null;
/** Written by fixtures/analysis/masks_reference.py. */
interface Reference {
  genes: {
    title: string;
    cellCount: number;
    cells: number[];
    values: (number | null)[];
    positive: string;
    negative: string;
    filters: Filter[];
    expressing: Filter[];
    histogram: Bins;
  }[];
  scores: { title: string; scores: (number | null)[]; filters: Filter[]; histogram: Bins }[];
}
const reference = JSON.parse(
  readFileSync(join(import.meta.dirname, 'masks-reference.json'), 'utf8'),
) as Reference;

function packed(mask: CellMask): string {
  const bytes = new Uint8Array(Math.ceil(mask.bits.length / 8));
  mask.bits.forEach((bit, cell) => (bytes[cell >> 3]! |= bit << (7 - (cell & 7))));
  return Buffer.from(bytes).toString('hex');
}

function bitsOf(number: number): string {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, number);
  return Buffer.from(view.buffer).toString('hex');
}

const columnOf = (gene: { cellCount: number; cells: number[]; values: (number | null)[] }): GeneColumn => ({
  cellCount: gene.cellCount,
  cells: Int32Array.from(gene.cells),
  values: Float32Array.from(gene.values, (value) => value ?? NaN),
});

const maskOf = (...bits: number[]): CellMask => ({
  bits: Uint8Array.from(bits),
  count: bits.filter((bit) => bit === 1).length,
});

test.each(reference.genes)('presence is x > 0 or x = 0: $title', (gene) => {
  for (const presence of ['positive', 'negative'] as const) {
    const mask = presenceMask(columnOf(gene), presence);
    expect(packed(mask)).toBe(gene[presence]);
    expect(mask.count).toBe(mask.bits.filter((bit) => bit === 1).length);
  }
});

test.each(reference.genes)(
  'filters by gene percentile are those of numpy to the last bit: $title',
  (gene) => {
    for (const { range, thresholds, mask: expected, count } of gene.filters) {
      const { mask, thresholds: ours } = genePercentileMask(columnOf(gene), {
        min: range[0]!,
        max: range[1]!,
      });
      expect({ range, thresholds: ours.map(bitsOf) }).toEqual({ range, thresholds });
      expect(packed(mask)).toBe(expected);
      expect(mask.count).toBe(count);
    }
  },
);

test.each(reference.scores)(
  'filters by score percentile are those of numpy to the last bit: $title',
  ({ scores, filters }) => {
    const values = Float64Array.from(scores, (score) => score ?? NaN);
    const before = values.slice();
    for (const { range, thresholds, mask: expected, count } of filters) {
      const { mask, thresholds: ours } = scorePercentileMask(values, { min: range[0], max: range[1] });
      expect({ range, thresholds: ours.map(bitsOf) }).toEqual({ range, thresholds });
      expect(packed(mask)).toBe(expected);
      expect(mask.count).toBe(count);
    }
    expect(values).toEqual(before);
  },
);

test.each(reference.genes)(
  'percentiles among expressing cells are those of numpy over x > 0, to the last bit: $title',
  (gene) => {
    for (const { range, thresholds, mask: expected, count } of gene.expressing) {
      const percentileMask = genePercentileMask(
        columnOf(gene),
        { min: range[0], max: range[1] },
        'expressing',
      );
      expect({ range, thresholds: percentileMask.thresholds.map(bitsOf) }).toEqual({ range, thresholds });
      expect(packed(percentileMask.mask)).toBe(expected);
      expect(percentileMask.mask.count).toBe(count);
    }
  },
);

test('percentiles among expressing cells keep no cell where none expresses the gene', () => {
  const scaled: GeneColumn = { cellCount: 3, cells: Int32Array.of(0, 2), values: Float32Array.of(-1, NaN) };
  expect(genePercentileMask(scaled, { min: 0, max: 100 }, 'expressing')).toEqual({
    mask: maskOf(0, 0, 0),
    thresholds: [NaN, NaN],
  });
});

const total = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);
const everyCell = (cellCount: number) => maskOf(...new Array<number>(cellCount).fill(1));
function expectBins(ours: ValueHistogram, numpy: Bins) {
  if (numpy === null) return;
  expect({ low: bitsOf(ours.low), high: bitsOf(ours.high), counts: ours.counts }).toEqual(numpy);
}

test.each(reference.genes)('the bins of a gene are those of numpy, zeros apart: $title', (gene) => {
  const column = columnOf(gene);
  const histogram = geneHistogram(column, everyCell(gene.cellCount));
  expectBins(histogram, gene.histogram);
  expect(total(histogram.counts) + histogram.zeros + histogram.missing).toBe(gene.cellCount);
  expect(histogram.positive).toBe(presenceMask(column, 'positive').count);
  const mask = genePercentileMask(column, { min: 50, max: 99 }).mask;
  const maskedHistogram = geneHistogram(column, mask);
  expect(total(maskedHistogram.keptCounts) + maskedHistogram.zerosKept).toBe(mask.count);
});

test.each(reference.scores)('the bins of a score are those of numpy: $title', ({ scores, histogram }) => {
  const values = Float64Array.from(scores, (score) => score ?? NaN);
  const { mask } = scorePercentileMask(values, { min: 1, max: 50 });
  const ours = scoreHistogram(values, mask);
  expectBins(ours, histogram);
  expect(total(ours.counts) + ours.zeros + ours.missing).toBe(scores.length);
  expect(total(ours.keptCounts) + ours.zerosKept).toBe(mask.count);
});

test('a gene of all zeros has no bins, and a stored zero counts as one', () => {
  const gene: GeneColumn = { cellCount: 4, cells: Int32Array.of(0, 2), values: Float32Array.of(0, NaN) };
  expect(geneHistogram(gene, maskOf(1, 1, 0, 0))).toEqual({
    zeros: 3,
    zerosKept: 2,
    positive: 0,
    missing: 1,
    low: 0,
    high: 0,
    counts: [],
    keptCounts: [],
  });
});

test('a zero that is stored counts like one that is not', () => {
  const implicit: GeneColumn = { cellCount: 6, cells: Int32Array.of(1, 4), values: Float32Array.of(2, 5) };
  const stored: GeneColumn = {
    cellCount: 6,
    cells: Int32Array.of(0, 1, 3, 4, 5),
    values: Float32Array.of(0, 2, -0, 5, 0),
  };
  for (const presence of ['positive', 'negative'] as const) {
    expect(presenceMask(stored, presence)).toEqual(presenceMask(implicit, presence));
  }
  for (const range of [
    { min: 0, max: 50 },
    { min: 60, max: 90 },
  ]) {
    expect(genePercentileMask(stored, range).mask).toEqual(genePercentileMask(implicit, range).mask);
  }
});

test('a value below zero is neither positive nor negative presence', () => {
  const scaled: GeneColumn = { cellCount: 3, cells: Int32Array.of(0, 2), values: Float32Array.of(-1, 1) };
  expect(presenceMask(scaled, 'positive')).toEqual(maskOf(0, 0, 1));
  expect(presenceMask(scaled, 'negative')).toEqual(maskOf(0, 1, 0));
});

test('a missing value is neither presence, is never kept and does not count in the percentiles', () => {
  const gene: GeneColumn = { cellCount: 4, cells: Int32Array.of(0, 2), values: Float32Array.of(NaN, 1) };
  expect(presenceMask(gene, 'positive')).toEqual(maskOf(0, 0, 1, 0));
  expect(presenceMask(gene, 'negative')).toEqual(maskOf(0, 1, 0, 1));
  expect(genePercentileMask(gene, { min: 0, max: 100 })).toEqual({
    mask: maskOf(0, 1, 1, 1),
    thresholds: [0, 1],
  });
  expect(genePercentileMask(gene, { min: 75, max: 100 })).toEqual({
    mask: maskOf(0, 0, 1, 0),
    thresholds: [0.5, 1],
  });
});

test('no cells and no scores give an empty mask', () => {
  const gene: GeneColumn = { cellCount: 0, cells: new Int32Array(), values: new Float32Array() };
  expect(genePercentileMask(gene, { min: 1, max: 50 }).mask).toEqual(maskOf());
  expect(scorePercentileMask(Float64Array.of(NaN, NaN), { min: 0, max: 100 })).toEqual({
    mask: maskOf(0, 0),
    thresholds: [NaN, NaN],
  });
});

test.each([
  [NaN, 50, 'The minimum percentile is not a number: enter a number from 0 to 100.'],
  [1, Infinity, 'The maximum percentile is not a number: enter a number from 0 to 100.'],
  [-1, 50, 'The minimum percentile is -1: enter a number from 0 to 100.'],
  [1, 100.5, 'The maximum percentile is 100.5: enter a number from 0 to 100.'],
  [
    60,
    50,
    'The minimum percentile (60) is above the maximum (50): enter a minimum that is not above the maximum.',
  ],
])('percentiles from %s to %s are refused with a text that says what to do', (min, max, text) => {
  const gene = columnOf(reference.genes[0]!);
  for (const filter of [
    () => genePercentileMask(gene, { min, max }),
    () => scorePercentileMask(Float64Array.of(1, 2), { min, max }),
  ]) {
    expect(filter).toThrow(InvalidPercentiles);
    expect(filter).toThrow(text);
  }
});

const types: CategoricalColumn = {
  kind: 'categorical',
  codes: Int8Array.of(0, 2, -1, 1, 0),
  categories: ['B cell', '__proto__', '<b>'],
  categoryType: 'string',
  ordered: false,
};

test('a cell is kept if it has one of the categories, and never without a category', () => {
  expect(categoryMask(types, ['B cell', '<b>'])).toEqual(maskOf(1, 1, 0, 0, 1));
  expect(categoryMask(types, ['__proto__', '__proto__'])).toEqual(maskOf(0, 0, 0, 1, 0));
  expect(categoryMask(types, [])).toEqual(maskOf(0, 0, 0, 0, 0));
  expect(categoryMask(types, ['constructor', 'T cell'])).toEqual(maskOf(0, 0, 0, 0, 0));
});

test('masks of several filters are joined by AND, and are not changed themselves', () => {
  const [a, b, c] = [maskOf(1, 1, 1, 0), maskOf(0, 1, 1, 0), maskOf(1, 0, 1, 1)];
  expect(intersectMasks(a, b, c)).toEqual(maskOf(0, 0, 1, 0));
  expect(intersectMasks(a)).toEqual(a);
  expect(a).toEqual(maskOf(1, 1, 1, 0));
});

test('masks of other cells are not joined', () => {
  expect(() => intersectMasks(maskOf(1, 0), maskOf(1))).toThrow('A mask of 1 cells does not fit one of 2.');
});

import type { QualityChoice, QualityPlan } from '@cellfolio/contract';
import { expect, test } from 'vitest';
import { liveThresholds } from './live-thresholds.ts';
import { removalsOf, removesAll } from './removed-cells.ts';

const cells = Array.from({ length: 400 }, (_, cell) => ({
  counts: Math.round(Math.exp(2 + cell / 80)),
  genes: Math.round(Math.exp(1 + cell / 100)),
  mitochondrial: cell % 4 === 0 ? 0.3 : 0.01 + (cell % 7) / 100,
}));
const spread = { median: 0, deviation: 0 };
const wide = { counts: spread, genes: spread, mitochondrial: { median: 1, deviation: 0 } };

function edgesOf(measure: 'counts' | 'genes' | 'mitochondrial'): number[] {
  const values = cells.map((cell) => cell[measure]);
  const [low, high] =
    measure === 'mitochondrial'
      ? [0, 0.3]
      : [Math.log10(Math.min(...values)), Math.log10(Math.max(...values))];
  const at = Array.from({ length: 41 }, (_, edge) => low! + (edge * (high! - low!)) / 40);
  return measure === 'mitochondrial' ? at : at.map((exponent) => 10 ** exponent);
}

const edges = { counts: edgesOf('counts'), genes: edgesOf('genes'), mitochondrial: edgesOf('mitochondrial') };

function binsOf(measure: keyof typeof edges): number[] {
  const bins = new Array<number>(40).fill(0);
  for (const cell of cells) {
    const bin = edges[measure].findLastIndex((edge) => cell[measure] >= edge);
    bins[Math.min(39, Math.max(0, bin))]! += 1;
  }
  return bins;
}

function counted(choice: QualityChoice) {
  const { minimumCounts, minimumGenes, maximumMitochondrial = 1 } = liveThresholds({ spreads: wide }, choice);
  const removed = { all: 0, noCounts: 0, counts: 0, genes: 0, mitochondrial: 0, several: 0 };
  for (const cell of cells) {
    const broken = [
      cell.counts < minimumCounts,
      cell.genes < minimumGenes,
      cell.mitochondrial > maximumMitochondrial,
    ];
    removed.counts += Number(broken[0]);
    removed.genes += Number(broken[1]);
    removed.mitochondrial += Number(broken[2]);
    const rules = broken.filter(Boolean).length;
    removed.all += Number(rules > 0);
    removed.several += Number(rules > 1);
  }
  return removed;
}

function planOf(choice: QualityChoice): QualityPlan {
  return {
    choice,
    cells: cells.length,
    sampleColumns: [],
    mitochondrialGenes: 13,
    ribosomalGenes: 0,
    haemoglobinGenes: 0,
    removed: counted(choice),
    edges,
    groups: [
      {
        cells: cells.length,
        removed: counted(choice),
        pooled: false,
        spreads: wide,
        thresholds: liveThresholds({ spreads: wide }, choice),
        bins: { counts: binsOf('counts'), genes: binsOf('genes'), mitochondrial: binsOf('mitochondrial') },
      },
    ],
    cautions: [],
  };
}

const none: QualityChoice = { minimumCounts: 0, minimumGenes: 0, maximumMitochondrial: 1 };

test.each([8, 9, 12, 20, 47, 133, 400])(
  'cells below %i counts are counted to within the bin that is cut',
  (minimumCounts) => {
    const choice = { ...none, minimumCounts };
    const { all } = removalsOf(planOf(none), choice);
    const largestBin = Math.max(...binsOf('counts'));
    const off = Math.abs(all!.removed.all - counted(choice).all);
    expect(off).toBeLessThanOrEqual(all!.exact ? 0 : largestBin - 1);
  },
);

test('a threshold between whole numbers that share no bin is exact, and says so', () => {
  const choice = { ...none, minimumCounts: 8 };
  expect(removalsOf(planOf(none), choice).all).toEqual({ removed: counted(choice), exact: true });
  expect(removalsOf(planOf(none), { ...none, minimumCounts: 133 }).all?.exact).toBe(false);
});

test('several rules together are estimated between what their overlap allows', () => {
  for (const choice of [
    { minimumCounts: 40, minimumGenes: 10, maximumMitochondrial: 0.2 },
    { minimumCounts: 200, minimumGenes: 8, maximumMitochondrial: 0.05 },
    { minimumCounts: 20, minimumGenes: 30, maximumMitochondrial: 1 },
  ]) {
    const about = removalsOf(planOf({ ...none, minimumCounts: 30 }), choice).all!.removed.all;
    expect(Math.abs(about / counted(choice).all - 1)).toBeLessThan(0.05);
  }
});

test('a warning reports that all cells are removed where it is certain, and not before', () => {
  const maxCounts = Math.max(...cells.map(({ counts }) => counts));
  expect(removesAll(planOf(none), { ...none, minimumCounts: maxCounts })).toBe(false);
  expect(removesAll(planOf(none), { ...none, minimumCounts: maxCounts + 1 })).toBe(true);
  expect(removesAll(planOf(none), { ...none, minimumCounts: maxCounts + 1, sampleColumn: null })).toBe(false);
});

test('of other cells, and of samples without a histogram, nothing is estimated', () => {
  const plan = planOf(none);
  expect(removalsOf(plan, { ...none, droplets: { keep: 'all' } })).toEqual({ groups: [undefined] });
  const { bins: _, ...group } = plan.groups[0]!;
  const without = { ...plan, groups: [...plan.groups, group] };
  expect(removalsOf(without, { ...none, minimumCounts: 8 })).toEqual({
    groups: [expect.objectContaining({ exact: true }), undefined],
  });
  expect(removalsOf(without, none).all?.removed.all).toBe(0);
});

import { beforeAll, expect, test } from 'vitest';
import { processCounts } from '../process-counts.ts';
import { inBlocks, type SimulatedCounts, defaultSettings } from '../testing/simulated-counts.ts';
import { qualityHistograms } from './histograms.ts';
import { measureCounts } from './cell-measures.ts';
import type { Samples } from '../process-input.ts';
import { planQuality } from './plan-quality.ts';
import { damaged, healthyButPoor, simulatePopulations } from './populations.test-data.ts';
import { qualityCautions } from './quality-cautions.ts';
import { removedTogether } from './removed-together.ts';

const settings = { deviations: 5 };
const poor = simulatePopulations(healthyButPoor);

function samplesOf(samples: readonly string[]): Samples {
  const names = [...new Set(samples)];
  return { names, codes: Int16Array.from(samples, (name) => names.indexOf(name)) };
}

async function planned(simulated: SimulatedCounts, samples?: Samples) {
  const measures = await measureCounts(inBlocks(simulated, 'cell', 256));
  const plan = planQuality(measures, settings, samples);
  const together = await removedTogether(inBlocks(simulated, 'gene', 100), {
    measures,
    keep: plan.keep,
    threads: 1,
  });
  return { measures, plan, together, cautions: qualityCautions({ measures, plan, settings, together }) };
}

let pooled: Awaited<ReturnType<typeof planned>>;
beforeAll(async () => {
  pooled = await planned(poor);
});

test('a healthy sample with little RNA is kept by thresholds of its own, which all samples together delete', async () => {
  expect(pooled.plan.removed).toEqual({
    all: 200,
    noCounts: 0,
    counts: 200,
    genes: 200,
    mitochondrial: 0,
    several: 200,
  });
  expect(Array.from(pooled.plan.keep.subarray(1800))).not.toContain(1);
  const apart = await planned(poor, samplesOf(poor.samples));
  expect(apart.plan.removed.all).toBe(0);
  expect(apart.plan.groups.map(({ sample, cells, pooled }) => ({ sample, cells, pooled }))).toEqual([
    { sample: 'A', cells: 1800, pooled: false },
    { sample: 'B', cells: 200, pooled: false },
  ]);
});

test('a population that would be removed is reported with its figures; damaged cells of all kinds are not', async () => {
  const { together, cautions } = pooled;
  expect(together).toMatchObject({ compared: 200, neighbours: 15 });
  expect(together!.together).toBeGreaterThan(180);
  expect(together!.neighbourShare).toBeGreaterThan(0.8);
  expect(together!.expectedShare).toBeCloseTo(0.2, 2);
  expect(cautions).toEqual([
    {
      code: 'removed-cells-together',
      message: expect.stringMatching(
        /^\d{3} of the 200 removed cells that were compared lie together.* 15 nearest neighbors are removed too, where chance gives 20 %\./,
      ) as string,
      numbers: { removed: 200, ...together },
    },
  ]);
  const scattered = await planned(simulatePopulations(damaged));
  expect(scattered.plan.removed.all).toBe(200);
  expect(scattered.together!.neighbourShare).toBeLessThan(0.35);
  expect(scattered.cautions).toEqual([]);
});

test('samples of fewer than 100 cells have the thresholds of all cells, and cells without a sample are a group', async () => {
  const measures = await measureCounts(inBlocks(poor, 'cell', 500));
  const codes = Int16Array.from(poor.samples, (_, cell) => (cell < 60 ? 0 : cell < 1500 ? 1 : -1));
  const { groups } = planQuality(measures, settings, { codes, names: ['few', 'many', 'none at all'] });
  expect(groups.map(({ sample, cells, pooled }) => [sample, cells, pooled])).toEqual([
    ['few', 60, true],
    ['many', 1440, false],
    [undefined, 500, false],
  ]);
  expect(groups[0]!.thresholds).toEqual(planQuality(measures, settings).groups[0]!.thresholds);
});

test('a plan is what processing does, to the cell and to the last bit of each measure', async () => {
  const samples = samplesOf(poor.samples.map((_, cell) => (cell % 3 === 0 ? 'x' : 'y')));
  const { measures, plan } = await planned(poor, samples);
  const { quality, keptCells } = await processCounts(inBlocks(poor, 'cell', 300), {
    threads: 1,
    parts: [],
    samples,
    settings: { ...defaultSettings, quality: settings, components: 5 },
  });
  expect(quality).toEqual({ ...measures, ...plan });
  expect(Array.from(keptCells)).toEqual(Array.from(plan.keep.keys()).filter((cell) => plan.keep[cell] === 1));
});

test('a threshold that is set holds for all samples; without mitochondrial genes there is none, and a caution says so', async () => {
  const nameless = { ...poor, geneNames: poor.geneNames.map((_, gene) => `GENE${gene}`) };
  const measures = await measureCounts(inBlocks(nameless, 'cell', 500));
  const named = { deviations: 5, minimumCounts: 100, minimumGenes: 50, maximumMitochondrial: 0.05 };
  const plan = planQuality(measures, named, samplesOf(poor.samples));
  const { groups } = plan;
  for (const { thresholds } of groups) expect(thresholds).toEqual({ minimumCounts: 100, minimumGenes: 50 });
  expect(qualityCautions({ measures, plan, settings: named, together: undefined })).toMatchObject([
    { code: 'no-mitochondrial-genes', numbers: { mitochondrialGenes: 0 } },
  ]);
});

test('each cell with counts is once in each histogram of its sample', async () => {
  const rows = poor.rows.map((row, cell) => (cell === 7 ? new Int32Array(row.length) : row));
  const measures = await measureCounts(inBlocks({ ...poor, rows }, 'cell', 500));
  const plan = planQuality(measures, settings, samplesOf(poor.samples));
  expect(plan.removed.noCounts).toBe(1);
  const { edges, groups } = qualityHistograms(measures, plan);
  for (const measure of ['counts', 'genes', 'mitochondrial'] as const) {
    expect(edges[measure]).toHaveLength(41);
    expect(groups.map((group) => group[measure].reduce((sum, cells) => sum + cells, 0))).toEqual([1799, 200]);
  }
  expect(edges.counts[0]).toBeCloseTo(Math.min(...measures.counts.filter((sum) => sum > 0)));
  // The poor sample lies below all others.
  expect(groups[1]!.counts.findLastIndex((cells) => cells > 0)).toBeLessThan(
    groups[0]!.counts.findIndex((cells) => cells > 0),
  );
});

test('a sample of which many cells are damaged allows more than is sound, and a caution reports its share', async () => {
  const half = { depth: 1500, kind: 0, sample: 'A' };
  const mixed = simulatePopulations([
    { ...half, cells: 120, mitochondrial: 0.05 },
    { ...half, cells: 140, mitochondrial: 0.4 },
  ]);
  const measures = await measureCounts(inBlocks(mixed, 'cell', 500));
  const plan = planQuality(measures, settings);
  const greatestShare = plan.groups[0]!.thresholds.maximumMitochondrial!;
  expect(greatestShare).toBeGreaterThan(0.2);
  expect(qualityCautions({ measures, plan, settings, together: undefined })).toMatchObject([
    { code: 'loose-mitochondrial-threshold', numbers: { groups: 1, loose: 1, greatestShare } },
  ]);
  const named = { ...settings, maximumMitochondrial: 0.3 };
  expect(qualityCautions({ measures, plan, settings: named, together: undefined })).toEqual([]);
});

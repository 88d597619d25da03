import { pathway, type PathwayFigure } from '@cellfolio/analyses';
import { analyses, type Context } from '@cellfolio/analyses/serve';
import { bySignificance } from '@cellfolio/analysis';
import { plotFigure } from '@cellfolio/figures';
import { expect, test } from 'vitest';

const one = analyses.find(({ declaration }) => declaration === pathway)!;

/** Input of the figure of sets from a compute thread. */
async function drawnOf(sets: ReturnType<typeof setsOf>, minimum_overlap = 1): Promise<PathwayFigure> {
  const context = {
    dataset: { name: 'Lung', expression: { state: 'log-normalised' } },
    library: async () => ({
      origin: { title: 'Bench' },
      compiled: { starts: new Int32Array(1), dropped: 0, shrunk: 0 },
      chosen: { kind: 'dataset', activeCells: 10, datasetGenes: 20_000 },
      datasetSpecies: {},
      species: {},
      cautions: [],
    }),
    compute: async () => sets,
    otherNameCautions: () => [],
  } as unknown as Context;
  const request = pathway.request.parse({ pathway_genes: ['A'], minimum_overlap });
  return (await one.run(request, context)).drawing as PathwayFigure;
}

function setsOf(logPValues: readonly number[]) {
  const count = logPValues.length;
  const columns = { logPValues: Float64Array.from(logPValues) };
  return {
    ...columns,
    order: bySignificance(columns),
    terms: Array.from({ length: count }, (_, row) => `SET ${row}`),
    setSizes: new Int32Array(count).fill(40),
    overlapStarts: Int32Array.from({ length: count + 1 }, (_, row) => row),
    overlaps: new Int32Array(count),
    pValues: columns.logPValues.map(Math.exp),
    adjustedPValues: columns.logPValues.map(Math.exp),
    oddsRatios: new Float64Array(count),
    combinedScores: new Float64Array(count),
    queryGenes: ['A'],
    notInBackground: [],
    notInDataset: [],
    renamed: [],
    backgroundSize: 20_000,
  };
}

interface BarSpec {
  terms: readonly { term: string; combinedScore: number }[];
}

const specOf = (enrichment: object) =>
  plotFigure({ kind: 'enrichment-bar' }, { enrichment }, { datasetName: 'Lung' }).spec as unknown as BarSpec;

test.each([
  ['no set', [], 0],
  ['few sets', [-5, -9, -1], 3],
  ['few of many significant', Array.from({ length: 900 }, (_, i) => -((i * 7) % 900) / 200), 300],
  ['p-values below the smallest number', Array.from({ length: 900 }, (_, i) => -((i * 7) % 900)), 897],
  ['none significant', Array.from({ length: 900 }, (_, i) => -((i * 7) % 900) / 900), 50],
])('the figure is the one of all sets, from no more of them than it needs: %s', async (_, logs, needed) => {
  const sets = setsOf(logs);
  const input = await drawnOf(sets);
  const all = Array.from(sets.order, (row) => ({
    term: sets.terms[row]!,
    adjustedP: sets.adjustedPValues[row]!,
    logP: sets.logPValues[row]!,
    overlap: '1/40',
    combinedScore: sets.combinedScores[row]!,
  }));
  const { title, subtitle } = input;
  expect(specOf(input)).toEqual(specOf({ title, subtitle, terms: all, minimumOverlap: 1 }));
  expect(input.terms).toHaveLength(needed);
});

test('the combined score is a number, also where the p-value underflows and gseapy has an infinite one', async () => {
  const sets = { ...setsOf([-900, -2, -0]), oddsRatios: Float64Array.of(3, 2, 1) };
  const spec = specOf(await drawnOf(sets));
  expect(sets.pValues[0]).toBe(0);
  expect(spec.terms.map(({ combinedScore }) => combinedScore)).toEqual([2700, 4, 0]);
  expect(Object.is(spec.terms[2]?.combinedScore, 0)).toBe(true);
});

test('sets below the minimum overlap are no bars, but count as tested', async () => {
  const sets = {
    ...setsOf([-9, -8, -7]),
    overlapStarts: Int32Array.of(0, 1, 3, 4),
    overlaps: Int32Array.of(0, 0, 1, 0),
    queryGenes: ['A', 'B'],
  };
  const spec = specOf(await drawnOf(sets, 2));
  expect(spec.terms.map(({ term }) => term)).toEqual(['SET 1']);
  expect(spec).toMatchObject({ termCount: 3, significant: 1, minimumOverlap: 2 });
});

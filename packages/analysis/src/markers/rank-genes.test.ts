import { noteDifferences } from '@cellfolio/model/testing';
import { describe, expect, test } from 'vitest';
import { blockStatistics, type MarkerMethod } from './block-statistics.ts';
import { cellGroups } from './cell-groups.ts';
import { rankGenes, selectMarkers } from './rank-genes.ts';
import {
  blockOf,
  columnOf,
  float64,
  maskOf,
  partOf,
  readReference,
  type ReferenceDataset,
} from './testing/reference.ts';

const datasets = readReference<ReferenceDataset[]>(new URL('markers-reference.json', import.meta.url));
const cases = datasets.flatMap((dataset) =>
  dataset.cases.flatMap((reference) =>
    Object.entries(reference.tests).map(([test, expected]) => ({ dataset, reference, test, expected })),
  ),
);

function differences(
  actual: Float64Array,
  expected: Float64Array,
  tolerance: { share: number; floor?: number },
): string[] {
  const { share, floor = 0 } = tolerance;
  noteDifferences('markers', actual, expected, Math.max(1e-300, floor / share));
  const wrong: string[] = [];
  for (let i = 0; i < expected.length; i++) {
    const [is, should] = [actual[i]!, expected[i]!];
    if (Object.is(is, should) || is === should) continue;
    if (Math.abs(is - should) <= Math.max(floor, share * Math.abs(should))) continue;
    wrong.push(`at ${i}: ${is} instead of ${should}`);
  }
  return wrong;
}

describe.each(cases)('$reference.name, $test', ({ dataset, reference, test: name, expected }) => {
  const block = blockOf(dataset);
  const geneCount = block.starts.length - 1;
  const groups = cellGroups(columnOf(reference), maskOf(reference));
  const method: MarkerMethod = name.startsWith('wilcoxon') ? 'wilcoxon' : 't-test';
  const cut = Math.floor(geneCount / 3);
  // Blocks in another order than the genes', as threads hand them in.
  const blocks = [
    [cut, cut + 1],
    [cut + 1, geneCount],
    [0, cut],
  ].map(([from, to]) => blockStatistics(partOf(block, from!, to!), groups, method));
  const switches = { method, tieCorrect: name.endsWith('corrected') } as const;
  const ranking = rankGenes(blocks, groups, { ...switches, pseudocount: 1e-9 });
  const ranks = ranking.groups.map((_, place) => ranking.rank(place));
  const column = (values: Float64Array, place: number) =>
    values.subarray(place * geneCount, (place + 1) * geneCount);

  test('the groups are those of scanpy, without the empty ones', () => {
    expect(ranking.groups.map((group) => group.name)).toEqual(reference.groups);
    expect(ranking.warnings).toEqual([]);
  });

  test('scores, fold changes and shares agree with scanpy to 1e-9, and so do p-values down to 1e-300', () => {
    const [scores, pvals, adjusted] = [expected.scores, expected.pvals, expected.pvals_adj].map(float64);
    const changes = float64(reference.logfoldchanges);
    const [inside, outside] = [float64(reference.pts), float64(reference.pts_rest)];
    for (const [place, rank] of ranks.entries()) {
      const wrong = {
        scores: differences(rank.scores, column(scores!, place), { share: 1e-9, floor: 1e-9 }),
        logfoldchanges: differences(rank.logfoldchanges, column(changes, place), {
          share: 1e-9,
          floor: 1e-9,
        }),
        // Where doubles end, scipy rounds to 0 earlier.
        pvals: differences(rank.pvals, column(pvals!, place), { share: 1e-9, floor: 1e-300 }),
        pvals_adj: differences(rank.pvals_adj, column(adjusted!, place), { share: 1e-9, floor: 1e-300 }),
        pctInGroup: differences(rank.pctInGroup, column(inside, place), { share: 1e-15 }),
        pctOutside: differences(rank.pctOutside, column(outside, place), { share: 1e-15 }),
      };
      expect({ group: rank.name, wrong }).toEqual({
        group: rank.name,
        wrong: { scores: [], logfoldchanges: [], pvals: [], pvals_adj: [], pctInGroup: [], pctOutside: [] },
      });
    }
  });

  test('with a pseudocount of 1 fold changes alone are others, and are those that numpy has', () => {
    const changes = float64(reference.logfoldchangesOfOne);
    const withOne = rankGenes(blocks, groups, { ...switches, pseudocount: 1 });
    for (const [place, rank] of ranks.entries()) {
      const { logfoldchanges, ...others } = withOne.rank(place);
      const tolerance = { share: 1e-9, floor: 1e-9 };
      expect(differences(logfoldchanges, column(changes, place), tolerance)).toEqual([]);
      expect(others).toEqual({ ...rank, logfoldchanges: undefined });
    }
  });

  test('without limits all genes with a fold change are selected, by falling score and then by their row', () => {
    const everything = { nGenes: geneCount, maxAdjustedP: 2, minLogFoldChange: -Infinity };
    for (const rank of ranks) {
      const order = [...selectMarkers(rank, everything)];
      const { scores, logfoldchanges } = rank;
      // Negative means, of scaled values, have no logarithm.
      const definedRows = [...scores.keys()].filter((row) => !Number.isNaN(logfoldchanges[row]));
      expect(order.toSorted((a, b) => a - b)).toEqual(definedRows);
      for (let i = 1; i < order.length; i++) {
        const [before, after] = [order[i - 1]!, order[i]!];
        const better = scores[before]! > scores[after]!;
        expect(better || (scores[before] === scores[after] && before < after)).toBe(true);
      }
    }
  });
});

test('the references reach p-values of 1e-300 and include genes without an answer', () => {
  const pvals = cases.flatMap(({ expected }) => Array.from(float64(expected.pvals)));
  expect(pvals.some((p) => p > 1e-300 && p < 1e-250)).toBe(true);
  expect(pvals.some((p) => p === 1)).toBe(true);
});

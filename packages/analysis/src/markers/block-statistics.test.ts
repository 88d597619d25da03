import { expect, test } from 'vitest';
import type { CategoricalColumn, GeneBlock } from '@cellfolio/model';
import { blockStatistics } from './block-statistics.ts';
import { cellGroups } from './cell-groups.ts';
import { geneTotals, groupSums, joinBlocks, groupMeans } from './group-sums.ts';
import { rankGenes, selectMarkers } from './rank-genes.ts';

function column(codes: number[], categories: string[]): CategoricalColumn {
  return {
    kind: 'categorical',
    codes: Int16Array.from(codes),
    categories,
    categoryType: 'string',
    ordered: false,
  };
}

function blockOf(genes: (number | undefined)[][], firstGene = 0): GeneBlock {
  const cells: number[] = [];
  const values: number[] = [];
  const starts = [0];
  for (const gene of genes) {
    for (const [cell, value] of gene.entries()) {
      if (value === undefined) continue;
      cells.push(cell);
      values.push(value);
    }
    starts.push(cells.length);
  }
  return {
    cellCount: genes[0]!.length,
    firstGene,
    starts: Float64Array.from(starts),
    cells: Int32Array.from(cells),
    values: Float32Array.from(values),
  };
}

const two = cellGroups(column([0, 1, 0, 1, -1, 0], ['a', 'b']));

test('sums, shares, ranks and ties of a gene are those worked out by hand', () => {
  //             a    b   a   b          none  a
  const genes = [[2, -1, 2, undefined, 0.5, 0]];
  const ranked = blockStatistics(blockOf(genes), two, 'wilcoxon');
  expect(ranked).toEqual({
    method: 'wilcoxon',
    firstGene: 0,
    geneCount: 1,
    slotCount: 3,
    sums: Float64Array.of(4, -1, 0.5),
    expressing: Int32Array.of(2, 1, 1),
    squares: new Float64Array(),
    // In order: -1 | 0 0 | 0.5 | 2 2, of the ranks 1, 2.5 twice, 4, 5.5 twice.
    rankSums: Float64Array.of(5.5 + 5.5 + 2.5, 1 + 2.5, 4),
    tieTerms: Float64Array.of(2 * (8 - 2)),
  });
  const squared = blockStatistics(blockOf(genes), two, 't-test');
  expect(squared.squares).toEqual(Float64Array.of(8, 1, 0.25));
  expect(squared.rankSums).toHaveLength(0);
});

test('a stored zero, of either sign, is a zero', () => {
  const stored = blockOf([[2, 0, -0, 1, 3, 0]]);
  const absent = blockOf([[2, undefined, undefined, 1, 3, undefined]]);
  expect(stored.cells.length).toBeGreaterThan(absent.cells.length);
  for (const method of ['wilcoxon', 't-test'] as const) {
    expect(blockStatistics(stored, two, method)).toEqual(blockStatistics(absent, two, method));
  }
});

test('genes without entries, and blocks without genes, have statistics too', () => {
  const { rankSums, tieTerms } = blockStatistics(blockOf([Array(6).fill(undefined)]), two, 'wilcoxon');
  expect(rankSums).toEqual(Float64Array.of(3 * 3.5, 2 * 3.5, 3.5));
  expect(tieTerms).toEqual(Float64Array.of(6 ** 3 - 6));
  const nothing = { ...blockOf([[1, 2, 3, 4, 5, 6]]), starts: Float64Array.of(0) };
  expect(blockStatistics(nothing, two, 'wilcoxon').geneCount).toBe(0);
});

test('groups of other cells are refused', () => {
  expect(() => blockStatistics(blockOf([[1, 2]]), two, 't-test')).toThrow(RangeError);
});

test('blocks that miss a gene, hold one twice or belong to another test are refused', () => {
  const at = (firstGene: number) =>
    blockStatistics(blockOf([[1, 2, 3, 4, 5, 6]], firstGene), two, 'wilcoxon');
  const test = { method: 'wilcoxon', tieCorrect: false, pseudocount: 1 } as const;
  expect(rankGenes([at(1), at(0)], two, test).geneCount).toBe(2);
  expect(() => rankGenes([at(1)], two, test)).toThrow('gene 0');
  expect(() => rankGenes([at(0), at(0)], two, test)).toThrow('gene 1');
  expect(() => rankGenes([at(0), at(2)], two, test)).toThrow('gene 1');
  expect(() => rankGenes([at(0)], two, { method: 't-test', tieCorrect: false, pseudocount: 1 })).toThrow(
    't-test',
  );
  const three = cellGroups(column([0, 1, 2, 2, 1, 0], ['a', 'b', 'c']));
  expect(() => rankGenes([at(0)], three, test)).toThrow('another analysis');
  expect(() => rankGenes([at(0)], two, test).rank(2)).toThrow(RangeError);
});

test('a gene with a missing value has no answer, a warning, and no effect on the others', () => {
  const genes = [
    [1, 4, 5, 2, 1, 3],
    [1, 4, NaN, 2, 1, 3],
  ];
  for (const method of ['wilcoxon', 't-test'] as const) {
    const ranking = rankGenes([blockStatistics(blockOf(genes), two, method)], two, {
      method,
      tieCorrect: true,
      pseudocount: 1,
    });
    expect(ranking.warnings).toEqual([
      {
        code: 'genes-with-missing-values',
        message:
          '1 gene was not tested because of missing values in some cells: leave these cells out to test them.',
        numbers: { genes: 1 },
      },
    ]);
    for (const place of ranking.groups.keys()) {
      const { scores, pvals, logfoldchanges } = ranking.rank(place);
      expect([scores[1], pvals[1], logfoldchanges[1]]).toEqual([0, 1, NaN]);
      expect(scores[0]).not.toBe(0);
    }
    // Outside the subset a missing value does no harm.
    const mask = { bits: Uint8Array.of(1, 1, 0, 1, 1, 1), count: 5 };
    const subset = cellGroups(column([0, 1, 0, 1, -1, 0], ['a', 'b']), mask);
    const statistics = blockStatistics(blockOf(genes), subset, method);
    expect(rankGenes([statistics], subset, { method, tieCorrect: false, pseudocount: 1 }).warnings).toEqual(
      [],
    );
  }
});

test('the rest of a group that has nearly everything keeps its digits', () => {
  const ofB = Math.fround(1e-9);
  const statistics = blockStatistics(blockOf([[1e9, ofB, 2e9, ofB, 2e-9, 3e9]]), two, 't-test');
  const genes = joinBlocks([statistics], two);
  const { inside, outside } = groupSums(genes, 'sums', geneTotals(genes, 'sums'), 0);
  expect(inside[0]).toBe(6e9);
  expect(outside[0]).toBe(ofB + ofB + Math.fround(2e-9));
});

test('the cell of a group that is left out stays among the others of every group', () => {
  const genes = [
    [2, 1, 5, undefined, 0.5, 3],
    [undefined, 1, 1, 4, 7, undefined],
  ];
  const alone = cellGroups(column([0, 1, 0, 1, 2, 0], ['a', 'b', 'alone']));
  for (const method of ['wilcoxon', 't-test'] as const) {
    const [left, none] = [alone, two].map((groups) => {
      const blocks = [blockStatistics(blockOf(genes), groups, method)];
      const ranking = rankGenes(blocks, groups, { method, tieCorrect: true, pseudocount: 1 });
      return { ranking, ranks: ranking.groups.map((_, place) => ranking.rank(place)) };
    });
    expect(left!.ranking.warnings.map(({ code }) => code)).toEqual(['groups-left-out']);
    expect(none!.ranking.warnings).toEqual([]);
    expect(left!.ranks).toEqual(none!.ranks);
  }
});

test('an infinite value of a group leaves the sums of the others alone', () => {
  const statistics = blockStatistics(blockOf([[Infinity, 1, 2, 3, 4, 5]]), two, 't-test');
  const genes = joinBlocks([statistics], two);
  const totals = geneTotals(genes, 'sums');
  expect(groupSums(genes, 'sums', totals, 0)).toEqual({
    inside: Float64Array.of(Infinity),
    outside: Float64Array.of(8),
  });
  expect(groupSums(genes, 'sums', totals, 1)).toEqual({
    inside: Float64Array.of(4),
    outside: Float64Array.of(Infinity),
  });
});

test('means and shares for a dot plot are those of all cells of each group', () => {
  const genes = [
    [2, undefined, 4, 1, 9, undefined],
    [undefined, 3, undefined, 1, 9, 6],
    [1, 1, 1, 1, 1, 1],
  ];
  const blocks = [
    blockStatistics(blockOf(genes.slice(1), 1), two, 'wilcoxon'),
    blockStatistics(blockOf(genes.slice(0, 1)), two, 'wilcoxon'),
  ];
  expect(groupMeans(blocks, two, Int32Array.of(1, 0))).toEqual({
    rows: Int32Array.of(1, 0),
    groupCount: 2,
    means: Float64Array.of(2, 2, 2, 0.5),
    fractions: Float64Array.of(1 / 3, 1, 2 / 3, 0.5),
  });
  expect(() => groupMeans(blocks, two, Int32Array.of(3))).toThrow('gene 3');
});

test('markers are the first genes that pass both limits, which are excluded', () => {
  const ranking = {
    name: 'a',
    cells: 3,
    group: 0,
    scores: Float64Array.of(5, 4, 3, 2, 2),
    logfoldchanges: Float64Array.of(1, 0.25, 2, 3, 0.26),
    pvals: new Float64Array(5),
    pvals_adj: Float64Array.of(0.01, 0.01, 0.05, 0.049, 0),
    pctInGroup: new Float64Array(5),
    pctOutside: new Float64Array(5),
    means: new Float64Array(5),
  };
  const filter = { nGenes: 10, maxAdjustedP: 0.05, minLogFoldChange: 0.25 };
  expect([...selectMarkers(ranking, filter)]).toEqual([0, 3, 4]);
  const infinite = { ...ranking, scores: Float64Array.of(1, 4, 3, Infinity, Infinity) };
  expect([...selectMarkers(infinite, filter)]).toEqual([3, 4, 0]);
  expect([...selectMarkers(ranking, { ...filter, nGenes: 2 })]).toEqual([0, 3]);
  // With equal scores the first rows are taken.
  const equal = { ...ranking, scores: new Float64Array(5) };
  expect([...selectMarkers(equal, { ...filter, nGenes: 2 })]).toEqual([0, 3]);
  expect([...selectMarkers(ranking, { ...filter, nGenes: 0 })]).toEqual([]);
});

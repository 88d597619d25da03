import { noteDifferences } from '@cellfolio/model/testing';
import type { GeneBlock } from '@cellfolio/model';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  blockStatistics,
  type BlockStatistics,
  type MarkerMethod,
  statisticsBytes,
  statisticsIn,
} from './block-statistics.ts';
import { type CellGroups, cellGroups } from './cell-groups.ts';
import { groupRanges, tileGroups } from './group-sums.ts';
import { type GroupRanking, type MarkerTest, rankGenes } from './rank-genes.ts';
import { RankSorter } from './rank-sorter.ts';
import {
  blockOf,
  columnOf,
  float32,
  type Packed,
  partOf,
  readReference,
  type ReferenceCase,
  type ReferenceDataset,
} from './testing/reference.ts';

interface Ranked {
  groups: number;
  logfoldchanges: Packed;
  tests: Readonly<Record<MarkerMethod, Partial<Record<'scores' | 'pvals' | 'pvals_adj', Packed>>>>;
}

/** Written by fixtures/analysis/screen_reference.py. */
type ScreenReference = Pick<ReferenceDataset, 'matrix'> &
  Pick<ReferenceCase, 'column'> & { rest: Ranked; control: Ranked };

const screen = readReference<ScreenReference>(new URL('screen-reference.json', import.meta.url));
const block = blockOf(screen);
const groups = cellGroups(columnOf(screen));
const geneCount = block.starts.length - 1;
const control = 0;
const scanpy = { tieCorrect: true, pseudocount: 1e-9 } as const;

afterEach(() => void vi.restoreAllMocks());

function statisticsOf(method: MarkerMethod, reference?: number, into?: BlockStatistics): BlockStatistics[] {
  const cut = 10;
  // Blocks in another order than the genes', as threads hand them in.
  return [partOf(block, cut, geneCount), partOf(block, 0, cut)].map((part) =>
    blockStatistics(part, groups, method, reference, into),
  );
}

function ranksOf(blocks: readonly BlockStatistics[], of: CellGroups, marker: MarkerTest): GroupRanking[] {
  const ranking = rankGenes(blocks, of, marker);
  return ranking.groups.map((_, place) => ranking.rank(place));
}

describe.each([
  ['all other cells', undefined, screen.rest],
  ['the controls', control, screen.control],
] as const)('compared with %s', (_, reference, expected) => {
  test.each(['wilcoxon', 't-test'] as const)(
    'by a %s, all of 120 groups get the numbers of scanpy to 1e-6',
    (method) => {
      const marker = { method, ...scanpy, ...(reference !== undefined && { reference }) };
      const ranks = ranksOf(statisticsOf(method, reference), groups, marker);
      expect(ranks).toHaveLength(expected.groups);
      const theirs = { ...expected.tests[method], logfoldchanges: expected.logfoldchanges };
      for (const [name, packed] of Object.entries(theirs)) {
        const numbers = float32(packed);
        const ours = ranks.flatMap((rank) => Array.from(rank[name as 'scores']));
        noteDifferences('markers of many groups', Float64Array.from(ours), Float64Array.from(numbers), 1);
        const wrong = ours.filter((value, i) => {
          const should = numbers[i]!;
          if (Object.is(value, should)) return false;
          return !(Math.abs(value - should) <= 1e-6 * Math.max(1e-6, Math.abs(should)));
        });
        expect({ name, count: numbers.length, wrong }).toEqual({ name, count: ours.length, wrong: [] });
      }
    },
  );
});

/** The entries of the cells in two groups. */
function entriesOf(two: CellGroups): GeneBlock {
  const starts = new Float64Array(geneCount + 1);
  const entries: number[] = [];
  for (let gene = 0; gene < geneCount; gene++) {
    for (let i = block.starts[gene]!; i < block.starts[gene + 1]!; i++)
      if (two.codes[block.cells[i]!]! < 2) entries.push(i);
    starts[gene + 1] = entries.length;
  }
  return {
    ...block,
    starts,
    cells: Int32Array.from(entries, (i) => block.cells[i]!),
    values: Float32Array.from(entries, (i) => block.values[i]!),
  };
}

test.each(['wilcoxon', 't-test'] as const)(
  'by a %s, each group and the reference have the numbers of these two sets of cells alone, to the last bit',
  (method) => {
    const marker = { method, tieCorrect: true, pseudocount: 1, reference: control };
    for (const rank of ranksOf(statisticsOf(method, control), groups, marker)) {
      const two = {
        names: [rank.name, 'control'],
        sizes: Float64Array.of(rank.cells, groups.sizes[control]!),
        codes: groups.codes.map((code) => (code === rank.group ? 0 : code === control ? 1 : 3)),
        cellCount: rank.cells + groups.sizes[control]!,
      };
      const alone = blockStatistics(entriesOf(two), two, method);
      const [expected] = ranksOf([alone], two, { method, tieCorrect: true, pseudocount: 1 });
      expect({ ...rank, group: 0 }).toEqual(expected);
    }
  },
);

test('each gene is sorted once, however many groups there are and whatever they are compared with', () => {
  const together = vi.spyOn(RankSorter.prototype, 'rank');
  const against = vi.spyOn(RankSorter.prototype, 'rankAgainst');
  statisticsOf('wilcoxon');
  expect([together.mock.calls.length, against.mock.calls.length]).toEqual([geneCount, 0]);
  statisticsOf('wilcoxon', control);
  expect([together.mock.calls.length, against.mock.calls.length]).toEqual([geneCount, geneCount]);
});

test('the statistics of 120 groups are read for sixteen groups at a time', () => {
  const [whole] = [blockStatistics(block, groups, 'wilcoxon')];
  let reads = 0;
  const counted = Object.defineProperty({ ...whole! }, 'rankSums', {
    get() {
      reads++;
      return whole!.rankSums;
    },
  });
  ranksOf([counted], groups, { method: 'wilcoxon', ...scanpy });
  expect(reads).toBe(Math.ceil(groups.names.length / 16));
});

test('blocks written into one memory, which a test used before, give the same numbers and need no other', () => {
  const memory = new SharedArrayBuffer(28 * geneCount * (groups.names.length + 1));
  new Uint8Array(memory).fill(7);
  for (const [method, reference] of [
    ['wilcoxon', undefined],
    ['wilcoxon', control],
    ['t-test', control],
  ] as const) {
    const parts = statisticsOf(method, reference);
    const { slotCount, reference: own } = parts[0]!;
    const shape = { method, reference: own, firstGene: 0, geneCount, slotCount };
    const all = statisticsIn(memory, shape);
    expect(statisticsBytes(shape)).toBeLessThanOrEqual(memory.byteLength);
    for (const written of statisticsOf(method, reference, all))
      for (const part of ['sums', 'squares', 'rankSums', 'tieTerms', 'expressing'] as const)
        expect(written[part].buffer, part).toBe(memory);
    const marker = { method, ...scanpy, ...(reference !== undefined && { reference }) };
    expect(ranksOf([all], groups, marker)).toEqual(ranksOf(parts, groups, marker));
    const other = statisticsIn(memory, { ...shape, firstGene: 1 });
    expect(() => statisticsOf(method, reference, other)).toThrow('another analysis');
  }
});

test('ranges of groups are whole tiles of about a million tests, each group once', () => {
  const ranges = groupRanges(10_000, 1700);
  expect(ranges.length).toBe(Math.ceil(10_000 / (16 * Math.ceil((1 << 20) / 1700 / 16))));
  expect(ranges.every(({ from }) => from % tileGroups === 0)).toBe(true);
  expect(ranges.map(({ from }) => from)).toEqual([0, ...ranges.slice(0, -1).map(({ to }) => to)]);
  expect(ranges.at(-1)!.to).toBe(10_000);
  expect(groupRanges(3, 60_000)).toEqual([{ from: 0, to: 3 }]);
});

test('a group too small and a reference too small are named', () => {
  const tiny = cellGroups({
    kind: 'categorical',
    codes: Int16Array.of(0, 0, 0, 1, 1, 2),
    categories: ['control', 'a', 'b'],
    categoryType: 'string',
    ordered: false,
  });
  const cells = { cellCount: 6, firstGene: 0, starts: Float64Array.of(0, 1) };
  const one = { ...cells, cells: Int32Array.of(0), values: Float32Array.of(1) };
  const against = (reference: number) =>
    rankGenes([blockStatistics(one, tiny, 'wilcoxon', reference)], tiny, {
      method: 'wilcoxon',
      ...scanpy,
      reference,
    });
  const { groups: tested, warnings } = against(0);
  expect(tested.map(({ name }) => name)).toEqual(['a']);
  expect(warnings[0]!.message).toMatch(/b \(1\)\. To compare them, lower the minimum\.$/);
  expect(() => against(2)).toThrow('the reference b has 1 cell, and markers need');
  expect(() => against(3)).toThrow(RangeError);
});

test('statistics with another reference are refused, but those of a t-test serve any', () => {
  const ranked = statisticsOf('wilcoxon', control);
  const marker = { method: 'wilcoxon', ...scanpy } as const;
  expect(() => rankGenes(ranked, groups, marker)).toThrow('with this reference');
  expect(() => rankGenes(ranked, groups, { ...marker, reference: 1 })).toThrow('with this reference');
  expect(() => rankGenes([ranked[0]!, statisticsOf('wilcoxon')[1]!], groups, marker)).toThrow(
    'another analysis',
  );
  const squared = statisticsOf('t-test');
  expect(rankGenes(squared, groups, { ...marker, method: 't-test', reference: 1 }).groups).toHaveLength(119);
});

test('a missing value makes a gene untested in all groups, without adding up the others of each', () => {
  const codes = Uint16Array.from({ length: 200 }, (_, cell) => cell >> 1);
  const many = {
    names: Array.from({ length: 100 }, (_, group) => `${group}`),
    sizes: new Float64Array(100).fill(2),
    codes,
    cellCount: 200,
  };
  const cells = Int32Array.from(codes.keys());
  const values = Float32Array.from(cells, (cell) => (cell === 7 ? NaN : cell));
  const gene = { cellCount: 200, firstGene: 0, starts: Float64Array.of(0, 200), cells, values };
  const statistics = blockStatistics(gene, many, 'wilcoxon');
  let reads = 0;
  const sums = new Proxy(statistics.sums, {
    get(target, key) {
      reads++;
      return Reflect.get(target, key) as unknown;
    },
  });
  const ranks = ranksOf([{ ...statistics, sums }], many, { method: 'wilcoxon', ...scanpy });
  for (const { scores, pvals, logfoldchanges } of ranks)
    expect([scores[0], pvals[0], logfoldchanges[0]]).toEqual([0, 1, NaN]);
  // The totals, the columns, and the others of the group with the missing value.
  expect(reads).toBeLessThan(4 * statistics.slotCount);
});

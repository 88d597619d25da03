import { blockStatistics } from '@cellfolio/analysis';
import { expect, test } from 'vitest';
import type { Context } from '../context.ts';
import { steps } from './compute.ts';
import type { MarkersRequest } from './declare.ts';
import { rankedMarkers } from './ranking.ts';

const [groupCount, geneCount, each] = [3000, 400, 2];
const cellCount = groupCount * each;

/** Each gene rises with the groups, so that every second one is higher in a group than in the others. */
function comparedGroups() {
  const codes = Uint16Array.from({ length: cellCount }, (_, cell) => Math.floor(cell / each));
  const groups = {
    names: Array.from({ length: groupCount }, (_, group) => `g${group}`),
    sizes: new Float64Array(groupCount).fill(each),
    codes,
    cellCount,
  };
  const cells = Int32Array.from({ length: cellCount * geneCount }, (_, at) => at % cellCount);
  const values = Float32Array.from(cells, (cell, at) => 1 + ((cell * 7 + Math.floor(at / cellCount)) % 13));
  const starts = Float64Array.from({ length: geneCount + 1 }, (_, gene) => gene * cellCount);
  const block = blockStatistics({ cellCount, firstGene: 0, starts, cells, values }, groups, 't-test');
  return {
    by: { column: 'g' },
    strata: [{ part: undefined, groups, blocks: [block] }],
    order: [...groups.names.keys()],
    unlabelledCells: 0,
    withoutPart: 0,
    unassigned: [],
  };
}

test('more rows than a table may have are refused while they are counted, and none is listed', async () => {
  const rangeSizes: number[] = [];
  const context = {
    dataset: { symbols: Array.from({ length: geneCount }, (_, gene) => `G${gene}`) },
    computeAll: (_: 'rank', inputs: readonly Parameters<typeof steps.rank>[0][]) => {
      const ranges = inputs.map((input) => steps.rank(input));
      rangeSizes.push(...ranges.map(({ groups }) => groups.length));
      return Promise.resolve(ranges);
    },
    refuse: (code: string, message: string) => {
      throw new Error(`${code}: ${message}`);
    },
  } as unknown as Context<typeof steps>;
  const sent = {
    method: 't-test',
    tie_correct: true,
    pseudocount: 1,
    min_cells: 2,
    n_genes: 400,
    // Every gene of every group: 1.2 million rows.
    pvals_adj: 2,
    logfoldchanges: -100,
  } as MarkersRequest;
  await expect(rankedMarkers(sent, comparedGroups(), context)).rejects.toThrow(
    'result_too_large: The table of markers would have more than 1,000,000 rows. Choose fewer genes per group than 400',
  );
  // A range of 2,624 groups by 400 genes is beyond the maximum by itself, and so is what is added to it.
  expect(rangeSizes).toEqual([0, 0]);
});

import { parentPort } from 'node:worker_threads';
import {
  blockStatistics,
  type BlockStatistics,
  type CellGroups,
  type MarkerTest,
  rankGenes,
  selectMarkers,
} from '@cellfolio/analysis';
import { type PlannedBlock, readBlock } from '../data/screen.ts';

interface Tested {
  readonly groups: CellGroups;
  readonly test: MarkerTest;
  /** In shared memory. */
  readonly statistics: BlockStatistics;
}

/** Work of a thread, as compute threads of the server do it. */
export type ScreenTask =
  | {
      readonly kind: 'sum';
      readonly tested: Tested;
      readonly file: string;
      readonly block: PlannedBlock;
    }
  | {
      readonly kind: 'rank';
      readonly tested: Tested;
      /** Places of tested groups, [from, to). */
      readonly from: number;
      readonly to: number;
      /** Groups whose p-values are sent. */
      readonly whole: readonly number[];
    };

export interface RankedGroups {
  /** Best genes of each group, in order. */
  readonly markers: readonly Int32Array[];
  /** Tests with an adjusted p-value below 0.05. */
  readonly significant: number;
  readonly pvals: readonly { readonly group: number; readonly values: Float64Array }[];
}

const limit = 0.05;
const filter = { nGenes: 10, maxAdjustedP: limit, minLogFoldChange: -Infinity };

function rank(task: Extract<ScreenTask, { kind: 'rank' }>): RankedGroups {
  const { from, to, whole } = task;
  const { statistics, groups, test } = task.tested;
  const ranking = rankGenes([statistics], groups, test);
  const markers: Int32Array[] = [];
  const pvals: { group: number; values: Float64Array }[] = [];
  let significant = 0;
  for (let place = from; place < Math.min(to, ranking.groups.length); place++) {
    const ranked = ranking.rank(place);
    markers.push(selectMarkers(ranked, filter));
    for (const p of ranked.pvals_adj) if (p < limit) significant++;
    if (whole.includes(ranked.group)) pvals.push({ group: ranked.group, values: ranked.pvals });
  }
  return { markers, significant, pvals };
}

parentPort!.on('message', (task: ScreenTask) => {
  if (task.kind === 'rank') return parentPort!.postMessage(rank(task));
  const { statistics, groups, test } = task.tested;
  blockStatistics(readBlock(task.file, task.block), groups, test.method, test.reference, statistics);
  parentPort!.postMessage(undefined);
});

import type { Stratum } from '@cellfolio/analyses/compute';
import { blockStatistics, type BlockStatistics, type MarkerMethod, type Thinning } from '@cellfolio/analysis';
import { readTestedBlock } from '../../runtime/cell-depths.ts';
import { type DatasetRef, type Task, taskKind } from '../../runtime/compute/task.ts';
import { findGroups, type GroupTask } from './found-groups.ts';

/** Writes the statistics of the genes [from, to) for the tests, stratum by stratum. */
export interface BlockTask extends Task<void> {
  kind: 'block';
  dataset: DatasetRef;
  /** The codes of the cells are in shared memory. */
  strata: readonly Stratum[];
  method: MarkerMethod;
  /** Statistics of all genes by stratum, in shared memory. */
  into: readonly BlockStatistics[];
  /** How raw counts are thinned to one depth before they are tested; absent where values are tested as they are. */
  thinning?: Thinning | undefined;
  from: number;
  to: number;
}

export const groupSumTasks = [
  taskKind<GroupTask>('group', (task, { dataset, signal }) => findGroups(task, dataset, signal)),
  taskKind<BlockTask>('block', ({ strata, method, into, ...genes }, { dataset, signal }) =>
    readTestedBlock(
      dataset,
      genes,
      (block) =>
        strata.forEach(({ groups, reference }, at) =>
          blockStatistics(block, groups, method, reference, into[at]),
        ),
      signal,
    ),
  ),
];

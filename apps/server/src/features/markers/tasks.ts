import { blockStatistics } from '@cellfolio/analysis';
import { taskKind } from '../../runtime/compute/task.ts';
import { checkMarkers, type CheckTask } from './check-markers.ts';
import { findGroups, type GroupTask } from './find-groups.ts';
import { type BlockTask, rankMarkers, type RankTask } from './rank-markers.ts';

/** What compute threads do for a marker analysis. */
export const markerTasks = [
  taskKind<GroupTask>('group', (task, { dataset, signal }) => findGroups(task, dataset, signal)),
  taskKind<BlockTask>('block', ({ from, to, groups, method }, { dataset, signal }) =>
    dataset.useGeneBlock(from, to, (block) => blockStatistics(block, groups, method), signal),
  ),
  taskKind<RankTask>('rank', rankMarkers),
  taskKind<CheckTask>('check', (task, { dataset, signal }) => checkMarkers(task, dataset, signal)),
];

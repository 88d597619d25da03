import { analysisTasks } from '../features/analyses/tasks.ts';
import { annotationTasks } from '../features/annotations/tasks.ts';
import { cellModelTasks } from '../features/cell-models/tasks.ts';
import { cellGraphTasks } from '../features/cell-graph/tasks.ts';
import { pointsTasks } from '../features/columns/points-task.ts';
import { columnTasks } from '../features/columns/tasks.ts';
import { cellGroupTasks } from '../features/export/cell-groups.ts';
import { cellLineTasks } from '../features/export/cell-lines.ts';
import { h5adTasks } from '../features/export/dataset/h5ad-tasks.ts';
import { figureTasks } from '../features/explore/draw.ts';
import { comparisonTasks } from '../features/gene-comparisons/tasks.ts';
import { groupGeneTasks } from '../features/gene-finder/group-gene.ts';
import { summaryFileTasks } from '../features/gene-finder/summary-files.ts';
import { groupSumTasks } from '../features/group-sums/tasks.ts';
import { libraryTasks } from '../features/dataset-libraries/compile-library.ts';
import { sampleDesignTasks } from '../features/sample-design/tasks.ts';
import { scoreTasks } from '../features/scores/tasks.ts';
import { cellSetTasks } from '../features/subsets/set-overlap.ts';
import { subsetTasks } from '../features/subsets/build-mask.ts';
import { endTasks } from '../features/value-ranking/tasks.ts';
import { depthTasks } from '../runtime/cell-depths.ts';
import { beginThread } from '../runtime/compute/thread.ts';

/** The tasks of the compute threads. Imports the files of the tasks, so that a thread does not load whole features. */
const work = await beginThread((objects) => [
  ...subsetTasks,
  ...cellSetTasks,
  ...scoreTasks,
  ...figureTasks,
  ...depthTasks,
  ...groupSumTasks,
  ...sampleDesignTasks,
  ...comparisonTasks,
  ...endTasks,
  ...analysisTasks,
  ...cellModelTasks,
  ...libraryTasks(objects),
  ...cellLineTasks,
  ...cellGroupTasks,
  ...h5adTasks,
  ...columnTasks,
  ...pointsTasks,
  ...annotationTasks,
  ...groupGeneTasks,
  ...summaryFileTasks,
  ...cellGraphTasks,
]);
// oxlint-disable-next-line import/no-default-export -- Piscina calls it.
export default work;

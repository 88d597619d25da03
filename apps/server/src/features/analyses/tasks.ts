import { type Computation, computations } from '@cellfolio/analyses/compute';
import { categoricalColumn } from '../../runtime/compute/open-datasets.ts';
import { type DatasetRef, type Task, taskKind } from '../../runtime/compute/task.ts';

/** The work of an analysis in a compute thread. */
export interface AnalysisTask extends Task {
  readonly kind: `analysis-${string}`;
  readonly dataset: DatasetRef;
  readonly input: Parameters<Computation>[0];
}

export const analysisTasks = computations.map(({ id, load }) =>
  taskKind<AnalysisTask>(`analysis-${id}`, async ({ input }, { dataset, signal }) => {
    const compute = await load();
    return compute(input, { categories: (column) => categoricalColumn(dataset, column, signal) });
  }),
);

import type { Context } from '@cellfolio/analyses/serve';
import { columnTitle } from '@cellfolio/contract';
import { ApiFailure } from '../../runtime/api-failure.ts';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import { groupColumn } from '../../runtime/group-column.ts';
import { comparedSamples, type SideDeps } from '../sample-design/index.ts';
import { datasetOf, type Selection } from '../selection/index.ts';
import type { AnalysisTask } from './tasks.ts';

type ContextDeps = SideDeps & { readonly datasets: OpenDatasets };

/** The context of an analysis, by its id, for the cells of a call. */
export async function contextOf(
  deps: ContextDeps,
  id: string,
  selection: Selection,
  call: CallContext,
): Promise<Context> {
  const dataset = await deps.datasets.get(datasetOf(selection));
  return {
    roles: selection.manifest.roles,
    titleOf: (column) => columnTitle(column, selection.own),
    report: (stage) => call.onProgress({ stage, done: 0, total: 1 }),
    compute: (input) =>
      deps.compute.run<AnalysisTask>({ kind: `analysis-${id}`, dataset: datasetOf(selection), input }, call),
    groupColumn: (name, field) => groupColumn(dataset, name, field),
    comparedSamples: (request, options) =>
      comparedSamples(deps, { dataset, selection, request, ...options }, call),
    refuse: (code, message, field) => {
      throw new ApiFailure(422, code, message, { details: [field] });
    },
  };
}

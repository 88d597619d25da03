import { analysisCall, type AnalysisAnswer } from '@cellfolio/contract';
import { markers } from '@cellfolio/analyses';
import { analyses, type Analysis } from '@cellfolio/analyses/serve';
import type { CellMask } from '@cellfolio/model';
import type { ObjectStore } from '@cellfolio/store';
import type { z } from 'zod';
import { CellDepths, depthTasks } from '../../../runtime/cell-depths.ts';
import type { CallContext } from '../../../runtime/compute/analysis-work.ts';
import type { Task } from '../../../runtime/compute/task.ts';
import { OpenDatasets } from '../../../runtime/compute/open-datasets.ts';
import { inlineCompute } from '../../../testing/inline-compute.ts';
import { SumsOfGroups } from '../../group-sums/index.ts';
import { groupSumTasks } from '../../group-sums/tasks.ts';
import type { Selection } from '../../selection/index.ts';
import type { CellMasks } from '../../subsets/index.ts';
import { type ContextDeps, contextOf } from '../context.ts';
import { type AnalysisResult, AnalysisRunner } from '../runner.ts';
import { analysisTasks } from '../tasks.ts';

export const markersAnswer = analysisCall(markers).answer as z.ZodType<
  AnalysisAnswer<typeof markers> &
    Readonly<Record<'marker_csv' | 'marker_preview_table_html' | 'dotplot_image', string>>
>;

export const waiting: CallContext = {
  signal: new AbortController().signal,
  users: () => [],
  onProgress: () => undefined,
};

const noLists = {
  version: () => Promise.resolve(''),
  mappingVersion: () => Promise.resolve(''),
  refuseReplaced: () => {},
};

const analysis = analyses.find(({ declaration }) => declaration === markers)! as unknown as Analysis;

export interface MarkersOutcome extends AnalysisResult {
  readonly result: z.output<typeof markers.result>;
  readonly drawing: NonNullable<typeof markers.figure.input>;
}

/** Runs marker analyses without a server. */
export function markersRunner(deps: Pick<ContextDeps, 'compute' | 'datasets' | 'masks' | 'depths'>) {
  const all = { ...deps, sums: new SumsOfGroups(deps) } as unknown as ContextDeps;
  const runner = new AnalysisRunner(
    (...of) => contextOf(all, ...of),
    noLists,
    () => Promise.resolve(''),
  );
  return (selection: Selection, request: object, call = waiting): Promise<MarkersOutcome> =>
    runner.run(analysis, selection, markers.request.parse(request), call) as Promise<MarkersOutcome>;
}

/** The same with all work in this thread; `maskOf` are the active cells. */
export function inlineMarkers(
  objects: ObjectStore,
  {
    onTask = () => {},
    threads = 1,
    maskOf = () => undefined,
  }: {
    onTask?: (kind: string, task: Task) => void;
    threads?: number;
    maskOf?: () => CellMask | undefined;
  } = {},
) {
  const datasets = new OpenDatasets(objects, { datasets: 4, cacheBytes: 0 });
  const compute = inlineCompute(
    [...analysisTasks, ...groupSumTasks, ...depthTasks],
    datasets,
    onTask,
    threads,
  );
  const masks = { maskOf: () => Promise.resolve(maskOf()) } as unknown as CellMasks;
  const deps = { compute, datasets, masks, depths: new CellDepths({ compute, datasets }) };
  return { ...deps, run: markersRunner(deps) };
}

/** The markers of each group, with their numbers. */
export function markersByGroup({ result, table, drawing }: MarkersOutcome) {
  const columns = new Map(Object.entries(table as Readonly<Record<string, ArrayLike<number>>>));
  let end = 0;
  return result.groups.map(({ name, cells, reference_cells: others, markers: count }, at) => {
    const [from, to] = [end, (end += count)];
    const cut = (column: string) => Array.from(columns.get(column)!).slice(from, to);
    return {
      name,
      cells,
      others,
      genes: Array.from(drawing.markers[at]!.genes, (place) => drawing.symbols[place]!),
      scores: cut('scores'),
      changes: cut('logfoldchanges'),
      adjusted: cut('pvals_adj'),
      sharesOutside: cut('pct_nz_reference'),
    };
  });
}

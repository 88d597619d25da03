import type { Context, EndsRequest, GraphRequest, SummedCells } from '@cellfolio/analyses/serve';
import { columnTitle } from '@cellfolio/contract';
import { type Dataset, geneBlocks } from '@cellfolio/store';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { cellTotals } from '../../runtime/cell-totals.ts';
import { blockEntries, type CallContext, runAll } from '../../runtime/compute/analysis-work.ts';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import { groupColumn } from '../../runtime/group-column.ts';
import { otherNameCautions } from '../../runtime/gene-names/named-genes.ts';
import { sampleColumn, samplesAnswer } from '../../runtime/sample-column.ts';
import { noGenesFound } from '../catalogue/index.ts';
import { type CellGraphs, graphWords } from '../cell-graph/index.ts';
import type { DatasetLibraries } from '../dataset-libraries/index.ts';
import { type Comparisons, comparedOutcome } from '../gene-comparisons/index.ts';
import { comparedSamples, type SideDeps } from '../sample-design/index.ts';
import type { SignatureScoring } from '../scores/index.ts';
import { datasetOf, type Selection } from '../selection/index.ts';
import { endsRecord, requirePairs, type ValueRanking } from '../value-ranking/index.ts';
import type { AnalysisTask } from './tasks.ts';

export type ContextDeps = SideDeps & {
  readonly datasets: OpenDatasets;
  readonly graphs: CellGraphs;
  readonly scoring: Pick<SignatureScoring, 'score'>;
  readonly ranking: ValueRanking;
  readonly libraries: Pick<DatasetLibraries, 'of'>;
  readonly comparisons: Comparisons;
};

/** The context of an analysis, by its id, for the cells of a call. */
export async function contextOf(
  deps: ContextDeps,
  id: string,
  selection: Selection,
  call: CallContext,
): Promise<Context> {
  const ref = datasetOf(selection);
  const dataset = await deps.datasets.get(ref);
  const { roles, expression, warnings, cellCount, catalogue } = selection.manifest;
  const taskOf = (step: string, input: AnalysisTask['input']): AnalysisTask => ({
    kind: `analysis-${id}`,
    dataset: ref,
    step,
    input,
  });
  const startsOf = async (ofCounts: boolean) =>
    ofCounts ? (await dataset.counts(call.signal))!.starts : dataset.valueStarts;
  return {
    dataset: {
      name: catalogue.name,
      roles,
      expression,
      warnings,
      cellCount,
      symbols: dataset.genes.symbols,
    },
    titleOf: (column) => columnTitle(column, selection.own),
    report: (stage) => call.onProgress({ stage, done: 0, total: 1 }),
    compute: (step, input, how) =>
      deps.compute.run<AnalysisTask>({ ...taskOf(step, input), ...how }, call) as never,
    computeAll: (step, inputs, stage, how) =>
      runAll(
        deps.compute,
        inputs.map((input) => ({ ...taskOf(step, input), ...how })),
        stage,
        call,
      ) as never,
    groupColumn: (name, field) => groupColumn(dataset, name, field),
    comparedSamples: (request, options) =>
      comparedSamples(deps, { dataset, selection, request, ...options }, call),
    sampleColumn: () => samplesOf(dataset),
    compareGenes: (parameters) => comparedOutcome(deps, selection, parameters, call),
    rankedEnds: (request) => rankedEnds(deps.ranking, selection, request, call),
    cellGraph: (request) => cellGraph(deps.graphs, selection, request, call),
    geneBlocks: async (ofCounts) => geneBlocks(await startsOf(ofCounts), blockEntries),
    cellTotals: async (of: SummedCells) =>
      cellTotals(deps.compute, { dataset: ref, starts: await startsOf(of.ofCounts), ...of }, call),
    score: (rows) => scoreOf(deps.scoring, selection, rows, call),
    library: (request) => deps.libraries.of(selection, request, call),
    otherNameCautions,
    refuse: (code, message, details) => {
      const of = details && 'field' in details ? [details] : details;
      throw new ApiFailure(code === 'invalid_request' ? 400 : 422, code, message, of && { details: of });
    },
    refuseGenes: (what, missing) => {
      throw noGenesFound(what, missing);
    },
  };
}

async function samplesOf(dataset: Dataset) {
  const samples = await sampleColumn(dataset);
  return samples && samplesAnswer(samples);
}

async function rankedEnds(
  ranking: ValueRanking,
  selection: Selection,
  request: EndsRequest,
  call: CallContext,
) {
  const ends = await ranking.within(selection, request, call);
  if (request.arePairs) requirePairs(ends);
  return { title: ends.title, record: endsRecord(ends) };
}

async function cellGraph(graphs: CellGraphs, selection: Selection, request: GraphRequest, call: CallContext) {
  const { source, cells, without, neighbours } = await graphs.of(selection, request, call);
  return { cells, without, neighbours, text: graphWords(source, false) };
}

async function scoreOf(
  scoring: ContextDeps['scoring'],
  selection: Selection,
  rows: readonly number[],
  call: CallContext,
): Promise<Float64Array | undefined> {
  try {
    return (await scoring.score(selection, rows, call)).scores;
  } catch (error) {
    if (error instanceof ApiFailure && error.code === 'not_scorable') return undefined;
    throw error;
  }
}

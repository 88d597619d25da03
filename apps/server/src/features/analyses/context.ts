import { nameOfB } from '@cellfolio/analyses';
import type {
  CellValues,
  ComparisonTable,
  Context,
  EndsRequest,
  GraphRequest,
  SummedCells,
} from '@cellfolio/analyses/serve';
import type { ComparisonParameters, ValueChoice } from '@cellfolio/analysis/parameters';
import { columnTitle } from '@cellfolio/contract';
import { qualityMeasure } from '@cellfolio/figures/content';
import { type Dataset, geneBlocks } from '@cellfolio/store';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { batchColumns } from '../../runtime/batch-columns.ts';
import type { CellDepths } from '../../runtime/cell-depths.ts';
import { cellTotals } from '../../runtime/cell-totals.ts';
import { blockEntries, type CallContext, runAll } from '../../runtime/compute/analysis-work.ts';
import { type OpenDatasets, requireGene } from '../../runtime/compute/open-datasets.ts';
import { otherNameCautions, otherNamesAmong } from '../../runtime/gene-names/named-genes.ts';
import { columnLabel } from '../../runtime/column-names.ts';
import { groupColumn } from '../../runtime/group-column.ts';
import { requestedSamples, samplesAnswer } from '../../runtime/sample-column.ts';
import { noGenesFound } from '../catalogue/index.ts';
import { type CellGraphs, graphWords } from '../cell-graph/index.ts';
import type { DatasetLibraries } from '../dataset-libraries/index.ts';
import {
  cellsOn,
  comparedOutcome,
  comparedPlace,
  type Comparisons,
  testWords,
} from '../gene-comparisons/index.ts';
import { comparedSamples, type SideDeps } from '../sample-design/index.ts';
import { comparedGroups, depthSets, type SumsOfGroups } from '../group-sums/index.ts';
import type { ReferenceLists } from '../reference-lists/index.ts';
import { cellValues, type GeneMeans, type NamedScores, type SignatureScoring } from '../scores/index.ts';
import { cutByExpression, datasetOf, type Selection } from '../selection/index.ts';
import { endsRecord, requirePairs, type ValueRanking } from '../value-ranking/index.ts';
import type { AnalysisTask } from './tasks.ts';

export type ContextDeps = SideDeps & {
  readonly datasets: OpenDatasets;
  readonly graphs: CellGraphs;
  readonly scoring: Pick<SignatureScoring, 'score'>;
  readonly scores: NamedScores;
  readonly ranking: ValueRanking;
  readonly lists: ReferenceLists;
  readonly means: Pick<GeneMeans, 'of'>;
  readonly sums: SumsOfGroups;
  readonly depths: CellDepths;
  readonly libraries: Pick<DatasetLibraries, 'of'>;
  readonly comparisons: Comparisons;
};

/** The context of an analysis, by its id, for the cells of a call. */
export async function contextOf(
  deps: ContextDeps,
  id: string,
  selection: Selection,
  call: CallContext,
): Promise<Omit<Context, 'shared'>> {
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
      embeddings: dataset.embeddings,
      countsColumn: dataset.obsColumnNames.find((name) => qualityMeasure(name)?.measure === 'counts'),
      obsColumns: dataset.obsColumnNames,
      batchColumns: batchColumns(dataset.obsColumnNames),
    },
    titleOf: (column) => columnTitle(column, selection.own),
    groupTitleOf: (column) => columnLabel(roles, column, selection.own).alone,
    groupWordsOf: (column) => columnLabel(roles, column, selection.own).inTitle,
    report: (stage, done = 0, total = 1) => call.onProgress({ stage, done, total }),
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
    list: (of, chosen) => deps.lists.inDataset(of, chosen, dataset),
    mask: () => deps.masks.maskOf(selection, call),
    groupSums: (column) => deps.sums.ofColumn(selection, column, call),
    comparedGroups: (request) => comparedGroups(deps.sums, { dataset, selection, request }, call),
    countsPerCell: (strata) => deps.depths.of(selection.manifest, depthSets(strata, false), call),
    rawTotals: () => deps.depths.totals(selection.manifest, call),
    filterCautions: () => cutByExpression(selection),
    geneMeans: () => deps.means.of(selection, call),
    comparedSamples: (request, options) =>
      comparedSamples(deps, { dataset, selection, request, ...options }, call),
    sampleColumn: (chosen) => samplesOf(dataset, chosen),
    namedGenes: async (genes, field, use) => ({
      rows: genes.map((gene, at) => requireGene(dataset, gene, `${field}.${at}`)),
      cautions: otherNameCautions(otherNamesAmong(dataset.genes, genes), use),
    }),
    compareGenes: (parameters) => comparedOutcome(deps, selection, parameters, call),
    rankedEnds: (request) => rankedEnds(deps.ranking, selection, request, call),
    activeCells: () => deps.masks.maskOf(selection, call),
    cellValues: (choice, field) => valuesOf(deps, selection, { choice, field }, call),
    cellGraph: (request) => cellGraph(deps.graphs, selection, request, call),
    geneBlocks: async (ofCounts) => geneBlocks(await startsOf(ofCounts), blockEntries),
    cellTotals: async (of: SummedCells) =>
      cellTotals(deps.compute, { dataset: ref, starts: await startsOf(of.ofCounts), ...of }, call),
    score: (rows) => scoreOf(deps.scoring, selection, rows, call),
    comparisonTable: (comparison, part) =>
      comparisonTable(deps.comparisons, selection, { comparison, part }, call),
    library: (request) => deps.libraries.of(selection, request, call),
    otherNameCautions,
    refuse,
    refuseGenes: (what, missing) => {
      throw noGenesFound(what, missing);
    },
  };
}

export const refuse: Context['refuse'] = (code, message, details, status) => {
  const of = details && 'field' in details ? [details] : details;
  const isOfRequest = code === 'invalid_request' || status === 400;
  throw new ApiFailure(isOfRequest ? 400 : 422, code, message, of && { details: of });
};

async function comparisonTable(
  comparisons: Comparisons,
  selection: Selection,
  request: { readonly comparison: ComparisonParameters; readonly part: string | undefined },
  call: CallContext,
): Promise<ComparisonTable> {
  const comparison = await comparisons.run(selection, request.comparison, call);
  const place = comparedPlace(comparison, request.part);
  const { scores, logfoldchanges, pvals } = await comparisons.table(selection, comparison, place, call);
  const { parameters, parts, cautions } = comparison;
  const [a, b] = [parameters.a.name, nameOfB(parameters, cellsOn(parts, 'b'))];
  const { name: part } = parts[place]!;
  return { a, b, part, test: testWords(comparison), scores, logfoldchanges, pvals, cautions };
}

async function samplesOf(dataset: Dataset, chosen: string | undefined) {
  const { samples } = await requestedSamples(dataset, chosen);
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

async function valuesOf(
  deps: ContextDeps,
  selection: Selection,
  of: { readonly choice: ValueChoice; readonly field: string },
  call: CallContext,
): Promise<CellValues> {
  const { genes, score, ...values } = await cellValues(deps, selection, of, call);
  return { ...values, rows: genes.map(({ row }) => row), controlGenes: score?.controlCount };
}

async function cellGraph(graphs: CellGraphs, selection: Selection, request: GraphRequest, call: CallContext) {
  const { source, ...graph } = await graphs.of(selection, request, call);
  return { ...graph, text: graphWords(source, request.itself ?? false) };
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

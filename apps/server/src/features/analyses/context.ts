import type { ComparedSamples, Context, SampleRequest } from '@cellfolio/analyses/serve';
import { columnTitle } from '@cellfolio/contract';
import type { Dataset } from '@cellfolio/store';
import { ApiFailure } from '../../runtime/api-failure.ts';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import { groupColumn } from '../../runtime/group-column.ts';
import { nestingCautions } from '../../runtime/nesting-cautions.ts';
import { requestedSamples, samplesAnswer } from '../../runtime/sample-column.ts';
import {
  columnKindsOf,
  designCautions,
  designColumn,
  designOfPart,
  findSides,
  leftOutSums,
  numericColumns,
  planOf,
  requireSamples,
  type SampleQuestion,
  sampleValuesOf,
  type SideDeps,
} from '../comparisons/index.ts';
import { unassignedCautions } from '../markers/index.ts';
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

type SampleOptions = Parameters<Context['comparedSamples']>[1];

interface ComparedQuestion extends SampleOptions {
  readonly dataset: Dataset;
  readonly selection: Selection;
  readonly request: SampleRequest;
}

async function comparedSamples(
  deps: ContextDeps,
  { dataset, selection, request, by, minCells, otherwise }: ComparedQuestion,
  call: CallContext,
): Promise<ComparedSamples> {
  const { parameters, samples: chosen } = await lookUp(dataset, request);
  const sided = { ...parameters, min_cells: minCells };
  const sides = await findSides(deps, { selection, parameters: sided, samples: chosen }, call);
  const { compared } = sides;
  const samples = sides.samples?.samples ?? chosen;
  const isLeftOut = parameters.unassigned === 'left-out';
  const question: SampleQuestion = {
    selection,
    parameters,
    samples: samples.column,
    compared,
    labelled: by,
    assigned: isLeftOut,
    otherwise: [],
  };
  const plan = await planOf(deps.compute, question, call);
  const part = designOfPart(question, plan, compared.parts[0]!, 0);
  if ('reason' in part) throw new ApiFailure(422, part.code, part.reason);
  const { design } = part;
  const sums = part.sums.map(({ sample: name, side, cells }) => ({ name, side, cells }));
  const [, ...others] = design.columns;
  const values = others.map(sampleValuesOf);
  const cellsOf = (all: readonly { readonly cells: number }[]) =>
    all.reduce((sum, { cells }) => sum + cells, 0);
  const counted = cellsOf(plan.sums) + cellsOf(plan.leftOut) + cellsOf(isLeftOut ? plan.unassigned : []);
  return {
    request: parameters,
    samples: samplesAnswer(samples),
    sums,
    both: design.both,
    design: design.design,
    contrast: design.contrast,
    record: {
      formula: design.formula,
      columns: design.columns.map(({ name }) => name),
      column_kinds: columnKindsOf(design),
      coefficients: design.design.coefficients.map(({ name }) => name),
      paired: design.isPaired,
      samples: sums.map((sum, at) => Object.assign({ values: values.map((column) => column[at]!) }, sum)),
      left_out: leftOutSums(part),
    },
    cells: { sumOf: plan.codes, sumCount: plan.sums.length, places: part.places },
    unlabelled: part.part.a + part.part.b - counted - plan.unlabelled,
    cautions: [
      ...nestingCautions(samples),
      ...designCautions([part], {
        least: parameters.min_sample_cells,
        unlabelled: plan.unlabelled,
        sampleColumn: samples.column,
      }),
      ...unassignedCautions(plan.unassigned, { column: columnTitle(by), isLeftOut, otherwise }),
    ],
  };
}

/** The samples, and the request with the names that its columns have in obs. */
async function lookUp(dataset: Dataset, request: SampleRequest) {
  const { named, samples } = await requestedSamples(dataset, request.samples);
  requireSamples(samples);
  const { a, b, unassigned, min_sample_cells, pairing, numeric_covariates: numeric } = request;
  const parameters: SampleRequest = {
    a,
    ...(b && { b }),
    unassigned,
    ...(named !== undefined && { samples: named }),
    ...(numeric && { numeric_covariates: await numericColumns(dataset, numeric) }),
    covariates: await Promise.all(
      request.covariates.map((column) => designColumn(dataset, column, 'covariates')),
    ),
    pairing,
    min_sample_cells,
  };
  return { parameters, samples };
}

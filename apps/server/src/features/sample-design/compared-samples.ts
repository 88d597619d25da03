import type { ComparedSamples, Context, SampleRequest } from '@cellfolio/analyses/serve';
import { columnTitle } from '@cellfolio/contract';
import { unassignedCautions } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import { ApiFailure } from '../../runtime/api-failure.ts';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import { nestingCautions } from '../../runtime/nesting-cautions.ts';
import { requestedSamples, samplesAnswer } from '../../runtime/sample-column.ts';
import type { Selection } from '../selection/index.ts';
import { designCautions } from './cautions.ts';
import { findSides, type SideDeps } from './compared-sides.ts';
import {
  columnKindsOf,
  designOfPart,
  leftOutSums,
  planOf,
  type SampleQuestion,
  sampleValuesOf,
} from './designed-part.ts';
import { designColumn, numericColumns, requireSamples } from './refusals.ts';

type SampleOptions = Parameters<Context['comparedSamples']>[1];

interface ComparedQuestion extends SampleOptions {
  readonly dataset: Dataset;
  readonly selection: Selection;
  readonly request: SampleRequest;
}

/** Two sets of the active cells by sample, and the design that compares them. Throws ApiFailure 400, 409 or 422. */
export async function comparedSamples(
  deps: SideDeps,
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
        minCells: parameters.min_sample_cells,
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

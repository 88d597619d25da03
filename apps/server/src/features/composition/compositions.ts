import type { CompositionParameters } from '@cellfolio/analysis/parameters';
import type { Dataset } from '@cellfolio/store';
import { ApiFailure } from '../../runtime/api-failure.ts';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import {
  designColumn,
  designOfPart,
  findSides,
  numericColumns,
  planOf,
  requireSamples,
  type SampleQuestion,
  type SideDeps,
} from '../comparisons/index.ts';
import { groupColumn } from '../../runtime/group-column.ts';
import { requestedSamples } from '../../runtime/sample-column.ts';
import { datasetOf, type Selection } from '../selection/index.ts';
import { compositionCautions, type Composition } from './cautions.ts';
import type { CompositionTask, TestedComposition } from './tasks.ts';
import { minTypes } from '@cellfolio/analysis';
import { countText, plural, typeColumn } from '@cellfolio/model';
import { quotedColumn } from '../../runtime/column-names.ts';

const minCells = 2;

export class Compositions {
  readonly #deps: SideDeps & { datasets: OpenDatasets };

  constructor(deps: SideDeps & { datasets: OpenDatasets }) {
    this.#deps = deps;
  }

  /**
   * Throws ApiFailure 400 for a name that the dataset does not have, 409 for cells selected on another version, 422 for
   * sets, samples, columns and categories that cannot be compared.
   */
  async run(selection: Selection, request: CompositionParameters, call: CallContext): Promise<Composition> {
    const { compute } = this.#deps;
    const dataset = await this.#deps.datasets.get(datasetOf(selection));
    const { by, samples: chosenSamples, parameters } = await lookUp(dataset, selection, request);
    const sides = await findSides(
      this.#deps,
      { selection, parameters: { ...parameters, min_cells: minCells }, samples: chosenSamples },
      call,
    );
    const { compared } = sides;
    const samples = sides.samples?.samples ?? chosenSamples;
    const question: SampleQuestion = {
      selection,
      parameters,
      samples: samples.column,
      compared,
      labelled: by,
      assigned: parameters.unassigned === 'left-out',
      otherwise: [],
    };
    const plan = await planOf(compute, question, call);
    const part = designOfPart(question, plan, compared.parts[0]!, 0);
    if ('reason' in part) throw new ApiFailure(422, part.code, part.reason);
    const { design, sums, places } = part;
    const task: CompositionTask = {
      kind: 'composition-test',
      dataset: datasetOf(selection),
      by,
      sumOf: plan.codes,
      sumCount: plan.sums.length,
      places,
      sides: sums.map(({ side }) => (side === 'a' ? 0 : 1)),
      design: design.design,
      contrast: design.contrast,
      transform: parameters.transform,
    };
    call.onProgress({ stage: 'Testing the shares', done: 0, total: 1 });
    const tested = await compute.run<CompositionTask>(task, call);
    if ('refusal' in tested) throw categoriesRefused(by, tested);
    const counted = [...plan.sums, ...plan.leftOut].reduce((sum, { cells }) => sum + cells, 0);
    const { a, b } = part.part;
    const { unassigned } = plan;
    const without = parameters.unassigned === 'left-out' ? unassigned : [];
    const categories = a + b - counted - plan.unlabelled - without.reduce((sum, { cells }) => sum + cells, 0);
    const findings = { parameters, by, samples, part, tested };
    const noValue = { samples: plan.unlabelled, categories };
    return { ...findings, cautions: compositionCautions(selection, findings, { ...noValue, unassigned }) };
  }
}

async function lookUp(dataset: Dataset, selection: Selection, request: CompositionParameters) {
  const by =
    request.by === undefined ? typeColumn(selection.manifest) : await groupColumn(dataset, request.by, 'by');
  if (by === undefined) {
    throw new ApiFailure(
      422,
      'no_categories',
      'The dataset has neither cell types nor clusters. Choose the column whose shares to compare.',
      { details: [{ field: 'by', problem: 'is not known' }] },
    );
  }
  const { named, samples } = await requestedSamples(dataset, request.samples);
  requireSamples(samples);
  const parameters: CompositionParameters = {
    ...request,
    ...(request.by !== undefined && { by }),
    ...(named !== undefined && { samples: named }),
    ...(request.numeric_covariates && {
      numeric_covariates: await numericColumns(dataset, request.numeric_covariates),
    }),
    covariates: await Promise.all(
      request.covariates.map((column) => designColumn(dataset, column, 'covariates')),
    ),
  };
  return { by, samples, parameters };
}

function categoriesRefused(
  by: string,
  { refusal, categories }: Extract<TestedComposition, { refusal: unknown }>,
): ApiFailure {
  const column = quotedColumn(by);
  const message =
    refusal === 'too_few_categories'
      ? `These samples have cells of ${plural(categories, 'category', 'categories')} of ${column}: the test needs at least ${minTypes} to estimate how much shares vary. Choose another column, or larger sets of cells.`
      : `${column} has ${countText(categories)} categories, probably cells or clones. Choose a column of groups of cells.`;
  return new ApiFailure(422, refusal, message, {
    details: [{ field: 'by', problem: `has ${categories} categories` }],
  });
}

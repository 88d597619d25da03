import type { FigureContent } from '@cellfolio/contract';
import type { InputValues, PlotInput } from '@cellfolio/figures';
import { inputsOf, type MapShown } from '@cellfolio/figures/content';
import { plural } from '@cellfolio/model';
import { ApiFailure } from '../../runtime/api-failure.ts';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import { type OpenDatasets, requireColumn, requireGene } from '../../runtime/compute/open-datasets.ts';
import { countsOf } from '../catalogue/index.ts';
import { datasetOf, type Selection } from '../selection/index.ts';
import { checkNames } from '../subsets/index.ts';
import type { ResolvedInput, ResolvedInputs, ResultKind } from './input-values.ts';

type Input<From extends PlotInput['from']> = Extract<PlotInput, { from: From }>;

interface ResultInputs<From extends ResultKind> {
  /** Version of the gene library, on which a result depends besides the cells and the input. */
  version(input: Input<From>): Promise<string>;
  /** Throws ApiFailure when the analysis fails. */
  find(selection: Selection, input: Input<From>, call: CallContext): Promise<InputValues[From]>;
}

interface InputOptions {
  readyResults?: ReadyResults;
  shown?: MapShown;
}

export type ReadyResults = { readonly [Kind in ResultKind]?: InputValues[Kind] };

interface FigureInputDeps {
  datasets: OpenDatasets;
  results: { readonly [Kind in ResultKind]: ResultInputs<Kind> };
}

export class FigureInputs {
  readonly #deps: FigureInputDeps;

  constructor(deps: FigureInputDeps) {
    this.#deps = deps;
  }

  /** Versions of the gene libraries, on which a figure depends besides the cells and its content. */
  async version(content: FigureContent): Promise<string> {
    const versions = Object.values(inputsOf(content))
      .flat()
      .map(async (input: PlotInput) => (this.#isResult(input) ? this.#resultsOf(input).version(input) : ''));
    return (await Promise.all(versions)).join('');
  }

  /**
   * Results in `readyResults` are not computed again, and the embedding is the one to be shown. Throws ApiFailure when
   * a name is not in the dataset or the analysis behind the figure fails.
   */
  async find(
    selection: Selection,
    content: FigureContent,
    call: CallContext,
    options: InputOptions = {},
  ): Promise<ResolvedInputs> {
    const find = (input: PlotInput) => this.#find(selection, input, call, options);
    const { split } = options.shown ?? {};
    const named = {
      ...inputsOf(content),
      ...(split !== undefined && { shownSplit: { from: 'obs', column: split } as const }),
    };
    const entries = Object.entries(named).map(
      async ([name, input]) =>
        [
          name,
          await (Array.isArray(input) ? Promise.all(input.map(find)) : find(input as PlotInput)),
        ] as const,
    );
    return Object.fromEntries(await Promise.all(entries));
  }

  async #find(
    selection: Selection,
    input: PlotInput,
    call: CallContext,
    { readyResults = {}, shown = {} }: InputOptions,
  ): Promise<ResolvedInput> {
    switch (input.from) {
      case 'embedding':
        return this.#embedding(selection, shown);
      case 'components':
        return input;
      case 'obs':
        return this.#obs(selection, input);
      case 'gene':
        return { from: 'gene', row: await this.#row(selection, input.gene) };
      case 'gene-sums':
      case 'gene-lines':
        return { ...input, row: await this.#row(selection, input.gene) };
      case 'column':
        return this.#column(selection, input);
      default:
        return {
          from: 'result',
          value: readyResults[input.from] ?? (await this.#resultsOf(input).find(selection, input, call)),
        };
    }
  }

  #isResult(input: PlotInput): input is Input<ResultKind> {
    return input.from in this.#deps.results;
  }

  #resultsOf<From extends ResultKind>(input: Input<From>): ResultInputs<From> {
    return this.#deps.results[(input as PlotInput).from as From];
  }

  async #embedding({ manifest }: Selection, { embedding, axes }: MapShown): Promise<ResolvedInput> {
    const name = embedding ?? manifest.roles.embedding;
    // A dataset without an embedding is told so where it is drawn.
    if (name === undefined || (embedding === undefined && axes === undefined)) return { from: 'embedding' };
    const dataset = await this.#deps.datasets.get(manifest);
    const match = dataset.embeddings.find((one) => one.name === name);
    const quoted = JSON.stringify(name);
    if (match === undefined) {
      throw new ApiFailure(400, 'column_not_found', `The dataset has no embedding ${quoted}.`);
    }
    const { dimensions } = match;
    if (Math.max(...(axes ?? [0, 1])) >= dimensions) {
      throw new ApiFailure(
        400,
        'column_not_found',
        `The embedding ${quoted} has ${plural(dimensions, 'dimension')}, the first is 0.`,
      );
    }
    return { from: 'embedding', name, ...(axes && { axes }) };
  }

  async #row({ manifest }: Selection, gene: string): Promise<number> {
    return requireGene(await this.#deps.datasets.get(manifest), gene, 'gene');
  }

  async #obs(selection: Selection, input: Input<'obs'>): Promise<ResolvedInput> {
    requireColumn(await this.#deps.datasets.get(datasetOf(selection)), input.column, 400);
    return input;
  }

  async #column({ manifest }: Selection, input: Input<'column'>): Promise<ResolvedInput> {
    const { of, chosen = [] } = input;
    if (of !== 'groups') {
      const dataset = await this.#deps.datasets.get(manifest);
      const what = of === 'cellType' ? 'cell type' : 'cluster';
      checkNames(what, chosen, await countsOf(dataset, manifest.roles[of]));
    }
    return input;
  }
}

import type { FigureContent } from '@cellfolio/contract';
import type { InputValues, PlotInput } from '@cellfolio/plots';
import { inputsOf, type MapShown } from '@cellfolio/plots/content';
import { ApiFailure } from '../../runtime/api-failure.ts';
import type { Waiting } from '../../runtime/compute/analysis-work.ts';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import { countsOf } from '../catalogue/index.ts';
import { datasetOf, type Selection } from '../selection/index.ts';
import { checkNames } from '../subsets/index.ts';
import type { FoundInput, FoundInputs } from './draw.ts';

type Input<From extends PlotInput['from']> = Extract<PlotInput, { from: From }>;

/** Inputs that an analysis computes. */
type ResultKind =
  | 'score'
  | 'markers'
  | 'comparison'
  | 'pseudobulk'
  | 'composition'
  | 'enrichment'
  | 'ranked-enrichment'
  | 'interactions'
  | 'cell-types'
  | 'trajectory';

/** Finds the inputs of one kind; the analysis that computes them hands it in. */
interface ResultInputs<From extends ResultKind> {
  /** What a result depends on besides the cells and the input: the version of the library that it takes genes from. */
  version(input: Input<From>): Promise<string>;
  /** Throws ApiFailure where the analysis fails. */
  find(selection: Selection, input: Input<From>, waiting: Waiting): Promise<InputValues[From]>;
}

/** What is asked of the inputs of a figure besides its content. */
interface AskedInputs {
  readonly known?: KnownResults;
  readonly shown?: MapShown;
}

/** Results that whoever wants a figure of them has already. */
export type KnownResults = { readonly [Kind in ResultKind]?: InputValues[Kind] };

interface FigureInputDeps {
  readonly datasets: OpenDatasets;
  readonly score: ResultInputs<'score'>;
  readonly markers: ResultInputs<'markers'>;
  readonly comparison: ResultInputs<'comparison'>;
  readonly pseudobulk: ResultInputs<'pseudobulk'>;
  readonly composition: ResultInputs<'composition'>;
  readonly interactions: ResultInputs<'interactions'>;
  readonly cellTypes: ResultInputs<'cell-types'>;
  readonly enrichment: ResultInputs<'enrichment'>;
  readonly rankedEnrichment: ResultInputs<'ranked-enrichment'>;
  readonly trajectory: ResultInputs<'trajectory'>;
}

/** Finds what a figure needs, by names, for the thread that draws it: rows, scores and results. */
export class FigureInputs {
  readonly #deps: FigureInputDeps;

  constructor(deps: FigureInputDeps) {
    this.#deps = deps;
  }

  /** What a figure depends on besides the cells and its content: the versions of the libraries that it takes genes from. */
  async version(content: FigureContent): Promise<string> {
    const {
      score,
      markers,
      comparison,
      pseudobulk,
      composition,
      enrichment,
      rankedEnrichment,
      interactions,
      cellTypes,
      trajectory,
    } = this.#deps;
    const versions = Object.values(inputsOf(content))
      .flat()
      .map(async (input: PlotInput) => {
        if (input.from === 'score') return score.version(input);
        if (input.from === 'markers') return markers.version(input);
        if (input.from === 'comparison') return comparison.version(input);
        if (input.from === 'pseudobulk') return pseudobulk.version(input);
        if (input.from === 'composition') return composition.version(input);
        if (input.from === 'ranked-enrichment') return rankedEnrichment.version(input);
        if (input.from === 'interactions') return interactions.version(input);
        if (input.from === 'cell-types') return cellTypes.version(input);
        if (input.from === 'trajectory') return trajectory.version(input);
        return input.from === 'enrichment' ? enrichment.version(input) : '';
      });
    return (await Promise.all(versions)).join('');
  }

  /**
   * What is among the `known` results is not computed again, and the embedding is the one that is to be shown. Throws
   * ApiFailure where a name is not in the dataset or the analysis behind the figure fails.
   */
  async find(
    selection: Selection,
    content: FigureContent,
    waiting: Waiting,
    asked: AskedInputs = {},
  ): Promise<FoundInputs> {
    const find = (input: PlotInput) => this.#find(selection, input, waiting, asked);
    const { split } = asked.shown ?? {};
    const named = {
      ...inputsOf(content),
      ...(split !== undefined && { shownSplit: { from: 'obs', column: split } as const }),
    };
    const found = Object.entries(named).map(
      async ([name, input]) =>
        [
          name,
          await (Array.isArray(input) ? Promise.all(input.map(find)) : find(input as PlotInput)),
        ] as const,
    );
    return Object.fromEntries(await Promise.all(found));
  }

  async #find(
    selection: Selection,
    input: PlotInput,
    waiting: Waiting,
    { known = {}, shown = {} }: AskedInputs,
  ): Promise<FoundInput> {
    switch (input.from) {
      case 'embedding':
        return this.#embedding(selection, shown);
      case 'components':
        return input;
      case 'obs':
        return this.#obs(selection, input);
      case 'gene':
        return { from: 'gene', row: await this.#row(selection, input.gene) };
      case 'column':
        return this.#column(selection, input);
      case 'score':
        return result(known.score ?? (await this.#deps.score.find(selection, input, waiting)));
      case 'markers':
        return result(known.markers ?? (await this.#deps.markers.find(selection, input, waiting)));
      case 'comparison':
        return result(known.comparison ?? (await this.#deps.comparison.find(selection, input, waiting)));
      case 'pseudobulk':
        return result(await this.#deps.pseudobulk.find(selection, input, waiting));
      case 'composition':
        return result(known.composition ?? (await this.#deps.composition.find(selection, input, waiting)));
      case 'interactions':
        return result(known.interactions ?? (await this.#deps.interactions.find(selection, input, waiting)));
      case 'cell-types':
        return result(known['cell-types'] ?? (await this.#deps.cellTypes.find(selection, input, waiting)));
      case 'enrichment':
        return result(known.enrichment ?? (await this.#deps.enrichment.find(selection, input, waiting)));
      case 'ranked-enrichment':
        return result(
          known['ranked-enrichment'] ?? (await this.#deps.rankedEnrichment.find(selection, input, waiting)),
        );
      case 'trajectory':
        return result(known.trajectory ?? (await this.#deps.trajectory.find(selection, input, waiting)));
    }
  }

  async #embedding({ manifest }: Selection, { embedding, axes }: MapShown): Promise<FoundInput> {
    const name = embedding ?? manifest.roles.embedding;
    // A dataset without an embedding is told so where it is drawn.
    if (name === undefined || (embedding === undefined && axes === undefined)) return { from: 'embedding' };
    const dataset = await this.#deps.datasets.get(manifest);
    const found = dataset.embeddings.find((one) => one.name === name);
    const quoted = JSON.stringify(name);
    if (found === undefined) {
      throw new ApiFailure(400, 'column_not_found', `The dataset has no embedding ${quoted}.`);
    }
    const { dimensions } = found;
    if (Math.max(...(axes ?? [0, 1])) >= dimensions) {
      throw new ApiFailure(
        400,
        'column_not_found',
        `The embedding ${quoted} has ${dimensions} ${dimensions === 1 ? 'dimension' : 'dimensions'}, the first is 0.`,
      );
    }
    return { from: 'embedding', name, ...(axes && { axes }) };
  }

  async #row({ manifest }: Selection, gene: string): Promise<number> {
    const row = (await this.#deps.datasets.get(manifest)).genes.find(gene);
    if (row === undefined) {
      throw new ApiFailure(400, 'gene_not_found', `The dataset has no gene ${JSON.stringify(gene)}.`);
    }
    return row;
  }

  async #obs(selection: Selection, input: Input<'obs'>): Promise<FoundInput> {
    const dataset = await this.#deps.datasets.get(datasetOf(selection));
    if (!dataset.obsColumnNames.includes(input.column)) {
      throw new ApiFailure(
        400,
        'column_not_found',
        `The dataset has no column ${JSON.stringify(input.column)} of obs.`,
      );
    }
    return input;
  }

  /** Checks the names of the categories that are asked for. */
  async #column({ manifest }: Selection, input: Input<'column'>): Promise<FoundInput> {
    const { of, chosen = [] } = input;
    if (of !== 'groups') {
      const dataset = await this.#deps.datasets.get(manifest);
      const what = of === 'cellType' ? 'cell type' : 'cluster';
      checkNames(what, chosen, await countsOf(dataset, manifest.roles[of]));
    }
    return input;
  }
}

function result(value: InputValues[ResultKind]): FoundInput {
  return { from: 'result', value };
}

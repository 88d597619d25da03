import type { FigureContent } from '@cellfolio/contract';
import type { PlotInput } from '@cellfolio/plots';
import { inputsOf } from '@cellfolio/plots/content';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import type { FoundInput, FoundInputs } from '../../runtime/compute/task.ts';
import type { GeneSetLibraries } from '../gene-sets/gene-set-store.ts';
import { ApiFailure } from '../../runtime/api-failure.ts';
import type { MarkerResult, MarkerTests } from '../markers/marker-tests.ts';
import { chosenMarkers, columnLabel, dotPlotInput } from '../markers/dot-plot-input.ts';
import { countsOf } from '../catalogue/obs-summary.ts';
import { enrichmentBarInput } from '../pathways/enrichment-bar-input.ts';
import { enrichmentCautions } from '../pathways/enrichment-cautions.ts';
import type { EnrichmentTests, PathwayResult } from '../pathways/enrichment-tests.ts';
import type { NamedScore, NamedScores } from '../scores/named-scores.ts';
import type { Selection, Waiting } from '../selection/selection.ts';
import { checkNames } from '../subsets/cell-masks.ts';

export interface FigureInputParts {
  readonly datasets: OpenDatasets;
  readonly libraries: Pick<GeneSetLibraries, 'cellStates'>;
  readonly scores: NamedScores;
  readonly markers: MarkerTests;
  readonly enrichment: EnrichmentTests;
}

/** Results that whoever wants a figure of them has already. */
export interface KnownResults {
  readonly score?: NamedScore;
  readonly markers?: MarkerResult;
  readonly enrichment?: PathwayResult;
}

type Input<From extends PlotInput['from']> = Extract<PlotInput, { from: From }>;

/** Finds what a figure needs, by names, for the thread that draws it: rows, scores and results. */
export class FigureInputs {
  readonly #parts: FigureInputParts;

  constructor(parts: FigureInputParts) {
    this.#parts = parts;
  }

  /** What a figure depends on besides the cells and its content: the versions of the libraries that it takes genes from. */
  async version(content: FigureContent): Promise<string> {
    const { libraries, enrichment } = this.#parts;
    const versions = Object.values(inputsOf(content))
      .flat()
      .map(async (input: PlotInput) => {
        if (input.from === 'enrichment') return enrichment.dependencies(input.parameters.library_name);
        const isState = input.from === 'score' && input.score.of === 'cell-state';
        return isState ? (await libraries.cellStates()).version : '';
      });
    return (await Promise.all(versions)).join('');
  }

  /**
   * What is among the `known` results is not computed again. Throws ApiFailure where a name is not in the dataset or the
   * analysis behind the figure fails.
   */
  async find(
    selection: Selection,
    content: FigureContent,
    waiting: Waiting,
    known: KnownResults = {},
  ): Promise<FoundInputs> {
    const find = (input: PlotInput) => this.#find(selection, input, waiting, known);
    const found = Object.entries(inputsOf(content)).map(
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
    known: KnownResults,
  ): Promise<FoundInput> {
    switch (input.from) {
      case 'embedding':
        return input;
      case 'gene':
        return { from: 'gene', row: await this.#row(selection, input.gene) };
      case 'column':
        return this.#column(selection, input);
      case 'score': {
        const score = known.score ?? (await this.#parts.scores.of(selection, input.score, waiting));
        const { title, subtitle, scores, cautions } = score;
        return { from: 'result', value: { title, subtitle, scores, cautions } };
      }
      case 'markers':
        return this.#markers(selection, input, waiting, known.markers);
      case 'enrichment': {
        const { parameters, version } = input;
        const asked = { ...parameters, library_version: version };
        const result = known.enrichment ?? (await this.#parts.enrichment.run(selection, asked, waiting));
        return {
          from: 'result',
          value: enrichmentBarInput(result, enrichmentCautions(result, selection.manifest)),
        };
      }
    }
  }

  async #row({ manifest }: Selection, gene: string): Promise<number> {
    const row = (await this.#parts.datasets.get(manifest)).genes.find(gene);
    if (row === undefined) {
      throw new ApiFailure(400, 'gene_not_found', `The dataset has no gene ${JSON.stringify(gene)}.`);
    }
    return row;
  }

  /** Checks the names of the categories that are asked for. */
  async #column({ manifest }: Selection, input: Input<'column'>): Promise<FoundInput> {
    const { of, chosen = [] } = input;
    if (of !== 'groups') {
      const dataset = await this.#parts.datasets.get(manifest);
      const what = of === 'cellType' ? 'cell type' : 'cluster';
      checkNames(what, chosen, await countsOf(dataset, manifest.roles[of]));
    }
    return input;
  }

  async #markers(
    selection: Selection,
    { parameters, markers: asked }: Input<'markers'>,
    waiting: Waiting,
    known: MarkerResult | undefined,
  ): Promise<FoundInput> {
    const { manifest } = selection;
    const result = known ?? (await this.#parts.markers.run(selection, parameters, waiting));
    const { markers, column, cautions } = result;
    const { symbols } = (await this.#parts.datasets.get(manifest)).genes;
    const label = columnLabel(manifest.roles, column);
    const chosen = asked && chosenMarkers(markers, symbols, asked);
    return {
      from: 'result',
      value: dotPlotInput(markers, { symbols, label, cautions, ...(chosen && { chosen }) }),
    };
  }
}

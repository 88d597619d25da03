import type { FigureContent } from '@cellfolio/contract';
import type { OpenDatasets } from '../compute/open-datasets.ts';
import type { Drawing } from '../compute/task.ts';
import type { GeneSetLibraries } from '../gene-sets/gene-set-store.ts';
import { ApiFailure } from './api-failure.ts';
import type { MarkerTests } from './markers/marker-tests.ts';
import { chosenMarkers, columnLabel, dotPlotInput } from './markers/dot-plot-input.ts';
import { countsOf } from '../compute/obs-summary.ts';
import { enrichmentBarInput } from './pathways/enrichment-bar-input.ts';
import { enrichmentCautions } from './pathways/enrichment-cautions.ts';
import type { EnrichmentTests } from './pathways/enrichment-tests.ts';
import { cellStateGenes } from './scores/cell-states.ts';
import { type GeneSetToScore, scoredGenes } from './scores/scored-genes.ts';
import { unnamedScore } from './scores/unnamed-score.ts';
import type { SignatureScoring } from './scores/signature-scores.ts';
import type { Selection, Waiting } from './selection.ts';
import { checkNames } from './subsets/cell-masks.ts';

export interface FigurePlanParts {
  readonly datasets: OpenDatasets;
  readonly libraries: GeneSetLibraries;
  readonly scoring: SignatureScoring;
  readonly markers: MarkerTests;
  readonly enrichment: EnrichmentTests;
}

/** Turns what a figure shows, by names, into what a thread draws: rows, scores and results. */
export class FigurePlan {
  readonly #parts: FigurePlanParts;

  constructor(parts: FigurePlanParts) {
    this.#parts = parts;
  }

  /** What a figure depends on besides the cells and its content: the version of the library it takes genes from. */
  async version(content: FigureContent): Promise<string> {
    const { libraries } = this.#parts;
    switch (content.kind) {
      case 'cell-state-umap':
      case 'cell-state-violin':
        return (await libraries.cellStates()).version;
      case 'enrichment-bar-plot':
        return this.#parts.enrichment.dependencies(content.library_name);
      default:
        return '';
    }
  }

  /** Throws ApiFailure where a name is not in the dataset or the analysis behind the figure fails. */
  async drawing(selection: Selection, content: FigureContent, waiting: Waiting): Promise<Drawing> {
    switch (content.kind) {
      case 'default-umap':
        return { kind: content.kind };
      case 'gene-umap':
      case 'gene-violin':
        return { kind: content.kind, row: await this.#row(selection, content.gene) };
      case 'signature-umap':
      case 'signature-violin':
        return this.#score(
          selection,
          content.kind,
          { name: content.score_name.trim() || unnamedScore, genes: content.genes },
          waiting,
        );
      case 'cell-state-umap':
      case 'cell-state-violin': {
        const { name, genes, library } = await cellStateGenes(this.#parts.libraries, content.cell_state);
        const kind = content.kind === 'cell-state-umap' ? 'signature-umap' : 'signature-violin';
        const state = { minimumGenes: content.minimum_genes };
        return this.#score(selection, kind, { name, genes, state }, waiting, library.label);
      }
      case 'cell-type-umap':
        await this.#check(selection, 'cellType', [content.cell_type]);
        return {
          kind: 'highlight-umap',
          role: 'cellType',
          values: [content.cell_type],
          title: content.cell_type,
        };
      case 'cluster-umap': {
        await this.#check(selection, 'cluster', content.leiden_clusters);
        const clusters = content.leiden_clusters;
        const title = clusters.length === 1 ? `Cluster ${clusters[0]!}` : `Clusters ${clusters.join(', ')}`;
        return { kind: 'highlight-umap', role: 'cluster', values: clusters, title };
      }
      case 'marker-dot-plot': {
        const { markers, column, cautions } = await this.#parts.markers.run(selection, content, waiting);
        const { symbols } = (await this.#parts.datasets.get(selection.manifest)).genes;
        const label = columnLabel(selection.manifest.roles, column);
        return {
          kind: 'dot-plot',
          input: dotPlotInput(markers, {
            symbols,
            label,
            cautions,
            ...(content.markers && { chosen: chosenMarkers(markers, symbols, content.markers) }),
          }),
        };
      }
      case 'enrichment-bar-plot': {
        const outcome = await this.#parts.enrichment.run(selection, content, waiting);
        return {
          kind: 'enrichment-bars',
          input: enrichmentBarInput(outcome, enrichmentCautions(outcome, selection.manifest)),
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

  async #score(
    selection: Selection,
    kind: 'signature-umap' | 'signature-violin',
    set: GeneSetToScore,
    waiting: Waiting,
    label = '',
  ): Promise<Drawing> {
    const dataset = await this.#parts.datasets.get(selection.manifest);
    const { rows, missing, cautions } = scoredGenes(dataset.genes, set);
    const { scores } = await this.#parts.scoring.score(selection, rows, waiting);
    const total = rows.length + missing.length;
    const count = missing.length === 0 ? `${total}` : `${rows.length} of ${total}`;
    const subtitle = `${count} ${total === 1 ? 'gene' : 'genes'}${label && ` · ${label}`}`;
    return {
      kind: kind === 'signature-umap' ? 'score-umap' : 'score-violin',
      title: set.name,
      subtitle,
      scores,
      ...(cautions.length > 0 && { cautions }),
    };
  }

  async #check(
    { manifest }: Selection,
    role: 'cellType' | 'cluster',
    names: readonly string[],
  ): Promise<void> {
    const dataset = await this.#parts.datasets.get(manifest);
    const what = role === 'cellType' ? 'cell type' : 'cluster';
    checkNames(what, names, await countsOf(dataset, manifest.roles[role]));
  }
}

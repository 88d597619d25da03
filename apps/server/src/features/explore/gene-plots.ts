import type { GenePlot, PlotUmapWithGenesAnswer } from '@cellfolio/contract';
import pMap from 'p-map';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import { figureAnswer, type FigureService, figuresAtOnce } from './figure-service.ts';
import type { Waiting } from '../../runtime/compute/analysis-work.ts';
import { lookUpGenes, noGenesFound } from '../catalogue/index.ts';
import type { Selection } from '../selection/index.ts';

/** UMAP and violin figures of genes. */
export class GenePlots {
  readonly #datasets: OpenDatasets;
  readonly #figures: FigureService;

  constructor(parts: { datasets: OpenDatasets; figures: FigureService }) {
    this.#datasets = parts.datasets;
    this.#figures = parts.figures;
  }

  /**
   * For each gene its UMAP, then its violins. Genes the dataset does not have are named. Throws ApiFailure 422 where it
   * has none of them.
   */
  async plot(
    selection: Selection,
    { genes, violins }: { genes: readonly string[]; violins: boolean },
    waiting: Waiting,
  ): Promise<PlotUmapWithGenesAnswer> {
    const { genes: index } = await this.#datasets.get(selection.manifest);
    const { found, missing } = lookUpGenes(index, genes);
    if (found.length === 0) throw noGenesFound('the list', missing);
    const wanted = found.flatMap(({ symbol: gene }) => {
      const umap = { gene, type: 'umap', content: { kind: 'gene-umap', gene } } as const;
      const violin = { gene, type: 'violin', content: { kind: 'gene-violin', gene } } as const;
      return violins ? [umap, violin] : [umap];
    });
    let done = 0;
    const plotOf = async ({ gene, type, content }: (typeof wanted)[number]): Promise<GenePlot> => {
      const figure = await this.#figures.draw(selection, content, waiting);
      waiting.onProgress({ stage: `Drew ${gene}`, done: ++done, total: wanted.length });
      return { gene, plot_type: type, ...figureAnswer(selection, content, figure) };
    };
    const plots = await pMap(wanted, plotOf, figuresAtOnce);
    return { plots, found_genes: found.map(({ symbol }) => symbol), not_found_genes: [...missing] };
  }
}

import type { GenePlot, PlotUmapWithGenesAnswer } from '@cellfolio/contract';
import type { DatasetManifest } from '@cellfolio/store';
import type { OpenDatasets } from '../compute/open-datasets.ts';
import type { DrawnFigure } from '../compute/task.ts';
import type { FigureService } from './figure-service.ts';
import type { ProgressEvent } from './progress-hub.ts';

/** Genes asked for, by their row in var; a gene named twice, or by symbol and id, is plotted once. */
interface GeneLookup {
  readonly found: readonly { symbol: string; row: number }[];
  readonly missing: readonly string[];
}

export interface GenePlotRequest {
  readonly manifest: DatasetManifest;
  readonly genes: readonly string[];
  readonly violins: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (event: ProgressEvent) => void;
}

/** UMAP and violin figures of genes on one dataset. */
export class GenePlots {
  readonly #datasets: OpenDatasets;
  readonly #figures: FigureService;

  constructor(datasets: OpenDatasets, figures: FigureService) {
    this.#datasets = datasets;
    this.#figures = figures;
  }

  /** For each gene its UMAP, then its violins. Genes the dataset does not have are named, not refused. */
  async plot({
    manifest,
    genes,
    violins,
    signal,
    onProgress,
  }: GenePlotRequest): Promise<PlotUmapWithGenesAnswer> {
    const { found, missing } = await this.#lookUp(manifest, genes);
    const dataset = { id: manifest.id, version: manifest.version };
    const wanted = found.flatMap(({ symbol, row }) => {
      const umap = { symbol, type: 'umap', task: { kind: 'gene-umap', dataset, row } } as const;
      const violin = { symbol, type: 'violin', task: { kind: 'gene-violin', dataset, row } } as const;
      return violins ? [umap, violin] : [umap];
    });
    let done = 0;
    const plots = await Promise.all(
      wanted.map(async ({ symbol, type, task }) => {
        const figure = await this.#figures.draw(task, signal);
        onProgress({ stage: `Drew ${symbol}`, done: ++done, total: wanted.length });
        return toPlot(symbol, type, figure);
      }),
    );
    return { plots, found_genes: found.map(({ symbol }) => symbol), not_found_genes: [...missing] };
  }

  async #lookUp(manifest: DatasetManifest, genes: readonly string[]): Promise<GeneLookup> {
    const { genes: index } = await this.#datasets.get(manifest);
    const found = new Map<number, string>();
    const missing = new Set<string>();
    for (const name of genes) {
      const row = index.find(name);
      if (row === undefined) missing.add(name);
      else found.set(row, index.symbols[row] ?? name);
    }
    return { found: [...found].map(([row, symbol]) => ({ row, symbol })), missing: [...missing] };
  }
}

function toPlot(gene: string, type: GenePlot['plot_type'], figure: DrawnFigure): GenePlot {
  const { png, width, height, spec } = figure;
  const base64 = Buffer.from(png.buffer, png.byteOffset, png.byteLength).toString('base64');
  return {
    gene,
    plot_type: type,
    image: { value: `data:image/png;base64,${base64}`, width, height },
    figure: spec,
  };
}

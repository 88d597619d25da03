import { z } from 'zod';
import { figureImage, figureParts } from './figure-image.ts';

/** `POST /api/plot-umap-with-genes`: one UMAP per gene and, when asked, one violin plot per gene. */
export const plotUmapWithGenesRequest = z.object({
  genes: z.array(z.string().trim().min(1).max(100)).min(1, 'Name at least one gene.'),
  violin_plot: z.boolean().default(false),
});
export type PlotUmapWithGenesRequest = z.input<typeof plotUmapWithGenesRequest>;

export const genePlot = z.object({
  /** Symbol as the dataset spells it; the name of the score for a signature or cell state. */
  gene: z.string(),
  plot_type: z.enum(['umap', 'violin']),
  image: figureImage,
  ...figureParts,
});
export type GenePlot = z.infer<typeof genePlot>;

export const plotUmapWithGenesAnswer = z.object({
  plots: z.array(genePlot),
  /** Symbols found, in the order asked for. */
  found_genes: z.array(z.string()),
  /** Names as they were asked for. */
  not_found_genes: z.array(z.string()),
});
export type PlotUmapWithGenesAnswer = z.infer<typeof plotUmapWithGenesAnswer>;

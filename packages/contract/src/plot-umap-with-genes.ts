import { z } from 'zod';
import { geneName } from '@cellfolio/model/names';
import { figureImage, figureParts } from './figure-image.ts';

/** `POST /api/plot-umap-with-genes`: one UMAP per gene and, when asked, one violin plot per gene. */
export const plotUmapWithGenesRequest = z
  .object({
    genes: z.array(geneName).min(1, 'Name at least one gene.'),
    violin_plot: z.boolean().default(false),
  })
  .meta({ id: 'PlotUmapWithGenesRequest' });
export type PlotUmapWithGenesRequest = z.input<typeof plotUmapWithGenesRequest>;

export const genePlot = z
  .object({
    gene: z
      .string()
      .describe('Symbol as the dataset spells it; the name of the score for a signature or cell state.'),
    plot_type: z.enum(['umap', 'violin']),
    image: figureImage,
    ...figureParts,
  })
  .meta({ id: 'GenePlot' });
export type GenePlot = z.infer<typeof genePlot>;

export const plotUmapWithGenesAnswer = z
  .object({
    plots: z.array(genePlot),
    found_genes: z.array(z.string()).describe('Symbols found, in the order asked for.'),
    not_found_genes: z.array(z.string()).describe('Names as they were asked for.'),
  })
  .meta({ id: 'PlotUmapWithGenesAnswer' });
export type PlotUmapWithGenesAnswer = z.infer<typeof plotUmapWithGenesAnswer>;

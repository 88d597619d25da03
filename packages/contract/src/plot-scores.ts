import { defaultMinimumGenes, minimumGenes } from '@cellfolio/plots/content';
import { z } from 'zod';
import { caution } from './caution.ts';
import { geneName } from '@cellfolio/model/names';
import { geneSetOrigin } from './gene-set-libraries.ts';
import { genePlot } from './plot-umap-with-genes.ts';

/** `POST /api/plot-signature-enrichment`: a signature scored as scanpy's `score_genes` does, on the UMAP. */
export const plotSignatureRequest = z
  .object({
    genes: z
      .array(geneName)
      .min(1, 'Name at least one gene.')
      .max(5000, 'A signature can have at most 5,000 genes.'),
    score_name: z.string().trim().max(200).default(''),
    violin_plot: z.boolean().default(false),
  })
  .meta({ id: 'PlotSignatureRequest' });
export type PlotSignatureRequest = z.input<typeof plotSignatureRequest>;

/** `POST /api/plot-umap-with-cell-state`: one of the fifty hallmark states, scored the same way. */
export const plotCellStateRequest = z
  .object({
    cell_state: z.string().trim().min(1, 'Choose a cell state.').max(100),
    violin_plot: z.boolean().default(false),
    minimum_genes: minimumGenes.default(defaultMinimumGenes),
  })
  .meta({ id: 'PlotCellStateRequest' });
export type PlotCellStateRequest = z.input<typeof plotCellStateRequest>;

const plotScoresAnswer = z.object({
  plots: z.array(genePlot),
  found_genes: z.array(z.string()),
  not_found_genes: z.array(z.string()),
  control_gene_count: z
    .number()
    .int()
    .describe(
      'Genes that the score is compared with: chosen by a seed among genes of similar mean expression.',
    ),
  warnings: z.array(caution).describe('What to know of the score before it is interpreted.'),
});

export const plotSignatureAnswer = plotScoresAnswer
  .extend({ score_name: z.string() })
  .meta({ id: 'PlotSignatureAnswer' });
export type PlotSignatureAnswer = z.infer<typeof plotSignatureAnswer>;

export const plotCellStateAnswer = plotScoresAnswer
  .extend({
    cell_state: z.string(),
    minimum_genes: z.number().int().describe('As it was applied.'),
    library: geneSetOrigin,
  })
  .meta({ id: 'PlotCellStateAnswer' });
export type PlotCellStateAnswer = z.infer<typeof plotCellStateAnswer>;

/** Details of the refusal `too_few_genes`: what the dataset has of the cell state. */
export const fewGenes = z.object({
  found_genes: z.array(z.string()),
  set_genes: z.number().int(),
  minimum_genes: z.number().int(),
});

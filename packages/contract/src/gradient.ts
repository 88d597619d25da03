import { gradientParameters } from '@cellfolio/analysis/parameters';
import { z } from 'zod';
import { resultNotes } from './answers.ts';
import { figureParts, filePixels } from './figures.ts';
import { chosenCells } from './subsets.ts';

export { maxGradientGenes } from '@cellfolio/analysis/parameters';

/** `POST /api/perform-gradient-analysis`: the genes of the active cells along a continuous axis. */
export const gradientRequest = gradientParameters
  .extend({ cells: chosenCells.optional() })
  .meta({ id: 'GradientRequest' });
export type GradientRequest = z.input<typeof gradientRequest>;

const count = z.number().int();
const point = z.array(z.number()).length(2);

export const gradientAnswer = z
  .object({
    genes_csv: z
      .string()
      .describe(
        'Every gene, the surest first: names, rho (Spearman), pvals, pvals_adj; within samples: samples, agreeing, rho_all_cells; f, f_pvals, f_pvals_adj and explained of the curve; range, peak, pct_nz and mean. Genes of the axis have no tests.',
      ),
    figure_image: z.string().describe('PNG in base64: the heatmap of the genes that follow the axis most.'),
    figure_width: count,
    figure_height: count,
    figure_print: filePixels,
    figure: figureParts.figure,
    source: figureParts.source.describe(
      'Of this figure; its content as `gradient-curve` or `gradient-umap` draws the other figures.',
    ),
    has_map: z.boolean().describe('The dataset has an embedding, so that there is a `gradient-umap`.'),
    parameters: gradientParameters,
    axis: z.object({
      name: z.string().describe('What the axis is, in words.'),
      unit: z.string(),
      least: z.number(),
      greatest: z.number(),
      commonest: z.number().describe('The place that most cells share.'),
      commonest_share: z.number(),
      counts_rho: z
        .number()
        .nullable()
        .describe(
          'Spearman’s correlation of the axis with the total counts of the cells; `null` where no column has them.',
        ),
      own_genes: z.array(z.string()).describe('Genes that the axis is made of: they are not tested.'),
      line: z.object({ from: point, to: point }).nullable().describe('Ends of a line on an embedding.'),
    }),
    cells: z.object({
      analysed: count.describe('Active cells.'),
      placed: count.describe('Of these, with a place on the axis.'),
      tested: count.describe('Of these, in samples that are tested.'),
    }),
    samples: z
      .object({
        column: z.string(),
        title: z.string(),
        reason: z.string(),
        tested: z
          .array(z.object({ name: z.string(), cells: count }))
          .describe('Samples tested by themselves; none where all cells were tested together.'),
        share: z
          .number()
          .nullable()
          .describe('Share of the variance of the axis that samples explain (eta squared).'),
      })
      .nullable()
      .describe('`null` where no column of samples is known.'),
    curve: z.object({
      degrees: count.describe('Degrees of freedom of the natural cubic spline.'),
      replicates: z
        .enum(['samples', 'cells'])
        .describe('What the F test takes for replicates: samples where two or more are tested.'),
      left: z
        .number()
        .describe(
          'Degrees of freedom of the F test below the line: of cells, or of the differences between samples with what those of all genes are worth.',
        ),
      knots: z.array(z.number()),
    }),
    genes: z.object({
      tested: count,
      rising: count.describe('Adjusted p below 0.05 and a positive correlation.'),
      falling: count,
      turning: count.describe(
        'Adjusted p of the curve below 0.05, and it explains more than twice the square of the correlation.',
      ),
    }),
    test: z.string().describe('The tests, in words.'),
    ...resultNotes,
  })
  .meta({ id: 'GradientAnswer' });
export type GradientAnswer = z.infer<typeof gradientAnswer>;

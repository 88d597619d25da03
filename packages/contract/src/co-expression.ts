import { coExpressionParameters } from '@cellfolio/analysis/parameters';
import { z } from 'zod';
import { resultNotes } from './answers.ts';
import { figureParts, filePixels } from './figures.ts';
import { chosenCells } from './subsets.ts';

/** `POST /api/perform-co-expression-analysis`: modules of genes that vary together over neighbouring cells. */
export const coExpressionRequest = coExpressionParameters
  .extend({ cells: chosenCells.optional() })
  .meta({ id: 'CoExpressionRequest' });
export type CoExpressionRequest = z.input<typeof coExpressionRequest>;

const count = z.number().int();
const share = z.number();

export const coExpressionAnswer = z
  .object({
    genes_csv: z
      .string()
      .describe(
        'Every gene, the highest Z first: group (its module, `none` for a gene that was correlated and is in none, empty for one that was not), names, c, z, skewness, pvals, pvals_adj, module_z (mean local correlation with the others of its module) and pct_nz.',
      ),
    figure_image: z.string().describe('PNG in base64: the heatmap of local correlations.'),
    figure_width: count,
    figure_height: count,
    figure_print: filePixels,
    figure: figureParts.figure,
    source: figureParts.source.describe(
      'Of this figure; its content as `gene-network` draws the other one, and a `score-umap` of the genes of a module its score on the map.',
    ),
    parameters: coExpressionParameters,
    model: z.string().describe('What values were expected to be, in words.'),
    neighbors: z.string().describe('Where the graph of nearest cells comes from, in words.'),
    cells: z.object({
      analysed: count,
      without_components: count.describe('Active cells without principal components.'),
    }),
    genes: z.object({
      tested: count,
      passing: count.describe('Genes with an adjusted p below the limit.'),
      paired: count.describe('Those of them whose pairs were correlated.'),
    }),
    shuffled: z
      .object({
        genes: count,
        shuffles: count,
        deviation: z.number().describe('Standard deviation of z.'),
        below: share.describe('Share of the p-values below 0.05.'),
        below_as_normal: share.describe('The same where z is taken for normal, as Hotspot does.'),
      })
      .nullable()
      .describe(
        'Tests of some genes with their values shuffled over the cells; `null` where none was tested.',
      ),
    threshold: z
      .number()
      .describe(
        'Clusters of genes of a lower mean local correlation, in standard deviations, were not joined.',
      ),
    modules: z
      .array(
        z.object({
          name: z.string(),
          genes: z
            .array(z.string())
            .describe('Those of the highest mean local correlation within the module first: its hub genes.'),
          depth_correlation: share
            .nullable()
            .describe(
              'Spearman’s correlation of the score of the module with the totals of the cells; `null` where it has no score.',
            ),
          samples_share: share
            .nullable()
            .describe(
              'Share of the variance of its score between samples (eta squared); `null` where fewer than two are known.',
            ),
          mitochondrial_share: share.describe('Share of its genes.'),
          ribosomal_share: share,
        }),
      )
      .describe('The largest first.'),
    samples: z.string().nullable().describe('Column of obs; `null` where none is known.'),
    ...resultNotes,
  })
  .meta({ id: 'CoExpressionAnswer' });
export type CoExpressionAnswer = z.infer<typeof coExpressionAnswer>;

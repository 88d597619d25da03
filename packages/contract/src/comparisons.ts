import { sampleChoice } from '@cellfolio/analyses';
import { comparisonParameters } from '@cellfolio/analysis/parameters';
import { z } from 'zod';
import { resultNotes } from './answers.ts';
import { figureParts, filePixels } from './figures.ts';
import { pseudobulkAnswer } from './pseudobulk.ts';
import { chosenCells } from './subsets.ts';

/** `POST /api/perform-deg-analysis`: compares the expression of two sets of cells, gene by gene. */
export const comparisonRequest = comparisonParameters
  .omit({ ends: true })
  .extend({ cells: chosenCells.optional() })
  .meta({ id: 'ComparisonRequest' });
export type ComparisonRequest = z.input<typeof comparisonRequest>;

const count = z.number().int();
const side = z.object({ name: z.string(), cells: count.describe('Cells that were compared.') });

export const comparisonAnswer = z
  .object({
    deg_csv: z
      .string()
      .describe(
        'Every gene, by rising p-value: names, scores, logfoldchanges, pvals, pvals_adj, pct_nz_a, pct_nz_b, mean_a, mean_b and, of Wilcoxon, auc; of pseudobulk names, logfoldchanges, ci_low, ci_high, mean_log_cpm, scores, pvals and pvals_adj, empty for genes that were not tested; of negative-binomial mean_count and dispersion instead of mean_log_cpm; before them group, where A and B were compared within categories.',
      ),
    volcano_image: z.string().describe('PNG in base64, of the category with most differing genes.'),
    volcano_width: count,
    volcano_height: count,
    volcano_print: filePixels,
    figure: figureParts.figure,
    source: figureParts.source,
    parameters: comparisonParameters,
    test: z.string().describe('How it was tested, in words.'),
    a: side,
    b: side,
    samples: z
      .object({
        ...sampleChoice.shape,
        a: count.describe('Samples with cells in A.'),
        b: count,
        both: count.describe('Samples with cells in both.'),
      })
      .nullable()
      .describe('`null` where no column says which sample a cell is from.'),
    groups: z
      .array(
        z.object({
          name: z.string().describe('The category of `within`; empty without one.'),
          cells_a: count,
          cells_b: count,
          higher: count.describe('Genes that pass both thresholds and are higher in A.'),
          lower: count,
          few_cells: z.boolean().describe('Fewer than ten on a side.'),
        }),
      )
      .describe('What was compared, in the order of the categories.'),
    pseudobulk: pseudobulkAnswer
      .nullable()
      .describe('Samples, design and checks; `null` for tests of cells.'),
    pseudobulk_offered: z
      .boolean()
      .describe('Cells were tested, and samples and raw counts are there to take samples for replicates.'),
    within_offered: z
      .string()
      .nullable()
      .describe(
        'The column of cell types, else clusters, to compare `within`: A and B were compared over all cells together and are of other types. `null` where they are not, or no type has cells enough of both.',
      ),
    gene_count: count,
    ...resultNotes,
  })
  .meta({ id: 'ComparisonAnswer' });
export type ComparisonAnswer = z.infer<typeof comparisonAnswer>;

import { markerParameters } from '@cellfolio/analysis/parameters';
import { z } from 'zod';
import { resultNotes } from './answers.ts';
import { chosenCells } from './subsets.ts';
import { figureParts, filePixels } from './figures.ts';

/** `POST /api/perform-marker-analysis`: scanpy's `rank_genes_groups` on the active subset. */
export const markerAnalysisRequest = markerParameters
  .extend({ cells: chosenCells.optional() })
  .meta({ id: 'MarkerAnalysisRequest' });
export type MarkerAnalysisRequest = z.input<typeof markerAnalysisRequest>;

export const markerAnalysisAnswer = z
  .object({
    marker_csv: z
      .string()
      .describe('group, names, scores, logfoldchanges, pvals, pvals_adj, pct_nz_group, pct_nz_reference.'),
    marker_preview_table_html: z.string().describe('The first and last five rows; every cell is escaped.'),
    dotplot_image: z.string().describe('PNG in base64; empty where no gene passes the filters.'),
    dotplot_width: z.number().int(),
    dotplot_height: z.number().int(),
    dotplot_print: filePixels,
    figure: figureParts.figure.nullable(),
    source: figureParts.source.nullable(),
    parameters: markerParameters.describe('The column of obs that was used, and how.'),
    group_title: z.string().describe('What the column is called where somebody reads it.'),
    groups: z.array(
      z.object({
        name: z.string(),
        cells: z.number().int(),
        markers: z.number().int(),
        reference_cells: z.number().int().describe('The cells that the group was compared with.'),
        few_cells: z.boolean().describe('Fewer than ten.'),
        of: z
          .object({ group: z.string(), category: z.string() })
          .optional()
          .describe('The group of `groupby` and the category of `split` that it is; absent without a split.'),
      }),
    ),
    passing: z
      .object({
        tested: z.number().int(),
        pvals_adj: z.number().int().describe('Of these, with an adjusted p-value below the limit.'),
        logfoldchanges: z.number().int().describe('Of these, with a log2 fold change above the limit.'),
        both: z.number().int().describe('Of these, with both: markers, also those beyond `n_genes`.'),
      })
      .optional()
      .describe('Pairs of a gene and a group: which of the limits leaves few or none.'),
    cell_count: z.number().int().describe('Active cells with a value in the column.'),
    unlabelled_count: z
      .number()
      .int()
      .describe(
        'Active cells without one: in the reference of every group unless `unlabelled` is `left-out`.',
      ),
    gene_count: z.number().int(),
    ...resultNotes,
  })
  .meta({ id: 'MarkerAnalysisAnswer' });
export type MarkerAnalysisAnswer = z.infer<typeof markerAnalysisAnswer>;

import { z } from 'zod';
import { caution } from './answers.ts';
import { chosenNamesByName, countsByName, dataName, geneName, selectedCells } from '@cellfolio/model/names';

const names = z.array(dataName).max(5000);
const percentile = z.number();
/** One gene, also as a list of one: forms keep their gene in a list. */
const oneGene = z.union(
  [z.string().trim().max(500), z.array(z.string().trim().max(500)).max(1)],
  'Give the name of one gene.',
);

/**
 * `POST /api/filter-active-dataset`: which cells later plots and analyses of this tab work on. A part counts
 * only where its flag is set; the parts are joined by AND, the values inside a part by OR. The name `Default`
 * chooses all cells again and overrides the rest.
 */
export const filterRequest = z
  .object({
    subset_group_name: z.string().trim().min(1).max(200),
    gene_filter: z.boolean().default(false),
    signature_filter: z.boolean().default(false),
    cell_type_filter: z.boolean().default(false),
    patient_metadata_filter: z.boolean().default(false),
    cells_filter: z.boolean().default(false),
    gene: z
      .object({
        name: oneGene,
        presence: z
          .union(
            [z.enum(['positive', 'negative', 'percentile', '', 'false', 'true']), z.boolean()],
            'Give "positive", "negative" or "percentile".',
          )
          .nullish()
          .describe(
            '`positive` is x > 0, `negative` is x = 0; `percentile`, empty or false uses the percentiles.',
          ),
        min_percentile: percentile.nullish(),
        max_percentile: percentile.nullish(),
        among: z
          .enum(['all', 'expressing'])
          .nullish()
          .describe(
            'Whose values the percentiles are of: `all` cells, zeros included (the default), or those with x > 0, of which alone cells are kept.',
          ),
      })
      .nullish(),
    signature: z
      .object({
        genes: z.array(geneName).max(5000),
        score_name: z.string().trim().max(200).nullish(),
        min_percentile: percentile.nullish(),
        max_percentile: percentile.nullish(),
      })
      .nullish(),
    cell_type: names.nullish(),
    patient_metadata: chosenNamesByName
      .nullish()
      .describe('Shown name of a metadata field to the values to keep.'),
    cells: selectedCells.nullish().describe('Cells that were selected on the map.'),
  })
  .meta({ id: 'SubsetFilter' });
export type FilterRequest = z.input<typeof filterRequest>;

/** Cells of the open dataset that one call names, to run an analysis again regardless of the active subset. */
export const chosenCells = z
  .object({ subset: filterRequest.optional().describe('Absent for all cells.') })
  .describe('Cells to work on instead of the active ones, which stay active.');
export type ChosenCells = z.infer<typeof chosenCells>;

const filterEffect = z.object({
  cell_count: z.number().int(),
  cell_type_counts: countsByName.describe(
    'Cells of each cell type of the dataset in the subset, also where there are none.',
  ),
  unlabelled_cells: z
    .number()
    .int()
    .describe('Cells of the subset without a cell type; 0 where the dataset has no cell types.'),
  thresholds: z
    .object({
      gene: z.tuple([z.number(), z.number()]).optional(),
      signature: z.tuple([z.number(), z.number()]).optional(),
    })
    .optional()
    .describe(
      'Expression or score at the percentiles asked for: the cells kept lie between them, both ends included.',
    ),
  not_found_genes: z.array(z.string()).describe('Genes of the signature that the dataset does not have.'),
  warnings: z.array(caution).describe('Where the filter keeps other cells than its percentiles suggest.'),
});

export const filterAnswer = filterEffect
  .extend({ subset_group_name: z.string() })
  .meta({ id: 'FilterAnswer' });
export type FilterAnswer = z.infer<typeof filterAnswer>;

const cells = z.number().int();
const valueHistogram = z
  .object({
    zeros: cells.describe('Cells whose value is exactly 0; they are in no bin.'),
    zeros_kept: cells.describe('Of these, the cells that the filter keeps.'),
    positive: cells.describe('Cells whose value is above 0; for a gene, those that express it.'),
    missing: cells.describe('Cells without a finite value; they are in no bin either.'),
    low: z.number().describe('Lower end of the first bin: the least value that is not 0.'),
    high: z.number().describe('Upper end of the last bin.'),
    counts: z.array(cells).describe('Cells in each of 30 bins of equal width; empty where every value is 0.'),
    kept: z.array(cells).describe('Of these, the cells that the filter keeps.'),
  })
  .meta({ id: 'ValueHistogram' });
export type ValueHistogram = z.infer<typeof valueHistogram>;

/** `POST /api/preview-filter`: what a filter would keep, as a `filterRequest`; the active subset stays as it is. */
export const filterPreview = filterEffect
  .extend({
    dataset_cells: cells.describe('Cells of the whole dataset.'),
    filter_counts: z
      .object({
        gene: cells.optional(),
        signature: cells.optional(),
        cell_type: cells.optional(),
        patient_metadata: cells.optional(),
        cells: cells.optional(),
      })
      .describe('Cells of the dataset that each part keeps by itself.'),
    histograms: z
      .object({ gene: valueHistogram.optional(), signature: valueHistogram.optional() })
      .describe('Values of the gene and of the score in all cells of the dataset.'),
  })
  .meta({ id: 'FilterPreview' });
export type FilterPreview = z.infer<typeof filterPreview>;

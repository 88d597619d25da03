import { filterRequest, type FilterRequest, keptCells } from '@cellfolio/analysis/parameters';
import { countsByName, datasetId } from '@cellfolio/model/names';
import { caution } from '@cellfolio/model/caution';
import { z } from 'zod';

export { filterRequest, type FilterRequest, keptCells };

/** Cells of the open dataset named by one call, to run an analysis again regardless of the active subset. */
export const chosenCells = z
  .object({ subset: filterRequest.optional().describe('Absent for all cells.') })
  .describe('Cells to work on instead of the active ones, which stay active.');
export type ChosenCells = z.infer<typeof chosenCells>;

/** A dataset named by one call, in place of the one that is open in the session. */
export const namedDataset = z
  .object({
    filename: datasetId,
    version: z.string().max(128).optional().describe('Answers 409 for another one.'),
  })
  .describe(
    'The dataset to work on instead of the open one, with `cells`, or all its cells; it is not opened. With it the call needs no session.',
  );
export type NamedDataset = z.infer<typeof namedDataset>;

const filterEffect = z.object({
  cell_count: z.number().int().describe('Cells that the filter keeps.'),
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
  kept: keptCells.describe('To be saved with the filter, as its field `kept`.'),
  warnings: z
    .array(caution)
    .describe(
      'Where the filter keeps other cells than its percentiles suggest, or than when it was saved: `range-ends-coincide`, `range-holds-ties`, `few-genes`, `other-gene-names`, `filter-of-other-version`.',
    ),
});

export const filterAnswer = filterEffect
  .extend({ subset_group_name: z.string().describe('As it was sent.') })
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

/** `POST /api/preview-filter`: effect of a filter, given as a `filterRequest`; the active subset does not change. */
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
      .describe('Cells of the dataset that each part of the filter keeps on its own.'),
    histograms: z
      .object({ gene: valueHistogram.optional(), signature: valueHistogram.optional() })
      .describe('Values of the gene and of the score in all cells of the dataset.'),
  })
  .meta({ id: 'FilterPreview' });
export type FilterPreview = z.infer<typeof filterPreview>;

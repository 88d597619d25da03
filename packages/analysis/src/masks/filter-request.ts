import { chosenNamesByName, dataName, geneName, selectedCells } from '@cellfolio/model/names';
import { z } from 'zod';

const names = z.array(dataName).max(5000);
const percentile = z.number();
const oneGene = z.union(
  [z.string().trim().max(500), z.array(z.string().trim().max(500)).max(1)],
  'Give the name of one gene.',
);

/** How many cells a filter kept, of which version of the dataset and of the annotations that it names. */
export const keptCells = z
  .object({
    cells: z.number().int().min(0),
    version: z.string().max(200),
    annotations: z
      .array(z.object({ id: z.string().max(100), revision: z.number().int() }))
      .max(100)
      .default([]),
  })
  .meta({ id: 'KeptCells' });

/**
 * `POST /api/filter-active-dataset`: selects the cells for later plots and analyses of this tab. A part applies only if
 * its flag is set; parts are joined by AND, values within a part by OR. The name `Default` selects all cells and
 * overrides the rest.
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
    kept: keptCells
      .nullish()
      .describe(
        'The `kept` of the answer when the filter was saved. Where another version of its columns keeps other cells, a warning says so.',
      ),
  })
  .meta({ id: 'SubsetFilter' });
export type FilterRequest = z.input<typeof filterRequest>;

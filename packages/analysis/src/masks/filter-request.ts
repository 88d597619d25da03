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
    cells: z.number().int().min(0).describe('Cells that it kept.'),
    version: z.string().max(200).describe('Version of the dataset.'),
    annotations: z
      .array(z.object({ id: z.string().max(100), revision: z.number().int() }))
      .max(100)
      .default([])
      .describe('Annotations that the filter names.'),
  })
  .meta({ id: 'KeptCells' });

/**
 * `POST /api/filter-active-dataset`: selects the cells for later plots and analyses of this tab. A part applies only if
 * its flag is set; parts are joined by AND, values within a part by OR. The name `Default` selects all cells and
 * overrides the rest.
 */
export const filterRequest = z
  .object({
    subset_group_name: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .describe(
        'Name of the subset. `Default` chooses all cells, whatever else is sent; so does a filter with no flag set.',
      ),
    gene_filter: z.boolean().default(false).describe('Whether `gene` counts.'),
    signature_filter: z.boolean().default(false).describe('Whether `signature` counts.'),
    cell_type_filter: z.boolean().default(false).describe('Whether `cell_type` counts.'),
    patient_metadata_filter: z.boolean().default(false).describe('Whether `patient_metadata` counts.'),
    cells_filter: z.boolean().default(false).describe('Whether `cells` counts.'),
    gene: z
      .object({
        name: oneGene.describe('One gene, as text or as a list of one.'),
        presence: z
          .union(
            [z.enum(['positive', 'negative', 'percentile', '', 'false', 'true']), z.boolean()],
            'Give "positive", "negative" or "percentile".',
          )
          .nullish()
          .describe(
            '`positive` or `true`: x > 0; `negative`: x = 0; `percentile`, empty, `false` or absent: by the percentiles.',
          ),
        min_percentile: percentile.nullish().describe('0 to 100; cells at both ends are kept.'),
        max_percentile: percentile.nullish().describe('0 to 100; cells at both ends are kept.'),
        among: z
          .enum(['all', 'expressing'])
          .nullish()
          .describe(
            'Whose values the percentiles are of: `all` cells, zeros included (the default), or those with x > 0, of which alone cells are kept.',
          ),
      })
      .nullish()
      .describe('Cells by the expression of a gene.'),
    signature: z
      .object({
        genes: z.array(geneName).max(5000),
        score_name: z.string().trim().max(200).nullish().describe('Not used for choosing.'),
        min_percentile: percentile.nullish().describe('0 to 100, of the score.'),
        max_percentile: percentile.nullish().describe('0 to 100, of the score.'),
      })
      .nullish()
      .describe('Cells by the score of a list of genes.'),
    cell_type: names.nullish().describe('Cell types to keep, spelled as in the dataset, blanks included.'),
    patient_metadata: chosenNamesByName
      .nullish()
      .describe(
        'Shown name of a metadata field to the values to keep; fields are joined by AND. `Cluster` is the field of the clusters where no other has that name.',
      ),
    cells: selectedCells.nullish().describe('Cells that were selected on the map.'),
    kept: keptCells
      .nullish()
      .describe(
        'The `kept` of the answer when the filter was saved. Where another version of its columns keeps other cells, a warning says so.',
      ),
  })
  .meta({ id: 'SubsetFilter' });
export type FilterRequest = z.input<typeof filterRequest>;

import { z } from 'zod';
import { chosenNamesByName, countsByName, dataName } from './data-names.ts';

const names = z.array(dataName).max(5000);
const percentile = z.number();
/** One gene, also as a list of one: forms keep their gene in a list. */
const geneName = z.union(
  [z.string().trim().max(100), z.array(z.string().trim().max(100)).max(1)],
  'Give the name of one gene.',
);

/**
 * `POST /api/filter-active-dataset`: which cells later plots and analyses of this tab work on. A part counts
 * only where its flag is set; the parts are joined by AND, the values inside a part by OR. The name `Default`
 * chooses all cells again, whatever the rest says.
 */
export const filterRequest = z
  .object({
    subset_group_name: z.string().trim().min(1).max(200),
    gene_filter: z.boolean().default(false),
    signature_filter: z.boolean().default(false),
    cell_type_filter: z.boolean().default(false),
    patient_metadata_filter: z.boolean().default(false),
    gene: z
      .object({
        name: geneName,
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
      })
      .nullish(),
    signature: z
      .object({
        genes: z.array(z.string().trim().min(1).max(100)).max(5000),
        score_name: z.string().trim().max(200).nullish(),
        min_percentile: percentile.nullish(),
        max_percentile: percentile.nullish(),
      })
      .nullish(),
    cell_type: names.nullish(),
    patient_metadata: chosenNamesByName
      .nullish()
      .describe('Shown name of a metadata field to the values to keep.'),
  })
  .meta({ id: 'SubsetFilter' });
export type FilterRequest = z.input<typeof filterRequest>;

export const filterAnswer = z
  .object({
    cell_count: z.number().int(),
    cell_type_counts: countsByName.describe(
      'Cells of each cell type of the dataset in the subset, also where there are none.',
    ),
    subset_group_name: z.string(),
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
  })
  .meta({ id: 'FilterAnswer' });
export type FilterAnswer = z.infer<typeof filterAnswer>;

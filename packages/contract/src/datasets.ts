import { z } from 'zod';
import { isObjectOf, nameOrNamesByName } from '@cellfolio/model/names';
import { figureFormats } from './figures.ts';
import { catalogueFields, type ListedFields } from '@cellfolio/model/catalogue';

const listedFields = Object.fromEntries(
  catalogueFields.map(({ name, type }) => [
    name,
    (type === 'count' ? z.number().int() : z.string()).optional(),
  ]),
) as unknown as { [Name in keyof ListedFields]-?: z.ZodOptional<z.ZodType<NonNullable<ListedFields[Name]>>> };

export const catalogueDataset = z
  .object({
    dataset_filename: z.string(),
    name: z.string(),
    description: z.string(),
    category1: z.string(),
    category2: z.string(),
    umap_url: z.string(),
    ...listedFields,
    patient_metadata: nameOrNamesByName
      .optional()
      .describe('Shown name of a metadata field to its value or values.'),
    cell_types: z
      .array(z.string())
      .optional()
      .describe('Cell types that occur, by the names of the dataset; left out where it names none.'),
    ontology_terms: z
      .array(
        z.object({
          id: z.string().describe('Such as `CL:0000084`.'),
          label: z
            .string()
            .describe('As the dataset calls it; where it has no column of labels as the ontology does.'),
          column: z.string().describe('Column of the labels, such as `cell_type`.'),
        }),
      )
      .optional()
      .describe('Ontology ids that occur; left out where there are none.'),
    cell_count: z.number().int(),
    gene_count: z.number().int(),
    simulated: z.boolean().describe('Made by the simulator: labeled so wherever it is shown.'),
  })
  .meta({ id: 'CatalogueDataset' });
export type CatalogueDataset = z.infer<typeof catalogueDataset>;

/** `GET /api/datasets/{dataset}/terms`: ontology ids of the labels of each column. */
export const datasetTerms = z
  .object({
    columns: z.array(
      z.object({
        column: z.string().describe('Column of the labels, such as `cell_type`.'),
        term_column: z.string().describe('Column of the ids, such as `cell_type_ontology_term_id`.'),
        terms: z.array(
          z.object({
            label: z.string(),
            ids: z
              .array(z.object({ id: z.string(), cells: z.number().int() }))
              .readonly()
              .describe('Ids of the cells with this label, those of most cells first.'),
          }),
        ),
      }),
    ),
  })
  .meta({ id: 'DatasetTerms' });
export type DatasetTerms = z.infer<typeof datasetTerms>;

/**
 * `GET /api/dataset_metadata`: disease, then sub-disease, then datasets. Not `z.record`, since a disease may have any
 * name.
 */
export const datasetMetadata = z
  .custom<Record<string, Record<string, CatalogueDataset[]>>>(
    (value) => isObjectOf(value, (inner) => isObjectOf(inner, isDatasets)),
    'Give an object of objects of lists of datasets.',
  )
  .meta({
    id: 'DatasetMetadata',
    type: 'object',
    additionalProperties: {
      type: 'object',
      additionalProperties: { type: 'array', items: { $ref: '#/components/schemas/CatalogueDataset' } },
    },
  });
export type DatasetMetadata = z.infer<typeof datasetMetadata>;

function isDatasets(value: unknown): boolean {
  return z.array(catalogueDataset).safeParse(value).success;
}

export const damagedDataset = z
  .object({
    dataset_filename: z.string(),
    name: z.string().optional(),
    disease: z.string().optional(),
    subdisease: z.string().optional(),
    message: z.string().describe('What cannot be read, and what operators do about it.'),
  })
  .meta({ id: 'DamagedDataset' });
export type DamagedDataset = z.infer<typeof damagedDataset>;

/** `GET /api/damaged-datasets`: unreadable datasets that `GET /api/dataset_metadata` leaves out. */
export const damagedDatasets = z
  .object({ datasets: z.array(damagedDataset) })
  .meta({ id: 'DamagedDatasets' });
export type DamagedDatasets = z.infer<typeof damagedDatasets>;

/** `GET /api/gene-datasets?genes=CD79A,MS4A1`: catalogue datasets that have a gene, and in how many cells. */
export const geneDatasets = z
  .object({
    genes: z.array(
      z.object({
        gene: z.string().describe('As it was asked for; genes that no dataset has are left out.'),
        datasets: z.array(
          z.object({
            dataset_filename: z.string(),
            symbol: z
              .string()
              .optional()
              .describe('The gene as this dataset names it, where that is another name of the gene.'),
            expressing_cells: z.number().int().describe('Cells in which the gene is above zero.'),
            cell_count: z.number().int(),
          }),
        ),
      }),
    ),
  })
  .meta({ id: 'GeneDatasets' });
export type GeneDatasets = z.infer<typeof geneDatasets>;

/** `GET /api/gene-summary?gene=CD79A`: a gene by cell type in every dataset that the caller may read. */
export const geneSummary = z
  .object({
    gene: z.string().describe('As it was asked for.'),
    datasets: z
      .array(
        z.object({
          dataset_filename: z.string(),
          name: z.string(),
          simulated: z.boolean(),
          symbol: z.string().describe('The gene as this dataset names it.'),
          computed: z
            .boolean()
            .describe(
              'Whether the gene was read and grouped for this, as the dataset has no stored statistics.',
            ),
          cell_types: z.array(
            z.object({
              name: z.string().describe('As this dataset writes it.'),
              column: z.number().int().describe('Place among `columns`.'),
              cells: z.number().int(),
              expressing: z.number().int().describe('Cells in which the gene is above zero.'),
              mean: z
                .number()
                .nullable()
                .describe(
                  'Mean of the log-normalized values over all cells of the type, zeros included; null where a value is missing.',
                ),
            }),
          ),
        }),
      )
      .describe('Datasets that have the gene, own ones last.'),
    columns: z
      .array(
        z.object({
          name: z.string().describe('The spelling of most datasets.'),
          spellings: z.array(z.object({ name: z.string(), datasets: z.number().int() })),
        }),
      )
      .describe(
        'Cell types of these datasets, those of most datasets first. Names that differ in letter case, spaces, underscores or the plural alone are one, unless a dataset has several of them side by side.',
      ),
    renamed: z
      .array(z.object({ symbol: z.string(), datasets: z.number().int() }))
      .describe(
        'Other names of the gene, CD45 of PTPRC for example, by which datasets were found that have none that was asked for.',
      ),
    reading: z.string().describe('What the numbers show, in two sentences; empty where no dataset has it.'),
    nearest: z
      .array(z.object({ symbol: z.string(), datasets: z.number().int() }))
      .describe(
        'Where no dataset has the gene: symbols like it, the nearest first, and how many datasets have each.',
      ),
    without_gene: z
      .array(z.object({ dataset_filename: z.string(), name: z.string() }))
      .describe('Datasets that do not have the gene.'),
    not_summarised: z
      .array(
        z.object({
          dataset_filename: z.string(),
          name: z.string(),
          reason: z.enum(['no_cell_types', 'too_many_cell_types', 'not_log_normalised', 'unreadable']),
        }),
      )
      .describe('Datasets that could not be summarized, with the reason.'),
    left_out: z.number().int().describe('Datasets beyond the most that one answer covers.'),
  })
  .meta({ id: 'GeneSummary' });
export type GeneSummary = z.infer<typeof geneSummary>;

/** File formats of `GET /api/gene-summary-file`; `json` is the sizes of the figure's files. */
export const geneSummaryFormats = [...figureFormats, 'csv', 'json'] as const;
export type GeneSummaryFormat = (typeof geneSummaryFormats)[number];

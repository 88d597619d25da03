import { z } from 'zod';
import { isObjectOf, nameOrNamesByName } from '@cellfolio/model/names';

/** One dataset as the selector lists and previews it. */
export const catalogueDataset = z
  .object({
    dataset_filename: z.string(),
    name: z.string(),
    description: z.string(),
    category1: z.string(),
    category2: z.string(),
    umap_url: z.string(),
    gse_accession_number: z.string().optional(),
    patient_count: z.number().int().optional(),
    stage: z.string().optional(),
    treatment: z.string().optional(),
    lymph_node_status: z.string().optional(),
    disease_type: z.string().optional(),
    patient_metadata: nameOrNamesByName
      .optional()
      .describe('Shown name of a metadata field to its value or values.'),
    cell_types: z
      .array(z.string())
      .optional()
      .describe('Cell types that occur, by the names of the dataset; left out where it names none.'),
    cell_count: z.number().int(),
    gene_count: z.number().int(),
    simulated: z.boolean().describe('Made by the simulator: labelled so wherever it is shown.'),
  })
  .meta({ id: 'CatalogueDataset' });
export type CatalogueDataset = z.infer<typeof catalogueDataset>;

/** `GET /api/dataset_metadata`: disease, then sub-disease, then datasets. No `z.record`, as a disease may have any name. */
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

/** One dataset that is there and cannot be read. */
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

/** `GET /api/damaged-datasets`: datasets that `GET /api/dataset_metadata` leaves out, as they cannot be read. */
export const damagedDatasets = z
  .object({ datasets: z.array(damagedDataset) })
  .meta({ id: 'DamagedDatasets' });
export type DamagedDatasets = z.infer<typeof damagedDatasets>;

import { z } from 'zod';
import { nameOrNamesByName } from './data-names.ts';

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

/** `GET /api/dataset_metadata`: disease, then sub-disease, then datasets. */
export const datasetMetadata = z
  .record(z.string(), z.record(z.string(), z.array(catalogueDataset)))
  .meta({ id: 'DatasetMetadata' });
export type DatasetMetadata = z.infer<typeof datasetMetadata>;

import { sampleChoice } from '@cellfolio/analyses';
import { speciesName } from '@cellfolio/analysis/parameters';
import { countListsByName, countsByName, namesByName } from '@cellfolio/model/names';
import { caution } from '@cellfolio/model/caution';
import { processingRecord } from '@cellfolio/model/processing-record';
import { z } from 'zod';

/** `GET /api/dataset_analysis/{datasetFilename}`: opens the dataset for this user and tab. */
export const datasetAnalysis = z
  .object({
    dataset_filename: z.string().describe('The dataset.'),
    cell_types: z
      .array(z.string())
      .describe(
        'In the order of the dataset; empty where nobody has named types, for computed clusters are none.',
      ),
    gene_library: z.array(z.string()).describe('All gene symbols.'),
    leiden_clusters: z.array(z.string()).describe('Clusters, whichever algorithm made them.'),
    patient_metadata: namesByName.describe(
      'The other categorical columns: shown name of a metadata field to its values.',
    ),
    patient_metadata_counts: countListsByName
      .optional()
      .describe(
        'Cells of each of those values in the whole dataset, in their order; cells without a value are in none.',
      ),
    cell_type_counts: countsByName.describe('Cells of each cell type in the whole dataset.'),
    unlabelled_cells: z
      .number()
      .int()
      .describe('Cells without a cell type; 0 where the dataset has no cell types.'),
    leiden_cluster_counts: countsByName.describe('Cells of each cluster in the whole dataset.'),
    columns: z
      .object({
        cell_types: z.string().optional(),
        leiden_clusters: z.string().optional(),
        patient_metadata: z
          .array(z.object({ field: z.string().describe('As it is shown.'), column: z.string() }))
          .describe('In no order.'),
      })
      .describe('The columns of obs that the lists of cell types, clusters and values are of.'),
    cell_count: z.number().int().describe('Cells of the dataset.'),
    gene_count: z.number().int().describe('Genes of the dataset.'),
    samples: sampleChoice
      .optional()
      .describe(
        'The column of obs that says which sample a cell is from, the outermost individuals that hold the samples; absent where none is known.',
      ),
    species: z
      .object({
        name: speciesName.nullable().describe('Detected from ids or symbols; null if unclear.'),
        mapped: z
          .array(speciesName)
          .describe('Species whose genes are mapped to those of the dataset by a table of orthologs.'),
        named_as_human: z.boolean().describe('Genes of the species are named after the human ones.'),
      })
      .describe('Of the genes.'),
    simulated: z.boolean().optional().describe('True for simulated data and parts of it; absent otherwise.'),
    raw_counts: z.boolean().describe('Raw counts were kept, so that samples can be compared by their sums.'),
    warnings: z.array(caution).describe('Anomalies of the file.'),
    umap_url: z
      .string()
      .describe(
        'Address of the default UMAP, relative to the server: a PNG, public for the catalog, with key and token for a dataset of yours.',
      ),
    processing: processingRecord
      .optional()
      .describe('What was computed from raw counts; absent where everything was in the file.'),
    version: z.string().describe('Changes when any value of the dataset changes.'),
  })
  .meta({ id: 'DatasetAnalysis' });
export type DatasetAnalysis = z.infer<typeof datasetAnalysis>;

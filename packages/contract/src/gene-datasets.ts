import { z } from 'zod';

/** `GET /api/gene-datasets?genes=CD79A,MS4A1`: which datasets of the catalogue have a gene, and in how many cells. */
export const geneDatasets = z
  .object({
    genes: z.array(
      z.object({
        gene: z.string().describe('As it was asked for; genes that no dataset has are left out.'),
        datasets: z.array(
          z.object({
            dataset_filename: z.string(),
            expressing_cells: z.number().int().describe('Cells in which the gene is above zero.'),
            cell_count: z.number().int(),
          }),
        ),
      }),
    ),
  })
  .meta({ id: 'GeneDatasets' });
export type GeneDatasets = z.infer<typeof geneDatasets>;

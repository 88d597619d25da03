import { trajectoryParameters } from '@cellfolio/analysis/parameters';
import { z } from 'zod';
import { resultNotes } from './answers.ts';
import { figureParts, filePixels } from './figures.ts';
import { chosenCells } from './subsets.ts';

export { maxTrajectoryGenes } from '@cellfolio/analysis/parameters';

/** `POST /api/perform-trajectory-analysis`: the active cells in the order of diffusion pseudotime from a root. */
export const trajectoryRequest = trajectoryParameters
  .extend({ cells: chosenCells.optional() })
  .meta({ id: 'TrajectoryRequest' });
export type TrajectoryRequest = z.input<typeof trajectoryRequest>;

const count = z.number().int();
const share = z.number().nullable();

export const trajectoryAnswer = z
  .object({
    genes_csv: z
      .string()
      .describe(
        'Every gene, the strongest correlation with pseudotime first: names, rho (Spearman), pvals, pvals_adj, pct_nz, mean and peak, the mean pseudotime of the bin with the greatest mean.',
      ),
    cells_csv: z
      .string()
      .describe(
        'Every cell that was analysed: barcode, group, pseudotime; `inf` where the root is not connected to it.',
      ),
    figure_image: z
      .string()
      .describe('PNG in base64: pseudotime on the map, or the heatmap where the dataset has no embedding.'),
    figure_width: count,
    figure_height: count,
    figure_print: filePixels,
    figure: figureParts.figure,
    source: figureParts.source.describe(
      'Of this figure; its content as `paga-graph`, `pseudotime-heatmap` or `pseudotime-curve` draws the other figures.',
    ),
    parameters: trajectoryParameters,
    group_title: z.string(),
    root: z.object({
      barcode: z.string(),
      group: z.string().describe('Empty for none.'),
      how: z.string().describe('Why this cell, in words.'),
      tip_share: z
        .number()
        .describe(
          'Of the cells on its side of the first diffusion component, the share that it lies beyond.',
        ),
    }),
    neighbors: z.string().describe('Where the graph of nearest cells comes from, in words.'),
    cells: z.object({
      analysed: count,
      reached: count.describe('Cells connected with the root: they have a pseudotime.'),
      without_components: count.describe('Active cells without principal components.'),
      parts: count.describe('Connected parts of the graph.'),
    }),
    eigenvalues: z.array(z.number()).describe('Of the diffusion map, falling.'),
    groups: z.array(
      z.object({
        name: z.string(),
        cells: count,
        reached: count,
        first_quartile: share.describe('Of pseudotime; `null` where no cell is reached.'),
        median: share,
        third_quartile: share,
      }),
    ),
    connectivities: z
      .array(
        z.object({
          groups: z.tuple([z.string(), z.string()]),
          connectivity: z.number(),
          in_tree: z.boolean(),
        }),
      )
      .describe('PAGA connectivities (v1.2) other than 0, the strongest first.'),
    genes: z.object({
      tested: count,
      rising: count.describe('Adjusted p below 0.05 and a positive correlation.'),
      falling: count,
    }),
    ...resultNotes,
  })
  .meta({ id: 'TrajectoryAnswer' });
export type TrajectoryAnswer = z.infer<typeof trajectoryAnswer>;

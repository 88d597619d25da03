import { dataName } from '@cellfolio/model/names';
import { z } from 'zod';

const named = (what: string) => dataName.refine((name) => name.trim() !== '', what);

export const maxTrajectoryGenes = 12;

export const graphChoice = z
  .enum(['file', 'computed'])
  .optional()
  .describe(
    'The graph of nearest cells: `file`, or absent, for the one that the file brought along (obsp of scanpy), where it has one and all cells are analysed; `computed`, and everywhere else, for one that is computed here of the principal components with `n_neighbors`.',
  );

export const trajectoryParameters = z
  .object({
    groupby: named('Name a column of obs.').describe(
      'A categorical column of obs: how its groups hang together is computed, and figures show them.',
    ),
    root: z
      .discriminatedUnion('by', [
        z.object({ by: z.literal('cell'), barcode: named('Name a cell by its barcode.') }),
        z.object({ by: z.literal('group'), group: named('Name a group of the column.') }),
        z.object({ by: z.literal('suggestion') }),
      ])
      .default({ by: 'suggestion' })
      .describe(
        'The cell where pseudotime is 0: one by its barcode; of a group the one at its tip, farthest from the mean of all cells in the diffusion components; or that of all cells.',
      ),
    graph: graphChoice,
    n_neighbors: z.number().int().min(3).max(100).default(15).meta({
      title: 'Neighbours',
      description:
        'Nearest cells of each in a graph that is computed here, itself among them, as scanpy counts them.',
    }),
    n_dcs: z.number().int().min(2).max(15).default(10).meta({
      title: 'Diffusion Components',
      description: 'Components that distances are computed from, the first one among them.',
    }),
    genes: z
      .array(dataName)
      .max(maxTrajectoryGenes, `Name at most ${maxTrajectoryGenes} genes.`)
      .optional()
      .describe('Genes of the curves; absent for those most correlated with pseudotime, in both directions.'),
  })
  .meta({ id: 'TrajectoryParameters' });
export type TrajectoryParameters = z.infer<typeof trajectoryParameters>;

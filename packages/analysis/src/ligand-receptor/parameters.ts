import { dataName } from '@cellfolio/model/names';
import { z } from 'zod';

export const abridgedPairs = 'abridged';
/** Maximum characters of pasted or uploaded pairs: ten thousand rows of typical length. */
export const maxOwnPairsLength = 400_000;

export const ligandReceptorParameters = z
  .object({
    groupby: z
      .string('Name the column to group the cells by.')
      .max(500)
      .refine((name) => name.trim() !== '', 'Name the column to group the cells by.')
      .describe('A categorical column of obs, by its name or the name it is shown under.'),
    groups: z
      .array(dataName)
      .min(2, 'Choose at least two groups.')
      .max(500)
      .optional()
      .describe('Only cells of these groups are taken, also for the permutations; absent for all groups.'),
    pairs: z
      .string()
      .trim()
      .min(1)
      .max(80)
      .default(abridgedPairs)
      .describe(
        'The set of ligand–receptor pairs: `abridged`, which comes with the product, or one that is installed.',
      ),
    own_pairs: z
      .string()
      .max(maxOwnPairsLength, 'A list of pairs has 400,000 characters at most.')
      .optional()
      .describe(
        'Pairs of your own in the place of a set: CSV with the columns ligand and receptor, subunits of a complex joined by + or _, 10,000 rows at most.',
      ),
    min_share: z.number().min(0).max(1).default(0.1).meta({
      title: 'Min. Share Expressing',
      description:
        'Not tested where a smaller share of the source group expresses the ligand, or of the target group the receptor.',
    }),
    min_cells: z
      .number()
      .int()
      .min(2, 'A group of one cell cannot be tested.')
      .max(10_000)
      .default(10)
      .meta({ title: 'Min. Cells per Group', description: 'Groups of fewer cells are left out.' }),
    permutations: z.number().int().min(100).max(10_000).default(1000).meta({
      title: 'Permutations',
      description: 'Of the labels of cells; p-values are told apart to one in this number.',
    }),
    seed: z.number().int().min(0).max(0xffffffff).default(0).meta({
      title: 'Seed',
      description: 'Of the permutations: the same seed gives the same p-values.',
    }),
    pval: z.number().min(0).max(1).default(0.05).meta({
      title: 'P-Value',
      description: 'Interactions below are counted and drawn.',
    }),
  })
  .meta({ id: 'LigandReceptorParameters' });
export type LigandReceptorParameters = z.infer<typeof ligandReceptorParameters>;

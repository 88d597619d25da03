import { dataName, selectedCells } from '@cellfolio/model/names';
import { z } from 'zod';
import { cellTestParameters } from './cell-test-parameters.ts';
import { bins, grouping } from './grouping.ts';
import { unassigned } from '../unassigned-parameter.ts';

export const markerParameters = z
  .object({
    groupby: z
      .string('Name the column to group the cells by.')
      .max(500)
      .refine((name) => name.trim() !== '', 'Name the column to group the cells by.')
      .describe(
        'A categorical or boolean column of obs, by its name, that of a metadata field, or `cell_type`, `cluster` and `leiden` for the columns that play these parts; outer blanks may belong to it. Groups × genes may be 17 million: 850 groups of 20,000 genes, 10,000 at most, and always 500.',
      ),
    bins: bins
      .optional()
      .describe('Cuts the numbers of `groupby` into groups; a column of numbers cannot be compared without.'),
    split: grouping
      .optional()
      .describe(
        'A second column. Groups are compared within each of its categories, with the other cells of that category alone, and are called `group · category`.',
      ),
    reference: dataName
      .optional()
      .describe(
        'A group of `groupby` that each other group is compared with, such as the controls of a screen; all other cells if absent. It has no markers itself, and cells without a label are in no comparison. With `split`, it is the group in each category. Not with `selection`.',
      ),
    selection: selectedCells
      .optional()
      .describe(
        'Compares the active cells that were selected on the map with the other active cells, as the groups `Selection` and `Rest`. `groupby` is then the name of this grouping in the table and the figure, not a column.',
      ),
    n_genes: z
      .number()
      .int()
      .min(1, 'Ask for at least one gene for each group.')
      .max(1000)
      .default(10)
      .meta({ title: 'Number of Genes', description: 'Maximum number of genes reported per group.' }),
    pvals_adj: z.number().min(0).max(1).default(0.05).meta({
      title: 'Adjusted P-Value',
      description: 'Report only genes with an adjusted p-value below this.',
    }),
    logfoldchanges: z.number().min(-100).max(100).default(0.25).meta({
      title: 'Log Fold Change',
      description: 'Report only genes with a log2 fold change above this.',
    }),
    method: z
      .enum(['wilcoxon', 't-test'])
      .default('wilcoxon')
      .describe(
        'Of single cells, each a replicate. `t-test` (Welch) also assumes normally distributed means, which fails for genes that few cells express.',
      ),
    ...cellTestParameters,
    min_cells: z
      .number()
      .int()
      .min(2, 'A group of one cell cannot be compared.')
      .max(10_000)
      .default(3)
      .meta({
        title: 'Min. Cells per Group',
        description: 'Groups with fewer cells, or with fewer other cells to compare with, are left out.',
      }),
    unlabelled: z
      .enum(['reference', 'left-out'])
      .default('reference')
      .describe(
        'Cells without a value in the column: part of the reference of every group, as in scanpy, or left out.',
      ),
    unassigned,
  })
  .meta({ id: 'MarkerParameters' });
export type MarkerParameters = z.infer<typeof markerParameters>;

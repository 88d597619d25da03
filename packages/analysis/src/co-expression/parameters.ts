import { z } from 'zod';
import { graphChoice } from '../trajectory/parameters.ts';

/** Maximum genes whose pairs are correlated: time grows with the square of their number. */
export const maxPairedGenes = 500;

export const coExpressionParameters = z
  .object({
    model: z
      .enum(['danb', 'normal'])
      .optional()
      .describe(
        'What values are expected to be from the depth of each cell: `danb`, a negative binomial of raw counts, or `normal`, a regression of the expression values; absent for `danb` where the dataset has raw counts, else `normal`.',
      ),
    graph: graphChoice,
    n_neighbors: z.number().int().min(5).max(100).default(30).meta({
      title: 'Neighbours',
      description: 'Nearest other cells of each in a graph that is computed here.',
    }),
    max_genes: z.number().int().min(20).max(maxPairedGenes).default(maxPairedGenes).meta({
      title: 'Max. Genes',
      description: 'Genes whose pairs are correlated: those that pass, with the highest Z.',
    }),
    min_module_genes: z.number().int().min(5).max(100).default(15).meta({
      title: 'Min. Module Genes',
      description: 'Fewest genes of a module.',
    }),
    fdr: z.number().min(1e-10).max(0.5).default(0.05).meta({
      title: 'FDR',
      description: 'Limit of the adjusted p-values of genes, and of those of pairs that modules are cut by.',
    }),
    min_cells: z.number().int().min(1).max(10_000).default(10).meta({
      title: 'Min. Cells',
      description: 'Genes with a value other than 0 in fewer cells are not tested.',
    }),
  })
  .meta({ id: 'CoExpressionParameters' });
export type CoExpressionParameters = z.infer<typeof coExpressionParameters>;

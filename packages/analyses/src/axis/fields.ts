import { dataName } from '@cellfolio/model/names';
import { z } from 'zod';
import { graph, graphText } from '../fields.ts';
import { field } from '../form.ts';

export function named(what: string) {
  return dataName.refine((name) => name.trim() !== '', what);
}

/** Fields of an order of the cells by diffusion pseudotime. */
export const pseudotimeFields = {
  groupby: field(
    named('Name a column of obs.').describe(
      'A categorical column of obs: figures show its groups and how they connect.',
    ),
    { label: 'Group By', control: 'groups', empties: ['root.group.group'] },
  ),
  root: field(
    z
      .discriminatedUnion('by', [
        z.object({
          by: z.literal('cell'),
          barcode: field(named('Name a cell by its barcode.'), {
            label: 'Barcode of the root',
            control: 'barcode',
            hint: 'Click the cell where pseudotime is 0.',
          }),
        }),
        z.object({
          by: z.literal('group'),
          group: field(named('Name a group of the column.'), {
            label: 'Group of the root',
            control: 'group',
            of: 'groupby',
          }),
        }),
        z.object({ by: z.literal('suggestion') }),
      ])
      .default({ by: 'suggestion' })
      .describe(
        'The cell where pseudotime is 0: one by its barcode; of a group the one at its tip, farthest from the mean of all cells in the diffusion components; or that of all cells.',
      ),
    {
      label: 'Root, where pseudotime is 0',
      control: 'variants',
      choices: {
        suggestion: ['Suggested: the tip of all cells'],
        group: ['The tip of a group'],
        cell: ['A cell of the map, or a barcode'],
      },
    },
  ),
  graph,
  n_neighbors: field(
    z.number().int().min(3).max(100).default(15).meta({
      title: 'Neighbors',
      description:
        'Nearest cells per cell in a computed graph, including the cell itself, as scanpy counts them.',
    }),
    { step: 1 },
  ),
  n_dcs: field(
    z.number().int().min(2).max(15).default(10).meta({
      title: 'Diffusion Components',
      description: 'Number of components that distances are computed from, starting with the first.',
    }),
    { step: 1 },
  ),
};

export type PseudotimeRequest = z.output<z.ZodObject<typeof pseudotimeFields>>;

export function pseudotimeGraphText({ graph: chosen, n_neighbors }: PseudotimeRequest): string {
  return graphText(chosen, n_neighbors);
}

const maxCurveGenes = 12;
/** Genes of the curves; `usual` says which are drawn if none are named, `followed` what they follow. */
export function curveGenes(usual: string, followed: string) {
  return field(
    z
      .array(dataName)
      .max(maxCurveGenes, `Name at most ${maxCurveGenes} genes.`)
      .optional()
      .describe(`Genes of the curves; absent for those ${usual}.`),
    {
      label: 'Genes of the curves',
      control: 'names',
      hint: `Names separated by commas. Empty: the genes most correlated with ${followed} are drawn.`,
    },
  );
}

/** A gene along an axis in bins of equal numbers of cells, one value per bin. */
export interface GeneAlong {
  readonly gene: string;
  /** Spearman's correlation with the axis; NaN if the gene does not vary. */
  readonly rho: number;
  readonly means: ArrayLike<number>;
  readonly errors: ArrayLike<number>;
}

/** Bins along an axis: number of cells and mean place of each. */
export interface AxisBins {
  readonly sizes: ArrayLike<number>;
  readonly places: ArrayLike<number>;
}

/** Genes with a lower adjusted p are counted. */
export const countedP = 0.05;

import { dataName } from '@cellfolio/model/names';
import { z } from 'zod';

export const abridgedMarkers = 'abridged';
/** Maximum characters of pasted or uploaded markers: room for all types and genes of PanglaoDB. */
export const maxOwnMarkersLength = 400_000;
export const unclear = 'Unclear';

export const cellTypeParameters = z
  .object({
    groupby: z
      .string('Name the column to suggest cell types for.')
      .max(500)
      .refine((name) => name.trim() !== '', 'Name the column to suggest cell types for.')
      .describe(
        'A categorical column of obs or an own annotation, by its name or the name it is shown under.',
      ),
    groups: z
      .array(dataName)
      .min(2, 'Choose at least two groups.')
      .max(500)
      .optional()
      .describe('Only these groups are compared; absent for all groups.'),
    markers: z
      .string()
      .trim()
      .min(1)
      .max(80)
      .default(abridgedMarkers)
      .describe('The set of markers: `abridged`, which comes with the product, or one that is installed.'),
    own_markers: z
      .string()
      .max(maxOwnMarkersLength, 'A list of markers has 400,000 characters at most.')
      .optional()
      .describe(
        'Markers of your own in the place of a set: CSV with the columns cell_type and gene and, where wanted, weight, lineage and reference.',
      ),
    min_cells: z.number().int().min(2, 'A group of one cell says nothing.').max(10_000).default(10).meta({
      title: 'Min. Cells per Group',
      description: 'Groups of fewer cells are left out.',
    }),
    min_markers: z.number().int().min(1).max(50).default(3).meta({
      title: 'Min. Markers',
      description:
        'Types of which the dataset has fewer are left out, and a group that expresses fewer of the best is Unclear.',
    }),
    min_share: z.number().min(0).max(1).default(0.1).meta({
      title: 'Min. Share Expressing',
      description: 'A marker counts as expressed where this share of the cells of the group has it.',
    }),
    min_margin: z.number().min(0).max(1).default(0.1).meta({
      title: 'Min. Margin',
      description: 'Unclear where the best score is not this part of itself above the next.',
    }),
    pval: z.number().min(0).max(1).default(0.05).meta({
      title: 'Adjusted P-Value',
      description:
        'Unclear where that of the best type is not below, by the linear model or by over-representation.',
    }),
  })
  .meta({ id: 'CellTypeParameters' });
export type CellTypeParameters = z.infer<typeof cellTypeParameters>;

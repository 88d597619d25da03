import { dataName } from '@cellfolio/model/names';
import { z } from 'zod';
import { grouping, groupingInput } from '../grouping.ts';
import { declareFigure, jsonAddress } from '../plot-content.ts';

const schema = z
  .object({
    kind: z.literal('composition-bar'),
    by: grouping.describe('Each group is a bar.'),
    of: grouping.optional().describe('What the bars are made of; cell types, else clusters, if absent.'),
    show: z.enum(['share', 'count']).default('share'),
    order: z
      .enum(['column', 'largest-part', 'part', 'cells'])
      .default('column')
      .describe(
        'Of the bars: as in the column, by the share of the largest or of a named part, or by their cells.',
      ),
    part: dataName.optional().describe('The part of the order `part`.'),
  })
  .refine(({ order, part }) => order !== 'part' || part !== undefined, {
    path: ['part'],
    message: 'Name the part whose share sorts the bars.',
  });

const defaultParts = { 'cell type': 'Cell Type', cluster: 'Cluster', none: 'Cells' } as const;

/** Cells of groups by their parts, as one bar for each group. */
export const compositionBar = declareFigure({
  kind: 'composition-bar',
  name: 'Composition',
  schema,
  inputs: ({ by, of }) => ({ groups: groupingInput(by), parts: groupingInput(of) }),
  titles: ({ by, of, order, part }, groupedBy, titleOf) => ({
    title: `${of === undefined ? defaultParts[groupedBy] : titleOf(of.column)} by ${titleOf(by.column)}`,
    subtitle: ['Composition', ...sortTitle(order, part)].join(', '),
  }),
  address: jsonAddress,
});

/** Distinguishes the titles of figures that differ only in the order of their bars. */
function sortTitle(order: z.output<typeof schema>['order'], part: string | undefined): string[] {
  if (order === 'part') return [`by the share of ${part}`];
  return { column: [], cells: ['by cells'], 'largest-part': ['by the largest part'] }[order];
}

import { dataName } from '@cellfolio/model/names';
import { z } from 'zod';
import { grouping, groupingInput } from '../grouping.ts';
import { jsonAddress, plotContent } from '../plot-content.ts';

export const maxQualityColumns = 6;

export const qualityContent = plotContent({
  kind: 'quality',
  name: 'Violins',
  schema: z.object({
    kind: z.literal('quality'),
    columns: z
      .array(dataName)
      .min(1, 'Give at least one column of numbers.')
      .max(maxQualityColumns, `At most ${maxQualityColumns} columns stand beside each other.`)
      .describe('Columns of numbers, such as n_genes_by_counts, total_counts and pct_counts_mt.'),
    by: grouping.optional().describe('All cells as one group if absent.'),
  }),
  inputs: ({ columns, by }) => ({
    measures: columns.map((column) => ({ from: 'obs', column }) as const),
    groups: by === undefined ? [] : [groupingInput(by)],
  }),
  titles: ({ by }, _, titleOf) => ({
    title: 'Quality of cells',
    subtitle: by === undefined ? 'Violins of all cells' : `Violins by ${titleOf(by.column)}`,
  }),
  hasSeveralScales: true,
  shape: 'violin',
  address: jsonAddress,
});

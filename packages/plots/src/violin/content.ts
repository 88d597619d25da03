import { dataName, geneName } from '@cellfolio/model/names';
import { z } from 'zod';
import { type Grouping, grouping, groupingInput } from '../grouping.ts';
import { jsonAddress, plotContent } from '../plot-content.ts';

/** What is measured, and how the cells are grouped. */
export const violinOptions = {
  of: z
    .discriminatedUnion('measure', [
      z.object({ measure: z.literal('gene'), gene: geneName }),
      z.object({ measure: z.literal('obs'), column: dataName.describe('A column of numbers.') }),
    ])
    .describe('What is measured in each cell.'),
  by: grouping.optional().describe('Cell types, else clusters, if absent.'),
};

export function measureInput(of: z.output<typeof violinOptions.of>) {
  return of.measure === 'gene'
    ? ({ from: 'gene', gene: of.gene } as const)
    : ({ from: 'obs', column: of.column } as const);
}

function byText({ by, split }: { by?: Grouping | undefined; split?: Grouping | undefined }): string {
  const grouped = by === undefined ? 'Violin' : `Violin by ${by.column}`;
  return split === undefined ? grouped : `${grouped}, split by ${split.column}`;
}

/** A gene or a number of each cell, by any column and split by another. */
export const violinContent = plotContent({
  kind: 'violin',
  schema: z.object({
    kind: z.literal('violin'),
    ...violinOptions,
    split: grouping.optional().describe('Parts of each group; two of them are the halves of one violin.'),
  }),
  inputs: ({ of, by, split }) => ({
    measure: measureInput(of),
    groups: groupingInput(by),
    split: split === undefined ? [] : [groupingInput(split)],
  }),
  titles: ({ of, ...how }) => ({
    title: of.measure === 'gene' ? of.gene : of.column,
    subtitle: byText(how),
  }),
  measure: ({ of }) => (of.measure === 'gene' ? 'expression' : undefined),
  shape: 'violin',
  address: jsonAddress,
});

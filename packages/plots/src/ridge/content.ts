import { z } from 'zod';
import { groupingInput } from '../grouping.ts';
import { jsonAddress, plotContent } from '../plot-content.ts';
import { measureInput, measureKind, measureTitle, violinOptions } from '../violin/content.ts';

/** A gene or a number of each cell, by any column, as densities that stand behind each other. */
export const ridgeContent = plotContent({
  kind: 'ridge',
  name: 'Ridge plot',
  schema: z.object({ kind: z.literal('ridge'), of: violinOptions.of, by: violinOptions.by }),
  inputs: ({ of, by }) => ({ measure: measureInput(of), groups: groupingInput(by) }),
  titles: ({ of, by }, _, titleOf) => ({
    title: measureTitle(of, titleOf),
    subtitle: by === undefined ? 'Ridge plot' : `Ridge plot by ${titleOf(by.column)}`,
  }),
  measure: ({ of }) => measureKind(of),
  shape: 'violin',
  address: jsonAddress,
});

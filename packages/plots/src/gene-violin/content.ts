import { geneName } from '@cellfolio/model/names';
import { z } from 'zod';
import { byGroups, plotContent } from '../plot-content.ts';

export const geneViolinContent = plotContent({
  kind: 'gene-violin',
  name: 'Violin',
  schema: z.object({ kind: z.literal('gene-violin'), gene: geneName }),
  inputs: ({ gene }) => ({ gene: { from: 'gene', gene }, groups: { from: 'column', of: 'groups' } }),
  titles: ({ gene }, groupedBy) => ({ title: gene, subtitle: `Expression ${byGroups(groupedBy)}` }),
  measure: () => 'expression',
  shape: 'violin',
  address: { names: ({ gene }) => [gene], read: ([gene]) => ({ gene }) },
});

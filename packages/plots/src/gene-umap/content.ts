import { geneName } from '@cellfolio/model/names';
import { z } from 'zod';
import { plotContent } from '../plot-content.ts';

export const geneUmapContent = plotContent({
  kind: 'gene-umap',
  name: 'UMAP',
  schema: z.object({ kind: z.literal('gene-umap'), gene: geneName }),
  inputs: ({ gene }) => ({ embedding: { from: 'embedding' }, gene: { from: 'gene', gene } }),
  titles: ({ gene }) => ({ title: gene, subtitle: 'Expression UMAP' }),
  measure: () => 'expression',
  address: { names: ({ gene }) => [gene], read: ([gene]) => ({ gene }) },
});

import { z } from 'zod';
import { plotContent } from '../plot-content.ts';

const titles = { 'cell type': 'Cell types', cluster: 'Clusters', none: 'All cells' } as const;

/** The whole dataset by cell type or cluster. */
export const categoryUmapContent = plotContent({
  kind: 'category-umap',
  name: 'UMAP',
  schema: z.object({ kind: z.literal('category-umap') }),
  inputs: () => ({ embedding: { from: 'embedding' }, groups: { from: 'column', of: 'groups' } }),
  titles: (_content, groupedBy) => ({ title: titles[groupedBy], subtitle: 'Full dataset UMAP' }),
  imageType: () => 'default',
  address: { names: () => [], read: () => ({}) },
});

import { dataName } from '@cellfolio/model/names';
import { z } from 'zod';
import { plotContent } from '../plot-content.ts';

/** The cells by any column of obs: categories, or values on a colour bar. */
export const obsUmapContent = plotContent({
  kind: 'obs-umap',
  name: 'UMAP',
  schema: z.object({ kind: z.literal('obs-umap'), column: dataName }),
  inputs: ({ column }) => ({ embedding: { from: 'embedding' }, values: { from: 'obs', column } }),
  titles: ({ column }, _, titleOf) => ({ title: titleOf(column), subtitle: 'UMAP by column' }),
  address: { names: ({ column }) => [column], read: ([column]) => ({ column }) },
});

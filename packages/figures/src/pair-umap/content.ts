import { geneName } from '@cellfolio/model/names';
import { z } from 'zod';
import { jsonAddress, plotContent } from '../plot-content.ts';

/** Maximum subunits of a complex: the largest of CellPhoneDB have five. */
const maxSubunits = 12;

const side = z
  .array(geneName)
  .min(1)
  .max(maxSubunits)
  .describe('A gene, or the subunits of a complex, of which the least expressed counts in each cell.');

export const pairUmapContent = plotContent({
  kind: 'pair-umap',
  name: 'UMAP',
  schema: z.object({ kind: z.literal('pair-umap'), first: side, second: side }),
  inputs: ({ first, second }) => ({
    embedding: { from: 'embedding' },
    first: first.map((gene) => ({ from: 'gene', gene }) as const),
    second: second.map((gene) => ({ from: 'gene', gene }) as const),
  }),
  titles: ({ first, second }) => ({
    title: `${sideName(first)} and ${sideName(second)}`,
    subtitle: 'Both on the UMAP',
  }),
  hasSeveralScales: true,
  address: jsonAddress,
});

export function sideName(genes: readonly string[]): string {
  return genes.join('+');
}

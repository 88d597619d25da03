import { geneName } from '@cellfolio/model/names';
import { z } from 'zod';
import { jsonAddress, plotContent } from '../plot-content.ts';

/** Two genes in the same cells. */
export const geneScatterContent = plotContent({
  kind: 'gene-scatter',
  schema: z.object({ kind: z.literal('gene-scatter'), x: geneName, y: geneName }),
  inputs: ({ x, y }) => ({ x: { from: 'gene', gene: x }, y: { from: 'gene', gene: y } }),
  titles: ({ x, y }) => ({ title: `${y} against ${x}`, subtitle: 'Scatter of cells' }),
  address: jsonAddress,
});

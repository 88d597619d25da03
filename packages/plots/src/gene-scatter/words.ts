import { z } from 'zod';
import { cells, common, count, number, percent, plotWords, text, value } from '../plot-words.ts';

const axis = z.object({ symbol: text, expressing: count });

export const geneScatterWords = plotWords({
  kind: 'gene-scatter',
  numbers: z.object({
    kind: z.literal('gene-scatter'),
    ...common,
    x: axis,
    y: axis,
    cells: count,
    both: count,
    neither: count,
    pearson: number,
    spearman: number,
  }),
  sentences: ({ x, y, cells: all, both, neither, pearson, spearman }) => ({
    findings: [
      `Of ${cells(all)}, ${percent(x.expressing, all)} express ${x.symbol}, ${percent(y.expressing, all)} ${y.symbol}, ${percent(both, all)} both and ${percent(neither, all)} neither.`,
      pearson === null || spearman === null
        ? 'One of the two does not vary in these cells, so there is no correlation.'
        : `Pearson’s correlation is ${value(pearson)}, Spearman’s ${value(spearman)}, over all of these cells.`,
    ],
    cautions: [
      'Correlations over single cells are drawn towards 0 by zeros of the measurement, and up by differences between cell types: compare within one type.',
    ],
  }),
});

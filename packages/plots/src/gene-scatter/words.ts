import { z } from 'zod';
import { cells, common, count, number, percent, plotWords, text, value } from '../plot-words.ts';

const axis = z.object({ symbol: text, expressing: count.optional() });

export const geneScatterWords = plotWords({
  kind: 'gene-scatter',
  numbers: z.object({
    kind: z.literal('gene-scatter'),
    ...common,
    x: axis,
    y: axis,
    cells: count,
    both: count.optional(),
    neither: count.optional(),
    pearson: number,
    spearman: number,
  }),
  sentences: ({ x, y, cells: all, both, neither, pearson, spearman }) => ({
    findings: [
      both === undefined || neither === undefined
        ? `${y.symbol} against ${x.symbol} in ${cells(all)}.`
        : `Of ${cells(all)}, ${percent(x.expressing ?? 0, all)} express ${x.symbol}, ${percent(y.expressing ?? 0, all)} ${y.symbol}, ${percent(both, all)} both and ${percent(neither, all)} neither.`,
      pearson === null || spearman === null
        ? 'One of the two does not vary in these cells, so there is no correlation.'
        : `Pearson’s correlation is ${value(pearson)}, Spearman’s ${value(spearman)}, over all of these cells.`,
    ],
    cautions: [
      'Correlations over single cells are drawn towards 0 by zeros of the measurement, and up by differences between cell types: compare within one type.',
    ],
  }),
});

import { cells, inUnit, type KindWords, percent, value } from '../plot-words.ts';
import type { Numbers } from './draw.ts';

export const words: KindWords<Numbers> = {
  name: 'Scatter plot',
  sentences: ({ x, y, cells: all, both, neither, pearson, spearman }) => ({
    reading: [
      `The squares count ${cells(all)} by ${x.symbol}${inUnit(x.unit ?? '', x.symbol)} from left to right and ${y.symbol}${inUnit(y.unit ?? '', y.symbol)} from bottom to top.`,
      `${
        pearson === null || spearman === null
          ? 'One of the two does not vary in these cells, so there is no correlation'
          : `Over all of them Pearson’s correlation is ${value(pearson)} and Spearman’s ${value(spearman)}`
      }${both === undefined || neither === undefined ? '' : `; ${percent(both, all)} express both genes and ${percent(neither, all)} neither`}.`,
    ],
    more:
      both === undefined || neither === undefined
        ? []
        : [
            `Of ${cells(all)}, ${percent(x.expressing ?? 0, all)} express ${x.symbol}, ${percent(y.expressing ?? 0, all)} ${y.symbol}, ${percent(both, all)} both and ${percent(neither, all)} neither.`,
          ],
    cautions: [],
    general: [
      'Zeros pull correlations over single cells toward 0, and differences between cell types push them up: compare within one type.',
    ],
  }),
};

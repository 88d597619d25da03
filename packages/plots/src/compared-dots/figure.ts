import { geneMatrixFigure } from '../drawing/gene-matrix/gene-matrix-figure.ts';
import { cleanLabel } from '../drawing/text/fit-text.ts';
import { geneMatrixInput } from '../gene-dot-plot/figure.ts';
import { plot } from '../plot.ts';
import type { comparedDotsContent } from './content.ts';

export const comparedDots = plot<typeof comparedDotsContent>(
  'compared-dots',
  ({ genes, sides: { column, a, b } }, setting) => {
    const groups = { column, title: 'Side', palette: 'cluster' } as const;
    const input = geneMatrixInput(genes, groups, { scale: 'none' }, setting);
    // Rows are short where there are many: the names of the sides stand once.
    const sides = cleanLabel(`A: ${a}, B: ${b}`);
    const figure = geneMatrixFigure('compared-dots', 'dots', { ...input, notes: [sides, ...input.notes!] });
    return { ...figure, spec: { ...figure.spec, sides } };
  },
);

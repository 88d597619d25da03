import { geneMatrixFigure } from '../drawing/gene-matrix/gene-matrix-figure.ts';
import type { GeneLines } from '../drawing/gene-matrix/kept-genes.ts';
import type { GeneMatrixInput } from '../drawing/gene-matrix/spec.ts';
import { groupCells } from '../drawing/group-cells.ts';
import { geneMatrixInput } from '../gene-matrix/figure.ts';
import { plot } from '../plot.ts';
import type { heatmapContent } from './content.ts';
import { geneLines } from './gene-lines.ts';

/**
 * Expression of genes in single cells by group, a line per cell; of many cells a random sample. Scaled, each gene goes
 * from 0 to 1 over all cells of the groups, drawn or not (`sc.pl.heatmap(standard_scale='var')`). Throws
 * FigureInputError as {@link geneMatrixInput}.
 */
export const heatmap = plot<typeof heatmapContent>(
  'heatmap',
  ({ genes, groups, components }, setting, content) => {
    const cellGroups = groupCells(groups, content.by?.bins, setting.mask);
    const linesOf = geneLines(groups, content.by, setting);
    const lines = genes.map((gene) => ('lines' in gene ? gene.lines : linesOf(gene.gene)));
    const choice = { ...content, scale: 'none', components } as const;
    const summed = genes.map(({ symbol, unit }, place) => ({ symbol, unit, sums: lines[place]!.sums }));
    const { codes, ...input } = geneMatrixInput(summed, cellGroups, choice, setting);
    const isScaled = content.scale === 'gene';
    return geneMatrixFigure('heatmap', 'cells', {
      ...input,
      isScaled,
      cells: (groupIndices) =>
        shadedLines(
          lines,
          groupIndices.map((group) => codes[group]!),
          isScaled,
        ),
    });
  },
);

function shadedLines(
  lines: readonly GeneLines[],
  codes: readonly number[],
  isScaled: boolean,
): ReturnType<NonNullable<GeneMatrixInput['cells']>> {
  const places = codes.map((code) => lines[0]!.of.placesOf.get(code)!);
  const ranges = lines.map(({ range }) => range);
  return {
    shown: places.map((ofGroup) => ofGroup.length),
    domain: isScaled
      ? [0, 1]
      : [Math.min(0, ...ranges.map(([low]) => low)), Math.max(0, ...ranges.map(([, high]) => high))],
    levelsOf: (gene, [low, high]) => {
      const { values, range } = lines[gene]!;
      const [minimum, maximum] = range;
      const shade = (value: number): number => {
        const shown = isScaled ? (maximum > minimum ? (value - minimum) / (maximum - minimum) : 0) : value;
        return high > low ? Math.round(255 * Math.min(1, Math.max(0, (shown - low) / (high - low)))) : 0;
      };
      // What is no number is drawn as none.
      return places.map((ofGroup) => Uint8Array.from(ofGroup, (place) => shade(values[place]! || 0)));
    },
  };
}

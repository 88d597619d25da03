import { categoryColours } from '../drawing/colour/category-colours.ts';
import { geneMatrixFigure } from '../drawing/gene-matrix/gene-matrix-figure.ts';
import type { SmallViolin } from '../drawing/gene-matrix/spec.ts';
import { groupCells } from '../drawing/group-cells.ts';
import { geneByGroup } from '../drawing/distributions/grouped-values.ts';
import { distributionOf } from '../drawing/distributions/violin-groups.ts';
import { geneMatrixInput } from './figure.ts';
import { plot } from '../plot.ts';
import type { stackedViolinContent } from './content.ts';

/** Draws every fourth density point: a small violin has no more pixels. */
const stride = 4;

/** Violins of each gene in each group, all on one scale. Throws FigureInputError as {@link geneMatrixInput}. */
export const stackedViolin = plot<typeof stackedViolinContent>(
  'stacked-violin',
  ({ genes, groups }, setting, { by }) => {
    const cellGroups = groupCells(groups, by?.bins, setting.mask);
    const { column, palette } = cellGroups;
    const { codes, ...input } = geneMatrixInput(genes, cellGroups, { scale: 'none' }, setting);
    const colours = categoryColours(column, palette);
    return geneMatrixFigure('stacked-violin', 'violins', {
      ...input,
      groups: input.groups.map((group, i) => Object.assign(group, { colour: colours[codes[i]!]! })),
      violins: {
        unit: genes[0]!.unit,
        ofGene: (place) => {
          const { valuesOf, zerosOf } = geneByGroup(genes[place]!.gene, column, setting.mask);
          return (group) => smallViolin(valuesOf(codes[group]!).sort(), zerosOf(codes[group]!));
        },
      },
    });
  },
);

function smallViolin(sorted: Float32Array | Float64Array, zeros: number): SmallViolin | null {
  if (sorted.length + zeros === 0) return null;
  const { range, density, quartiles } = distributionOf(sorted, zeros);
  if (range === null || quartiles === null) return null;
  return {
    range,
    median: quartiles[1],
    density: density && density.filter((_, i) => i % stride === 0 || i === density.length - 1),
  };
}

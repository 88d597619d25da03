import {
  type CategoricalColumn,
  type CellMask,
  countText,
  type Embedding,
  type GeneColumn,
} from '@cellfolio/model';
import { inRequestedOrder } from '../drawing/chosen-groups.ts';
import { checkGrouped, checkMask, countCategories, FigureInputError } from '../drawing/checked-input.ts';
import { type CellGroups, groupCells } from '../drawing/group-cells.ts';
import { geneMatrixFigure } from '../drawing/gene-matrix/gene-matrix-figure.ts';
import type { GeneSums } from '../drawing/gene-matrix/kept-genes.ts';
import type { GeneMatrixInput, GroupLikeness, GeneMatrixSpec } from '../drawing/gene-matrix/spec.ts';
import { columnLabels, cleanLabel } from '../drawing/text/fit-text.ts';
import { type FigureSetting, type InputValues, plot } from '../plot.ts';
import type { geneDotPlotContent, matrixPlotContent, comparedDotsContent } from './content.ts';
import type { Figure } from '../drawing/figure.ts';
import type { dotPlotContent } from './marker-dots-content.ts';

interface GeneMatrixChoice {
  brackets?: readonly { name: string; count: number }[] | undefined;
  scale: 'none' | 'gene';
  /** Basis of a dendrogram: the principal components, or the genes if these are null. Absent for no dendrogram. */
  components?: readonly (Embedding | null)[];
}

/**
 * Sum of a gene over each group's cells, and the number of expressing ones. Non-finite stored values count as zeros.
 */
export function sumsOf(
  gene: GeneColumn,
  column: CategoricalColumn,
  mask: CellMask | undefined,
): { sum: Float64Array; expressing: Uint32Array } {
  checkGrouped(gene, column);
  const { codes, categories } = column;
  const groups = categories.length;
  // One more in front, for cells in no group: nothing is asked of the code of a cell.
  const sum = new Float64Array(groups + 1);
  const expressing = new Uint32Array(groups + 1);
  const { cells, values } = gene;
  if (mask === undefined) {
    for (let i = 0; i < cells.length; i++) {
      const value = values[i]!;
      const slot = codes[cells[i]!]! + 1;
      sum[slot]! += value;
      expressing[slot]! += +(value > 0);
    }
  }
  // A value that is no number leaves its sum as none.
  if (mask !== undefined || !sum.every(Number.isFinite)) {
    sum.fill(0);
    expressing.fill(0);
    for (let i = 0; i < cells.length; i++) {
      const value = values[i]!;
      if (!Number.isFinite(value) || (mask !== undefined && mask.bits[cells[i]!] !== 1)) continue;
      const slot = codes[cells[i]!]! + 1;
      sum[slot]! += value;
      if (value > 0) expressing[slot]!++;
    }
  }
  return { sum: sum.subarray(1), expressing: expressing.subarray(1) };
}

function storedSums({ categories, sums, expressing }: GeneSums, groups: number) {
  const totals = { sum: new Float64Array(groups), expressing: new Uint32Array(groups) };
  categories.forEach((code, slot) => {
    totals.sum[code] = sums[slot]!;
    totals.expressing[code] = expressing[slot]!;
  });
  return totals;
}

/**
 * Mean of each gene in each group, zeros included, and the share of expressing cells, as in `sc.pl.dotplot` and
 * `sc.pl.matrixplot`; scaled, each gene goes from 0 to 1 over the groups (`standard_scale='var'`). Empty groups are
 * left out; `codes` are those of the others. Throws FigureInputError if the columns do not describe the same cells.
 */
export function geneMatrixInput(
  genes: readonly InputValues['gene-sums'][],
  { column, title }: CellGroups,
  { brackets = [], scale, ...choice }: GeneMatrixChoice,
  { datasetName, mask, range, order }: FigureSetting,
): GeneMatrixInput & { codes: readonly number[] } {
  // An order that is asked for is that of other figures too.
  const [components] = order === undefined ? (choice.components ?? []) : [];
  const { categories, labels: names = categories } = column;
  const { filled, perCategory, missing } = filledGroups(column, { mask, order });
  const mean = new Float64Array(filled.length * genes.length);
  const fraction = new Float64Array(filled.length * genes.length);
  // From the values themselves, also where genes are shown scaled.
  const plain = new Float64Array(components === null ? mean.length : 0);
  genes.forEach((gene, place) => {
    const { sum, expressing } =
      'sums' in gene ? storedSums(gene.sums, categories.length) : sumsOf(gene.gene, column, mask);
    const means = filled.map((code) => sum[code]! / perCategory[code]!);
    const shown = scale === 'gene' ? fromZeroToOne(means) : means;
    filled.forEach((code, row) => {
      mean[row * genes.length + place] = shown[row]!;
      if (components === null) plain[row * genes.length + place] = means[row]!;
      fraction[row * genes.length + place] = expressing[code]! / perCategory[code]!;
    });
  });
  const bracketOf = brackets.flatMap(({ name, count }) => new Array<string>(count).fill(name));
  return {
    codes: filled,
    title: genes.length === 1 ? genes[0]!.symbol : `${genes.length} genes`,
    datasetName,
    groupTitle: title,
    groups: filled.map((code) => ({ label: names[code]!, cells: perCategory[code]! })),
    genes: genes.map(({ symbol }, i) => ({
      symbol,
      ...(bracketOf[i] !== undefined && { group: bracketOf[i] }),
    })),
    mean,
    fraction,
    isScaled: scale === 'gene',
    ...(components === null && { likeness: { means: plain, dimensions: genes.length } }),
    ...(components && { likeness: componentMeans(components, column, filled, mask) }),
    unit: cleanLabel(genes[0]!.unit),
    notes: missing > 0 ? [`${countText(missing)} without a group left out`] : [],
    ...(range && { range }),
  };
}

/** Codes of the non-empty groups in draw order, and the number of cells in each and in none. */
export function filledGroups(
  column: CategoricalColumn,
  { mask, order }: { mask: CellMask | undefined; order: readonly string[] | undefined },
) {
  checkMask(column.codes.length, mask);
  const { perCategory, missing } = countCategories(column, mask);
  const inColumn = Array.from(column.categories.keys()).filter((code) => perCategory[code]! > 0);
  const labels = order && columnLabels(column, inColumn);
  const filled = inRequestedOrder(inColumn, (_, place) => labels![place]!, order);
  return { filled, perCategory, missing };
}

function componentMeans(
  { name, dimensions, values }: Embedding,
  { codes, categories }: CategoricalColumn,
  filled: readonly number[],
  mask: CellMask | undefined,
): GroupLikeness {
  if (values.length !== codes.length * dimensions) {
    throw new FigureInputError(
      'components',
      `${name} holds ${values.length / dimensions} cells, the groups ${codes.length}`,
    );
  }
  const rowOf = new Int32Array(categories.length).fill(-1);
  filled.forEach((code, row) => (rowOf[code] = row));
  const sums = new Float64Array(filled.length * dimensions);
  const counts = new Uint32Array(sums.length);
  for (let cell = 0; cell < codes.length; cell++) {
    const row = rowOf[codes[cell]!] ?? -1;
    if (row < 0 || (mask !== undefined && mask.bits[cell] !== 1)) continue;
    for (let i = 0, from = cell * dimensions, to = row * dimensions; i < dimensions; i++, from++, to++) {
      const value = values[from]!;
      if (!Number.isFinite(value)) continue;
      sums[to]! += value;
      counts[to]!++;
    }
  }
  return { embedding: name, dimensions, means: sums.map((sum, i) => sum / counts[i]!) };
}

/** A gene with equal means in all groups is 0 in each. */
function fromZeroToOne(means: readonly number[]): number[] {
  const low = Math.min(...means);
  const span = Math.max(...means) - low;
  return means.map((mean) => (span > 0 ? (mean - low) / span : 0));
}

export const geneDotPlot = plot<typeof geneDotPlotContent>(
  'gene-dot-plot',
  ({ genes, groups, components }, setting, content) =>
    geneMatrixFigure(
      'gene-dot-plot',
      'dots',
      geneMatrixInput(
        genes,
        groupCells(groups, content.by?.bins, setting.mask),
        { ...content, components },
        setting,
      ),
    ),
);

export const matrixPlot = plot<typeof matrixPlotContent>(
  'matrix-plot',
  ({ genes, groups, components }, setting, content) =>
    geneMatrixFigure(
      'matrix-plot',
      'tiles',
      geneMatrixInput(
        genes,
        groupCells(groups, content.by?.bins, setting.mask),
        { ...content, components },
        setting,
      ),
    ),
);

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

/** Marker genes by groups as dots. Throws FigureInputError as {@link geneMatrixFigure}. */
export function dotPlotFigure(
  input: GeneMatrixInput,
): Figure<GeneMatrixSpec & { readonly kind: 'dot-plot' }> {
  return geneMatrixFigure('dot-plot', 'dots', input);
}

export const dotPlot = plot<typeof dotPlotContent>('dot-plot', ({ markers }, { datasetName }) =>
  dotPlotFigure({ ...markers, datasetName }),
);

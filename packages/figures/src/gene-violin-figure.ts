import type { CategoricalColumn, CellMask, GeneColumn } from '@cellfolio/model';
import { countCategories } from './category-umap-figure.ts';
import { categoryColours } from './colour/category-colours.ts';
import { FigureInputError } from './figure-error.ts';
import type { GeneViolinFigure, ViolinGroup } from './figure.ts';
import { DEFAULT_UNIT, checkGene } from './gene-umap-figure.ts';
import { checkMask } from './scatter-frame.ts';
import { categoryLabel, cleanLabel } from './text/fit-text.ts';
import { countText, percentText } from './text/number-text.ts';
import { groupDensity, quartiles } from './violin/density.ts';
import { violinSize } from './violin/violin-spec.ts';

export interface GeneViolinInput {
  readonly gene: GeneColumn;
  readonly groups: CategoricalColumn;
  readonly symbol: string;
  /** What the groups are, such as `Cell type`. */
  readonly groupTitle: string;
  readonly datasetName: string;
  readonly unit?: string;
  /** As in the UMAP of the same groups; `cell-type` if absent. */
  readonly palette?: 'cell-type' | 'cluster';
  /** Cells taken into account. */
  readonly mask?: CellMask;
}

/**
 * Distribution of a gene in each group, zeros included. Groups without cells are left out, cells without
 * a group or a value too. Throws FigureInputError where the columns do not describe the same cells.
 */
export function geneViolinFigure(input: GeneViolinInput): GeneViolinFigure {
  const { gene, groups: column, mask } = input;
  checkGene(gene);
  checkMask(gene.cellCount, mask);
  if (column.codes.length !== gene.cellCount) {
    throw new FigureInputError(
      'groups',
      `the groups hold ${column.codes.length} cells, the gene ${gene.cellCount}`,
    );
  }
  const { perCategory } = countCategories(column, mask);
  const colours = categoryColours(column.categories, input.palette ?? 'cell-type');
  const { valuesOf, withoutValue } = valuesByGroup(gene, column, mask);
  let [low, high] = [0, 0];
  let [cells, expressing] = [0, 0];
  const groups: ViolinGroup[] = [];
  column.categories.forEach((category, code) => {
    const size = perCategory[code]! - withoutValue[code]!;
    if (size <= 0) return;
    const values = valuesOf(code).sort();
    const zeros = size - values.length;
    const first = values.length === 0 ? 0 : zeros > 0 ? Math.min(0, values[0]!) : values[0]!;
    const last = values.length === 0 ? 0 : zeros > 0 ? Math.max(0, values.at(-1)!) : values.at(-1)!;
    const total = values.reduce((sum, value) => sum + value, 0);
    const positive = values.reduce((count, value) => count + (value > 0 ? 1 : 0), 0);
    low = Math.min(low, first);
    high = Math.max(high, last);
    cells += size;
    expressing += positive;
    groups.push({
      label: categoryLabel(category),
      colour: colours[code]!,
      cells: size,
      expressing: positive,
      mean: total / size,
      quartiles: quartiles(values, zeros),
      range: [first, last],
      density: groupDensity(values, zeros),
    });
  });
  return {
    spec: {
      version: 1,
      kind: 'gene-violin',
      title: cleanLabel(input.symbol),
      datasetName: cleanLabel(input.datasetName),
      summary: `${countText(expressing)} of ${countText(cells)} cells (${percentText(expressing, cells)})`,
      size: violinSize(groups.length),
      unit: cleanLabel(input.unit ?? DEFAULT_UNIT),
      groupTitle: cleanLabel(input.groupTitle),
      domain: [low, high],
      groups,
    },
    columns: {},
  };
}

/** Stored values of the cells of each group, gathered in one buffer by counting. */
function valuesByGroup(
  gene: GeneColumn,
  column: CategoricalColumn,
  mask?: CellMask,
): { valuesOf: (code: number) => Float32Array; withoutValue: Uint32Array } {
  const { cells, values } = gene;
  const { codes } = column;
  const groupCount = column.categories.length;
  const bits = mask?.bits;
  const counts = new Uint32Array(groupCount);
  const withoutValue = new Uint32Array(groupCount);
  // Stored zeros count as zeros, so that they are not sorted with the rest.
  const groupOf = (i: number): number => {
    const cell = cells[i]!;
    const code = codes[cell]!;
    const isOut = code < 0 || code >= groupCount || (bits !== undefined && bits[cell] !== 1);
    return isOut || values[i] === 0 ? -1 : code;
  };
  for (let i = 0; i < values.length; i++) {
    const group = groupOf(i);
    if (group < 0) continue;
    if (!Number.isFinite(values[i]!)) withoutValue[group]!++;
    else counts[group]!++;
  }
  const starts = new Uint32Array(groupCount + 1);
  for (let group = 0; group < groupCount; group++) starts[group + 1] = starts[group]! + counts[group]!;
  const gathered = new Float32Array(starts[groupCount]!);
  const next = starts.slice();
  for (let i = 0; i < values.length; i++) {
    const group = groupOf(i);
    if (group >= 0 && Number.isFinite(values[i]!)) gathered[next[group]!++] = values[i]!;
  }
  return { valuesOf: (code) => gathered.subarray(starts[code]!, starts[code + 1]!), withoutValue };
}

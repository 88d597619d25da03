import { largestOf, inAskedOrder } from '../chosen-groups.ts';
import { type CategoricalColumn, type CellMask, countText } from '@cellfolio/model';
import { checkRange } from '../checked-input.ts';
import { categoryColours, type CategoryPalette } from '../colour/category-colours.ts';
import type { CommonSpec, LegendGroup } from '../figure.ts';
import { columnLabels } from '../text/fit-text.ts';
import { groupDensity, quartiles } from './density.ts';

/** Fewer cells than this are drawn one by one: a density of so few is the shape of its kernel. */
export const minDensityCells = 10;

/** Rows of a figure: more would make an image that no page holds. */
export const maxRows = 60;

/** Summary of one group; quartiles are numpy's linear percentiles of all its values, zeros included. */
export interface ViolinGroup extends LegendGroup {
  /** Of all its values, zeros included. */
  readonly mean: number;
  readonly quartiles: readonly [number, number, number] | null;
  readonly range: readonly [number, number] | null;
  /**
   * Density at evenly spaced values over `range`, greatest 1; null with fewer than ten cells or two
   * distinct values.
   */
  readonly density: readonly number[] | null;
  /** All values in rising order where the cells are fewer than ten, as so few make no density; null for more. */
  readonly points: readonly number[] | null;
}

/** Of the cells of one sample in one row. */
export interface SampleMean {
  readonly label: string;
  readonly cells: number;
  readonly mean: number;
}

/** A row: a group, or one part of it. */
export interface ViolinRowGroup extends ViolinGroup {
  readonly expressing?: number;
  /** Values of cells drawn at random, in rising order, where they are points. */
  readonly sampled?: readonly number[];
  /** Where they are dots: of each sample with cells enough. */
  readonly samples?: readonly SampleMean[];
  /** Which part of its group, where it is split. */
  readonly part?: string;
  /**
   * Of two parts the first is the upper half of a violin, the second the lower, where the group has both; a ridge reaches
   * into the row above.
   */
  readonly half?: 'upper' | 'lower' | 'ridge';
}

export interface ViolinSpec extends CommonSpec {
  /** 3 where groups may have several rows. */
  readonly version: 2 | 3;
  readonly unit: string;
  readonly groupTitle: string;
  readonly domain: readonly [number, number];
  /** True where values lie beyond a range that was asked for: they are not drawn. */
  readonly clipped?: boolean;
  /** In the order of the categories, without those that have no cell. `expressing` of a gene alone. */
  readonly groups: readonly ViolinRowGroup[];
  /** What groups are split by: a group has a row for each part that has cells in it. Absent where it has one row. */
  readonly split?: { readonly title: string };
  /** Groups that have cells; more than `groups` holds where the figure was limited to the largest. */
  readonly groupCount: number;
  /** The samples whose means are dots; absent where none are. */
  readonly samples?: {
    readonly title: string;
    /** Samples with cells. */
    readonly count: number;
    readonly means: number;
    /** Fewer cells of a sample in a row have no dot. */
    readonly leastCells: number;
    /** Such pairs of a sample and a row. */
    readonly leftOut: number;
    /** So many of them were looked at, where there are too many. */
    readonly largest?: number;
  };
}

/** Groups and axis, the same for violins of genes and of scores. */
export interface ViolinInput {
  readonly groups: CategoricalColumn;
  /** What the groups are, such as `Cell type`. */
  readonly groupTitle: string;
  readonly datasetName: string;
  /** As in the UMAP of the same groups; `cell-type` if absent. */
  readonly palette?: CategoryPalette;
  /** Cells taken into account. */
  readonly mask?: CellMask;
  /** Ends of the axis of values instead of the values' own; what lies beyond is not drawn. */
  readonly range?: readonly [number, number];
  /** Of the axis; that of the measure if absent. */
  readonly unit?: string;
  /** Labels of groups in the order that they are drawn in; that of the categories if absent. */
  readonly order?: readonly string[];
}

/** Finite values of the cells of each group; zeros may be counted instead of stored. */
export interface GroupedValues {
  readonly valuesOf: (code: number) => Float32Array | Float64Array;
  readonly zerosOf: (code: number) => number;
}

interface ViolinGroups {
  /** In the order of the categories; the largest `maxRows` where there are more. */
  readonly groups: readonly ViolinGroup[];
  /** Of each of the groups. */
  readonly codes: readonly number[];
  readonly groupCount: number;
}

/** Summarises the groups that have values. The arrays of `valuesOf` are sorted in place. */
export function violinGroups(
  { groups: column, palette = 'cell-type', order }: ViolinInput,
  { valuesOf, zerosOf }: GroupedValues,
): ViolinGroups {
  const colours = categoryColours(column, palette);
  const cellsOf = column.categories.map((_, code) => valuesOf(code).length + zerosOf(code));
  const filled = [...cellsOf.keys()].filter((code) => cellsOf[code]! > 0);
  const largest = largestOf(filled, (code) => cellsOf[code]!, maxRows);
  const labels = columnLabels(column, largest);
  const rows = inAskedOrder(
    largest.map((code, place) => ({ code, label: labels[place]! })),
    ({ label }) => label,
    order,
  );
  const groups = rows.map(({ code, label }) => ({
    label,
    colour: colours[code]!,
    ...distributionOf(valuesOf(code).sort(), zerosOf(code)),
  }));
  return { groups, codes: rows.map(({ code }) => code), groupCount: filled.length };
}

/** The distribution of rising `sorted` values and `zeros` further zeros, of which there is at least one. */
export function distributionOf(
  sorted: Float32Array | Float64Array,
  zeros: number,
): Omit<ViolinGroup, 'label' | 'colour'> {
  const cells = sorted.length + zeros;
  let total = 0;
  for (let i = 0; i < sorted.length; i++) total += sorted[i]!;
  const [min, max] = sorted.length > 0 ? [sorted[0]!, sorted[sorted.length - 1]!] : [0, 0];
  const isFew = cells < minDensityCells;
  return {
    cells,
    mean: total / cells,
    quartiles: quartiles(sorted, zeros),
    range: zeros > 0 ? [Math.min(0, min), Math.max(0, max)] : [min, max],
    density: isFew ? null : groupDensity(sorted, zeros),
    points: isFew ? [...sorted, ...new Array<number>(zeros).fill(0)].sort((a, b) => a - b) : null,
  };
}

/** The rows of each group, which stand together: one, or one for each of its parts. */
export function rowsByGroup<Row extends { readonly label: string; readonly part?: string | undefined }>(
  rows: readonly Row[],
): Row[][] {
  const groups: Row[][] = [];
  for (const row of rows) {
    const last = groups.at(-1);
    // Two groups beside each other may have been given the same name.
    if (last?.every(({ label, part }) => label === row.label && part !== row.part)) last.push(row);
    else groups.push([row]);
  }
  return groups;
}

/** Range over all groups; 0 to 0 for none. */
export function violinDomain(groups: readonly ViolinGroup[]): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const { range } of groups) {
    if (range === null) continue;
    low = Math.min(low, range[0]);
    high = Math.max(high, range[1]);
  }
  return low > high ? [0, 0] : [low, high];
}

/** The axis of values: their own range, or the one that was asked for. Throws FigureInputError for one of no width. */
export function axisOf(
  own: readonly [number, number],
  range: readonly [number, number] | undefined,
): { domain: readonly [number, number]; range?: readonly [number, number]; clipped?: boolean } {
  if (range === undefined) return { domain: own };
  checkRange(range);
  const isClipped = own[0] < range[0] || own[1] > range[1];
  return { domain: range, range, ...(isClipped && { clipped: true }) };
}

/** What the summary says where the figure was limited; nothing otherwise. */
export function limitText(shown: number, all: number): string[] {
  return shown < all ? [`the ${shown} largest of ${countText(all)} groups`] : [];
}

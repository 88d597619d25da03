import { largestOf, inRequestedOrder } from '../chosen-groups.ts';
import { type CategoricalColumn, type CellMask, countText } from '@cellfolio/model';
import { checkRange } from '../checked-input.ts';
import { categoryColours, type CategoryPalette } from '../colour/category-colours.ts';
import type { CommonSpec, LegendGroup } from '../figure.ts';
import { columnLabels } from '../text/fit-text.ts';
import { groupDensity, quartiles } from './density.ts';

/** Fewer cells than this are drawn one by one: their density would be the shape of its kernel. */
export const minDensityCells = 10;

/** Maximum rows of a figure: more would not fit a page. */
export const maxRows = 60;

/** Summary of one group; quartiles are numpy's linear percentiles of all its values, zeros included. */
export interface ViolinGroup extends LegendGroup {
  mean: number;
  quartiles: readonly [number, number, number] | null;
  range: readonly [number, number] | null;
  /** Density at evenly spaced values over `range`, maximum 1; null with fewer than ten cells or two distinct values. */
  density: readonly number[] | null;
  /** All values, ascending, for fewer than ten cells, which make no density; null for more. */
  points: readonly number[] | null;
}

export interface SampleMean {
  label: string;
  cells: number;
  mean: number;
}

export interface ViolinRowGroup extends ViolinGroup {
  expressing?: number;
  /** Values of randomly drawn cells, ascending, if cells are drawn as points. */
  sampled?: readonly number[];
  /** Means of samples with enough cells, if they are drawn as dots. */
  samples?: readonly SampleMean[];
  part?: string;
  /**
   * If a group has two parts, the first is the upper half of a violin and the second the lower; a ridge reaches into
   * the row above.
   */
  half?: 'upper' | 'lower' | 'ridge';
}

export interface ViolinSpec extends CommonSpec {
  /** 3 if groups may have several rows. */
  version: 2 | 3;
  unit: string;
  groupTitle: string;
  domain: readonly [number, number];
  /** True if values are outside the requested range and not drawn. */
  clipped?: boolean;
  /** In category order, without empty ones. `expressing` only for a gene. */
  groups: readonly ViolinRowGroup[];
  /** Column that splits the groups: a group has a row for each non-empty part. Absent if it has one row. */
  split?: { title: string };
  /** Number of non-empty groups; more than in `groups` if the figure was limited to the largest. */
  groupCount: number;
  /** Samples whose means are drawn as dots; absent if none are. */
  samples?: {
    title: string;
    count: number;
    means: number;
    /** Minimum cells of a sample in a row for a dot. */
    leastCells: number;
    /** Number of sample and row pairs below that minimum. */
    leftOut: number;
    /** Number of samples considered, if there were too many. */
    largest?: number;
  };
}

export interface ViolinInput {
  groups: CategoricalColumn;
  groupTitle: string;
  datasetName: string;
  /** As in the UMAP of the same groups; default `cell-type`. */
  palette?: CategoryPalette;
  mask?: CellMask;
  /** Ends of the value axis, instead of the values' own; values outside are not drawn. */
  range?: readonly [number, number];
  unit?: string;
  /** Group labels in draw order; default category order. */
  order?: readonly string[];
}

/** Finite values of each group's cells; zeros may be counted instead of stored. */
export interface GroupedValues {
  valuesOf: (code: number) => Float32Array | Float64Array;
  zerosOf: (code: number) => number;
}

/**
 * Summarises the groups that have values, of more than `maxRows` the largest. Sorts the arrays of `valuesOf` in place.
 */
export function violinGroups(
  { groups: column, palette = 'cell-type', order }: ViolinInput,
  { valuesOf, zerosOf }: GroupedValues,
) {
  const colours = categoryColours(column, palette);
  const cellsOf = column.categories.map((_, code) => valuesOf(code).length + zerosOf(code));
  const filled = [...cellsOf.keys()].filter((code) => cellsOf[code]! > 0);
  const largest = largestOf(filled, (code) => cellsOf[code]!, maxRows);
  const labels = columnLabels(column, largest);
  const rows = inRequestedOrder(
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

/** Distribution of ascending `sorted` values and `zeros` further zeros; at least one in total. */
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

export function rowsByGroup<Row extends { label: string; part?: string | undefined }>(
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

/** Value axis: the values' own range, or the requested one. Throws FigureInputError for a range without width. */
export function axisOf(
  own: readonly [number, number],
  range: readonly [number, number] | undefined,
): { domain: readonly [number, number]; range?: readonly [number, number]; clipped?: boolean } {
  if (range === undefined) return { domain: own };
  checkRange(range);
  const isClipped = own[0] < range[0] || own[1] > range[1];
  return { domain: range, range, ...(isClipped && { clipped: true }) };
}

export function limitText(shown: number, all: number): string[] {
  return shown < all ? [`the ${shown} largest of ${countText(all)} groups`] : [];
}

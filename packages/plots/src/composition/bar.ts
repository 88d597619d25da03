import { type CategoricalColumn, countText, plural } from '@cellfolio/model';
import type { z } from 'zod';
import { inRequestedOrder, largestFilled } from '../drawing/chosen-groups.ts';
import { checkMask, FigureInputError } from '../drawing/checked-input.ts';
import { categoryColours } from '../drawing/colour/category-colours.ts';
import type { Figure } from '../drawing/figure.ts';
import { type CellGroups, groupCells } from '../drawing/group-cells.ts';
import { restGrey } from '../drawing/scene/style.ts';
import { categoryLabel, columnLabels, cleanLabel } from '../drawing/text/fit-text.ts';
import { limitText } from '../drawing/distributions/violin-groups.ts';
import { type FigureSetting, plot } from '../plot.ts';
import type { compositionBarContent } from './content.ts';
import { compositionDrawing, compositionSize } from './bar-scene.ts';
import type { CompositionBarSpec } from './bar-spec.ts';

const maxBars = 60;
const maxParts = 24;

interface CompositionInput extends Pick<FigureSetting, 'datasetName' | 'mask' | 'order'> {
  groups: CellGroups;
  parts: CellGroups;
  show: 'share' | 'count';
  sort: Pick<z.output<(typeof compositionBarContent)['schema']>, 'order' | 'part'>;
}

/**
 * Exact cell counts of each part in each group. Empty groups and parts are left out, as are cells without a group or
 * part, which the summary counts. Parts beyond the 24 largest are merged. Throws FigureInputError if the columns do not
 * describe the same cells.
 */
export function compositionBarFigure(input: CompositionInput): Figure<CompositionBarSpec> {
  const { groups: by, parts: of, mask, show, sort } = input;
  const { codes } = by.column;
  checkMask(codes.length, mask);
  if (of.column.codes.length !== codes.length) {
    throw new FigureInputError(
      'parts',
      `the parts hold ${of.column.codes.length} cells, the groups ${codes.length}`,
    );
  }
  const cellsOf = new Uint32Array(by.column.categories.length);
  const cellsIn = new Uint32Array(of.column.categories.length);
  let left = 0;
  const eachCell = (take: (group: number, part: number) => void): void => {
    for (let cell = 0; cell < codes.length; cell++) {
      if (mask === undefined || mask.bits[cell] === 1) take(codes[cell]!, of.column.codes[cell]!);
    }
  };
  eachCell((group, part) => {
    if (group < 0 || part < 0) {
      left++;
      return;
    }
    cellsOf[group]!++;
    cellsIn[part]!++;
  });
  const sorting = sortingPart(of.column, cellsIn, sort);
  const shownParts = partsShown(cellsIn, sorting);
  const filledParts = cellsIn.filter((cells) => cells > 0).length;
  const bars = largestFilled(cellsOf, maxBars);
  // Only what is drawn is counted in pairs: two columns of ten thousand categories have a hundred million.
  const barOf = new Map(bars.map((group, place) => [group, place]));
  const partOf = new Map(shownParts.map((part, place) => [part, place]));
  const table = new Uint32Array(bars.length * shownParts.length);
  eachCell((group, part) => {
    const [bar, place] = [barOf.get(group), partOf.get(part)];
    if (bar !== undefined && place !== undefined) table[bar * shownParts.length + place]!++;
  });
  const countsIn = (group: number): Uint32Array => {
    const bar = barOf.get(group)!;
    return table.subarray(bar * shownParts.length, (bar + 1) * shownParts.length);
  };
  const groupLabels = columnLabels(by.column, bars);
  const labelOf = new Map(bars.map((group, place) => [group, groupLabels[place]!]));
  if (sort.order === 'cells') bars.sort((a, b) => cellsOf[b]! - cellsOf[a]!);
  const sorted = sorting === undefined ? -1 : shownParts.indexOf(sorting);
  if (sorted >= 0) {
    bars.sort((a, b) => countsIn(b)[sorted]! / cellsOf[b]! - countsIn(a)[sorted]! / cellsOf[a]!);
  }
  const ordered = inRequestedOrder(bars, (group) => labelOf.get(group)!, input.order);
  const colours = categoryColours(of.column, of.palette);
  const partLabels = columnLabels(of.column, shownParts);
  const hasRest = filledParts > shownParts.length;
  const total = cellsOf.reduce((sum, cells) => sum + cells, 0);
  const withRest = (shown: readonly number[], all: number): number[] =>
    hasRest ? [...shown, all - shown.reduce((sum, n) => sum + n, 0)] : [...shown];
  const parts = withRest(
    shownParts.map((part) => cellsIn[part]!),
    total,
  ).map((cells, i) => ({
    label: partLabels[i] ?? `${countText(filledParts - shownParts.length)} smaller`,
    colour: shownParts[i] === undefined ? restGrey : colours[shownParts[i]]!,
    cells,
  }));
  const filled = cellsOf.filter((cells) => cells > 0).length;
  // As in the other figures by group, those of the groups that it has.
  const shownCells = bars.reduce((sum, group) => sum + cellsOf[group]!, 0);
  const spec: Omit<CompositionBarSpec, 'size'> = {
    version: 1,
    kind: 'composition-bar',
    title: cleanLabel(`${of.title} by ${by.title}`),
    datasetName: cleanLabel(input.datasetName),
    summary: [
      plural(shownCells, 'cell'),
      ...limitText(bars.length, filled),
      ...(left > 0 ? [`${countText(left)} without a group or part left out`] : []),
      ...(input.order === undefined ? sortText(of.column, sorting, sort) : []),
    ].join(' · '),
    show,
    groupTitle: cleanLabel(by.title),
    partTitle: cleanLabel(of.title),
    parts,
    groups: ordered.map((group) => ({
      label: labelOf.get(group)!,
      cells: cellsOf[group]!,
      counts: withRest([...countsIn(group)], cellsOf[group]!),
    })),
    groupCount: filled,
  };
  return {
    spec: { ...spec, size: compositionSize(spec) },
    columns: {},
    drawing: compositionDrawing,
  };
}

function partsShown(cellsIn: Uint32Array, sorting: number | undefined): number[] {
  const largest = largestFilled(cellsIn, maxParts);
  if (sorting === undefined || cellsIn[sorting] === 0 || largest.includes(sorting)) return largest;
  return [...largestFilled(cellsIn, maxParts - 1), sorting].sort((a, b) => a - b);
}

function sortingPart(
  { categories }: CategoricalColumn,
  cellsIn: Uint32Array,
  { order, part }: CompositionInput['sort'],
): number | undefined {
  if (order === 'largest-part') return largestFilled(cellsIn, 1)[0];
  if (order !== 'part') return undefined;
  const code = categories.indexOf(part!);
  if (code < 0) {
    throw new FigureInputError(
      'part',
      `No part of the bars is called “${cleanLabel(part!).slice(0, 80)}”, so they cannot be sorted by it.`,
    );
  }
  return code;
}

function sortText(
  { categories }: CategoricalColumn,
  sorting: number | undefined,
  { order }: CompositionInput['sort'],
): string[] {
  if (sorting !== undefined) return [`sorted by the share of ${categoryLabel(categories[sorting]!)}`];
  return order === 'cells' ? ['sorted by cells'] : [];
}

export const compositionBar = plot<typeof compositionBarContent>(
  'composition-bar',
  ({ groups, parts }, { range, ...setting }, { by, of, show, ...sort }) => {
    if (range)
      throw new FigureInputError('range', 'Shares and counts of cells begin at 0 and have no other range.');
    return compositionBarFigure({
      ...setting,
      show,
      sort,
      groups: groupCells(groups, by.bins, setting.mask),
      parts: groupCells(parts, of?.bins, setting.mask),
    });
  },
);

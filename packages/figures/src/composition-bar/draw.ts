import { type CategoricalColumn, countText, plural } from '@cellfolio/model';
import { z } from 'zod';
import { inRequestedOrder, largestFilled } from '../drawing/chosen-groups.ts';
import { checkMask, FigureInputError } from '../drawing/checked-input.ts';
import { categoryColours } from '../drawing/colour/category-colours.ts';
import { limitText } from '../drawing/distributions/violin-groups.ts';
import type { LegendGroup } from '../drawing/figure.ts';
import { type CellGroups, groupCells } from '../drawing/group-cells.ts';
import { restGrey } from '../drawing/scene/style.ts';
import { categoryLabel, cleanLabel, columnLabels } from '../drawing/text/fit-text.ts';
import { figureKind } from '../figure-kind.ts';
import type { Chart } from '../frame/frame.ts';
import { swatches } from '../frame/legend.ts';
import { stackX } from '../marks.ts';
import type { FigureSetting } from '../plot.ts';
import { common, count, group, list, type SpecOf, text } from '../plot-words.ts';
import { compositionBar } from './declare.ts';

const numbers = z
  .object({
    kind: z.literal('composition-bar'),
    ...common,
    show: z.enum(['share', 'count']).optional().catch(undefined),
    groupTitle: text,
    partTitle: text,
    parts: list(group),
    groups: list(group.extend({ counts: z.array(count).max(1000) })),
    groupCount: count,
  })
  .refine(({ groups, parts }) => groups.every(({ counts }) => counts.length === parts.length));

export type Numbers = z.output<typeof numbers>;

export interface Spec extends SpecOf<{ numbers: typeof numbers }, 'show' | 'parts'> {
  show: 'share' | 'count';
  parts: readonly LegendGroup[];
}

const maxBars = 60;
const maxParts = 24;

interface Counted extends Pick<FigureSetting, 'mask' | 'order'> {
  groups: CellGroups;
  parts: CellGroups;
  show: Spec['show'];
  sort: Pick<z.output<(typeof compositionBar)['schema']>, 'order' | 'part'>;
}

/**
 * Exact cell counts of each part in each group. Empty groups and parts are left out, as are cells without a group or
 * part, which the summary counts. Parts beyond the 24 largest are merged. Throws FigureInputError if the columns do not
 * describe the same cells.
 */
export function partsOfGroups({ groups: by, parts: of, mask, order, show, sort }: Counted) {
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
  const ordered = inRequestedOrder(bars, (group) => labelOf.get(group)!, order);
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
  return {
    title: cleanLabel(`${of.title} by ${by.title}`),
    summary: [
      plural(shownCells, 'cell'),
      ...limitText(bars.length, filled),
      ...(left > 0 ? [`${countText(left)} without a group or part left out`] : []),
      ...(order === undefined ? sortText(of.column, sorting, sort) : []),
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
}

function partsShown(cellsIn: Uint32Array, sorting: number | undefined): number[] {
  const largest = largestFilled(cellsIn, maxParts);
  if (sorting === undefined || cellsIn[sorting] === 0 || largest.includes(sorting)) return largest;
  return [...largestFilled(cellsIn, maxParts - 1), sorting].sort((a, b) => a - b);
}

function sortingPart(
  { categories }: CategoricalColumn,
  cellsIn: Uint32Array,
  { order, part }: Counted['sort'],
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
  { order }: Counted['sort'],
): string[] {
  if (sorting !== undefined) return [`sorted by the share of ${categoryLabel(categories[sorting]!)}`];
  return order === 'cells' ? ['sorted by cells'] : [];
}

const nothing = 'None of these cells has both a group and a part, so there is nothing to count.';

function chart({ show, groups, parts, groupTitle, partTitle }: Spec): Chart {
  const isShare = show === 'share';
  return {
    x: isShare
      ? {
          domain: [0, 100],
          name: 'Share of cells (%)',
          ticks: (length) => (length < 240 ? [0, 50, 100] : [0, 25, 50, 75, 100]),
        }
      : { domain: [0, Math.max(1, ...groups.map(({ cells }) => cells))], name: 'Cells' },
    y: {
      rows: groups,
      weight: (row) => groups[row]!.cells,
      title: groupTitle,
      noun: 'groups',
      texts: [
        {
          title: 'cells',
          side: 'left',
          name: 'the counts of cells',
          text: (row) => countText(groups[row]!.cells),
        },
      ],
    },
    legend: swatches(partTitle, parts, 'part'),
    nothing: groups.length === 0 ? nothing : undefined,
    marks: groups.map(({ cells, counts }, row) =>
      stackX(counts, {
        row,
        unit: isShare ? 100 / cells : 1,
        fill: (part) => parts[part]!.colour,
        thickness: (height) => Math.min(130, 0.76 * height),
      }),
    ),
  };
}

export const figure = figureKind<Spec, typeof compositionBar>(compositionBar, {
  numbers,
  decide({ groups, parts }, { range, mask, order }, { by, of, show, ...sort }) {
    if (range)
      throw new FigureInputError('range', 'Shares and counts of cells begin at 0 and have no other range.');
    return partsOfGroups({
      mask,
      order,
      show,
      sort,
      groups: groupCells(groups, by.bins, mask),
      parts: groupCells(parts, of?.bins, mask),
    });
  },
  chart,
  sentence: ({ groups }) =>
    groups.length === 0
      ? nothing
      : `Enlarge to see ${groups.length === 1 ? 'the bar' : `${groups.length} bars`}.`,
});

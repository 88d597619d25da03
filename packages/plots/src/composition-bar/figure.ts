import { countText } from '@cellfolio/model';
import { checkMask, FigureInputError } from '../drawing/checked-input.ts';
import { categoryColours } from '../drawing/colour/category-colours.ts';
import type { Figure } from '../drawing/figure.ts';
import { type CellGroups, groupCells } from '../drawing/group-cells.ts';
import { restGrey } from '../drawing/scene/style.ts';
import { categoryLabels, cleanLabel } from '../drawing/text/fit-text.ts';
import { type FigureSetting, plot } from '../plot.ts';
import type { compositionBarContent } from './content.ts';
import { compositionDrawing, compositionSize } from './scene.ts';
import type { CompositionBarSpec } from './spec.ts';

/** Bars of one figure, and parts that have a colour of their own. */
const maxBars = 60;
const maxParts = 24;

interface CompositionInput extends Pick<FigureSetting, 'datasetName' | 'mask'> {
  readonly groups: CellGroups;
  readonly parts: CellGroups;
  readonly show: 'share' | 'count';
  readonly order: 'column' | 'largest-part' | 'cells';
}

/**
 * How many cells of each part each group has: exact counts. Groups and parts without cells are left out, as are cells
 * without a group or a part, which the summary counts. Parts beyond the 24 largest are one. Throws FigureInputError
 * where the columns do not describe the same cells.
 */
export function compositionBarFigure(input: CompositionInput): Figure<CompositionBarSpec> {
  const { groups: by, parts: of, mask, show, order } = input;
  const { codes } = by.column;
  checkMask(codes.length, mask);
  if (of.column.codes.length !== codes.length) {
    throw new FigureInputError(
      'parts',
      `the parts hold ${of.column.codes.length} cells, the groups ${codes.length}`,
    );
  }
  const [groupCount, partCount] = [by.column.categories.length, of.column.categories.length];
  const table = new Uint32Array(groupCount * partCount);
  let left = 0;
  for (let cell = 0; cell < codes.length; cell++) {
    if (mask !== undefined && mask.bits[cell] !== 1) continue;
    const [group, part] = [codes[cell]!, of.column.codes[cell]!];
    if (group < 0 || part < 0) left++;
    else table[group * partCount + part]!++;
  }
  const row = (group: number): Uint32Array => table.subarray(group * partCount, (group + 1) * partCount);
  const cellsOf = Array.from({ length: groupCount }, (_, group) => row(group).reduce((sum, n) => sum + n, 0));
  const cellsIn = Array.from({ length: partCount }, (_, part) =>
    cellsOf.reduce((sum, _cells, group) => sum + row(group)[part]!, 0),
  );
  const shownParts = largestOf(cellsIn, maxParts);
  const filledParts = cellsIn.filter((cells) => cells > 0).length;
  const bars = largestOf(cellsOf, maxBars);
  const first = shownParts.toSorted((a, b) => cellsIn[b]! - cellsIn[a]!)[0] ?? 0;
  if (order === 'cells') bars.sort((a, b) => cellsOf[b]! - cellsOf[a]!);
  if (order === 'largest-part') {
    bars.sort((a, b) => row(b)[first]! / cellsOf[b]! - row(a)[first]! / cellsOf[a]!);
  }
  const colours = categoryColours(of.column.categories, of.palette);
  const partLabels = categoryLabels(shownParts.map((part) => of.column.categories[part]!));
  const groupLabels = categoryLabels(bars.map((group) => by.column.categories[group]!));
  const hasRest = filledParts > shownParts.length;
  const total = cellsOf.reduce((sum, cells) => sum + cells, 0);
  const countsOf = (counts: Uint32Array | readonly number[], all: number): number[] => {
    const shown = shownParts.map((part) => counts[part]!);
    return hasRest ? [...shown, all - shown.reduce((sum, n) => sum + n, 0)] : shown;
  };
  const parts = countsOf(cellsIn, total).map((cells, i) => ({
    label: partLabels[i] ?? `${filledParts - shownParts.length} smaller`,
    colour: shownParts[i] === undefined ? restGrey : colours[shownParts[i]]!,
    cells,
  }));
  const filled = cellsOf.filter((cells) => cells > 0).length;
  const spec: CompositionBarSpec = {
    version: 1,
    kind: 'composition-bar',
    title: cleanLabel(`${of.title} by ${by.title}`),
    datasetName: cleanLabel(input.datasetName),
    summary: [
      `${countText(total)} ${total === 1 ? 'cell' : 'cells'}`,
      ...(bars.length < filled ? [`the ${bars.length} largest of ${countText(filled)} groups`] : []),
      ...(left > 0 ? [`${countText(left)} without a group or part left out`] : []),
    ].join(' · '),
    size: compositionSize(bars.length, parts.length),
    show,
    groupTitle: cleanLabel(by.title),
    partTitle: cleanLabel(of.title),
    parts,
    groups: bars.map((group, i) => ({
      label: groupLabels[i]!,
      cells: cellsOf[group]!,
      counts: countsOf(row(group), cellsOf[group]!),
    })),
    groupCount: filled,
  };
  return { spec, columns: {}, drawing: compositionDrawing };
}

/** The places of the largest numbers above 0, in their order. */
function largestOf(sizes: readonly number[], most: number): number[] {
  return [...sizes.keys()]
    .filter((place) => sizes[place]! > 0)
    .sort((a, b) => sizes[b]! - sizes[a]! || a - b)
    .slice(0, most)
    .sort((a, b) => a - b);
}

export const compositionBar = plot<typeof compositionBarContent>(
  'composition-bar',
  ({ groups, parts }, { range, ...setting }, { by, of, show, order }) => {
    if (range)
      throw new FigureInputError('range', 'Shares and counts of cells begin at 0 and have no other range.');
    return compositionBarFigure({
      ...setting,
      show,
      order,
      groups: groupCells(groups, by.bins, setting.mask),
      parts: groupCells(parts, of?.bins, setting.mask),
    });
  },
);

import { type CategoricalColumn, countText } from '@cellfolio/model';
import {
  checkGrouped,
  checkMask,
  countCategories,
  FigureInputError,
  rangeText,
} from '../drawing/checked-input.ts';
import { categoryColours } from '../drawing/colour/category-colours.ts';
import type { Figure } from '../drawing/figure.ts';
import { type CellGroups, groupCells } from '../drawing/group-cells.ts';
import { largestFilled } from '../drawing/largest.ts';
import { categoryLabels, cleanLabel } from '../drawing/text/fit-text.ts';
import { percentText } from '../drawing/text/number-text.ts';
import { geneByGroup, scoresByGroup } from '../drawing/violin/grouped-values.ts';
import {
  axisOf,
  distributionOf,
  limitText,
  maxRows,
  type ViolinRowGroup,
  type ViolinSpec,
  violinDomain,
} from '../drawing/violin/violin-groups.ts';
import { violinSize } from '../drawing/violin/violin-layout.ts';
import { violinDrawing } from '../drawing/violin/violin-scene.ts';
import { type FigureSetting, type InputValues, plot } from '../plot.ts';
import type { violinContent } from './content.ts';

/** Parts of a group beyond this are not drawn. */
const maxParts = 12;

interface GroupedViolinSpec extends ViolinSpec {
  readonly kind: 'violin' | 'ridge';
}

interface GroupedViolinInput extends FigureSetting {
  readonly kind: GroupedViolinSpec['kind'];
  readonly measure: InputValues['gene'] | InputValues['obs'];
  readonly groups: CellGroups;
  readonly split?: CellGroups | undefined;
}

/**
 * Distribution of a gene, zeros included, or of a number, in each group and each part of it. Groups without a value are
 * left out; a part without one keeps its row; a ridge plot has the same densities, each from the line of its row. Throws FigureInputError where the columns do not describe the same cells,
 * or where a column of categories is to be measured.
 */
export function groupedViolinFigure(input: GroupedViolinInput): Figure<GroupedViolinSpec> {
  const { measure, groups, split, mask, range } = input;
  checkMask(groups.column.codes.length, mask);
  const allParts = split && countCategories(split.column, mask).perCategory;
  const shownParts = allParts === undefined ? [0] : largestFilled(allParts, maxParts);
  const parts = shownParts.length;
  const { perCategory: allGroups, missing } = countCategories(groups.column, mask);
  const chosen = largestFilled(allGroups, Math.max(1, Math.floor(maxRows / Math.max(1, parts))));
  // Only what is drawn is crossed: of two columns of ten thousand categories there are a hundred million pairs.
  const column = crossed(groups.column, chosen, split?.column, shownParts);
  const { valuesOf, zerosOf, expressingOf, title, unit, without } = measured(measure, column, mask);
  const cellsOf = (code: number): number => valuesOf(code).length + zerosOf(code);
  const places = Array.from(chosen.keys()).filter((place) =>
    shownParts.some((_, part) => cellsOf(place * parts + part) > 0),
  );
  const shownGroups = places.map((place) => chosen[place]!);
  const filled = countFilled(allGroups) - (chosen.length - places.length);
  const groupLabels = categoryLabels(shownGroups.map((group) => groups.column.categories[group]!));
  const partLabels = split && categoryLabels(shownParts.map((part) => split.column.categories[part]!));
  const colours = categoryColours((split ?? groups).column, (split ?? groups).palette);
  const isPair = split !== undefined && shownParts.length === 2;
  const rows = shownGroups.flatMap((group, place) =>
    shownParts.flatMap((part, nth): ViolinRowGroup[] => {
      const code = places[place]! * parts + nth;
      const expressing = expressingOf?.(code);
      return [
        {
          label: groupLabels[place]!,
          colour: colours[split === undefined ? group : part]!,
          ...(cellsOf(code) > 0 ? distributionOf(valuesOf(code).sort(), zerosOf(code)) : emptyRow),
          ...(expressing !== undefined && { expressing }),
          ...(partLabels !== undefined && { part: partLabels[nth]! }),
          ...(input.kind === 'ridge' && { half: 'ridge' }),
          ...(isPair && { half: nth === 0 ? 'upper' : 'lower' }),
        },
      ];
    }),
  );
  const [low, high] = violinDomain(rows);
  const isGene = expressingOf !== undefined;
  const own = isGene ? ([Math.min(0, low), Math.max(0, high)] as const) : ([low, high] as const);
  const cells = rows.reduce((sum, row) => sum + row.cells, 0);
  const expressing = rows.reduce((sum, row) => sum + (row.expressing ?? 0), 0);
  const left = missing + (split === undefined ? 0 : withoutPart(groups.column, split.column, mask));
  const filledParts = countFilled(allParts ?? [1]);
  const spec: GroupedViolinSpec = {
    version: 2,
    kind: input.kind,
    title: cleanLabel(title),
    datasetName: cleanLabel(input.datasetName),
    summary: [
      isGene
        ? `${countText(expressing)} of ${countText(cells)} cells (${percentText(expressing, cells)})`
        : `${countText(cells)} ${cells === 1 ? 'cell' : 'cells'}`,
      ...limitText(shownGroups.length, filled),
      ...(parts < filledParts ? [`the ${parts} largest of ${filledParts} parts`] : []),
      ...(left > 0 ? [`${countText(left)} without a group left out`] : []),
      ...(without > 0 ? [`${countText(without)} without a value`] : []),
      ...rangeText(range),
    ].join(' · '),
    size: violinSize(rows.length),
    unit: cleanLabel(unit),
    groupTitle: cleanLabel(groups.title),
    ...(split !== undefined && { split: { title: cleanLabel(split.title), rows: parts } }),
    ...axisOf(own, range),
    groups: rows,
    groupCount: filled,
  };
  return { spec, columns: {}, drawing: isGene ? ofGene : ofNumber };
}

const ofGene = violinDrawing<GroupedViolinSpec>('gene');
const ofNumber = violinDrawing<GroupedViolinSpec>('score');

const emptyRow = { cells: 0, mean: NaN, quartiles: null, range: null, density: null, points: null } as const;

function countFilled(sizes: Iterable<number>): number {
  return [...sizes].filter((cells) => cells > 0).length;
}

/** Each of the parts of each of the groups as a category of its own: `place of the group * parts + place of the part`. */
function crossed(
  groups: CategoricalColumn,
  chosen: readonly number[],
  split: CategoricalColumn | undefined,
  parts: readonly number[],
): CategoricalColumn {
  if (split !== undefined && split.codes.length !== groups.codes.length) {
    throw new FigureInputError(
      'split',
      `the parts hold ${split.codes.length} cells, the groups ${groups.codes.length}`,
    );
  }
  const placeOf = placesIn(chosen, groups.categories.length);
  const partOf = placesIn(parts, split?.categories.length ?? 1);
  const codes = Int32Array.from(groups.codes, (group, cell) => {
    const place = placeOf[group] ?? -1;
    const part = partOf[split === undefined ? 0 : split.codes[cell]!] ?? -1;
    return place < 0 || part < 0 ? -1 : place * parts.length + part;
  });
  return { ...groups, codes, categories: new Array<string>(chosen.length * parts.length).fill('') };
}

/** The place of each category among those that are shown; -1 for the others. */
function placesIn(shown: readonly number[], categories: number): Int32Array {
  const places = new Int32Array(categories).fill(-1);
  shown.forEach((code, place) => (places[code] = place));
  return places;
}

/** Cells of the mask that are in a group but in no part. */
function withoutPart(
  groups: CategoricalColumn,
  split: CategoricalColumn,
  mask: FigureSetting['mask'],
): number {
  let count = 0;
  for (let cell = 0; cell < groups.codes.length; cell++) {
    if (mask !== undefined && mask.bits[cell] !== 1) continue;
    if (groups.codes[cell]! >= 0 && split.codes[cell]! < 0) count++;
  }
  return count;
}

function measured(
  measure: GroupedViolinInput['measure'],
  column: CategoricalColumn,
  mask: FigureSetting['mask'],
) {
  if ('gene' in measure) {
    const { gene, symbol, unit } = measure;
    checkGrouped(gene, column);
    return { ...geneByGroup(gene, column, mask), title: symbol, unit, without: 0 };
  }
  if ('column' in measure) {
    throw new FigureInputError(
      'measure',
      `The column “${cleanLabel(measure.columnName).slice(0, 80)}” has categories: a violin needs numbers.`,
    );
  }
  const { notScored, ...grouped } = scoresByGroup(measure.scores, column, mask);
  return {
    ...grouped,
    expressingOf: undefined,
    title: measure.title,
    unit: measure.unit,
    without: notScored,
  };
}

export const violin = plot<typeof violinContent>('violin', ({ measure, groups, split }, setting, content) =>
  groupedViolinFigure({
    ...setting,
    kind: 'violin',
    measure,
    groups: groupCells(groups, content.by?.bins, setting.mask),
    split: split[0] && groupCells(split[0], content.split?.bins, setting.mask),
  }),
);

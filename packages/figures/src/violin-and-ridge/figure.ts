import { type CategoricalColumn, countText, plural, type CellMask } from '@cellfolio/model';
import { inRequestedOrder, largestFilled, largestWithin } from '../drawing/chosen-groups.ts';
import {
  checkGrouped,
  checkMask,
  countCategories,
  defaultUnits,
  FigureInputError,
  rangeText,
} from '../drawing/checked-input.ts';
import { categoryColours } from '../drawing/colour/category-colours.ts';
import type { Figure } from '../drawing/figure.ts';
import { type CellGroups, groupCells } from '../drawing/group-cells.ts';
import { columnLabels, cleanLabel } from '../drawing/text/fit-text.ts';
import { expressingText } from '../drawing/text/number-text.ts';
import { geneByGroup, scoresByGroup } from '../drawing/distributions/grouped-values.ts';
import {
  axisOf,
  distributionOf,
  limitText,
  maxRows,
  type ViolinRowGroup,
  type ViolinSpec,
  violinDomain,
  type GroupedValues,
} from '../drawing/distributions/violin-groups.ts';
import { violinSize } from '../drawing/distributions/violin-layout.ts';
import { violinDrawing } from '../drawing/distributions/violin-scene.ts';
import { type FigureSetting, type InputValues, plot } from '../plot.ts';
import { linesOfGroups } from '../heatmap/sampled-cells.ts';
import { xorshift } from '../drawing/xorshift.ts';
import type { violinContent, ridgeContent } from './content.ts';
import { samplesText, withSampleMeans } from './sample-means.ts';

const maxParts = 12;

interface GroupedViolinSpec extends ViolinSpec {
  kind: 'violin' | 'ridge';
}

interface GroupedViolinInput extends FigureSetting {
  kind: GroupedViolinSpec['kind'];
  measure: InputValues['gene'] | InputValues['obs'] | InputValues['score'];
  groups: CellGroups;
  split?: CellGroups | undefined;
  points?: boolean | undefined;
  samples?: InputValues['obs'] | undefined;
}

/**
 * Distribution of a gene, zeros included, or of a number or score, in each group and each part of it. Groups and parts
 * without a value are left out; a ridge plot has the same densities, each above the line of its row. Throws
 * FigureInputError if the columns do not describe the same cells, if the measure is categorical, or if the samples'
 * column is numeric.
 */
function groupedViolinFigure(input: GroupedViolinInput): Figure<GroupedViolinSpec> {
  const { measure, groups, split, mask, range } = input;
  checkMask(groups.column.codes.length, mask);
  const shown = shownRows(input);
  const of = measured(measure, shown.column, mask);
  const isGene = of.expressingOf !== undefined;
  const { rows: plain, codes, labels, filled, emptyParts } = rowsOf(input, shown, of);
  const pointed = input.points === true ? withCellPoints(plain, codes, of) : plain;
  const { rows, samples } =
    input.samples === undefined
      ? { rows: pointed, samples: undefined }
      : withSampleMeans(pointed, codes, shown.column, measure as Sampled, { value: input.samples, mask });
  const [low, high] = violinDomain(rows);
  const own = isGene ? ([Math.min(0, low), Math.max(0, high)] as const) : ([low, high] as const);
  const cells = rows.reduce((sum, row) => sum + row.cells, 0);
  const expressing = rows.reduce((sum, row) => sum + (row.expressing ?? 0), 0);
  const left = shown.missing + (split === undefined ? 0 : withoutPart(groups.column, split.column, mask));
  const spec: GroupedViolinSpec = {
    version: 3,
    kind: input.kind,
    title: cleanLabel(of.title),
    datasetName: cleanLabel(input.datasetName),
    summary: [
      isGene ? expressingText(expressing, cells) : plural(cells, 'cell'),
      ...limitText(labels, filled),
      ...(shown.parts.length < shown.filledParts
        ? [`the ${shown.parts.length} largest of ${countText(shown.filledParts)} parts`]
        : []),
      ...(emptyParts > 0 ? [`${plural(emptyParts, 'part')} of groups without cells left out`] : []),
      ...(left > 0 ? [`${countText(left)} without a group left out`] : []),
      ...(of.without > 0 ? [`${countText(of.without)} without a value`] : []),
      ...(input.points === true ? pointsText(rows) : []),
      ...(samples === undefined ? [] : samplesText(samples)),
      ...rangeText(range),
    ].join(' · '),
    size: violinSize(rows),
    unit: cleanLabel(of.unit),
    groupTitle: cleanLabel(groups.title),
    ...(split !== undefined && { split: { title: cleanLabel(split.title) } }),
    ...axisOf(own, range),
    groups: rows,
    groupCount: filled,
    ...(samples !== undefined && { samples }),
    ...(of.cautions.length > 0 && { cautions: of.cautions }),
  };
  return { spec, columns: {}, drawing: isGene ? ofGene : ofNumber };
}

type Sampled = InputValues['gene'] | { scores: Float64Array };

const ofGene = violinDrawing<GroupedViolinSpec>('gene');
const ofNumber = violinDrawing<GroupedViolinSpec>('score');

function shownRows({ groups, split, mask }: GroupedViolinInput) {
  const allParts = split && countCategories(split.column, mask).perCategory;
  const parts = allParts === undefined ? [0] : largestFilled(allParts, maxParts);
  const { perCategory, missing } = countCategories(groups.column, mask);
  const chosen = largestFilled(perCategory, maxRows);
  // Only what is drawn is crossed: of two columns of ten thousand categories there are a hundred million pairs.
  const column = crossed(groups.column, chosen, split?.column, parts);
  return {
    chosen,
    cellsOfChosen: chosen.map((code) => perCategory[code]!),
    parts,
    column,
    missing,
    filled: countFilled(perCategory),
    filledParts: countFilled(allParts ?? [1]),
  };
}

/**
 * Rows of the figure, with the code of each in the crossed column; `labels` is the number of drawn groups, `filled`
 * that of groups with values, `emptyParts` that of parts without values in the drawn groups.
 */
function rowsOf(
  { kind, groups, split, order }: GroupedViolinInput,
  { chosen, cellsOfChosen, parts, filled }: ReturnType<typeof shownRows>,
  { valuesOf, zerosOf, expressingOf }: ReturnType<typeof measured>,
) {
  const codeOf = (place: number, part: number): number => place * parts.length + part;
  const cellsOf = (code: number): number => valuesOf(code).length + zerosOf(code);
  const filledParts = chosen.map((_, place) =>
    Array.from(parts.keys()).filter((nth) => cellsOf(codeOf(place, nth)) > 0),
  );
  const withValues = Array.from(chosen.keys()).filter((place) => filledParts[place]!.length > 0);
  const places = largestWithin(
    withValues,
    { sizeOf: (place) => cellsOfChosen[place]!, rowsOf: (place) => filledParts[place]!.length },
    maxRows,
  );
  const labels = columnLabels(
    groups.column,
    places.map((place) => chosen[place]!),
  );
  const partLabels = split && columnLabels(split.column, parts);
  const colours = categoryColours((split ?? groups).column, (split ?? groups).palette);
  const isPair = split !== undefined && parts.length === 2;
  const ordered = inRequestedOrder(
    places.map((place, i) => ({ place, label: labels[i]! })),
    ({ label }) => label,
    order,
  );
  const codes: number[] = [];
  const rows = ordered.flatMap(({ place, label }) =>
    filledParts[place]!.map((nth): ViolinRowGroup => {
      const code = codeOf(place, nth);
      const expressing = expressingOf?.(code);
      codes.push(code);
      const row = {
        label,
        colour: colours[split === undefined ? chosen[place]! : parts[nth]!]!,
        ...(expressing !== undefined && { expressing }),
        ...(partLabels !== undefined && { part: partLabels[nth]! }),
        ...(kind === 'ridge' && { half: 'ridge' as const }),
        // A part alone is a whole violin.
        ...(isPair &&
          filledParts[place]!.length === 2 && { half: nth === 0 ? ('upper' as const) : ('lower' as const) }),
      };
      return Object.assign(row, distributionOf(valuesOf(code).sort(), zerosOf(code)));
    }),
  );
  return {
    rows,
    codes,
    labels: places.length,
    filled: filled - (chosen.length - withValues.length),
    emptyParts: places.length * parts.length - rows.length,
  };
}

function countFilled(sizes: Iterable<number>): number {
  return [...sizes].filter((cells) => cells > 0).length;
}

function measured(
  measure: GroupedViolinInput['measure'],
  column: CategoricalColumn,
  mask: FigureSetting['mask'],
) {
  if ('gene' in measure) {
    const { gene, symbol, unit } = measure;
    checkGrouped(gene, column);
    return { ...geneByGroup(gene, column, mask), title: symbol, unit, without: 0, cautions: [] };
  }
  if ('column' in measure) {
    throw new FigureInputError(
      'measure',
      `The column “${cleanLabel(measure.title).slice(0, 80)}” has categories: a violin needs numbers.`,
    );
  }
  if (measure.scores.length !== column.codes.length) {
    throw new FigureInputError(
      'groups',
      `the groups hold ${column.codes.length} cells, the measure ${measure.scores.length}`,
    );
  }
  const { notScored, ...grouped } = scoresByGroup(measure.scores, column, mask);
  const isScore = 'cautions' in measure;
  return {
    ...grouped,
    expressingOf: undefined,
    title: measure.title,
    // What a score is made of stands at its axis.
    unit: isScore ? `${defaultUnits.score} · ${measure.subtitle}` : measure.unit,
    without: notScored,
    cautions: isScore ? measure.cautions : [],
  };
}

export const violin = plot<typeof violinContent>(
  'violin',
  ({ measure, groups, split, samples }, setting, content) =>
    groupedViolinFigure({
      ...setting,
      kind: 'violin',
      measure,
      groups: groupCells(groups, content.by?.bins, setting.mask),
      split: split[0] && groupCells(split[0], content.split?.bins, setting.mask),
      points: content.points,
      samples: samples[0],
    }),
);

export const ridge = plot<typeof ridgeContent>('ridge', ({ measure, groups }, setting, { by }) =>
  groupedViolinFigure({
    ...setting,
    kind: 'ridge',
    measure,
    groups: groupCells(groups, by?.bins, setting.mask),
  }),
);

/** Each part of each group as a separate category: `index of the group * parts + index of the part`. */
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

function placesIn(shown: readonly number[], categories: number): Int32Array {
  const places = new Int32Array(categories).fill(-1);
  shown.forEach((code, place) => (places[code] = place));
  return places;
}

function withoutPart(
  groups: CategoricalColumn,
  split: CategoricalColumn,
  mask: CellMask | undefined,
): number {
  let count = 0;
  for (let cell = 0; cell < groups.codes.length; cell++) {
    if (mask !== undefined && mask.bits[cell] !== 1) continue;
    if (groups.codes[cell]! >= 0 && split.codes[cell]! < 0) count++;
  }
  return count;
}

/** Maximum points of one figure: more would merge into a blot. */
const maxPoints = 2000;

/**
 * Values of random cells of each row that has a density, without replacement (Knuth, TAOCP 2, algorithm S): the same
 * number for each row, or all cells of smaller ones. The same rows give the same cells. Rows without a density show all
 * of their cells, or have one value. `codes`: code of each row in `values`, whose arrays are already sorted.
 */
function withCellPoints(
  rows: readonly ViolinRowGroup[],
  codes: readonly number[],
  { valuesOf, zerosOf }: GroupedValues,
): ViolinRowGroup[] {
  const pointCounts = linesOfGroups(
    rows.map(({ cells, density }) => (density === null ? 0 : cells)),
    maxPoints,
  );
  const random = xorshift(2_463_534_242);
  return rows.map((row, i) => {
    if (pointCounts[i] === 0) return row;
    const [sorted, zeros] = [valuesOf(codes[i]!), zerosOf(codes[i]!)];
    const [low, high] = row.range!;
    // Five digits keep a spec small; none may leave the range by that.
    const sampled = sampleValues(sorted, zeros, pointCounts[i]!, random).map((value) =>
      Math.min(high, Math.max(low, Number(value.toPrecision(5)))),
    );
    return { ...row, sampled };
  });
}

function sampleValues(
  sorted: Float32Array | Float64Array,
  zeros: number,
  sampleSize: number,
  random: () => number,
): number[] {
  const values: number[] = [];
  let negative = 0;
  if (zeros > 0) while (negative < sorted.length && sorted[negative]! < 0) negative++;
  const count = sorted.length + zeros;
  for (let i = 0; i < count && values.length < sampleSize; i++) {
    if (random() * (count - i) >= sampleSize - values.length) continue;
    values.push(i < negative ? sorted[i]! : i < negative + zeros ? 0 : sorted[i - zeros]!);
  }
  return values;
}

function pointsText(rows: readonly ViolinRowGroup[]): string[] {
  const [shown, cells] = rows.reduce(
    ([points, all], { sampled, points: few, cells: ofRow }) => [
      points + (sampled?.length ?? few?.length ?? 0),
      all + ofRow,
    ],
    [0, 0],
  );
  if (cells === 0) return [];
  return shown === cells
    ? [`all ${countText(cells)} cells as points`]
    : [`${countText(shown)} of ${countText(cells)} cells as points, at random from each group`];
}

import { type CategoricalColumn, countText, plural } from '@cellfolio/model';
import { inRequestedOrder, largestFilled } from '../drawing/chosen-groups.ts';
import { checkMask, countCategories, FigureInputError } from '../drawing/checked-input.ts';
import { categoryColours } from '../drawing/colour/category-colours.ts';
import type { Figure } from '../drawing/figure.ts';
import { type CellGroups, groupCells } from '../drawing/group-cells.ts';
import { columnLabels, cleanLabel } from '../drawing/text/fit-text.ts';
import { groupDensity, percentile, quartiles } from '../drawing/distributions/density.ts';
import { scoresByGroup } from '../drawing/distributions/grouped-values.ts';
import { limitText, maxRows, minDensityCells } from '../drawing/distributions/violin-groups.ts';
import { type FigureSetting, type InputValues, plot } from '../plot.ts';
import type { qualityContent } from './content.ts';
import { qualityMeasure } from './measures.ts';
import { qualityDrawing, qualitySize } from './scene.ts';
import type { QualityDistribution, QualitySpec } from './spec.ts';

/** Five on each side lose few healthy cells: the first setting that sc-best-practices.org advises. */
const deviations = 5;
/** Counts that reach this have a logarithmic axis; smaller ones may be logarithms already. */
const logFrom = 100;

interface QualityInput extends FigureSetting {
  measures: readonly InputValues['obs'][];
  /** Default all cells as one group. */
  groups: CellGroups | undefined;
}

/**
 * Quality measures of cells by group, each with its median and bounds of five median absolute deviations (not scaled to
 * those of a normal distribution). Cells without a group are left out. Throws FigureInputError if the columns do not
 * describe the same cells, or one has categories.
 */
function qualityFigure(input: QualityInput): Figure<QualitySpec> {
  const { measures, mask, range, order } = input;
  if (range) throw new FigureInputError('range', 'Each measure of the quality has its own axis.');
  const numbers = measures.map(numbersOf);
  const groups = input.groups ?? allCells(numbers[0]!.scores.length);
  const { column } = groups;
  checkMask(column.codes.length, mask);
  for (const { scores } of numbers) {
    if (scores.length !== column.codes.length) {
      throw new FigureInputError(
        'groups',
        `the groups hold ${column.codes.length} cells, a measure ${scores.length}`,
      );
    }
  }
  const { perCategory, missing } = countCategories(column, mask);
  const chosen = largestFilled(perCategory, maxRows);
  const labels = columnLabels(column, chosen);
  const rows = inRequestedOrder(
    chosen.map((code, place) => ({ code, label: labels[place]! })),
    ({ label }) => label,
    order,
  );
  const colours = categoryColours(column, groups.palette);
  const columns = numbers.map((one) => {
    const { valuesOf } = scoresByGroup(one.scores, column, mask);
    const values = rows.map(({ code }) => valuesOf(code).sort());
    const filled = values.filter(({ length }) => length > 0);
    const low = filled.reduce((lowest, sorted) => Math.min(lowest, sorted[0]!), Infinity);
    const high = filled.reduce((highest, sorted) => Math.max(highest, sorted.at(-1)!), -Infinity);
    const log = qualityMeasure(one.columnName)?.isCount === true && low >= 0 && high >= logFrom;
    return {
      measure: {
        column: cleanLabel(one.columnName),
        title: cleanLabel(qualityMeasure(one.columnName)?.title ?? one.title),
        axis: cleanLabel(one.title),
        log,
        domain: low > high ? ([0, 0] as const) : ([low, high] as const),
      },
      distributions: values.map((sorted) => distributionOf(sorted, log)),
    };
  });
  const cells = chosen.reduce((sum, code) => sum + perCategory[code]!, 0);
  const filled = perCategory.filter((size) => size > 0).length;
  const spec: QualitySpec = {
    version: 1,
    kind: 'quality',
    title: 'Quality of cells',
    datasetName: cleanLabel(input.datasetName),
    summary: [
      plural(cells, 'cell'),
      ...limitText(chosen.length, filled),
      ...(missing > 0 ? [`${countText(missing)} without a group left out`] : []),
      `lines: median ± ${deviations} MAD${columns.some(({ measure }) => measure.log) ? ' (counts: of logarithms)' : ''}, guidance only`,
    ].join(' · '),
    size: qualitySize(
      rows.map(({ label }) => label),
      columns.length,
    ),
    groupTitle: cleanLabel(groups.title),
    deviations,
    measures: columns.map(({ measure }) => measure),
    groups: rows.map(({ code, label }, row) => ({
      label,
      colour: colours[code]!,
      cells: perCategory[code]!,
      distributions: columns.map(({ distributions }) => distributions[row]!),
    })),
    groupCount: filled,
  };
  return { spec, columns: {}, drawing: qualityDrawing };
}

function numbersOf(value: InputValues['obs']) {
  if ('scores' in value) return value;
  throw new FigureInputError(
    'measure',
    `The column “${cleanLabel(value.title).slice(0, 80)}” has categories: quality is measured by numbers.`,
  );
}

function allCells(cells: number): CellGroups {
  const column: CategoricalColumn = {
    kind: 'categorical',
    codes: new Int8Array(cells),
    categories: ['All cells'],
    categoryType: 'string',
    ordered: false,
  };
  return { column, title: '', palette: 'cluster' };
}

/** Distribution of ascending values; on a logarithmic axis the median and its bounds are computed there. */
function distributionOf(sorted: Float32Array | Float64Array, log: boolean): QualityDistribution | null {
  const cells = sorted.length;
  if (cells === 0) return null;
  // Never negative where it is an axis of logarithms.
  const placed = log ? Float64Array.from(sorted, Math.log1p) : sorted;
  const median = percentile(placed, 0, 0.5);
  const deviation = percentile(placed.map((value) => Math.abs(value - median)).sort(), 0, 0.5);
  const [low, high] = [median - deviations * deviation, median + deviations * deviation];
  let outside = 0;
  for (const value of placed) if (value < low || value > high) outside++;
  const minimum = sorted[0]!;
  // What is never negative is not expected to be.
  const floor = minimum >= 0 ? 0 : -Infinity;
  const backTransformed = (at: number): number => Math.max(floor, log ? Math.expm1(at) : at);
  return {
    cells,
    range: [minimum, sorted[cells - 1]!],
    quartiles: quartiles(sorted, 0)!,
    bounds: deviation > 0 ? [backTransformed(low), backTransformed(high)] : null,
    outside: deviation > 0 ? outside : 0,
    density: cells < minDensityCells ? null : groupDensity(placed, 0),
  };
}

export const quality = plot<typeof qualityContent>(
  'quality',
  ({ measures, groups: [by] }, setting, content) =>
    qualityFigure({
      ...setting,
      measures,
      groups: by && groupCells(by, content.by?.bins, setting.mask),
    }),
);

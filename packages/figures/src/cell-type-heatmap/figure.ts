import { countText } from '@cellfolio/model';
import { unclear } from '@cellfolio/analysis/parameters';
import { FigureInputError } from '../drawing/checked-input.ts';
import type { Figure } from '../drawing/figure.ts';
import { meanRamp } from '../drawing/gene-matrix/scales.ts';
import { labelGridLayout } from '../drawing/label-grid/layout.ts';
import { labelGridDrawing } from '../drawing/label-grid/scene.ts';
import { categoryLabels, cleanLabel } from '../drawing/text/fit-text.ts';
import { type FigureSetting, plot } from '../plot.ts';
import type { cellTypeHeatmapContent } from './content.ts';
import type { CellTypesInput, CellTypeHeatmapSpec } from './spec.ts';

/** Maximum number of groups, and of types, in one figure. */
const maxTypeRows = 60;
export const maxTypeColumns = 24;
const bestOfGroup = 2;

const drawing = labelGridDrawing<CellTypeHeatmapSpec>();

/**
 * Scores of the types that groups resemble most, groups by types: first the best type of each group, in group order,
 * then the next. Scores not above 0 are left blank. Throws FigureInputError if scores are missing.
 */
export function cellTypeHeatmapFigure(
  input: CellTypesInput & Pick<FigureSetting, 'datasetName'>,
): Figure<CellTypeHeatmapSpec> {
  const { groups, types, scores } = input;
  if (scores.length !== groups.length * types.length) {
    throw new FigureInputError(
      'scores',
      `${scores.length} scores are not those of ${types.length} types in ${groups.length} groups`,
    );
  }
  const rows = groups.slice(0, maxTypeRows);
  const shown = new Set<number>();
  for (let place = 0; place < bestOfGroup; place++) {
    for (const { best } of rows) {
      const type = best[place];
      if (type !== undefined && shown.size < maxTypeColumns) shown.add(type);
    }
  }
  const columns = [...shown];
  const typeLabels = categoryLabels(types);
  const labels = categoryLabels(rows.map(({ label }) => label));
  const values = rows.flatMap((_, group) =>
    columns.map((type) => {
      const score = scores[group * types.length + type]!;
      return shownScore(score);
    }),
  );
  const suggested = groups.filter(({ suggestion }) => suggestion !== null).length;
  const cut =
    rows.length < groups.length ? ` · the first ${rows.length} of ${countText(groups.length)} groups` : '';
  const spec: CellTypeHeatmapSpec = {
    version: 1,
    kind: 'cell-type-heatmap',
    title: 'Suggested cell types',
    subtitle: cleanLabel(input.markerSet),
    datasetName: cleanLabel(input.datasetName),
    summary: `${summaryOf(suggested, groups.length)}${cut}`,
    size: { width: 0, height: 0 },
    rowTitle: `${cleanLabel(input.groupTitle)} · suggestion`,
    columnTitle: 'types that the groups resemble most',
    rows: rows.map(({ suggestion }, group) => `${labels[group]!} · ${cleanLabel(suggestion ?? unclear)}`),
    columns: columns.map((type) => typeLabels[type]!),
    values,
    valueTitle: ['Score of the markers', '(t, above 0)'],
    domain: [0, Math.max(1, ...values.map((value) => value ?? 0))],
    nothing: 'There are no groups.',
    colours: { ramp: meanRamp },
    groups: rows.map(({ cells, suggestion }, group) => ({
      label: labels[group]!,
      cells,
      suggestion: suggestion === null ? null : cleanLabel(suggestion),
    })),
    groupCount: groups.length,
    typeCount: types.length,
    ...(input.cautions && { cautions: input.cautions }),
  };
  return { spec: { ...spec, size: labelGridLayout(spec).size }, columns: {}, drawing };
}

function summaryOf(suggested: number, all: number): string {
  const of = suggested === all ? `all ${countText(all)}` : `${countText(suggested)} of ${countText(all)}`;
  return `A type is suggested for ${of} groups${suggested === all ? '' : `, the others are ${unclear}`}`;
}

/** Rounded to two digits, the room of a tile; null if the result is not above 0. */
function shownScore(score: number): number | null {
  const shown = Number(score.toFixed(score < 10 ? 1 : 0));
  return shown > 0 ? shown : null;
}

export const cellTypeHeatmap = plot<typeof cellTypeHeatmapContent>(
  'cell-type-heatmap',
  ({ cellTypes }, { datasetName }) => cellTypeHeatmapFigure({ ...cellTypes, datasetName }),
);

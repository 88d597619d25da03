import {
  countText,
  type CategoricalColumn,
  type CellMask,
  type Embedding,
  percentText,
  pluralWord,
} from '@cellfolio/model';
import { FigureInputError, countCategories } from '../drawing/checked-input.ts';
import type { CategoryPalette } from '../drawing/colour/category-colours.ts';
import { outsideGrey, zeroGrey } from '../drawing/colour/ramps.ts';
import type {
  CategoryGroup,
  LegendGroup,
  HiddenGroups,
  RestOfGroups,
  ScatterSpec,
  Drawing,
  Figure,
} from '../drawing/figure.ts';
import { hiddenCodes, hiddenGroups, hiddenText } from '../drawing/hidden-groups.ts';
import { legendGroups, restText } from '../drawing/legend-groups.ts';
import {
  restLegend,
  darkLegend,
  fitLegendScatter,
  legendScatterScene,
} from '../drawing/scene/legend-scatter-scene.ts';
import { legendLayout } from '../drawing/scene/legend-layout.ts';
import { frameText, highlightRadius, scatterFrame } from '../drawing/scatter-frame.ts';
import { cleanLabel } from '../drawing/text/fit-text.ts';
import {
  inkGroups,
  inkOfCells,
  undrawnShade,
  shuffledOrder,
  type PointLayer,
} from '../drawing/raster/point-layer.ts';
import { plot } from '../plot.ts';
import type { MapShown } from '../shown.ts';
import type { highlightUmapContent } from './content.ts';

interface HighlightUmapSpec extends ScatterSpec {
  kind: 'highlight-umap';
  column?: string;
  /** Chosen categories in code order, including empty ones; of more than 200 the largest. */
  groups: readonly CategoryGroup[];
  rest?: RestOfGroups;
  /** Radius of the chosen cells: larger than the others if they are a few among very many. */
  highlightRadius: number;
  others: number;
  hidden?: HiddenGroups;
  colours: { others: string; outside: string };
}

interface HighlightUmapInput {
  embedding: Embedding;
  column: CategoricalColumn;
  columnName?: string;
  /** Categories in the column's spelling; order and repetition do not matter. */
  highlighted: readonly string[];
  title: string;
  datasetName: string;
  /** As in the category UMAP of the same column; default `cluster`. */
  palette?: CategoryPalette;
  /** Cells counted and coloured; the others are a faint silhouette. */
  mask?: CellMask;
  shown?: MapShown;
}

/**
 * Chosen categories in their colours of the category UMAP, on top of all other cells in grey. Throws FigureInputError
 * for no category, for one that the column does not have, and if the columns do not describe the same cells.
 */
function highlightUmapSpec(input: HighlightUmapInput): HighlightUmapSpec {
  const { embedding, column, mask, shown } = input;
  const frame = scatterFrame(embedding, column.codes.length, input);
  const chosen = new Set(input.highlighted);
  const categorySet = new Set(column.categories);
  const unknown = input.highlighted.find((category) => !categorySet.has(category));
  if (unknown !== undefined) {
    throw new FigureInputError('highlighted', `the column has no category ${JSON.stringify(unknown)}`);
  }
  if (chosen.size === 0) {
    throw new FigureInputError('highlighted', 'no category is chosen; name at least one to highlight');
  }
  const counted = countCategories(column, mask);
  const { perCategory } = counted;
  const isChosen = (code: number) => chosen.has(column.categories[code]!);
  const all = [...perCategory.keys()];
  const unnamed = () =>
    legendGroups(column, { chosen: all.filter(isChosen), perCategory }, input.palette).rest;
  const isHidden = new Set([
    ...hiddenCodes(column.categories, shown, unnamed),
    ...(shown?.hide_others === true ? all.filter((code) => !isChosen(code)) : []),
  ]);
  const hidden = hiddenGroups(isHidden, counted, hidesUnassigned(shown));
  const codes = all.filter((code) => isChosen(code) && !isHidden.has(code));
  const { groups, rest } = legendGroups(column, { chosen: codes, perCategory }, input.palette);
  const cells = frame.counts.cells - (hidden === undefined ? 0 : hidden.cells + hidden.missing);
  const inGroups = codes.reduce((sum, code) => sum + perCategory[code]!, 0);
  const parts = {
    version: 1,
    kind: 'highlight-umap',
    ...(input.columnName !== undefined && { column: input.columnName }),
    title: cleanLabel(input.title),
    datasetName: cleanLabel(input.datasetName),
    summary: [
      `${countText(inGroups)} of ${countText(cells)} cells (${percentText(inGroups, cells)})`,
      ...(rest ? [`${countText(codes.length)} groups`] : []),
      ...restText(rest, groups.length),
      ...hiddenText(hidden),
      ...frameText(frame),
    ].join(' · '),
    ...frame,
    order: 'highlighted-on-top',
    highlightRadius: highlightRadius(frame.pointRadius, cells, inGroups),
    groups,
    ...(rest && { rest }),
    others: cells - inGroups,
    ...(hidden && { hidden }),
    colours: { others: zeroGrey, outside: outsideGrey },
  } as const;
  return { ...parts, size: legendLayout(highlightLegend(parts)).size };
}

function hidesUnassigned(shown: MapShown | undefined): boolean {
  return shown?.hide_missing === true || shown?.hide_others === true;
}

function highlightLegend(
  spec: Pick<HighlightUmapSpec, 'groups' | 'rest' | 'others' | 'colours'>,
): readonly LegendGroup[] {
  const groups = [...spec.groups, ...restLegend(spec.rest)];
  return spec.others > 0
    ? [...groups, { label: 'Other cells', colour: spec.colours.others, cells: spec.others }]
    : groups;
}

type HighlightUmapFigure = Figure<HighlightUmapSpec, HighlightUmapInput>;

const drawing: Drawing<HighlightUmapSpec, HighlightUmapInput> = {
  scene: (spec) => legendScatterScene(spec, highlightLegend(spec)),
  points: pointLayers,
  fit: (spec, size) => fitLegendScatter(spec, size, highlightLegend(spec)),
  dark: darkLegend,
};

export function highlightUmapFigure(input: HighlightUmapInput): HighlightUmapFigure {
  return { spec: highlightUmapSpec(input), columns: input, drawing };
}

function pointLayers({ spec, columns }: Pick<HighlightUmapFigure, 'spec' | 'columns'>): PointLayer[] {
  const { column, mask, shown } = columns;
  const inks = [spec.colours.outside, spec.colours.others];
  const ofOthers = shown?.hide_others === true ? undrawnShade : 1;
  const chosen = new Set(columns.highlighted);
  // Chosen ones that are not in the legend are hidden with the rest of it.
  const inkOfCode = Uint8Array.from(column.categories, (category) =>
    chosen.has(category) ? undrawnShade : ofOthers,
  );
  inkGroups(inkOfCode, spec.groups, inks);
  if (spec.rest !== undefined) {
    const place = inks.push(spec.rest.colour) - 1;
    for (const code of spec.rest.codes) inkOfCode[code] = place;
  }
  for (const code of hiddenCodes(column.categories, shown)) inkOfCode[code] = undrawnShade;
  const without = hidesUnassigned(shown) ? undrawnShade : 1;
  const cellInk = inkOfCells(column.codes, inkOfCode, { mask, without });
  const { order, background } = shuffledOrder(cellInk, 2);
  return [
    { inks, cellInk, order: order.subarray(0, background) },
    { inks, cellInk, order: order.subarray(background), pointRadius: spec.highlightRadius },
  ];
}

function titleOf(
  { categories, labels }: CategoricalColumn,
  chosen: readonly string[],
  palette: CategoryPalette | undefined,
): string {
  const codeOf = labels && new Map(categories.map((category, code) => [category, code]));
  const names = chosen.map((name) => labels?.[codeOf!.get(name) ?? -1] ?? name).join(', ');
  if (palette === 'cell-type') return names;
  return `${pluralWord(chosen.length, 'Cluster')} ${names}`;
}

export const highlightUmap = plot<typeof highlightUmapContent>(
  'highlight-umap',
  ({ embedding, column: { column, columnName, palette, chosen } }, setting) =>
    highlightUmapFigure({
      ...setting,
      embedding,
      column,
      ...(columnName !== undefined && { columnName }),
      highlighted: chosen,
      title: titleOf(column, chosen, palette),
      palette,
    }),
);

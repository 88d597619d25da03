import { type CategoricalColumn, type CellMask, type Embedding, plural } from '@cellfolio/model';
import { type CategoryPalette, missingGrey } from '../drawing/colour/category-colours.ts';
import { outsideGrey } from '../drawing/colour/ramps.ts';
import { countCategories } from '../drawing/checked-input.ts';
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
import { frameText, scatterFrame } from '../drawing/scatter-frame.ts';
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
import type { categoryUmapContent } from './content.ts';

interface CategoryUmapSpec extends ScatterSpec {
  kind: 'category-umap';
  column?: string;
  /** One per category, in code order, including empty ones; of more than 200 the largest. */
  groups: readonly CategoryGroup[];
  /**
   * Absent if all are in `groups`; without codes if there are many: then all except those of groups and hidden ones.
   */
  rest?: Omit<RestOfGroups, 'codes'> & Partial<Pick<RestOfGroups, 'codes'>>;
  /** Cells without a category, unless they are hidden. */
  missing: number;
  hidden?: HiddenGroups;
  colours: { missing: string; outside: string };
}

interface CategoryUmapInput {
  embedding: Embedding;
  column: CategoricalColumn;
  columnName?: string;
  title: string;
  datasetName: string;
  /** Cells counted and coloured; the others are a faint silhouette. */
  mask?: CellMask;
  /** `cell-type` gives the ten recognised cell types their fixed colours; default `cluster`. */
  palette?: CategoryPalette;
  shown?: MapShown;
}

/**
 * A categorical column on an embedding, with a legend of counts. A category keeps its colour in every subset. Throws
 * FigureInputError if the columns do not describe the same cells, and for a hidden category that the column does not
 * have.
 */
function categoryUmapSpec(input: CategoryUmapInput): CategoryUmapSpec {
  const { embedding, column, mask, shown } = input;
  const frame = scatterFrame(embedding, column.codes.length, input);
  const counted = countCategories(column, mask);
  const { perCategory } = counted;
  const all = [...perCategory.keys()];
  const unnamed = () => legendGroups(column, { chosen: all, perCategory }, input.palette).rest;
  const isHidden = hiddenCodes(column.categories, shown, unnamed);
  const hidden = hiddenGroups(isHidden, counted, shown?.hide_missing === true);
  const chosen = all.filter((code) => !isHidden.has(code));
  const { groups, rest } = legendGroups(column, { chosen, perCategory }, input.palette);
  const filled = chosen.filter((code) => perCategory[code]! > 0).length;
  const cells = frame.counts.cells - (hidden === undefined ? 0 : hidden.cells + hidden.missing);
  const summary = [
    plural(cells, 'cell'),
    plural(filled, 'group'),
    ...restText(rest, groups.length),
    ...hiddenText(hidden),
    ...frameText(frame),
  ].join(' · ');
  const parts = {
    version: 1,
    kind: 'category-umap',
    ...(input.columnName !== undefined && { column: input.columnName }),
    title: cleanLabel(input.title),
    datasetName: cleanLabel(input.datasetName),
    summary,
    ...frame,
    order: 'shuffled',
    groups,
    ...(rest && { rest: boundedRest(rest) }),
    missing: counted.missing - (hidden?.missing ?? 0),
    ...(hidden && { hidden }),
    colours: { missing: missingGrey, outside: outsideGrey },
  } as const;
  return { ...parts, size: legendLayout(categoryLegend(parts)).size };
}

const maxCodes = 5000;

function boundedRest({ codes, ...rest }: RestOfGroups): NonNullable<CategoryUmapSpec['rest']> {
  return codes.length > maxCodes ? rest : { ...rest, codes };
}

function categoryLegend(
  spec: Pick<CategoryUmapSpec, 'groups' | 'rest' | 'missing' | 'colours'>,
): readonly LegendGroup[] {
  const groups = [...spec.groups.filter((group) => group.cells > 0), ...restLegend(spec.rest)];
  return spec.missing > 0
    ? [...groups, { label: 'Not assigned', colour: spec.colours.missing, cells: spec.missing }]
    : groups;
}

type CategoryUmapFigure = Figure<CategoryUmapSpec, CategoryUmapInput>;

const drawing: Drawing<CategoryUmapSpec, CategoryUmapInput> = {
  scene: (spec) => legendScatterScene(spec, categoryLegend(spec)),
  points: (figure) => [pointLayer(figure)],
  fit: (spec, size) => fitLegendScatter(spec, size, categoryLegend(spec)),
  dark: darkLegend,
};

export function categoryUmapFigure(input: CategoryUmapInput): CategoryUmapFigure {
  return { spec: categoryUmapSpec(input), columns: input, drawing };
}

/**
 * Silhouette, cells without a category, then all others shuffled, so that no category covers another only because its
 * cells come later in the file.
 */
function pointLayer({ spec, columns }: Pick<CategoryUmapFigure, 'spec' | 'columns'>): PointLayer {
  const { column, mask, shown } = columns;
  const inks = [spec.colours.outside, spec.colours.missing];
  const restInk = spec.rest === undefined ? undrawnShade : inks.push(spec.rest.colour) - 1;
  const inkOfCode = new Uint8Array(column.categories.length).fill(restInk);
  inkGroups(inkOfCode, spec.groups, inks);
  for (const code of hiddenCodes(column.categories, shown)) inkOfCode[code] = undrawnShade;
  const without = shown?.hide_missing === true ? undrawnShade : 1;
  const cellInk = inkOfCells(column.codes, inkOfCode, { mask, without });
  return { inks, cellInk, order: shuffledOrder(cellInk, 2).order };
}

export const categoryUmap = plot<typeof categoryUmapContent>(
  'category-umap',
  ({ embedding, groups }, setting) => categoryUmapFigure({ ...setting, ...groups, embedding }),
);

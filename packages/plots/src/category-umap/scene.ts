import type { Drawing, Figure } from '../drawing/figure.ts';
import { coverOutside, strewnOrder } from '../drawing/raster/point-layer.ts';
import type { PointLayer } from '../drawing/raster/point-layer.ts';
import { darkLegend, fitLegendScatter, legendScatterScene } from '../drawing/scene/legend-scatter-scene.ts';
import { categoryLegend, categoryUmapSpec } from './spec.ts';
import type { CategoryUmapInput, CategoryUmapSpec } from './spec.ts';
import { plot } from '../plot.ts';
import type { categoryUmapContent } from './content.ts';

export type CategoryUmapFigure = Figure<CategoryUmapSpec, CategoryUmapInput>;

const drawing: Drawing<CategoryUmapSpec, CategoryUmapInput> = {
  scene: (spec) => legendScatterScene(spec, categoryLegend(spec)),
  points: (figure) => [pointLayer(figure)],
  fit: (spec, size) => fitLegendScatter(spec, size, categoryLegend(spec)),
  dark: darkLegend,
};

/** Throws FigureInputError where the columns do not describe the same cells. */
export function categoryUmapFigure(input: CategoryUmapInput): CategoryUmapFigure {
  return { spec: categoryUmapSpec(input), columns: input, drawing };
}

/**
 * Silhouette, cells without a category, then all others strewn, so that no category covers another only
 * because its cells come later in the file.
 */
function pointLayer({ spec, columns }: Pick<CategoryUmapFigure, 'spec' | 'columns'>): PointLayer {
  const { column, mask } = columns;
  // Colours repeat beyond 64 categories; inks do not.
  const inks = [spec.colours.outside, spec.colours.missing];
  const inkOfCode = new Uint8Array(column.categories.length);
  if (spec.rest !== undefined) inkOfCode.fill(inks.push(spec.rest.colour) - 1);
  const placeOf = new Map<string, number>();
  spec.groups.forEach(({ colour, code }) => {
    let place = placeOf.get(colour);
    if (place === undefined) {
      place = inks.push(colour) - 1;
      placeOf.set(colour, place);
    }
    inkOfCode[code] = place;
  });
  const { codes } = column;
  const cellInk = new Uint8Array(codes.length);
  for (let cell = 0; cell < codes.length; cell++) {
    const code = codes[cell]!;
    cellInk[cell] = code >= 0 && code < inkOfCode.length ? inkOfCode[code]! : 1;
  }
  if (mask !== undefined) coverOutside(cellInk, mask.bits);
  return { inks, cellInk, order: strewnOrder(cellInk) };
}

export const categoryUmap = plot<typeof categoryUmapContent>(
  'category-umap',
  ({ embedding, groups }, setting) => categoryUmapFigure({ ...setting, ...groups, embedding }),
);

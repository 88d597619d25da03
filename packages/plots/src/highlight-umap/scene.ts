import type { Drawing, Figure } from '../drawing/figure.ts';
import { coverOutside, strewnOrder } from '../drawing/raster/point-layer.ts';
import type { PointLayer } from '../drawing/raster/point-layer.ts';
import { darkLegend, fitLegendScatter, legendScatterScene } from '../drawing/scene/legend-scatter-scene.ts';
import { highlightLegend, highlightUmapSpec } from './spec.ts';
import type { HighlightUmapInput, HighlightUmapSpec } from './spec.ts';
import { plot } from '../plot.ts';
import type { highlightUmapContent } from './content.ts';

export type HighlightUmapFigure = Figure<HighlightUmapSpec, HighlightUmapInput>;

const drawing: Drawing<HighlightUmapSpec, HighlightUmapInput> = {
  scene: (spec) => legendScatterScene(spec, highlightLegend(spec)),
  points: pointLayers,
  fit: (spec, size) => fitLegendScatter(spec, size, highlightLegend(spec)),
  dark: darkLegend,
};

/** Throws FigureInputError as highlightUmapSpec does. */
export function highlightUmapFigure(input: HighlightUmapInput): HighlightUmapFigure {
  return { spec: highlightUmapSpec(input), columns: input, drawing };
}

/**
 * Silhouette, the other cells, then the chosen ones strewn: these are a layer of their own, as their points may
 * be larger.
 */
function pointLayers({ spec, columns }: Pick<HighlightUmapFigure, 'spec' | 'columns'>): PointLayer[] {
  const { column, mask } = columns;
  const inks = [spec.colours.outside, spec.colours.others];
  const inkOfCode = new Uint8Array(column.categories.length).fill(1);
  const placeOf = new Map<string, number>();
  for (const { code, colour } of spec.groups) {
    const place = placeOf.get(colour) ?? inks.push(colour) - 1;
    placeOf.set(colour, place);
    inkOfCode[code] = place;
  }
  if (spec.rest !== undefined) {
    const place = inks.push(spec.rest.colour) - 1;
    for (const code of spec.rest.codes) inkOfCode[code] = place;
  }
  const { codes } = column;
  const cellInk = new Uint8Array(codes.length);
  for (let cell = 0; cell < codes.length; cell++) {
    const code = codes[cell]!;
    cellInk[cell] = code >= 0 && code < inkOfCode.length ? inkOfCode[code]! : 1;
  }
  if (mask !== undefined) coverOutside(cellInk, mask.bits);
  const order = strewnOrder(cellInk);
  let background = 0;
  for (let cell = 0; cell < cellInk.length; cell++) if (cellInk[cell]! <= 1) background++;
  return [
    { inks, cellInk, order: order.subarray(0, background) },
    { inks, cellInk, order: order.subarray(background), pointRadius: spec.highlightRadius },
  ];
}

export const highlightUmap = plot<typeof highlightUmapContent>(
  'highlight-umap',
  ({ embedding, column: { column, palette, chosen } }, setting) =>
    highlightUmapFigure({
      ...setting,
      embedding,
      column,
      highlighted: chosen,
      title:
        palette === 'cell-type'
          ? chosen.join(', ')
          : `${chosen.length === 1 ? 'Cluster' : 'Clusters'} ${chosen.join(', ')}`,
      palette,
    }),
);

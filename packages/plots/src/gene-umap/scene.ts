import { darkExpressionRamp } from '../drawing/colour/expression-ramp.ts';
import type { Drawing, Figure } from '../drawing/figure.ts';
import { coverOutside, orderByInk } from '../drawing/raster/point-layer.ts';
import type { PointLayer } from '../drawing/raster/point-layer.ts';
import { barScatterScene, fitBarScatter } from '../drawing/scene/bar-scatter-scene.ts';
import type { Scene } from '../drawing/scene/scene.ts';
import { themedInk } from '../drawing/theme/themed-ink.ts';
import { geneUmapSpec } from './spec.ts';
import type { GeneUmapInput, GeneUmapSpec } from './spec.ts';
import { plot } from '../plot.ts';
import type { geneUmapContent } from './content.ts';

export type GeneUmapFigure = Figure<GeneUmapSpec, GeneUmapInput>;

const drawing: Drawing<GeneUmapSpec, GeneUmapInput> = {
  scene,
  points: (figure) => [pointLayer(figure)],
  fit: (spec, size) => fitBarScatter(spec, size, scene),
  dark: ({ colours: { zero, outside } }) => ({
    colours: { ramp: darkExpressionRamp, zero: themedInk(zero, 'dark'), outside: themedInk(outside, 'dark') },
  }),
};

/** Throws FigureInputError where the columns do not describe the same cells. */
export function geneUmapFigure(input: GeneUmapInput): GeneUmapFigure {
  return { spec: geneUmapSpec(input), columns: input, drawing };
}

/** Points, colour bar with its unit and a swatch for zero, arrows and heading. */
function scene(spec: GeneUmapSpec): Scene {
  const { low, high, clipped, clippedLow = false } = spec.domain;
  const { ramp, zero } = spec.colours;
  return barScatterScene(
    spec,
    {
      low,
      high,
      clippedLow,
      clippedHigh: clipped,
      ramp,
      unit: spec.unit,
      ...(low >= 0 && { zeroSwatch: zero }),
    },
    'semibold-italic',
  );
}

const ZERO = 1;
const FIRST_SHADE = 2;

/** Silhouette, then cells without expression, then the others in ascending order of value. */
function pointLayer({ spec, columns }: Pick<GeneUmapFigure, 'spec' | 'columns'>): PointLayer {
  const { gene, mask } = columns;
  const { low, high } = spec.domain;
  const shades = spec.colours.ramp.length;
  const scale = high > low ? shades / (high - low) : 0;
  const shadeOf = (value: number): number =>
    FIRST_SHADE + Math.min(shades - 1, Math.max(0, Math.floor((value - low) * scale)));
  const cellInk = new Uint8Array(gene.cellCount).fill(low < 0 ? shadeOf(0) : ZERO);
  const { cells, values } = gene;
  const last = FIRST_SHADE + shades - 1;
  for (let i = 0; i < cells.length; i++) {
    const value = values[i]!;
    if (value - value !== 0) cellInk[cells[i]!] = ZERO;
    else if (value > 0 || low < 0) {
      // The truncation of shadeOf written out: it is called for every entry.
      const shade = FIRST_SHADE + (((value - low) * scale) | 0);
      cellInk[cells[i]!] = shade > last || value > high ? last : value < low ? FIRST_SHADE : shade;
    }
  }
  if (mask !== undefined) coverOutside(cellInk, mask.bits);
  const inks = [spec.colours.outside, spec.colours.zero, ...spec.colours.ramp];
  const { order, starts } = orderByInk(cellInk, FIRST_SHADE + shades);
  // With a mask, or negative values, the cells below differ from gene to gene.
  if (mask !== undefined || low < 0) return { inks, cellInk, order };
  return { inks, cellInk, order: order.subarray(starts[FIRST_SHADE]!), ground: ZERO };
}

export const geneUmap = plot<typeof geneUmapContent>('gene-umap', ({ embedding, gene }, setting) =>
  geneUmapFigure({ ...setting, ...gene, embedding }),
);

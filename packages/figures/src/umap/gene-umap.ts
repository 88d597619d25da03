import { countText, type CellMask, type Embedding, type GeneColumn } from '@cellfolio/model';
import { outsideGrey, zeroGrey, expressionRamp, darkExpressionRamp } from '../drawing/colour/ramps.ts';
import { checkGene, checkLog, checkRange, defaultUnits, rangeText } from '../drawing/checked-input.ts';
import { type ExpressionDomain, expressionOf } from '../drawing/expression-domain.ts';
import type { ScatterSpec, Drawing, Figure } from '../drawing/figure.ts';
import { frameText, scatterFrame } from '../drawing/scatter-frame.ts';
import { cleanLabel } from '../drawing/text/fit-text.ts';
import { expressingText } from '../drawing/text/number-text.ts';
import { coverOutside, shuffledOrder, type PointLayer } from '../drawing/raster/point-layer.ts';
import { barScatterScene, fitBarScatter } from '../drawing/scene/bar-scatter-scene.ts';
import type { Scene } from '../drawing/scene/scene.ts';
import { themedInk } from '../drawing/themed-ink.ts';
import { plot } from '../plot.ts';
import type { MapShown } from '../shown.ts';
import type { geneUmapContent } from './content.ts';

interface GeneUmapSpec extends ScatterSpec {
  kind: 'gene-umap';
  symbol: string;
  unit: string;
  domain: ExpressionDomain;
  /** True if colours follow log(1 + x); the domain is still that of x. */
  log?: true;
  expressing: number;
  /** Cells with a NaN or infinite value: drawn like cells without expression, and counted separately. */
  withoutValue: number;
  colours: { ramp: readonly string[]; zero: string; outside: string };
}

interface GeneUmapInput {
  embedding: Embedding;
  gene: GeneColumn;
  symbol: string;
  datasetName: string;
  /** Unit of the colour bar; default `log-normalised expression`. */
  unit?: string;
  /** Cells counted and coloured; the others are a faint silhouette. */
  mask?: CellMask;
  /** Ends of the colour bar, instead of the gene's own. */
  range?: readonly [number, number];
  shown?: MapShown;
}

/**
 * One gene on an embedding. The colour bar runs from 0 to the maximum; if a few cells are far above the rest it ends at
 * the 99.5th percentile of the expressing cells, shows `≥`, and the spec keeps the exact maximum. Throws
 * FigureInputError if the columns do not describe the same cells.
 */
function geneUmapSpec(input: GeneUmapInput): GeneUmapSpec {
  const { embedding, gene, mask } = input;
  checkGene(gene);
  const frame = scatterFrame(embedding, gene.cellCount, input);
  const { range, shown } = input;
  const { smallest, ...measured } = expressionOf(gene, mask);
  const { expressing, withoutValue } = measured;
  const domain = range === undefined ? measured.domain : domainOfRange(range, smallest, measured.domain.max);
  if (shown?.log === true) checkLog(measured.domain.low, range);
  const { cells } = frame.counts;
  const summary = [
    expressingText(expressing, cells),
    ...(withoutValue > 0 ? [`${countText(withoutValue)} without a value`] : []),
    ...frameText(frame),
    ...rangeText(range),
  ].join(' · ');
  return {
    version: 1,
    kind: 'gene-umap',
    symbol: input.symbol,
    title: cleanLabel(input.symbol),
    datasetName: cleanLabel(input.datasetName),
    summary,
    size: { width: 600, height: 500 },
    ...frame,
    // Where some are negative, zero is a value like others.
    order: domain.low < 0 ? 'shuffled' : 'expressing-on-top',
    unit: cleanLabel(input.unit ?? defaultUnits.gene),
    domain,
    ...(shown?.log === true && { log: true as const }),
    ...(range && { range }),
    expressing,
    withoutValue,
    colours: { ramp: expressionRamp, zero: zeroGrey, outside: outsideGrey },
  };
}

function domainOfRange(range: readonly [number, number], minimum: number, max: number): ExpressionDomain {
  checkRange(range);
  const [low, high] = range;
  return { low, high, max, clipped: high < max, ...(minimum < low && { clippedLow: true }) };
}

type GeneUmapFigure = Figure<GeneUmapSpec, GeneUmapInput>;

const drawing: Drawing<GeneUmapSpec, GeneUmapInput> = {
  scene,
  points: (figure) => [pointLayer(figure)],
  fit: (spec, size) => fitBarScatter(spec, size, scene),
  dark: ({ colours: { zero, outside } }) => ({
    colours: { ramp: darkExpressionRamp, zero: themedInk(zero, 'dark'), outside: themedInk(outside, 'dark') },
  }),
};

export function geneUmapFigure(input: GeneUmapInput): GeneUmapFigure {
  return { spec: geneUmapSpec(input), columns: input, drawing };
}

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
      log: spec.log === true,
      ...(low >= 0 && { zeroSwatch: zero }),
    },
    'semibold-italic',
  );
}

function coloured(
  { domain: { low, high }, log }: GeneUmapSpec,
  values: GeneColumn['values'],
): { low: number; high: number; values: ArrayLike<number> } {
  if (log !== true) return { low, high, values };
  return { low: Math.log1p(low), high: Math.log1p(high), values: Float64Array.from(values, Math.log1p) };
}

const zeroShade = 1;
const firstShade = 2;

function pointLayer({ spec, columns }: Pick<GeneUmapFigure, 'spec' | 'columns'>): PointLayer {
  const { gene, mask } = columns;
  const { low, high, values } = coloured(spec, gene.values);
  const shades = spec.colours.ramp.length;
  const scale = high > low ? shades / (high - low) : 0;
  const shadeOf = (value: number): number =>
    firstShade + Math.min(shades - 1, Math.max(0, Math.floor((value - low) * scale)));
  const cellInk = new Uint8Array(gene.cellCount).fill(low < 0 ? shadeOf(0) : zeroShade);
  const { cells } = gene;
  const last = firstShade + shades - 1;
  for (let i = 0; i < cells.length; i++) {
    const value = values[i]!;
    if (value - value !== 0) cellInk[cells[i]!] = zeroShade;
    else if (value > 0 || low < 0) {
      // The truncation of shadeOf written out: it is called for every entry.
      const shade = firstShade + (((value - low) * scale) | 0);
      cellInk[cells[i]!] = shade > last || value > high ? last : value < low ? firstShade : shade;
    }
  }
  if (mask !== undefined) coverOutside(cellInk, mask.bits);
  const inks = [spec.colours.outside, spec.colours.zero, ...spec.colours.ramp];
  const { order, background } = shuffledOrder(cellInk, firstShade);
  // With a mask, or negative values, the cells below differ from gene to gene.
  if (mask !== undefined || low < 0) return { inks, cellInk, order };
  return { inks, cellInk, order: order.subarray(background), ground: zeroShade };
}

export const geneUmap = plot<typeof geneUmapContent>('gene-umap', ({ embedding, gene }, setting) =>
  geneUmapFigure({ ...setting, ...gene, embedding }),
);

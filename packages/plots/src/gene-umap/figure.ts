import { countText, type CellMask, type Embedding, type GeneColumn } from '@cellfolio/model';
import { OUTSIDE_GREY, ZERO_GREY, expressionRamp } from '../drawing/colour/expression-ramp.ts';
import { checkRange, rangeText } from '../drawing/asked-range.ts';
import { FigureInputError } from '../drawing/figure-error.ts';
import type { ExpressionDomain, GeneUmapFigure } from '../drawing/figure.ts';
import { scatterFrame } from '../drawing/scatter-frame.ts';
import { cleanLabel } from '../drawing/text/fit-text.ts';
import { percentText } from '../drawing/text/number-text.ts';

export interface GeneUmapInput {
  readonly embedding: Embedding;
  readonly gene: GeneColumn;
  readonly symbol: string;
  readonly datasetName: string;
  /** Of the colour bar; `log-normalised expression` if absent. */
  readonly unit?: string;
  /** Cells counted and coloured; the others are a faint silhouette. */
  readonly mask?: CellMask;
  /** Ends of the colour bar instead of the gene's own. */
  readonly range?: readonly [number, number];
}

export const DEFAULT_UNIT = 'log-normalised expression';

/** Below this many expressing cells every value counts, and the bar ends at the greatest. */
const CLIP_FROM_CELLS = 200;
const CLIP_QUANTILE = 0.995;

/**
 * One gene on an embedding. The colour bar runs from 0 to the greatest value; where a few cells lie far
 * above the rest it ends at the 99.5th percentile of the expressing cells, says `≥`, and the spec keeps
 * the exact maximum. Throws FigureInputError where the columns do not describe the same cells.
 */
export function geneUmapFigure(input: GeneUmapInput): GeneUmapFigure {
  const { embedding, gene, mask } = input;
  checkGene(gene);
  const frame = scatterFrame(embedding, gene.cellCount, mask);
  const { range } = input;
  const { least, ...measured } = summarise(gene, mask);
  const { expressing, withoutValue } = measured;
  const domain = range === undefined ? measured.domain : askedDomain(range, least, measured.domain.max);
  const { cells, withoutPosition } = frame.counts;
  const summary = [
    `${countText(expressing)} of ${countText(cells)} cells (${percentText(expressing, cells)})`,
    ...(withoutValue > 0 ? [`${countText(withoutValue)} without a value`] : []),
    ...(withoutPosition > 0 ? [`${countText(withoutPosition)} without coordinates`] : []),
    ...rangeText(range),
  ].join(' · ');
  return {
    spec: {
      version: 1,
      kind: 'gene-umap',
      title: cleanLabel(input.symbol),
      datasetName: cleanLabel(input.datasetName),
      summary,
      size: { width: 600, height: 500 },
      ...frame,
      unit: cleanLabel(input.unit ?? DEFAULT_UNIT),
      domain,
      ...(range && { range }),
      expressing,
      withoutValue,
      colours: { ramp: expressionRamp, zero: ZERO_GREY, outside: OUTSIDE_GREY },
    },
    columns: { embedding, gene, ...(mask && { mask }) },
  };
}

/** The colour bar from `low` to `high`; `least` is the smallest value other than 0. */
function askedDomain(range: readonly [number, number], least: number, max: number): ExpressionDomain {
  checkRange(range);
  const [low, high] = range;
  return { low, high, max, clipped: high < max, ...(least < low && { clippedLow: true }) };
}

/** Throws FigureInputError where rows and values disagree or a row lies outside the dataset. */
export function checkGene(gene: GeneColumn): void {
  const { cells, values, cellCount } = gene;
  if (cells.length !== values.length) {
    throw new FigureInputError(
      'gene',
      `the gene names ${cells.length} cells and holds ${values.length} values`,
    );
  }
  // Rows rise, so the ends tell for all.
  if (cells.length > 0 && (cells[0]! < 0 || cells[cells.length - 1]! >= cellCount)) {
    throw new FigureInputError('gene', `the gene names cells outside the ${cellCount} of the dataset`);
  }
}

function summarise(
  gene: GeneColumn,
  mask?: CellMask,
): { expressing: number; withoutValue: number; least: number; domain: ExpressionDomain } {
  const { cells, values } = gene;
  const bits = mask?.bits;
  let expressing = 0;
  let withoutValue = 0;
  let low = 0;
  let max = 0;
  let least = Infinity;
  for (let i = 0; i < values.length; i++) {
    if (bits !== undefined && bits[cells[i]!] !== 1) continue;
    const value = values[i]!;
    // NaN or infinite: the difference from itself is NaN.
    if (value - value !== 0) withoutValue++;
    else if (value > 0) {
      expressing++;
      if (value > max) max = value;
      if (value < least) least = value;
    } else if (value < low) low = value;
  }
  const high = low < 0 ? max : clippedHigh(gene, bits, expressing, max);
  return {
    expressing,
    withoutValue,
    least: low < 0 ? low : least,
    domain: { low, high, max, clipped: high < max },
  };
}

/** Upper edge of the histogram bin that holds the quantile: within a 2,000th of the maximum, in one pass. */
function clippedHigh(
  gene: GeneColumn,
  bits: Uint8Array | undefined,
  expressing: number,
  max: number,
): number {
  if (expressing < CLIP_FROM_CELLS) return max;
  const bins = 2000;
  const histogram = new Uint32Array(bins + 1);
  const { cells, values } = gene;
  const scale = bins / max;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (value > 0 && value <= max && (bits === undefined || bits[cells[i]!] === 1))
      histogram[(value * scale) | 0]!++;
  }
  let seen = 0;
  let bin = 0;
  while (seen < CLIP_QUANTILE * expressing) seen += histogram[bin++]!;
  const quantile = bin / scale;
  // Saving less than a tenth of the bar is not worth a clipped end.
  return quantile < 0.9 * max ? Number(quantile.toPrecision(4)) : max;
}

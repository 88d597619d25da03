import type { CellMask, GeneColumn } from '@cellfolio/model';

/** Where the colours of a gene end if a few cells lie far above: a share of the expressing cells, and in words. */
export const geneClip = { high: { share: 0.995, words: '99.5th' } } as const;

/** Where the colours of scores and other numbers end if a few cells lie far below or above. */
export const scoreClip = {
  low: { share: 0.01, words: '1st' },
  high: { share: 0.99, words: '99th' },
} as const;

/** Range of the colour bar. */
export interface ExpressionDomain {
  /** 0, or the lowest value where some are negative. */
  readonly low: number;
  /** Value of the last shade. */
  readonly high: number;
  /** Exact greatest value. */
  readonly max: number;
  /** True where values above `high` take the last shade; the bar then says `≥`. */
  readonly clipped: boolean;
  /** True where values other than 0 below a `low` that was asked for take the first shade; the bar then says `≤`. */
  readonly clippedLow?: boolean;
}

/** Below this many expressing cells every value counts, and the bar ends at the greatest. */
const clipFromCells = 200;

/** How many cells of a mask express a gene, and over which values their colours go. */
export function expressionOf(
  gene: GeneColumn,
  mask?: CellMask,
): {
  expressing: number;
  withoutValue: number;
  /** The smallest value other than 0. */ least: number;
  domain: ExpressionDomain;
} {
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
  if (expressing < clipFromCells) return max;
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
  while (seen < geneClip.high.share * expressing) seen += histogram[bin++]!;
  const quantile = bin / scale;
  // Saving less than a tenth of the bar is not worth a clipped end.
  return quantile < 0.9 * max ? Number(quantile.toPrecision(4)) : max;
}

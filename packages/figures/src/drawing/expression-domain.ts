import type { CellMask, GeneColumn } from '@cellfolio/model';

/** End of a gene's colours if a few cells are far above: a share of the expressing cells, also in words. */
export const geneClip = { high: { share: 0.995, words: '99.5th' } } as const;

/** Ends of the colours of scores and other numbers if a few cells are far below or above. */
export const scoreClip = {
  low: { share: 0.01, words: '1st' },
  high: { share: 0.99, words: '99th' },
} as const;

export interface ExpressionDomain {
  /** 0, or the minimum if negative. */
  low: number;
  high: number;
  max: number;
  /** True if values above `high` take the last shade; the bar then shows `≥`. */
  clipped: boolean;
  /** True if values other than 0 below a requested `low` take the first shade; the bar then shows `≤`. */
  clippedLow?: boolean;
}

/** With fewer expressing cells every value counts, and the bar ends at the maximum. */
const clipFromCells = 200;

export function expressionOf(
  gene: GeneColumn,
  mask?: CellMask,
): {
  expressing: number;
  withoutValue: number;
  smallest: number;
  domain: ExpressionDomain;
} {
  const { cells, values } = gene;
  const bits = mask?.bits;
  let expressing = 0;
  let withoutValue = 0;
  let low = 0;
  let max = 0;
  let lowest = Infinity;
  for (let i = 0; i < values.length; i++) {
    if (bits !== undefined && bits[cells[i]!] !== 1) continue;
    const value = values[i]!;
    // NaN or infinite: the difference from itself is NaN.
    if (value - value !== 0) withoutValue++;
    else if (value > 0) {
      expressing++;
      if (value > max) max = value;
      if (value < lowest) lowest = value;
    } else if (value < low) low = value;
  }
  const high = low < 0 ? max : clippedHigh(gene, bits, expressing, max);
  return {
    expressing,
    withoutValue,
    smallest: low < 0 ? low : lowest,
    domain: { low, high, max, clipped: high < max },
  };
}

/** Upper edge of the histogram bin that contains the quantile: exact to a 2,000th of the maximum, in one pass. */
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
  let cumulative = 0;
  let bin = 0;
  while (cumulative < geneClip.high.share * expressing) cumulative += histogram[bin++]!;
  const quantile = bin / scale;
  // Saving less than a tenth of the bar is not worth a clipped end.
  return quantile < 0.9 * max ? Number(quantile.toPrecision(4)) : max;
}

import { parseHex, toHex } from '../colour/oklab.ts';

/**
 * Dot scaling of scanpy 1.11's dot plots (`sc.pl.DotPlot`), so that figures of the same numbers look the same.
 * Fractions are 0 to 1.
 */

/** Areas grow with this power of the fraction (`size_exponent`). */
const areaExponent = 1.5;

/** Fraction of the largest dot: the maximum, rounded up to a tenth. */
export function dotMaxOf(greatest: number): number {
  return Math.ceil(greatest * 10) / 10;
}

export function dotArea(fraction: number, dotMax: number): number {
  if (!(dotMax > 0)) return 0;
  return Math.min(1, Math.max(0, fraction / dotMax)) ** areaExponent;
}

/** Fractions of the legend, rising to `dotMax`: in steps of 0.2, or less for a small range. */
export function legendFractions(dotMax: number): number[] {
  const step = dotMax > 0.6 ? 0.2 : dotMax > 0.3 ? 0.1 : 0.05;
  const count = Math.ceil(Number((dotMax / step).toFixed(9)));
  return Array.from({ length: count }, (_, i) => Number((dotMax - (count - 1 - i) * step).toFixed(9)));
}

/** The nine Reds of ColorBrewer (Cynthia Brewer, colorbrewer2.org), which scanpy's dot plots use. */
export const meanRamp: readonly string[] = [
  '#fff5f0',
  '#fee0d2',
  '#fcbba1',
  '#fc9272',
  '#fb6a4a',
  '#ef3b2c',
  '#cb181d',
  '#a50f15',
  '#67000d',
];

/** Reversed for dark backgrounds: from near the background up to the lightest. */
export const darkMeanRamp: readonly string[] = [
  '#2a1f23',
  '#4d1219',
  '#780c15',
  '#a50f15',
  '#cb181d',
  '#ef3b2c',
  '#fb6a4a',
  '#fcae91',
  '#fff5f0',
];

const shades = 256;

/** Shade of a value in a range, as in matplotlib: 256 steps, interpolated in sRGB between the nine. */
export function meanColour(value: number, [low, high]: readonly [number, number], ramp = meanRamp): string {
  const part = high > low ? (value - low) / (high - low) : 0;
  const shade = Math.min(shades - 1, Math.max(0, Math.floor(part * shades)));
  const at = (shade / (shades - 1)) * (ramp.length - 1);
  const left = Math.min(ramp.length - 2, Math.floor(at));
  const from = parseHex(ramp[left]!);
  const to = parseHex(ramp[left + 1]!);
  const mixed = (channel: 0 | 1 | 2): number =>
    Math.round(from[channel] + (to[channel] - from[channel]) * (at - left));
  return toHex([mixed(0), mixed(1), mixed(2)]);
}

import { parseHex, toHex } from '../drawing/colour/oklab.ts';

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

/** The same on a dark ground, where the highest is the lightest. */
export const darkMeanRamp: readonly string[] = meanRamp.toReversed();

/** Shades between which matplotlib does not tell apart. */
const SHADES = 256;

/** The shade of a value in a range, as matplotlib finds it: 256 steps, mixed in sRGB between the nine. */
export function meanColour(value: number, [low, high]: readonly [number, number], ramp = meanRamp): string {
  const part = high > low ? (value - low) / (high - low) : 0;
  const shade = Math.min(SHADES - 1, Math.max(0, Math.floor(part * SHADES)));
  const at = (shade / (SHADES - 1)) * (ramp.length - 1);
  const left = Math.min(ramp.length - 2, Math.floor(at));
  const from = parseHex(ramp[left]!);
  const to = parseHex(ramp[left + 1]!);
  const mixed = (channel: 0 | 1 | 2): number =>
    Math.round(from[channel] + (to[channel] - from[channel]) * (at - left));
  return toHex([mixed(0), mixed(1), mixed(2)]);
}

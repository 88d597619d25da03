import { raised, significant } from '../scene/style.ts';
import { oklchToHex } from './oklab.ts';

/**
 * Shades of the expression ramp. With two greys, four coverage steps each and the 24 neutrals they fill the 256 places
 * of an indexed image exactly.
 */
const rampShades = 56;

export const zeroGrey = '#dcdfe4';

/** Cells outside the active subset: a silhouette that shows where the subset is. */
export const outsideGrey = '#f1f2f4';

/**
 * Amber, rose, violet, indigo: lightness falls evenly from first to last, so that the order of values survives every
 * kind of colour vision and a grey print, and the first shade is far from the grey of zero.
 */
export const expressionRamp: readonly string[] = Array.from({ length: rampShades }, (_, shade) => {
  const t = shade / (rampShades - 1);
  const lightness = 0.84 - 0.6 * t;
  const chroma = 0.135 + 0.09 * Math.sin(Math.PI * Math.min(1, t * 1.05)) - 0.02 * t;
  const hue = 78 - 150 * t ** 0.9;
  return oklchToHex(lightness, chroma, hue);
});

/** The same for dark backgrounds: violet, rose, amber, rising in lightness, so that the maximum is the lightest. */
export const darkExpressionRamp: readonly string[] = Array.from({ length: rampShades }, (_, shade) => {
  const t = 1 - shade / (rampShades - 1);
  const chroma = 0.11 + 0.06 * Math.sin(Math.PI * Math.min(1, t * 1.05)) + 0.01 * t;
  return oklchToHex(0.93 - 0.47 * t, chroma, 84 - 130 * t);
});

/**
 * Pale green, teal, blue, navy: lightness falls evenly, as in the expression ramp, but the hues differ, so that a score
 * is not mistaken for a gene. The first shade is as quiet as the grey of cells without expression, since every cell has
 * a score and most are near its lower end.
 */
export const scoreRamp: readonly string[] = Array.from({ length: rampShades }, (_, shade) => {
  const t = shade / (rampShades - 1);
  const lightness = 0.905 - 0.645 * t;
  const chroma = 0.026 + 0.116 * Math.sin((Math.PI / 2) * Math.min(1, 1.25 * t) ** 1.3);
  const hue = 165 + 105 * t ** 0.9;
  return oklchToHex(lightness, chroma, hue);
});

/** The same for dark backgrounds: navy, blue, teal, pale green, rising in lightness. */
export const darkScoreRamp: readonly string[] = Array.from({ length: rampShades }, (_, shade) => {
  const t = 1 - shade / (rampShades - 1);
  const chroma = 0.026 + 0.116 * Math.sin((Math.PI / 2) * Math.min(1, 1.25 * t) ** 1.3);
  return oklchToHex(0.94 - 0.54 * t, chroma, 165 + 105 * t ** 0.9);
});

/** Blue below 0, white, red above: for differences and correlations. */
export const divergingRamp: readonly string[] = [
  '#1d3f73',
  significant,
  '#9db8dc',
  '#ffffff',
  '#e6b3a6',
  raised,
  '#7d2a1a',
];
export const darkDivergingRamp: readonly string[] = [
  '#a8c6f2',
  '#5d8bd0',
  '#2f4c77',
  '#1b1f27',
  '#733a2d',
  '#cf7660',
  '#f7c4b8',
];

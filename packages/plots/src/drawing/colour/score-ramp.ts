import { RAMP_SHADES } from './expression-ramp.ts';
import { oklchToHex } from './oklab.ts';

/**
 * Pale green, teal, blue, navy: lightness falls evenly, as in the ramp of expression, but the hues are others, so
 * that a score is not taken for a gene. The first shade is as quiet as the grey of cells without expression,
 * since every cell has a score and most lie near its lower end.
 */
export const scoreRamp: readonly string[] = Array.from({ length: RAMP_SHADES }, (_, shade) => {
  const t = shade / (RAMP_SHADES - 1);
  const lightness = 0.905 - 0.645 * t;
  const chroma = 0.026 + 0.116 * Math.sin((Math.PI / 2) * Math.min(1, 1.25 * t) ** 1.3);
  const hue = 165 + 105 * t ** 0.9;
  return oklchToHex(lightness, chroma, hue);
});

/** The same on a dark ground: navy, blue, teal, pale green, rising in lightness. */
export const darkScoreRamp: readonly string[] = Array.from({ length: RAMP_SHADES }, (_, shade) => {
  const t = 1 - shade / (RAMP_SHADES - 1);
  const chroma = 0.026 + 0.116 * Math.sin((Math.PI / 2) * Math.min(1, 1.25 * t) ** 1.3);
  return oklchToHex(0.94 - 0.54 * t, chroma, 165 + 105 * t ** 0.9);
});

import { RAMP_SHADES } from './expression-ramp.ts';
import { oklchToHex } from './oklab.ts';

/**
 * Pale green, teal, blue, navy: lightness falls evenly, as in the ramp of expression, but the hues are others, so
 * that a score is not taken for a gene. The first shade is as quiet as the grey of cells without expression,
 * since every cell has a score and most lie near its lower end.
 */
export const scoreRamp: readonly string[] = Array.from({ length: RAMP_SHADES }, (_, shade) => {
  const t = shade / (RAMP_SHADES - 1);
  const lightness = 0.915 - 0.655 * t;
  const chroma = 0.03 + 0.115 * Math.sin((Math.PI * Math.min(1, t * 1.1)) / 1.55);
  const hue = 158 + 112 * t ** 1.1;
  return oklchToHex(lightness, chroma, hue);
});

import { oklchToHex } from '../drawing/colour/oklab.ts';
import { zeroGrey } from '../drawing/colour/ramps.ts';
import { type FigureTheme, themedInk } from '../drawing/themed-ink.ts';
import { pairLevels } from './groups.ts';

/**
 * Amber and blue, which every kind of colour vision distinguishes, and plum if both are high: lightness falls (rises on
 * a dark background) with either, and most with both, so that cells with both stand out in a grey print too.
 */
const corners = {
  light: { first: [0.7, 0.16, 62], second: [0.62, 0.15, 252], both: [0.3, 0.16, 330] },
  dark: { first: [0.72, 0.15, 62], second: [0.66, 0.14, 252], both: [0.95, 0.06, 330] },
} as const;

const firstShare = 0.4;

export function pairShades(theme: FigureTheme): readonly string[] {
  const { first, second, both } = corners[theme];
  const none = theme === 'light' ? ([0.9, 0.005, 260] as const) : ([0.35, 0.015, 260] as const);
  const share = (level: number): number =>
    level === 0 ? 0 : firstShare + ((1 - firstShare) * (level - 1)) / (pairLevels - 2);
  return Array.from({ length: pairLevels ** 2 }, (_, place) => {
    if (place === 0) return themedInk(zeroGrey, theme);
    const [a, b] = [share(Math.floor(place / pairLevels)), share(place % pairLevels)];
    return mixed([
      [none, (1 - a) * (1 - b)],
      [first, a * (1 - b)],
      [second, (1 - a) * b],
      [both, a * b],
    ]);
  });
}

type Colour = readonly [lightness: number, chroma: number, hue: number];

/** Mean in OKLab, where mixtures of equal parts look halfway. */
function mixed(parts: readonly (readonly [Colour, weight: number])[]): string {
  let [lightness, a, b] = [0, 0, 0];
  for (const [[ofLight, chroma, hue], weight] of parts) {
    const angle = (hue * Math.PI) / 180;
    lightness += weight * ofLight;
    a += weight * chroma * Math.cos(angle);
    b += weight * chroma * Math.sin(angle);
  }
  return oklchToHex(lightness, Math.hypot(a, b), (Math.atan2(b, a) * 180) / Math.PI);
}

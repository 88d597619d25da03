import { linearToOklab, parseHex, toLinear, type Triple } from './oklab.ts';

/**
 * Severity 1.0 of G. M. Machado, M. M. Oliveira and L. A. F. Fernandes, "A physiologically-based model
 * for simulation of color vision deficiency", IEEE TVCG 15 (2009); matrices act on linear light.
 */
const matrices = {
  'ordinary sight': [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
} as const;

export type Sight = keyof typeof matrices;
export const sights = Object.keys(matrices) as readonly Sight[];

/** Number of categories whose colours are distinct under every sight; beyond it, figures rely on labels. */
export const surelyDistinct = 20;

/**
 * A just noticeable difference of OKLab is about 0.02 side by side; dots and legend swatches are apart, so twice as
 * much is required.
 */
const alikeWithin = 0.04;

/** `#rrggbb` in OKLab as seen with this sight. */
export function seenColour(hex: string, sight: Sight): Triple {
  const [red, green, blue] = parseHex(hex).map(toLinear) as [number, number, number];
  const m = matrices[sight];
  const row = (i: 0 | 3 | 6): number =>
    Math.min(1, Math.max(0, m[i] * red + m[(i + 1) as 1] * green + m[(i + 2) as 2] * blue));
  return linearToOklab([row(0), row(3), row(6)]);
}

export function colourDistance(a: string, b: string, sight: Sight): number {
  const [p, q] = [seenColour(a, sight), seenColour(b, sight)];
  return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

/** First sight with which two colours, `#rrggbb`, are hard to distinguish; undefined if there is none. */
export function lookAlike(a: string, b: string): Sight | undefined {
  return sights.find((sight) => colourDistance(a, b, sight) < alikeWithin);
}

import { expect, test } from 'vitest';
import { distinctColours, categoryColours, cellTypePalette } from './category-colours.ts';
import { outsideGrey, zeroGrey, expressionRamp, scoreRamp } from './ramps.ts';
import { linearToOklab, parseHex, toLinear } from './oklab.ts';
import type { Triple } from './oklab.ts';

/**
 * Severity 1.0 of G. M. Machado, M. M. Oliveira and L. A. F. Fernandes, "A physiologically-based model
 * for simulation of color vision deficiency", IEEE TVCG 15 (2009); matrices act on linear light.
 */
const sights: Readonly<Record<string, readonly number[]>> = {
  'ordinary sight': [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
};

const white = '#ffffff';
const darkSurface = '#0f1115';

function seen(hex: string, sight: string): Triple {
  const [red, green, blue] = parseHex(hex).map(toLinear) as [number, number, number];
  const m = sights[sight]!;
  const row = (i: number): number =>
    Math.min(1, Math.max(0, m[i]! * red + m[i + 1]! * green + m[i + 2]! * blue));
  return linearToOklab([row(0), row(3), row(6)]);
}

function distance(a: string, b: string, sight: string): number {
  const [p, q] = [seen(a, sight), seen(b, sight)];
  return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

function minDistance(colours: readonly string[], sight: string): number {
  let least = Infinity;
  colours.forEach((colour, i) => {
    for (const other of colours.slice(0, i)) least = Math.min(least, distance(colour, other, sight));
  });
  return least;
}

/** Contrast ratio of WCAG 2.2. */
function contrast(a: string, b: string): number {
  const luminance = (hex: string): number => {
    const [red, green, blue] = parseHex(hex).map(toLinear) as [number, number, number];
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

test.each(Object.keys(sights))('the ten cell types are told apart with %s', (sight) => {
  // A just noticeable difference is about 0.02 in OKLab.
  expect(minDistance(Object.values(cellTypePalette), sight)).toBeGreaterThan(
    sight === 'ordinary sight' ? 0.15 : 0.08,
  );
});

test.each(Object.keys(sights))('with %s clusters stay apart as their number grows', (sight) => {
  const colours = categoryColours({ categories: Array.from({ length: 60 }, (_, i) => String(i)) });
  expect(minDistance(colours.slice(0, 20), sight)).toBeGreaterThan(0.045);
  expect(minDistance(colours.slice(0, 30), sight)).toBeGreaterThan(0.035);
  // The last ones are still told apart side by side.
  expect(minDistance(colours, sight)).toBeGreaterThan(0.022);
});

test('a map of clusters is muted where one of cell types is vivid, and no cluster looks like a known cell type', () => {
  const clusters = categoryColours({ categories: Array.from({ length: 64 }, (_, i) => String(i)) });
  const chroma = (hex: string): number => {
    const [, a, b] = seen(hex, 'ordinary sight');
    return Math.hypot(a, b);
  };
  expect(Math.max(...clusters.map(chroma))).toBeLessThan(0.135);
  expect(Math.max(...Object.values(cellTypePalette).map(chroma))).toBeGreaterThan(0.2);
  for (const colour of clusters) {
    for (const fixed of Object.values(cellTypePalette)) {
      expect(distance(colour, fixed, 'ordinary sight')).toBeGreaterThan(0.05);
    }
  }
});

test.each([...new Set(categoryColours({ categories: Array.from({ length: 64 }, (_, i) => String(i)) }))])(
  '%s stands out from white paper and from the dark surface',
  (colour) => {
    expect(contrast(colour, white)).toBeGreaterThan(2.1);
    expect(contrast(colour, darkSurface)).toBeGreaterThan(2.1);
  },
);

test.each(Object.keys(sights))('with %s the ramps darken evenly from shade to shade', (sight) => {
  for (const ramp of [expressionRamp, scoreRamp]) {
    const lightness = ramp.map((hex) => seen(hex, sight)[0]);
    const steps = lightness.slice(1).map((value, i) => lightness[i]! - value);
    expect(Math.min(...steps)).toBeGreaterThan(0);
    expect(lightness[0]! - lightness.at(-1)!).toBeGreaterThan(0.5);
  }
});

test.each(Object.keys(sights))('with %s the lowest score is not taken for none', (sight) => {
  expect(distance(scoreRamp[0]!, outsideGrey, sight)).toBeGreaterThan(0.04);
});

test.each(Object.keys(sights))('with %s the lowest expression is not taken for none', (sight) => {
  expect(distance(expressionRamp[0]!, zeroGrey, sight)).toBeGreaterThan(0.08);
});

test('there are 64 colours before they repeat, all different', () => {
  expect(distinctColours).toBe(64);
  const colours = categoryColours({ categories: Array.from({ length: 65 }, (_, i) => String(i)) });
  expect(new Set(colours).size).toBe(64);
  expect(colours[64]).toBe(colours[0]);
});

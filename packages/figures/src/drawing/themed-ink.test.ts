import { expect, test } from 'vitest';
import { categoryColours, cellTypePalette } from './colour/category-colours.ts';
import { outsideGrey, zeroGrey, darkExpressionRamp, expressionRamp, darkScoreRamp } from './colour/ramps.ts';
import { parseHex, toLinear, toOklab } from './colour/oklab.ts';
import { darkMeanRamp } from './gene-matrix/scales.ts';
import * as inks from './scene/style.ts';
import { themedInk, themedMarks } from './themed-ink.ts';

const dark = (ink: string) => themedInk(ink, 'dark');
const ground = dark(inks.paperColour);

function luminance(hex: string): number {
  const [red, green, blue] = parseHex(hex).map(toLinear) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: string, b: string): number {
  const [light, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (low + 0.05);
}

function distance(a: string, b: string): number {
  const [p, q] = [toOklab(parseHex(a)), toOklab(parseHex(b))];
  return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

test('type on the dark ground keeps the contrast of text, bars and rims that of graphics', () => {
  expect(contrast(dark(inks.inkColour), ground)).toBeGreaterThan(12);
  expect(contrast(dark(inks.softInk), ground)).toBeGreaterThan(4.5);
  for (const ink of [inks.zeroLineColour, inks.dotEdge, inks.legendGrey, inks.significant, inks.restGrey]) {
    expect(contrast(dark(ink), ground)).toBeGreaterThan(3);
  }
});

test('greys are seen on the dark ground as they are on white, cells outside least', () => {
  for (const grey of [zeroGrey, inks.notSignificant, outsideGrey]) {
    expect(contrast(dark(grey), ground)).toBeGreaterThan(contrast(grey, inks.paperColour));
  }
  expect(contrast(dark(zeroGrey), ground)).toBeGreaterThan(contrast(dark(outsideGrey), ground) + 0.3);
});

test('every ink has its like in the dark theme, and no colour of a category is taken for one', () => {
  for (const ink of Object.values(inks).filter((value) => typeof value === 'string'))
    expect(dark(ink)).not.toBe(ink);
  const categories = categoryColours({ categories: Array.from({ length: 64 }, (_, i) => String(i)) });
  for (const colour of [...categories, ...Object.values(cellTypePalette)]) {
    expect(dark(colour)).toBe(colour);
    expect(contrast(colour, ground)).toBeGreaterThan(2.1);
  }
});

test.each([
  ['expression', darkExpressionRamp],
  ['scores', darkScoreRamp],
  ['means', darkMeanRamp],
])(
  'on the dark ground the ramp of %s rises in lightness, its highest the farthest from the ground',
  (_, ramp) => {
    const lightness = ramp.map((hex) => toOklab(parseHex(hex))[0]);
    for (let i = 1; i < lightness.length; i++) expect(lightness[i]).toBeGreaterThan(lightness[i - 1]!);
    expect(lightness.at(-1)! - lightness[0]!).toBeGreaterThan(0.45);
    expect(contrast(ramp.at(-1)!, ground)).toBeGreaterThan(10);
  },
);

test('in the dark the lowest expression is not taken for none, nor the lowest score for a cell outside', () => {
  expect(darkExpressionRamp).toHaveLength(expressionRamp.length);
  expect(distance(darkExpressionRamp[0]!, dark(zeroGrey))).toBeGreaterThan(0.08);
  expect(distance(darkScoreRamp[0]!, dark(outsideGrey))).toBeGreaterThan(0.08);
});

test('marks take the inks of the theme, rims too, and keep the colours of data', () => {
  const dot = {
    kind: 'dot',
    x: 0,
    y: 0,
    radius: 4,
    colour: inks.paperColour,
    edge: { width: 1, colour: inks.inkColour },
  } as const;
  const area = { kind: 'area', xs: [0], tops: [0], bottoms: [0], colour: cellTypePalette.mast } as const;
  expect(themedMarks([dot, area], 'dark')).toEqual([
    { ...dot, colour: ground, edge: { width: 1, colour: dark(inks.inkColour) } },
    area,
  ]);
  expect(themedMarks([dot], 'light')).toEqual([dot]);
});

import { describe, expect, test } from 'vitest';
import {
  distinctColours,
  categoryColours,
  cellTypePalette,
  columnPalette,
  freeColour,
} from './category-colours.ts';
import { outsideGrey, zeroGrey, expressionRamp, scoreRamp } from './ramps.ts';
import {
  colourDistance,
  lookAlike,
  seenColour,
  sights,
  surelyDistinct,
  type Sight,
} from './colour-vision.ts';
import { parseHex, toLinear } from './oklab.ts';

const white = '#ffffff';
const darkSurface = '#16191f';

function minDistance(colours: readonly string[], sight: Sight): number {
  let minimum = Infinity;
  colours.forEach((colour, i) => {
    for (const other of colours.slice(0, i))
      minimum = Math.min(minimum, colourDistance(colour, other, sight));
  });
  return minimum;
}

function contrast(a: string, b: string): number {
  const luminance = (hex: string): number => {
    const [red, green, blue] = parseHex(hex).map(toLinear) as [number, number, number];
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

test.each(sights)('the ten cell types are distinguishable with %s', (sight) => {
  // A just noticeable difference is about 0.02 in OKLab.
  expect(minDistance(Object.values(cellTypePalette), sight)).toBeGreaterThan(
    sight === 'ordinary sight' ? 0.15 : 0.08,
  );
});

const unknownTypes = Array.from({ length: 60 }, (_, i) => `type ${i}x`);
const tenTypes = ['T', 'NK', 'B', 'Plasma', 'Macrophage', 'Monocyte', 'Mast', 'CAF', 'Endo', 'Epithelial'];

describe.each([
  ['clusters', 'cluster', unknownTypes],
  ['unknown cell types', 'cell-type', unknownTypes],
  ['known and unknown cell types', 'cell-type', [...tenTypes, ...unknownTypes.slice(10)]],
  ['a column in the first half', 'column:Cell State', unknownTypes],
  ['a column that begins elsewhere', 'column:louvain', unknownTypes],
  ['a column of few', 'column:Treatment', unknownTypes.slice(0, 10)],
] as const)('the colours of %s', (_, palette, categories) => {
  const colours = categoryColours({ categories }, palette);

  test.each(sights)('are distinguishable with %s, the more the fewer they are', (sight) => {
    const isOrdinary = sight === 'ordinary sight';
    for (let count = 2; count <= colours.length; count++) {
      const closest = minDistance(colours.slice(0, count), sight);
      const atLeast = isOrdinary
        ? count <= surelyDistinct
          ? 0.08
          : 0.04
        : count <= surelyDistinct
          ? 0.042
          : 0.025;
      expect(closest, `${count} categories`).toBeGreaterThan(atLeast);
    }
  });

  test.each(sights)('differ clearly from one to the next with %s, up to the last', (sight) => {
    const steps = colours.slice(1).map((colour, at) => colourDistance(colour, colours[at]!, sight));
    expect(Math.min(...steps)).toBeGreaterThan(sight === 'ordinary sight' ? 0.1 : 0.05);
  });

  test(`do not look alike up to ${surelyDistinct} categories`, () => {
    const first = colours.slice(0, surelyDistinct);
    expect(first.filter((one, at) => first.slice(0, at).some((other) => lookAlike(one, other)))).toEqual([]);
  });
});

test('of 60 categories some look alike', () => {
  const colours = categoryColours({ categories: unknownTypes });
  expect(colours.some((one, at) => colours.slice(0, at).some((other) => lookAlike(one, other)))).toBe(true);
});

test(`up to ${surelyDistinct} categories of each, cell types, clusters and other columns have no colour in common`, () => {
  const first = unknownTypes.slice(0, surelyDistinct);
  const columns = ['cell_state', 'Cell State', 'sample', 'louvain'].map((name) => `column:${name}` as const);
  const kinds = [
    [
      ...Object.values(cellTypePalette),
      ...categoryColours({ categories: unknownTypes }, 'cell-type').slice(0, surelyDistinct),
    ],
    categoryColours({ categories: first }, 'cluster'),
    columns.flatMap((palette) =>
      [first, first.slice(0, 10)].flatMap((categories) => categoryColours({ categories }, palette)),
    ),
  ];
  for (const [at, kind] of kinds.entries()) {
    for (const other of kinds.slice(0, at).flat()) {
      for (const colour of kind) {
        expect(colourDistance(colour, other, 'ordinary sight'), `${colour} ${other}`).toBeGreaterThan(0.04);
      }
    }
  }
  // Beyond, some are close to each other, and none is the same.
  const all = [
    ...new Set(categoryColours({ categories: [...tenTypes, ...unknownTypes] }, 'cell-type')),
    ...categoryColours({ categories: Array.from({ length: distinctColours }, String) }),
    ...categoryColours({ categories: unknownTypes }, 'column:x'),
  ];
  expect(all).toHaveLength(64 + 64 + 60);
  expect(new Set(all).size).toBe(all.length);
});

test('a column keeps its colours, and one of few categories has none of one of many', () => {
  const few = (name: string) =>
    categoryColours({ categories: unknownTypes.slice(0, 10) }, columnPalette(name, {}));
  const many = (name: string) =>
    categoryColours({ categories: unknownTypes.slice(0, surelyDistinct) }, columnPalette(name, {}));
  const names = Array.from({ length: 300 }, (_, i) => `column ${i}`);
  const ofFew = new Set(names.flatMap(few));
  expect(names.flatMap(many).filter((colour) => ofFew.has(colour))).toEqual([]);
  // Columns begin everywhere in their half.
  expect(new Set(names.map((name) => few(name)[0]))).toHaveLength(21);
  expect(new Set(names.map((name) => many(name)[0]))).toHaveLength(11);
  expect(few('Treatment').slice(0, 2)).toEqual(
    categoryColours({ categories: ['a', 'b'] }, columnPalette('Treatment', { cellType: 'x', cluster: 'y' })),
  );
});

test.each(sights)('with %s few categories of any column are far apart, the first three most', (sight) => {
  const isOrdinary = sight === 'ordinary sight';
  for (let column = 0; column < 300; column++) {
    const colours = categoryColours({ categories: unknownTypes.slice(0, 10) }, `column:column ${column}`);
    expect(minDistance(colours.slice(0, 3), sight), colours.join(' ')).toBeGreaterThan(
      isOrdinary ? 0.14 : 0.12,
    );
    expect(minDistance(colours, sight), colours.join(' ')).toBeGreaterThan(isOrdinary ? 0.08 : 0.042);
    const steps = colours.slice(1).map((colour, at) => colourDistance(colour, colours[at]!, sight));
    expect(Math.min(...steps), colours.join(' ')).toBeGreaterThan(isOrdinary ? 0.1 : 0.05);
  }
});

test('a column has the palette of its part in the dataset', () => {
  const roles = { cellType: 'type', cluster: 'leiden' };
  expect(['type', 'leiden', 'batch'].map((name) => columnPalette(name, roles))).toEqual([
    'cell-type',
    'cluster',
    'column:batch',
  ]);
});

test('two colours that look alike are reported with the kind of sight', () => {
  expect(lookAlike('#5a82d2', '#5b83d1')).toBe('ordinary sight');
  // Red and green of one lightness.
  expect(lookAlike('#c04040', '#7a7a1e')).toBe('deuteranopia');
  expect(lookAlike('#0f5ac3', '#ff871e')).toBeUndefined();
});

test('cell types and clusters have no colour in common, nor do new groups of annotations beside them', () => {
  const types = categoryColours({ categories: [...unknownTypes, 'T cell', 'B cell', 'NK'] }, 'cell-type');
  const clusters = new Set(categoryColours({ categories: unknownTypes }, 'cluster'));
  expect(types.filter((colour) => clusters.has(colour))).toEqual([]);
  expect(Object.values(cellTypePalette).filter((colour) => clusters.has(colour))).toEqual([]);
  const avoided = new Set(types.slice(0, 20));
  const used = new Set<string>();
  for (let group = 0; group < 30; group++) used.add(freeColour(`group ${group}x`, used, avoided));
  expect(used.size).toBe(30);
  expect([...used].filter((colour) => avoided.has(colour) || clusters.has(colour))).toEqual([]);
});

test('a map of clusters is muted where one of cell types is vivid, and no cluster looks like a known cell type', () => {
  const clusters = categoryColours({ categories: Array.from({ length: 64 }, (_, i) => String(i)) });
  const chroma = (hex: string): number => {
    const [, a, b] = seenColour(hex, 'ordinary sight');
    return Math.hypot(a, b);
  };
  expect(Math.max(...clusters.map(chroma))).toBeLessThan(0.135);
  expect(Math.max(...Object.values(cellTypePalette).map(chroma))).toBeGreaterThan(0.2);
  for (const colour of clusters) {
    for (const fixed of Object.values(cellTypePalette)) {
      expect(colourDistance(colour, fixed, 'ordinary sight')).toBeGreaterThan(0.05);
    }
  }
});

test.each([
  ...categoryColours({ categories: Array.from({ length: 64 }, (_, i) => String(i)) }),
  ...categoryColours({ categories: unknownTypes }, 'cell-type'),
  ...categoryColours({ categories: unknownTypes }, 'column:x'),
])('%s stands out from white paper and from the dark surface', (colour) => {
  expect(contrast(colour, white)).toBeGreaterThan(2.1);
  expect(contrast(colour, darkSurface)).toBeGreaterThan(2.1);
});

test.each(sights)('with %s the ramps darken evenly from shade to shade', (sight) => {
  for (const ramp of [expressionRamp, scoreRamp]) {
    const lightness = ramp.map((hex) => seenColour(hex, sight)[0]);
    const steps = lightness.slice(1).map((value, i) => lightness[i]! - value);
    expect(Math.min(...steps)).toBeGreaterThan(0);
    expect(lightness[0]! - lightness.at(-1)!).toBeGreaterThan(0.5);
  }
});

test.each(sights)('with %s the lowest score is not taken for none', (sight) => {
  expect(colourDistance(scoreRamp[0]!, outsideGrey, sight)).toBeGreaterThan(0.04);
});

test.each(sights)('with %s the lowest expression is not taken for none', (sight) => {
  expect(colourDistance(expressionRamp[0]!, zeroGrey, sight)).toBeGreaterThan(0.08);
});

test('there are 64 colours before they repeat, all different', () => {
  expect(distinctColours).toBe(64);
  const colours = categoryColours({ categories: Array.from({ length: 65 }, (_, i) => String(i)) });
  expect(new Set(colours).size).toBe(64);
  expect(colours[64]).toBe(colours[0]);
});

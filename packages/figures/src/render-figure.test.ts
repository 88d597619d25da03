import { figureResolutions } from './drawing/render-figure.ts';
import { Resvg } from '@resvg/resvg-js';
import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { parseHex } from './drawing/colour/oklab.ts';
import {
  categoryUmapFigure,
  expressionRamp,
  geneUmapFigure,
  geneViolinFigure,
  highlightUmapFigure,
  renderPng,
  renderSvg,
  scoreUmapFigure,
  scoreViolinFigure,
} from './index.ts';
import type { Figure } from './index.ts';
import {
  hostileNames,
  tenTypes,
  categorical,
  geneOf,
  markerOf,
  maskOf,
  mixture,
  scoresOf,
  seeded,
} from './mixture.test-data.ts';
import { countDifferent, shrunk } from './shrunk.test-data.ts';
import { fontFiles } from './drawing/text/svg-text.ts';

const datasetName = 'Lung <atlas> & "friends"';
const ten = mixture(3000, tenTypes);
const marker = markerOf(0, ten.column);

const kinds: Readonly<Record<string, () => Figure>> = {
  'gene UMAP': () => geneUmapFigure({ embedding: ten.embedding, gene: marker, symbol: 'CD79A', datasetName }),
  'category UMAP': () => categoryUmapFigure({ ...ten, title: 'Cell type', datasetName }),
  'highlight UMAP': () =>
    highlightUmapFigure({ ...ten, highlighted: tenTypes.slice(2, 4), title: 'Chosen', datasetName }),
  'score UMAP': () =>
    scoreUmapFigure({ embedding: ten.embedding, scores: scoresOf(ten.column), title: 'EMT', datasetName }),
  violin: () =>
    geneViolinFigure({ gene: marker, groups: ten.column, symbol: 'CD79A', groupTitle: 'Type', datasetName }),
  'violin of scores': () =>
    scoreViolinFigure({
      scores: scoresOf(ten.column),
      groups: ten.column,
      title: 'EMT',
      groupTitle: 'Type',
      datasetName,
    }),
};

const rendered = new Map<string, ReturnType<typeof renderPng>>();

function imageOf(kind: string, resolution: 'screen' | 'print' = 'screen') {
  const key = `${kind} ${resolution}`;
  const image = rendered.get(key) ?? renderPng(kinds[kind]!(), { resolution });
  rendered.set(key, image);
  return image;
}

async function decoded(figure: Figure): Promise<PNG> {
  return PNG.sync.read(Buffer.from((await renderPng(figure)).png));
}

function pixelsOf(image: PNG, hex: string): number {
  return pixelsWhere(image, hex, () => true);
}

function pixelsWhere(image: PNG, hex: string, isCounted: (x: number, y: number) => boolean): number {
  const [red, green, blue] = parseHex(hex);
  let count = 0;
  for (let i = 0; i < image.data.length; i += 4) {
    const isSame = image.data[i] === red && image.data[i + 1] === green && image.data[i + 2] === blue;
    const pixel = i / 4;
    if (isSame && isCounted(pixel % image.width, Math.floor(pixel / image.width))) count++;
  }
  return count;
}

const onPoints = (x: number, y: number): boolean => x > 84 && x < 680 && y > 184 && y < 912;

test.each(Object.keys(kinds))('a %s is the same to the byte each time', async (kind) => {
  const [first, second] = [await imageOf(kind), await renderPng(kinds[kind]!())];
  expect(Buffer.compare(first.png, second.png)).toBe(0);
  expect(await renderSvg(kinds[kind]!())).toBe(await renderSvg(kinds[kind]!()));
});

test.each(Object.keys(kinds))('a %s drawn from its spec as JSON is the same to the byte', async (kind) => {
  const figure = kinds[kind]!();
  const again = { ...figure, spec: JSON.parse(JSON.stringify(figure.spec)) } as Figure;
  expect(again.spec).toEqual(figure.spec);
  expect(Buffer.compare((await imageOf(kind)).png, (await renderPng(again)).png)).toBe(0);
});

test.each(Object.keys(kinds))('a %s says its size, and so does its image', async (kind) => {
  const figure = kinds[kind]!();
  const screen = await imageOf(kind);
  const image = PNG.sync.read(Buffer.from(screen.png));
  expect([screen.width, screen.height]).toEqual([image.width, image.height]);
  expect(screen.width).toBe(2 * figure.spec.size.width);
  expect(screen.height).toBe(2 * figure.spec.size.height);
  const print = await imageOf(kind, 'print');
  expect([print.width, print.height]).toEqual([2160, Math.round(3.6 * figure.spec.size.height)]);
});

test.each(Object.keys(kinds))('a %s says how large it is in print', async (kind) => {
  for (const resolution of ['screen', 'print'] as const) {
    const png = Buffer.from((await imageOf(kind, resolution)).png);
    const at = png.indexOf('pHYs') + 4;
    const { scale, dotsPerInch } = figureResolutions[resolution];
    expect(png.readUInt32BE(at)).toBe(Math.round(dotsPerInch / 0.0254));
    // 600 CSS pixels: two columns of a journal are 178 to 183 mm.
    const millimetres = ((600 * scale) / dotsPerInch) * 25.4;
    expect(resolution === 'screen' || (millimetres > 178 && millimetres < 183.5)).toBe(true);
  }
});

test.each(Object.keys(kinds))('a %s looks the same as PNG and as SVG', async (kind) => {
  const png = PNG.sync.read(Buffer.from((await imageOf(kind)).png));
  const svg = new Resvg(await renderSvg(kinds[kind]!()), {
    fitTo: { mode: 'zoom', value: 2 },
    font: { loadSystemFonts: false, fontFiles: Object.values(fontFiles), defaultFontFamily: 'Inter' },
  }).render();
  expect([svg.width, svg.height]).toEqual([png.width, png.height]);
  const [a, b] = [shrunk(png), shrunk({ width: svg.width, height: svg.height, data: svg.pixels })];
  // Edges of type may lie two pixels elsewhere, which comes to 3; a figure without one of its texts comes to 12.
  expect(countDifferent(a.pixels, b.pixels, 120)).toBeLessThan(8);
});

test('drawing figures of other sizes and colours in between changes nothing', async () => {
  const before = await imageOf('gene UMAP');
  await renderPng(kinds['category UMAP']!(), { resolution: 'print' });
  await renderPng(geneUmapFigure({ ...mixtureOf(5), gene: geneOf(5, [2], [1]), symbol: 'X', datasetName }));
  const after = await renderPng(kinds['gene UMAP']!());
  expect(Buffer.compare(before.png, after.png)).toBe(0);
});

test('an expressing cell lies on top of one that is not, whatever their rows', async () => {
  // Ten cells on one spot, and one far away that spans the panel.
  const values = new Float32Array(22);
  values.set([5, 5], 20);
  const embedding = { name: 'X_umap', dimensions: 2, values };
  const gene = geneOf(11, [1], [3]);
  const image = await decoded(geneUmapFigure({ embedding, gene, symbol: 'X', datasetName }));
  expect(pixelsWhere(image, expressionRamp.at(-1)!, onPoints)).toBeGreaterThan(20);
});

test('y points up', async () => {
  const embedding = { name: 'X_umap', dimensions: 2, values: Float32Array.of(0, 0, 0, 1) };
  const column = categorical(Int16Array.of(0, 1), ['low', 'high']);
  const figure = categoryUmapFigure({ embedding, column, title: 'x', datasetName });
  const image = await decoded(figure);
  const [low, high] = figure.spec.groups.map((group) => group.colour) as [string, string];
  expect(pixelsWhere(image, high, (x, y) => onPoints(x, y) && y < 400)).toBeGreaterThan(10);
  expect(pixelsWhere(image, low, (x, y) => onPoints(x, y) && y > 700)).toBeGreaterThan(10);
  expect(pixelsWhere(image, low, (x, y) => onPoints(x, y) && y < 400)).toBe(0);
});

test('every category is seen in its own colour', async () => {
  const figure = categoryUmapFigure({ ...ten, title: 'Type', datasetName, palette: 'cell-type' });
  const image = await decoded(figure);
  for (const group of figure.spec.groups) expect(pixelsOf(image, group.colour)).toBeGreaterThan(500);
});

test('cells without finite coordinates are passed over', async () => {
  const { embedding, column } = mixtureOf(400);
  const bare = categoryUmapFigure({ embedding, column, title: 'x', datasetName });
  const values = new Float32Array([...embedding.values, NaN, 1, 1, Infinity, -Infinity, 0]);
  const codes = Int16Array.from([...column.codes, 0, 0, 0]);
  const figure = categoryUmapFigure({
    embedding: { ...embedding, values },
    column: { ...column, codes },
    title: 'x',
    datasetName,
  });
  expect(figure.spec.counts).toEqual({ datasetCells: 403, cells: 403, withoutPosition: 3 });
  expect(figure.spec.extent).toEqual(bare.spec.extent);
  const [a, b] = [await decoded(figure), await decoded({ ...figure, columns: bare.columns })];
  expect(a.data.equals(b.data)).toBe(true);
});

test('cells outside the mask are a silhouette and are not counted', async () => {
  const mask = maskOf(Array.from(ten.column.codes, (code) => (code === 3 ? 1 : 0)));
  const figure = categoryUmapFigure({ ...ten, title: 'Type', datasetName, mask, palette: 'cell-type' });
  const image = await decoded(figure);
  expect(figure.spec.groups.filter((group) => group.cells > 0).map((group) => group.label)).toEqual([
    'Fibroblasts',
  ]);
  expect(figure.spec.groups[3]!.cells).toBe(mask.count);
  expect(pixelsOf(image, figure.spec.groups[3]!.colour)).toBeGreaterThan(500);
  expect(pixelsOf(image, figure.spec.groups[4]!.colour)).toBe(0);
  expect(pixelsOf(image, figure.spec.colours.outside)).toBeGreaterThan(2000);
});

test('more categories than colours are drawn', async () => {
  const names = Array.from({ length: 150 }, (_, i) => `cluster ${i}`);
  const { embedding, column } = mixture(4000, names);
  const figure = categoryUmapFigure({ embedding, column, title: 'x', datasetName });
  expect((await decoded(figure)).height).toBe(2 * figure.spec.size.height);
});

test('a dataset of no cells, of one, and of many on one spot are drawn', async () => {
  for (const count of [0, 1, 50]) {
    const embedding = { name: 'X_umap', dimensions: 2, values: new Float32Array(2 * count).fill(3) };
    const column = categorical(new Int16Array(count), ['all']);
    const figure = categoryUmapFigure({ embedding, column, title: 'x', datasetName });
    const pixelCount = pixelsWhere(await decoded(figure), figure.spec.groups[0]!.colour, onPoints);
    expect(pixelCount > 0).toBe(count > 0);
  }
});

test('an embedding of more than two dimensions is drawn on its first two', async () => {
  const { embedding, column } = mixtureOf(300);
  const values = new Float64Array(900).fill(7);
  for (let cell = 0; cell < 300; cell++)
    values.set(embedding.values.subarray(2 * cell, 2 * cell + 2), 3 * cell);
  const flat = await renderPng(categoryUmapFigure({ embedding, column, title: 'x', datasetName }));
  const deep = await renderPng(
    categoryUmapFigure({
      embedding: { ...embedding, dimensions: 3, values },
      column,
      title: 'x',
      datasetName,
    }),
  );
  expect(Buffer.compare(flat.png, deep.png)).toBe(0);
});

test('hostile names make sound SVG without markup of their own', async () => {
  const { embedding, column } = mixture(800, hostileNames);
  const figures = [
    categoryUmapFigure({ embedding, column, title: '<i>&"', datasetName }),
    geneUmapFigure({
      embedding,
      gene: markerOf(0, column),
      symbol: '</title><x>',
      datasetName,
      unit: '<u>&',
    }),
    geneViolinFigure({
      gene: markerOf(0, column),
      groups: column,
      symbol: '</text><x>',
      groupTitle: '<g>',
      datasetName,
      unit: '<u>&',
    }),
    scoreUmapFigure({
      embedding,
      scores: scoresOf(column),
      title: '</title><x>',
      subtitle: '<u>&',
      unit: ']]><u>',
      datasetName,
    }),
    scoreViolinFigure({
      scores: scoresOf(column),
      groups: column,
      title: '</text><x>',
      groupTitle: '<g>&',
      datasetName,
      unit: '<u>&',
    }),
    highlightUmapFigure({ embedding, column, highlighted: hostileNames, title: '"><x>', datasetName }),
  ];
  for (const figure of figures) {
    const svg = await renderSvg(figure);
    expect(svg).not.toMatch(/<script|<i>|<x>|<u>|<g>&/);
    // The parser refuses what is not well-formed XML.
    expect(new Resvg(svg, { font: { loadSystemFonts: false } }).width).toBe(600);
  }
});

test('names of any characters make sound SVG', async () => {
  const uniform = seeded(11);
  const alphabet = [
    '<',
    '>',
    '&',
    '"',
    "'",
    ']]>',
    '<!--',
    '\n',
    '\t',
    '\u0000',
    '\u001b',
    '\u202e',
    '\ud800',
  ];
  const more = [
    '\ufffe',
    '\u2028',
    'é',
    'e\u0301',
    'β',
    'א',
    'ع',
    '漢',
    '👩‍🔬',
    ' ',
    'x',
    '=cmd',
    '${1}',
    '\\',
  ];
  const pieces = [...alphabet, ...more];
  const name = (): string =>
    Array.from(
      { length: Math.ceil(30 * uniform()) },
      () => pieces[Math.floor(pieces.length * uniform())],
    ).join('');
  const { embedding, column } = mixture(
    300,
    Array.from({ length: 12 }, (_, i) => `${name()}${i}`),
  );
  for (let round = 0; round < 20; round++) {
    const [title, unit, groupTitle] = [name(), name(), name()];
    const figures = [
      scoreViolinFigure({
        scores: scoresOf(column),
        groups: column,
        title,
        groupTitle,
        unit,
        datasetName: name(),
      }),
      scoreUmapFigure({
        embedding,
        scores: scoresOf(column),
        title,
        subtitle: name(),
        unit,
        datasetName: name(),
      }),
      highlightUmapFigure({ embedding, column, highlighted: column.categories, title, datasetName: name() }),
    ];
    for (const figure of figures) {
      const svg = await renderSvg(figure);
      // eslint-disable-next-line no-control-regex
      expect(svg).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202a-\u202e\u2028\ufffe]/);
      expect(svg.isWellFormed()).toBe(true);
      expect(new Resvg(svg, { font: { loadSystemFonts: false } }).width).toBe(600);
    }
  }
});

test('the type of an SVG is text in Inter, its points one image', async () => {
  const svg = await renderSvg(kinds['category UMAP']!());
  expect(svg.match(/<image /g)).toHaveLength(1);
  for (const label of tenTypes) expect(svg).toContain(`>${label}</text>`);
  expect(svg).toContain('font-family="Inter, ');
  const violin = await renderSvg(kinds.violin!());
  expect(violin).toContain('CD19+ B</text>');
  expect(violin).toContain('font-family="Inter, ');
  expect(violin).not.toContain('<image');
});

test('a shortened name is whole in the title of its SVG element', async () => {
  const { embedding, column } = mixture(400, hostileNames);
  const svg = await renderSvg(categoryUmapFigure({ embedding, column, title: 'x', datasetName }));
  expect(svg).toContain(`<title>${'x'.repeat(80)}</title>`);
  const violin = await renderSvg(
    geneViolinFigure({
      gene: markerOf(0, column),
      groups: column,
      symbol: 'W'.repeat(200),
      groupTitle: 'g'.repeat(200),
      datasetName,
    }),
  );
  for (const name of ['x'.repeat(80), 'W'.repeat(200), 'g'.repeat(200)]) {
    expect(violin).toContain(`<title>${name}</title>`);
  }
});

function mixtureOf(cells: number): ReturnType<typeof mixture> {
  return mixture(cells, ['a', 'b', 'c']);
}

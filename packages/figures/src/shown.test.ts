import { PNG } from 'pngjs';
import { describe, expect, test } from 'vitest';
import { parseHex } from './drawing/colour/oklab.ts';
import type { CommonSpec, Figure } from './drawing/figure.ts';
import { type PointLayer, undrawnShade } from './drawing/raster/point-layer.ts';
import { categoryUmapFigure, geneUmapFigure, highlightUmapFigure, scoreUmapFigure } from './index.ts';
import { categorical, geneOf, maskOf, mixture, tenTypes } from './mixture.test-data.ts';
import { obsUmap } from './umap/score-umap.ts';
import { fitToView, renderPng, renderSvg } from './drawing/render-figure.ts';
import type { Scene } from './drawing/scene/scene.ts';
import { numbersOf, summariseFigure } from './all-words.ts';

const common = { title: 'x', datasetName: 'Lung' };
const ten = { ...mixture(4000, tenTypes), ...common };

function layersOf<Spec extends CommonSpec, Columns extends object>(
  figure: Figure<Spec, Columns>,
): readonly PointLayer[] {
  return figure.drawing.points!(figure);
}

type View = Parameters<typeof renderPng>[1];

async function placesOf(figure: Figure, hex: string, options?: View): Promise<{ x: number[]; y: number[] }> {
  const { data, width, height } = PNG.sync.read(Buffer.from((await renderPng(figure, options)).png));
  const [red, green, blue] = parseHex(hex);
  const view = options?.view;
  const spec = view === undefined ? figure.spec : fitToView(figure, view).spec;
  const { panel } = figure.drawing.scene(spec) as Scene;
  const scale = width / spec.size.width;
  const places = { x: [] as number[], y: [] as number[] };
  for (let y = 0; y < height; y++) {
    for (let x = Math.ceil(panel.x * scale); x < (panel.x + panel.width) * scale; x++) {
      const at = 4 * (y * width + x);
      if (data[at] !== red || data[at + 1] !== green || data[at + 2] !== blue) continue;
      places.x.push(x);
      places.y.push(y);
    }
  }
  return places;
}

describe('hidden categories', () => {
  const codes = Int16Array.of(0, 0, 0, 1, 1, 2, -1, -1, 2, 0);
  const column = categorical(codes, ['B', 'T', 'NK']);
  const { embedding } = mixture(10, ['a']);
  const parts = { embedding, column, ...common };
  const whole = categoryUmapFigure(parts).spec;

  test('are neither drawn nor in the legend, keep the colours of the others, and are counted', async () => {
    const figure = categoryUmapFigure({ ...parts, shown: { hidden: ['T', 'B', 'T'] } });
    const { spec } = figure;
    expect(spec.groups).toEqual([whole.groups[2]]);
    expect(spec.hidden).toEqual({ groups: 2, cells: 6, missing: 0 });
    expect(spec.summary).toBe('4 cells · 1 group · 6 cells of 2 groups hidden');
    const [{ cellInk }] = layersOf(figure) as [PointLayer];
    expect([...cellInk].map((ink) => ink === undrawnShade)).toEqual(
      [...codes].map((code) => code === 0 || code === 1),
    );
    const svg = await renderSvg(figure);
    expect(svg).toContain('>NK<');
    expect(svg).not.toContain('>T<');
    expect((await placesOf(categoryUmapFigure(parts), whole.groups[0]!.colour)).x.length).toBeGreaterThan(0);
    expect((await placesOf(figure, whole.groups[0]!.colour)).x).toEqual([]);
    expect(summariseFigure(numbersOf(JSON.parse(JSON.stringify(spec)))!)).toContain(
      '4 cells, colored by x: 1 group, and 2 cells (50.0 %) in none.',
    );
  });

  test('can be the cells without a category', async () => {
    const figure = categoryUmapFigure({ ...parts, shown: { hide_missing: true } });
    expect(figure.spec).toMatchObject({ missing: 0, hidden: { groups: 0, cells: 0, missing: 2 } });
    expect(figure.spec.summary).toBe('8 cells · 3 groups · 2 cells without a group hidden');
    expect([...layersOf(figure)[0]!.cellInk].filter((ink) => ink === undrawnShade)).toHaveLength(2);
    expect(await renderSvg(figure)).not.toContain('Not assigned');
    const both = categoryUmapFigure({ ...parts, shown: { hidden: ['NK'], hide_missing: true } }).spec;
    expect(both.summary).toBe('6 cells · 2 groups · 2 cells of 1 group and 2 cells without a group hidden');
  });

  test('are counted among the chosen cells alone, and outside of these the silhouette stays', () => {
    const mask = maskOf([1, 1, 0, 1, 1, 1, 1, 1, 1, 1]);
    const figure = categoryUmapFigure({ ...parts, mask, shown: { hidden: ['B'] } });
    expect(figure.spec.hidden).toEqual({ groups: 1, cells: 3, missing: 0 });
    const [{ cellInk }] = layersOf(figure) as [PointLayer];
    expect([cellInk[0], cellInk[2]]).toEqual([undrawnShade, 0]);
  });

  test('of highlighted ones and of the others are both left out', () => {
    const shown = { hidden: ['T', 'NK'], hide_missing: true };
    const figure = highlightUmapFigure({ ...parts, highlighted: ['B', 'T'], shown });
    expect(figure.spec.groups.map(({ label }) => label)).toEqual(['B']);
    expect(figure.spec).toMatchObject({ others: 0, hidden: { groups: 2, cells: 4, missing: 2 } });
    expect(figure.spec.summary).toBe(
      '4 of 4 cells (100.0 %) · 4 cells of 2 groups and 2 cells without a group hidden',
    );
    const drawnCells = layersOf(figure).flatMap(({ order, cellInk }) =>
      [...order].filter((cell) => cellInk[cell] !== undrawnShade),
    );
    expect(drawnCells.sort((a, b) => a - b)).toEqual([0, 1, 2, 9]);
  });

  test('can be all cells that are not highlighted', async () => {
    const figure = highlightUmapFigure({ ...parts, highlighted: ['B', 'T'], shown: { hide_others: true } });
    expect(figure.spec).toMatchObject({ others: 0, hidden: { groups: 1, cells: 2, missing: 2 } });
    expect(figure.spec.summary).toBe(
      '6 of 6 cells (100.0 %) · 2 cells of 1 group and 2 cells without a group hidden',
    );
    const drawnCells = layersOf(figure).flatMap(({ order, cellInk }) =>
      [...order].filter((cell) => cellInk[cell] !== undrawnShade),
    );
    expect(drawnCells.sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 9]);
    expect(await renderSvg(figure)).not.toContain('Other cells');
  });

  test.each(['category', 'highlight'])('can be the groups that a legend sums up: %s', (kind) => {
    const names = Array.from({ length: 230 }, (_, at) => `g${at}`);
    // Two cells of each of the first 200 groups, one of the others.
    const of = [...names.keys(), ...names.keys()].filter((code, at) => code < 200 || at < 230);
    const many = { ...common, embedding: mixture(of.length, ['a']).embedding };
    const columnOf = categorical(Int16Array.from(of), names);
    const make = (shown: object) =>
      kind === 'category'
        ? categoryUmapFigure({ ...many, column: columnOf, shown })
        : highlightUmapFigure({ ...many, column: columnOf, highlighted: names, shown });
    expect(make({}).spec.rest).toMatchObject({ groups: 30, cells: 30 });
    const figure = make({ hide_rest: true, hidden: ['g7'] });
    expect(figure.spec.rest).toBeUndefined();
    expect(figure.spec.groups).toHaveLength(199);
    expect(figure.spec.hidden).toEqual({ groups: 31, cells: 32, missing: 0 });
    const drawnCells = layersOf(figure as ReturnType<typeof categoryUmapFigure>).flatMap(
      ({ order, cellInk }) =>
        [...order].filter((cell) => cellInk[cell] !== undrawnShade).map((cell) => of[cell]!),
    );
    expect(new Set(drawnCells)).toEqual(
      new Set([...names.keys()].slice(0, 200).filter((code) => code !== 7)),
    );
  });

  test('that the column does not have are refused by name', () => {
    const shown = { hidden: ['B', '<b>'] };
    for (const make of [
      () => categoryUmapFigure({ ...parts, shown }),
      () => highlightUmapFigure({ ...parts, highlighted: ['B'], shown }),
    ]) {
      expect(make).toThrow(
        expect.objectContaining({ field: 'hidden', message: expect.stringContaining('"<b>"') }),
      );
    }
  });
});

describe('a window', () => {
  // Two cells at the corners of the window, one beyond it on each side, and one without a position.
  const values = Float32Array.of(1, 1, 3, 2, -9, 1.5, 2, 50, NaN, 1.5, 3.001, 2);
  const embedding = { name: 'X_umap', dimensions: 2, values };
  const column = categorical(Int16Array.of(0, 1, 2, 2, 2, 2), ['low', 'high', 'beyond']);
  const window = { x: [1, 3], y: [1, 2] } satisfies object as { x: [number, number]; y: [number, number] };
  const figure = categoryUmapFigure({ embedding, column, ...common, shown: { window } });
  const [low, high, beyond] = figure.spec.groups.map(({ colour }) => colour) as [string, string, string];

  test('is the extent of the axes, and the summary says so', () => {
    expect(figure.spec).toMatchObject({ window, extent: window, counts: { cells: 6, inWindow: 2 } });
    expect(figure.spec.summary).toBe(
      '6 cells · 3 groups · 1 without coordinates · part of the map with 2 cells',
    );
    const { spec } = categoryUmapFigure({ embedding, column, ...common });
    expect(spec.extent).toEqual({ x: [-9, expect.closeTo(3.001, 5)], y: [1, 50] });
    expect('window' in spec || 'inWindow' in spec.counts).toBe(false);
  });

  test.each([
    ['a file', undefined],
    ['a file for print', { resolution: 'print' }],
    ['a light view', { view: { width: 600, height: 400, ratio: 1 } }],
    ['a dark view', { view: { width: 600, height: 400, ratio: 1, theme: 'dark' } }],
  ] as const)('shows the cells inside at its corners, and none beyond: %s', async (_, options) => {
    const [lows, highs] = [await placesOf(figure, low, options), await placesOf(figure, high, options)];
    expect(Math.min(...highs.x)).toBeGreaterThan(Math.max(...lows.x));
    expect(Math.max(...highs.y)).toBeLessThan(Math.min(...lows.y));
    // Twice as far apart from left to right as from top to bottom, as in the coordinates.
    const across = Math.min(...highs.x) - Math.min(...lows.x);
    const up = Math.min(...lows.y) - Math.min(...highs.y);
    expect(across / up).toBeCloseTo(2, 1);
    expect((await placesOf(figure, beyond, options)).x).toEqual([]);
  });

  test('leaves out what a gene would paint as ground, and has points for as many cells as it shows', async () => {
    const gene = geneOf(4000, [3], [1]);
    const parts = { embedding: ten.embedding, gene, symbol: 'A', datasetName: 'Lung' };
    const whole = geneUmapFigure(parts);
    const { extent } = whole.spec;
    const middle = (extent.x[0] + extent.x[1]) / 2;
    const left = geneUmapFigure({
      ...parts,
      shown: { window: { x: [extent.x[0], middle], y: [...extent.y] } },
    });
    const expected = ten.embedding.values.filter((x, at) => at % 2 === 0 && x <= middle).length;
    expect(left.spec.counts.inWindow).toBe(expected);
    expect(left.spec.pointRadius).toBeGreaterThan(whole.spec.pointRadius);
    const far = { x: [1000, 1001], y: [0, 1] } as { x: [number, number]; y: [number, number] };
    const none = geneUmapFigure({ ...parts, shown: { window: far } });
    expect((await placesOf(none, none.spec.colours.zero)).x).toEqual([]);
    expect((await placesOf(whole, whole.spec.colours.zero)).x.length).toBeGreaterThan(100);
  });
});

describe('colours by log(1 + x)', () => {
  const cells = Array.from({ length: 700 }, (_, cell) => cell);
  const embedding = mixture(700, ['a']).embedding;
  const counts = cells.map((cell) => (cell === 0 ? 1000 : cell % 40));
  const gene = geneOf(700, cells.slice(0, 60), counts.slice(0, 60));
  const shown = { log: true };
  const geneParts = { embedding, gene, symbol: 'A', datasetName: 'Lung', unit: 'UMI counts', shown };
  const scores = Float64Array.from(counts);
  const obsParts = { embedding, scores, ...common, kind: 'obs-umap', unit: 'depth', shown } as const;

  test('take their shades from the logarithm, and the bar says so in true values', async () => {
    for (const figure of [geneUmapFigure(geneParts), scoreUmapFigure({ ...obsParts, range: [0, 1000] })]) {
      expect(figure.spec).toMatchObject({ log: true, domain: { low: 0, high: 1000 } });
      const { ramp } = figure.spec.colours;
      const [{ cellInk, inks }] = layersOf<CommonSpec, object>(figure as unknown as Figure) as [PointLayer];
      for (const cell of [1, 7, 39, 59]) {
        const place = Math.floor((ramp.length * Math.log(1 + counts[cell]!)) / Math.log(1001));
        expect(inks[cellInk[cell]!]).toBe(ramp[place]);
      }
      expect(inks[cellInk[0]!]).toBe(ramp.at(-1));
      const svg = await renderSvg(figure as unknown as Figure);
      expect(svg).toMatch(/>(UMI counts|depth), log\(1 \+ x\)</);
      const heights = [10, 100].map((tick) => {
        const y = new RegExp(`<text x="[^"]*" y="([^"]*)"[^>]*>${tick}</text>`).exec(svg)?.[1];
        return Number(y);
      }) as [number, number];
      // 210 pixels from 0 to 1,000.
      const apart = (210 * (Math.log(101) - Math.log(11))) / Math.log(1001);
      expect(heights[0] - heights[1]).toBeCloseTo(apart, 1);
    }
  });

  test('are those of the values by default', () => {
    const { shown: _, ...plain } = geneParts;
    expect('log' in geneUmapFigure(plain).spec).toBe(false);
  });

  test.each([
    ['a gene', () => geneUmapFigure({ ...geneParts, gene: geneOf(700, [1, 2], [-0.5, 2]) })],
    ['a column', () => scoreUmapFigure({ ...obsParts, scores: scores.map((value) => value - 1) })],
    ['a range', () => geneUmapFigure({ ...geneParts, range: [-1, 2] })],
  ])('are refused where %s has negative values', (_, make) => {
    expect(make).toThrow(
      expect.objectContaining({ field: 'log', message: expect.stringMatching(/x goes down to −(0.5|1)\.$/) }),
    );
  });

  test('take no notice of negative values of cells that are not chosen', () => {
    const mask = maskOf(cells.map((cell) => (cell === 1 ? 0 : 1)));
    const figure = geneUmapFigure({ ...geneParts, gene: geneOf(700, [1, 2], [-5, 2]), mask });
    expect(figure.spec.domain).toMatchObject({ low: 0, high: 2 });
  });
});

const obsContent = { kind: 'obs-umap', column: 'n' };

test('a column of obs is refused what its values do not have', () => {
  const { embedding, column } = mixture(20, ['a', 'b']);
  const title = 'Column';
  const categories = { title, columnName: 'c', column, palette: 'cluster' as const };
  const numbers = { title, columnName: 'n', scores: new Float64Array(20), unit: 'n' };
  const make = (values: object, setting: object) => () =>
    obsUmap.figure({ embedding, values }, { datasetName: 'Lung', ...setting }, obsContent);
  expect(make(categories, { shown: { log: true } })).toThrow(expect.objectContaining({ field: 'log' }));
  expect(make(categories, { range: [0, 1] })).toThrow(expect.objectContaining({ field: 'range' }));
  expect(make(numbers, { shown: { hidden: ['a'] } })).toThrow(expect.objectContaining({ field: 'hidden' }));
  expect(make(numbers, { shown: { hide_missing: true } })).toThrow(
    expect.objectContaining({ field: 'hidden' }),
  );
  expect(make(numbers, { shown: { log: true }, range: [0, 2] })().spec).toMatchObject({
    kind: 'obs-umap',
    column: 'n',
    domain: { low: 0, high: 2 },
  });
});

test('cells without a number in a column are counted as such, not as unscored', () => {
  const { embedding } = mixture(20, ['a']);
  const scores = new Float64Array(20);
  scores.fill(NaN, 0, 3);
  const values = { title: 'N', columnName: 'n', scores, unit: 'n' };
  const { spec } = obsUmap.figure({ embedding, values }, { datasetName: 'Lung' }, obsContent);
  expect(spec.summary).toBe('17 cells · 3 without a value');
});

test('axes have the numbers that they have in their embedding', () => {
  const embedding = { ...ten.embedding, name: 'X_pca' };
  expect(categoryUmapFigure({ ...ten, embedding }).spec.axes).toEqual(['PC1', 'PC2']);
  const { spec } = categoryUmapFigure({ ...ten, embedding, shown: { axes: [2, 0] } });
  expect(spec).toMatchObject({ embedding: 'X_pca', axes: ['PC3', 'PC1'] });
});

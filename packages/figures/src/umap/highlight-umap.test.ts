import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { parseHex } from '../drawing/colour/oklab.ts';
import {
  FigureInputError,
  categoryUmapFigure,
  highlightUmapFigure,
  renderPng,
  type Figure,
} from '../index.ts';
import { hostileNames, tenTypes, categorical, maskOf, mixture } from '../mixture.test-data.ts';

const datasetName = 'Blood';
const ten = mixture(3000, tenTypes);

function highlight(highlighted: readonly string[], options: { mask?: ReturnType<typeof maskOf> } = {}) {
  return highlightUmapFigure({
    ...ten,
    highlighted,
    title: 'Chosen',
    datasetName,
    palette: 'cell-type',
    ...options,
  });
}

async function pixelsOf(figure: Figure, hex: string): Promise<number> {
  const image = PNG.sync.read(Buffer.from((await renderPng(figure)).png));
  const [red, green, blue] = parseHex(hex);
  let count = 0;
  for (let i = 0; i < image.data.length; i += 4) {
    if ((i / 4) % image.width > 780) continue;
    if (image.data[i] === red && image.data[i + 1] === green && image.data[i + 2] === blue) count++;
  }
  return count;
}

test('chosen cell types have the colours and counts of the figure of all, in its order', () => {
  const all = categoryUmapFigure({ ...ten, title: 'x', datasetName, palette: 'cell-type' }).spec.groups;
  const { spec } = highlight(['Plasma cells', 'CD19+ B', 'Plasma cells']);
  expect(spec.groups).toEqual([
    { ...all[0]!, code: 0 },
    { ...all[8]!, code: 8 },
  ]);
  expect(spec.others).toBe(3000 - all[0]!.cells - all[8]!.cells);
  expect(spec.summary).toMatch(/^\d{3} of 3,000 cells \(\d\d\.\d %\)$/);
});

test('chosen cells are seen in their colours, the others in grey alone', async () => {
  const figure = highlight(['CD56+ NK']);
  const all = categoryUmapFigure({ ...ten, title: 'x', datasetName, palette: 'cell-type' }).spec.groups;
  expect(await pixelsOf(figure, all[7]!.colour)).toBeGreaterThan(500);
  expect(await pixelsOf(figure, figure.spec.colours.others)).toBeGreaterThan(3000);
  expect(await pixelsOf(figure, all[0]!.colour)).toBe(0);
});

test('a chosen cell lies on top of a thousand others on its spot', async () => {
  const values = new Float32Array(2004);
  values.set([5, 5], 2002);
  const codes = new Int16Array(1002);
  codes[0] = 1;
  const figure = highlightUmapFigure({
    embedding: { name: 'X_umap', dimensions: 2, values },
    column: categorical(codes, ['many', 'one']),
    highlighted: ['one'],
    title: 'x',
    datasetName,
  });
  expect(await pixelsOf(figure, figure.spec.groups[0]!.colour)).toBeGreaterThan(10);
  // A rare cell is drawn larger, but not without bounds.
  expect(figure.spec.highlightRadius).toBeCloseTo(2.5 * figure.spec.pointRadius, 2);
});

test('only the cells of the mask are counted and coloured', async () => {
  const mask = maskOf(Array.from(ten.column.codes, (code) => (code < 5 ? 1 : 0)));
  const figure = highlight(['CD19+ B', 'CD56+ NK'], { mask });
  expect(figure.spec.groups.map((group) => group.cells > 0)).toEqual([true, false]);
  expect(figure.spec.groups[0]!.cells + figure.spec.others).toBe(mask.count);
  expect(await pixelsOf(figure, figure.spec.groups[1]!.colour)).toBe(0);
  expect(await pixelsOf(figure, figure.spec.colours.outside)).toBeGreaterThan(1000);
});

test('names that objects know too are only names, and every hostile one can be chosen', () => {
  const names = [...hostileNames, '__proto__', 'constructor'];
  const { embedding, column } = mixture(800, names);
  for (const name of names) {
    const { spec } = highlightUmapFigure({
      embedding,
      column,
      highlighted: [name],
      title: name,
      datasetName,
    });
    expect(spec.groups.map((group) => group.code)).toEqual([names.indexOf(name)]);
  }
});

test.each([
  ['a category that the column does not have', ['CD19+ B', 'toString']],
  ['no category', []],
])('%s is refused with a text that says so', (_, highlighted) => {
  expect(() => highlight(highlighted)).toThrow(FigureInputError);
  expect(() => highlight(highlighted)).toThrow(expect.objectContaining({ field: 'highlighted' }));
});

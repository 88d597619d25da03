import { expect, test } from 'vitest';
import { FigureInputError } from './drawing/checked-input.ts';
import type { Figure } from './drawing/figure.ts';
import { renderPng, renderSvg } from './drawing/render-figure.ts';
import { type Case, cases, figureOfKind } from './every-kind.test-data.ts';
import { hostileNames, maskOf } from './mixture.test-data.ts';
import { plots } from './all-plots.ts';
import { wordsOfFile } from './words-of-file.ts';

const all = [...plots.keys()].flatMap((kind) => cases.map((which) => [kind, which] as const));

function tryFigure(kind: string, which: Case): Figure | undefined {
  try {
    return figureOfKind(kind, which);
  } catch (error) {
    if (which === 'none' && error instanceof FigureInputError) return undefined;
    throw error;
  }
}

test.each(all)(
  'a %s (%s) is read in two sentences with numbers and without names of columns',
  (kind, which) => {
    const figure = tryFigure(kind, which);
    if (figure === undefined) return;
    const { words } = figure.spec;
    const { title, reading, cautions } = words!;
    expect(title).toContain(figure.spec.title);
    expect(title).toContain('Lung');
    expect(reading.match(/[.!?](?=\s|$)/g), reading).toHaveLength(2);
    expect(reading).toMatch(/^[A-Z\d].*\d/);
    expect(reading.length).toBeLessThan(460);
    for (const text of [title, reading, ...cautions]) {
      expect(text).not.toMatch(/NaN|undefined|null|Infinity|\[object|\s[,.;:]| {2}|\n/);
      // A dash stands for a number that is not known.
      expect(text).not.toMatch(/\s–[\s,.);]/);
      expect(text).not.toMatch(/\b[a-z]+_[a-z_]+\b/);
      expect(text).not.toMatch(/\b1 (cells|groups|genes|samples|terms|maps|edges|modules|categories)\b/);
    }
    for (const caution of cautions) expect(caution).toMatch(/\.$/);
  },
);

test.each([...plots.keys()])('a %s of a subset says of which cells in the first of two sentences', (kind) => {
  const mask = maskOf(Array.from({ length: 400 }, (_, cell) => (cell < 320 ? 1 : 0)));
  const { words, datasetName } = figureOfKind(kind, 'usual', { mask, subset: 'my T cells' }).spec;
  expect(words!.reading).toMatch(/^Of (the 320 cells of )?“my T cells”, (the|each) /);
  expect(words!.reading.match(/\b320 cells/g), words!.reading).toHaveLength(1);
  expect(words!.reading.match(/[.!?](?=\s|$)/g), words!.reading).toHaveLength(2);
  expect(datasetName).toBe('Lung · my T cells: 320 of 400 cells');
});

test('a subset of a long name is short in the reading and whole in the title', () => {
  const mask = maskOf(Array.from({ length: 400 }, (_, cell) => (cell < 1 ? 1 : 0)));
  const subset = '<b>' + 'x'.repeat(200);
  const { title, reading } = figureOfKind('gene-umap', 'usual', { mask, subset }).spec.words!;
  expect(reading).toMatch(/^Of “<b>x{76}…”, the UMAP shows 1 cell,/);
  expect(title).toContain(subset);
});

test.each([...plots.keys()])('the files of a %s hold its words', async (kind) => {
  const figure = figureOfKind(kind, 'usual');
  const { words } = figure.spec;
  expect(wordsOfFile((await renderPng(figure)).png)).toEqual(words);
  const view = { width: 400, height: 260, ratio: 1 };
  // A view has one more caution where it has no room for all.
  const inView = wordsOfFile((await renderPng(figure, { view })).png)!;
  const { cautions } = words!;
  expect({ ...inView, cautions: inView.cautions.slice(0, cautions.length) }).toEqual(words);
  for (const caution of inView.cautions.slice(cautions.length))
    expect(caution).toMatch(/^(In this size|Enlarge to see) .*\.$/);
  expect(wordsOfFile(new TextEncoder().encode(await renderSvg(figure, view)))).toEqual(inView);
});

test('words of hostile names are text in both kinds of file', async () => {
  const { spec, ...figure } = figureOfKind('gene-umap', 'usual');
  const words = {
    title: `Map of cells (UMAP): ${hostileNames[1]!}, '${hostileNames[2]!}'`,
    reading: hostileNames.slice(0, 6).join(' & '),
    cautions: ['</desc><script>alert(1)</script>', '&amp; "quoted"'],
  };
  const hostile = { ...figure, spec: { ...spec, words } };
  const svg = await renderSvg(hostile);
  expect(svg).not.toContain('<script');
  expect(wordsOfFile(new TextEncoder().encode(svg))).toEqual(words);
  expect(wordsOfFile((await renderPng(hostile)).png)).toEqual(words);
});

test('a file of another kind, and one that is cut off, has no words', async () => {
  const { png } = await renderPng(figureOfKind('gene-umap', 'usual'));
  expect(wordsOfFile(png.subarray(0, 40))).toBeUndefined();
  expect(wordsOfFile(new TextEncoder().encode('<svg xmlns="x"><title>a</title></svg>'))).toBeUndefined();
  expect(wordsOfFile(new Uint8Array(0))).toBeUndefined();
});

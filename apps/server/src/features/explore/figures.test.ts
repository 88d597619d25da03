import type { FigureContent } from '@cellfolio/contract';
import type { DatasetManifest } from '@cellfolio/store';
import type { Embedding } from '@cellfolio/model';
import { expect, test, beforeAll } from 'vitest';
import { PNG } from 'pngjs';
import type { DrawnFigure } from './draw.ts';
import type { Task } from '../../runtime/compute/task.ts';
import { FigureService } from './figures.ts';
import type { Selection, SubsetFilter } from '../selection/selection.ts';
import { type AnalysisDataset, writeAnalysisDataset } from '../../testing/analysis-dataset.ts';
import { pngSize } from '../../testing/png-size.ts';
import { apiClient } from '../../testing/running-server.ts';
import { type SharedServer, shareTestServer } from '../../testing/shared-server.ts';

const figure: DrawnFigure = {
  bytes: new Uint8Array(100),
  mediaType: 'image/png',
  width: 1,
  height: 1,
  spec: {},
};
const cells = (version = 'v1', subset?: SubsetFilter): Selection => ({
  manifest: { id: 'd', version } as DatasetManifest,
  subset,
});
const gene = (name: string): FigureContent => ({ kind: 'gene-umap', gene: name });
const typed = (cellType: string, name = 'mine'): SubsetFilter => ({
  subset_group_name: name,
  gene_filter: false,
  signature_filter: false,
  cell_type_filter: true,
  patient_metadata_filter: false,
  cells_filter: false,
  cell_type: [cellType],
});
const call = { signal: new AbortController().signal, users: () => [], onProgress: () => undefined };

function service(cacheBytes: number) {
  const drawn: Task[] = [];
  const compute = { threads: 1, run: async (task: Task) => (drawn.push(task), figure) as never };
  let library = 1;
  const inputs = {
    find: async () => ({ gene: { from: 'gene', row: 0 } }) as const,
    version: async () => String(library),
  };
  const masks = { maskOf: async () => undefined };
  return {
    drawn,
    figures: new FigureService({ compute, inputs, masks }, cacheBytes),
    replaceLibrary: () => (library += 1),
  };
}

test('identical concurrent figures are drawn once, and later ones come from the cache', async () => {
  const { drawn, figures } = service(1_000_000);
  await Promise.all([1, 2].map(() => figures.draw(cells(), gene('A'), call)));
  await figures.draw(cells(), gene('A'), call);
  expect(drawn).toHaveLength(1);
});

test('another gene, kind, format, dataset version or subset is another figure', async () => {
  const { drawn, figures } = service(1_000_000);
  await figures.draw(cells(), gene('A'), call);
  await figures.draw(cells(), gene('B'), call);
  await figures.draw(cells(), { kind: 'gene-violin', gene: 'A' }, call);
  await figures.draw(cells(), gene('A'), call, { format: 'svg' });
  await figures.draw(cells('v2'), gene('A'), call);
  await figures.draw(cells('v1', typed('T cell')), gene('A'), call);
  await figures.draw(cells('v1', typed('B cell')), gene('A'), call);
  expect(drawn).toHaveLength(7);
});

test('another size, ratio, theme, range or format is another figure, the same is the same', async () => {
  const { drawn, figures } = service(1_000_000);
  const view = { width: 480, height: 240, ratio: 2, theme: 'light', whole: false } as const;
  const renditions = [
    { format: 'png' },
    { format: 'json' },
    { format: 'json', theme: 'dark' },
    { format: 'png', view },
    { format: 'png', view: { ...view, width: 496 } },
    { format: 'png', view: { ...view, height: 256 } },
    { format: 'png', view: { ...view, ratio: 1 } },
    { format: 'png', view: { ...view, theme: 'dark' } },
    { format: 'png', view: { ...view, whole: true } },
    { format: 'svg', view },
    { format: 'svg' },
    { format: 'png', view, range: [0, 6.2] },
    { format: 'png', range: [0, 6.2] },
    { format: 'png', range: [0, 6.3] },
    { format: 'png', order: ['B', 'T'] },
    { format: 'png', order: ['T', 'B'] },
    { format: 'png', shown: { log: true } },
    { format: 'png', shown: { split: 'B' } },
    { format: 'png', shown: { hidden: ['B'] } },
    { format: 'png', shown: { hidden: ['B', 'T'] } },
    { format: 'png', shown: { window: { x: [0, 1], y: [0, 1] } } },
    { format: 'png', shown: { window: { x: [0, 1], y: [0, 2] } } },
    { format: 'png', shown: { embedding: 'X_pca', axes: [0, 2] } },
  ] as const;
  for (const rendition of [...renditions, ...renditions]) {
    await figures.draw(cells(), gene('A'), call, rendition);
  }
  expect(drawn).toMatchObject(renditions);
  expect(drawn).toHaveLength(renditions.length);
});

test('a card is drawn before the files that others save, whatever its format', async () => {
  const { drawn, figures } = service(0);
  const view = { width: 480, height: 240, ratio: 1, theme: 'light', whole: false } as const;
  for (const rendition of [{ format: 'png' }, { format: 'svg', view }, { format: 'svg' }] as const) {
    await figures.draw(cells(), gene('A'), call, rendition);
  }
  expect(drawn.map((task) => task.isLong)).toEqual([false, false, true]);
});

test('a figure names its subset, so another name is another figure', async () => {
  const { drawn, figures } = service(1_000_000);
  await figures.draw(cells('v1', typed('T cell', 'first')), gene('A'), call);
  await figures.draw(cells('v1', typed('T cell', 'second')), gene('A'), call);
  expect(drawn).toHaveLength(2);
  expect(drawn).toMatchObject([{ subset: 'first' }, { subset: 'second' }]);
});

test('a figure of a library that was replaced is drawn again', async () => {
  const { drawn, figures, replaceLibrary } = service(1_000_000);
  const content: FigureContent = {
    kind: 'score-umap',
    of: 'cell-state',
    cell_state: 'HYPOXIA',
    minimum_genes: 3,
  };
  await figures.draw(cells(), content, call);
  replaceLibrary();
  await figures.draw(cells(), content, call);
  await figures.draw(cells(), content, call);
  expect(drawn).toHaveLength(2);
});

test('without a cache every figure is drawn again', async () => {
  const { drawn, figures } = service(0);
  await figures.draw(cells(), gene('A'), call);
  await figures.draw(cells(), gene('A'), call);
  expect(drawn).toHaveLength(2);
});

const id = 'analysis.h5ad';
const withComponents = 'components.h5ad';
/** Three dimensions: the cell's index, minus ten times the index, and always 4. */
const slope: Embedding = {
  name: 'X_slope',
  dimensions: 3,
  values: Float32Array.from({ length: 3 * 240 }, (_, at) => {
    const cell = Math.floor(at / 3);
    return [cell, -10 * cell, 4][at % 3]!;
  }),
};
let server: SharedServer;
let api: ReturnType<typeof apiClient>;
let written: AnalysisDataset;

beforeAll(async () => {
  server = await shareTestServer(async ({ objectRoot }) => {
    written = await writeAnalysisDataset(objectRoot, id, [slope]);
    await writeAnalysisDataset(objectRoot, withComponents, [{ ...slope, name: 'X_pca' }]);
  });
  api = apiClient(server, await server.signIn('standard'), 'views');
});

const genes = ['GENE1'];
const contents = [
  { kind: 'category-umap' },
  { kind: 'gene-umap', gene: 'GENE1' },
  { kind: 'gene-violin', gene: 'GENE1' },
  { kind: 'score-umap', of: 'signature', score_name: 'mine', genes },
  { kind: 'score-violin', of: 'signature', score_name: 'mine', genes },
  { kind: 'highlight-umap', of: 'cell-type', cell_type: 'T cell' },
  { kind: 'obs-umap', column: 'depth' },
  { kind: 'obs-umap', column: 'cell_type' },
  { kind: 'dot-plot', groupby: 'cell_type', n_genes: 3 },
  { kind: 'gene-dot-plot', genes: ['GENE1', 'GENE11', 'GENE21'], order: 'dendrogram' },
  { kind: 'embedding-density', by: { column: 'patient' } },
] as const;
const render = (content: object, rest: object = {}) =>
  api.post('/api/render-figure', { source: { dataset_filename: id, content }, ...rest });
const pixels = ({ body }: { body: Uint8Array }) => PNG.sync.read(Buffer.from(body));

test.each(contents)(
  'a figure of the kind $kind is drawn in the size, ratio and theme of a view',
  async (content) => {
    const view = { width: 320, height: 192, ratio: 1.5, theme: 'dark' };
    const response = await render(content, { view });
    expect(response.headers.get('content-encoding')).toBeNull();
    const { width, height, data } = pixels(response);
    expect([width, height]).toEqual([480, 288]);
    expect([...data.subarray(0, 3)]).toEqual([0x16, 0x19, 0x1f]);
    const light = pixels(await render(content, { view: { ...view, theme: 'light', ratio: 1 } }));
    expect([light.width, light.height, ...light.data.subarray(0, 3)]).toEqual([320, 192, 255, 255, 255]);
  },
);

test('a figure is drawn for its place as an SVG too, of the size and theme of the view, and sent compressed', async () => {
  const view = { width: 320, height: 192, theme: 'dark' };
  for (const content of contents) {
    const { status, headers, body } = await render(content, { format: 'svg', view });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toContain('image/svg+xml');
    expect(headers.get('content-encoding')).toMatch(/^(br|gzip)$/);
    const svg = Buffer.from(body).toString();
    expect(svg).toMatch(/^<svg [^>]*width="320" height="192"/);
    expect(svg).toContain('fill="#16191f"');
    expect(svg.includes('<image ')).toBe(/-umap$|-density$/.test(content.kind));
  }
});

test.each([
  [{ kind: 'default-umap' }, { kind: 'category-umap' }],
  [
    { kind: 'signature-violin', score_name: 'mine', genes },
    { kind: 'score-violin', of: 'signature', score_name: 'mine', genes },
  ],
])('a source that was kept as %j is drawn as the figure of today', async (oldContent, content) => {
  const [before, now] = [await render(oldContent), await render(content)];
  expect(before.status).toBe(200);
  expect(Buffer.compare(Buffer.from(before.body), Buffer.from(now.body))).toBe(0);
});

test('a view changes nothing in files that are requested without one', async () => {
  for (const content of contents) {
    const before = await render(content);
    await render(content, { view: { width: 320, height: 192, theme: 'dark' } });
    expect(Buffer.compare(Buffer.from(before.body), Buffer.from((await render(content)).body))).toBe(0);
  }
});

test.each([
  [{ view: { width: 119, height: 200 } }, 'at least 120 CSS pixels'],
  [{ view: { width: 200, height: 4097 } }, 'at most 4096 CSS pixels'],
  [{ view: { width: 1e9, height: 1e9 } }, 'at most 4096 CSS pixels'],
  [{ view: { width: 200, height: 200, ratio: 0 } }, '1 to 4 device pixels'],
  [{ view: { width: 200, height: 200, ratio: 5 } }, '1 to 4 device pixels'],
  [{ view: { width: 4096, height: 4096 } }, 'at most 8 million device pixels'],
  [{ view: { width: 1000, height: 1000, ratio: 4 } }, 'at most 8 million device pixels'],
  [{ view: { width: 200, height: 200, theme: 'sepia' } }, '"light", "dark"'],
  [{ view: { width: 200, height: 200 }, format: 'png-300dpi' }, '"png" or "svg"'],
  [{ view: { width: 200, height: 200 }, format: 'json' }, '"png" or "svg"'],
  [{ file: { width_mm: 29 } }, '30 to 420 mm'],
  [{ file: { title: ' ' } }, 'file.title'],
  [{ file: {}, view: { width: 200, height: 200 } }, 'give either "view" or "file"'],
  [{ theme: 'dark' }, 'format "json"'],
  [{ theme: 'sepia', format: 'json' }, '"light", "dark"'],
  [{ range: [1, 1] }, 'rises from its first number'],
  [{ range: [2, 1] }, 'rises from its first number'],
  [{ range: [0, null] }, 'a number'],
])('the figure %j is refused with what to send', async (rest, words) => {
  const answer = await render({ kind: 'gene-umap', gene: 'GENE1' }, rest);
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  expect(answer.body.message).toContain(words);
});

test('the spec alone gives the sizes of the files that are drawn of it', async () => {
  const wide = { kind: 'gene-dot-plot', genes: Array.from({ length: 40 }, (_, at) => `GENE${at + 1}`) };
  for (const content of [...contents, wide]) {
    const { files } = (await render(content, { format: 'json' })).body;
    for (const format of ['png', 'png-300dpi'] as const) {
      const { width, height } = pngSize((await render(content, { format })).body);
      expect({ kind: content.kind, format, ...files[format] }).toEqual({
        kind: content.kind,
        format,
        width,
        height,
      });
    }
    const svg = Buffer.from((await render(content, { format: 'svg' })).body).toString();
    expect(svg).toContain(`width="${files.svg.width}" height="${files.svg.height}"`);
  }
});

test.each(['gene-umap', 'gene-violin'] as const)(
  'a file of a %s has the requested title block and width, in every format',
  async (kind) => {
    const content = { kind, gene: 'GENE1' };
    const svgOf = async (file?: object) =>
      Buffer.from((await render(content, { format: 'svg', ...(file && { file }) })).body).toString();
    const [own, titled, bare, narrow] = await Promise.all([
      svgOf(),
      svgOf({ title: 'Figure 2a' }),
      svgOf({ title_block: false }),
      svgOf({ width_mm: 89 }),
    ]);
    const textsOf = (svg: string) => Array.from(svg.matchAll(/<text[^>]*>([^<]*)</g), ([, text]) => text);
    expect(textsOf(own!)[0]).toBe('GENE1');
    expect(textsOf(titled!)[0]).toBe('Figure 2a');
    expect(textsOf(titled!).slice(1)).toEqual(textsOf(own!).slice(1));
    expect(textsOf(bare!)).toEqual(textsOf(own!).slice(3));
    expect(narrow).toMatch(/^<svg [^>]*width="89mm"/);
    const png = (await render(content, { format: 'png-300dpi', file: { width_mm: 89 } })).body;
    expect(pngSize(png).width).toBe(Math.round((89 / 25.4) * 300));
    const answer = await render(content, { format: 'pdf', file: { width_mm: 89 } });
    expect(answer.headers.get('content-type')).toBe('application/pdf');
    const pdf = Buffer.from(answer.body).toString('latin1');
    const [, width] = /MediaBox \[0 0 ([\d.]+)/.exec(pdf)!;
    expect(Number(width)).toBeCloseTo((89 / 25.4) * 72, 2);
    const { files } = (await render(content, { format: 'json', file: { width_mm: 89 } })).body;
    expect(files.pdf.width).toBe(89);
    expect(files['png-300dpi']).toEqual(pngSize(png));
  },
);

test('the spec alone gives the range, with which the figure is drawn again', async () => {
  for (const kind of ['gene-umap', 'gene-violin'] as const) {
    const content = { kind, gene: 'GENE1' };
    const { body: spec, headers } = await render(content, { format: 'json' });
    expect(headers.get('content-type')).toContain('application/json');
    const high: number = kind === 'gene-umap' ? spec.domain.high : spec.domain[1];
    expect(high).toBeGreaterThan(0);
    expect(spec).toMatchObject({ kind, unit: expect.any(String) });
    const { body: wide } = await render(content, { format: 'json', range: [0, 2 * high] });
    expect(wide.range).toEqual([0, 2 * high]);
    expect(wide.summary).toContain('scale set to 0 to');
    const svg = new TextDecoder().decode(
      (await render(content, { format: 'svg', range: [0, 2 * high] })).body,
    );
    expect(svg).toContain('scale set to 0 to');
    const [own, common] = await Promise.all([render(content), render(content, { range: [0, 2 * high] })]);
    expect(Buffer.compare(Buffer.from(own.body), Buffer.from(common.body))).not.toBe(0);
  }
});

test.each([
  [contents[0], ['missing', 'outside']],
  [contents[1], ['outside', 'ramp', 'zero']],
  [contents[2], []],
  [contents[3], ['outside', 'ramp']],
  [contents[4], []],
  [contents[5], ['others', 'outside']],
  [contents[6], ['outside', 'ramp']],
  [contents[7], ['missing', 'outside']],
  [contents[8], ['ramp']],
])('the spec of %j has other colours in dark, and is else the same', async (content, changed) => {
  const { body: plain } = await render(content, { format: 'json' });
  const { body: light } = await render(content, { format: 'json', theme: 'light' });
  const { body: dark } = await render(content, { format: 'json', theme: 'dark' });
  expect(light).toEqual(plain);
  const { colours = {}, ...rest } = dark;
  const { colours: lightColours = {}, ...lightRest } = plain;
  expect(rest).toEqual(lightRest);
  const others = Object.keys(colours).filter((name) => String(colours[name]) !== String(lightColours[name]));
  expect(others.sort()).toEqual(changed);
});

test.each([
  [{ kind: 'category-umap' }, { column: 'cell_type' }],
  [{ kind: 'highlight-umap', of: 'cluster', leiden_clusters: ['1'] }, { column: 'leiden' }],
  [{ kind: 'obs-umap', column: 'patient' }, { column: 'patient' }],
  [{ kind: 'obs-umap', column: 'depth' }, { column: 'depth' }],
  [{ kind: 'gene-umap', gene: 'gene1' }, { symbol: 'GENE1' }],
])('the spec of %j names what was drawn as the dataset does', async (content, names) => {
  const { body: spec } = await render(content, { format: 'json' });
  expect(spec).toMatchObject({ ...names, embedding: 'X_umap' });
});

test('a dendrogram is of the principal components where the dataset has them, else of the genes', async () => {
  const content = { kind: 'matrix-plot', genes: ['GENE1', 'GENE11', 'GENE21'], order: 'dendrogram' };
  const specOf = async (dataset: string) =>
    (await render(content, { format: 'json', source: { dataset_filename: dataset, content } })).body;
  const ofGenes = await specOf(id);
  expect(ofGenes).toMatchObject({ dendrogram: { dimensions: 3 } });
  expect(ofGenes).not.toHaveProperty('dendrogram.embedding');
  expect(await specOf(withComponents)).toMatchObject({
    dendrogram: { embedding: 'X_pca', dimensions: 3 },
    summary: expect.stringContaining('rows by a dendrogram of principal components'),
  });
});

test('densities are drawn on the requested embedding, and say which cells are dense', async () => {
  const content = { kind: 'embedding-density', by: { column: 'some' } };
  const { body: spec } = await render(content, { format: 'json' });
  expect(spec).toMatchObject({ embedding: 'X_umap', title: 'Density by Some', groupCount: 3 });
  expect(
    spec.groups.map(({ label, cells, problem }: Record<string, unknown>) => [label, cells, problem]),
  ).toEqual([
    // Every second cell of a circle.
    ['first', 120, 'even'],
    ['second', 119, undefined],
    ['lone', 1, 'few'],
  ]);
  expect(spec.groups[1].among).toHaveLength(3);
  const other = await render(content, { format: 'json', shown: { embedding: 'X_slope', axes: [0, 2] } });
  // Its third axis is the same for all cells.
  expect(other.body).toMatchObject({ embedding: 'X_slope', groups: [{ problem: 'singular' }, {}, {}] });
  const refused = await render(content, { shown: { hidden: ['first'] } });
  expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  expect(await render(content, { range: [0, 1] })).toMatchObject({
    status: 422,
    body: { code: 'not_drawable' },
  });
});

test('a range is refused for a figure that shows none', async () => {
  const answer = await render({ kind: 'category-umap' }, { range: [0, 1] });
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  expect(answer.body.message).toContain('no range of values');
});

test('a UMAP by a column of obs shows its categories as cell types are shown, or its numbers', async () => {
  const { body: types } = await render({ kind: 'category-umap' }, { format: 'json' });
  const { body: named } = await render({ kind: 'obs-umap', column: 'cell_type' }, { format: 'json' });
  // The column is called by its name, not by its part.
  const words = {
    ...types.words,
    title: types.words.title.replace('Cell type', 'Cell Type'),
    reading: types.words.reading.replace('Cell type', 'Cell Type'),
  };
  expect(words.reading).toContain('colored by Cell Type');
  expect(named).toEqual({ ...types, title: 'Cell Type', words });
  const { body: depth } = await render({ kind: 'obs-umap', column: 'depth' }, { format: 'json' });
  expect(depth).toMatchObject({
    kind: 'obs-umap',
    title: 'Depth',
    unit: 'Depth',
    domain: { min: 1, max: 1 },
  });
});

test('a UMAP by a column that the dataset does not have is refused with its name', async () => {
  const answer = await render({ kind: 'obs-umap', column: '<b>no</b>' });
  expect(answer).toMatchObject({ status: 400, body: { code: 'column_not_found' } });
  expect(answer.body.message).toContain('<b>no</b>');
});

const types = { kind: 'category-umap' };
const gene1 = { kind: 'gene-umap', gene: 'GENE1' };
const depth = { kind: 'obs-umap', column: 'depth' };

test('a map can be drawn on another embedding, and on other axes of it', async () => {
  const specOf = async (shown: object) => (await render(types, { format: 'json', shown })).body;
  expect(await specOf({ embedding: 'X_slope' })).toMatchObject({
    embedding: 'X_slope',
    axes: ['SLOPE1', 'SLOPE2'],
    extent: { x: [0, 239], y: [-2390, 0] },
  });
  expect(await specOf({ embedding: 'X_slope', axes: [2, 0] })).toMatchObject({
    axes: ['SLOPE3', 'SLOPE1'],
    extent: { x: [4, 4], y: [0, 239] },
  });
  expect(await specOf({ axes: [1, 0] })).toMatchObject({ embedding: 'X_umap', axes: ['UMAP2', 'UMAP1'] });
  const plain = await render(types);
  const turned = await render(types, { shown: { axes: [1, 0] } });
  expect(Buffer.compare(Buffer.from(plain.body), Buffer.from(turned.body))).not.toBe(0);
});

test.each([
  ['png', undefined],
  ['png-300dpi', undefined],
  ['svg', undefined],
  ['png', { width: 400, height: 300, theme: 'dark' }],
])('a figure as %s (view %j) leaves out what its spec says', async (format, view) => {
  const shown = { hidden: ['T cell'], window: { x: [-0.5, 1], y: [-1, 1] } };
  const { body: spec } = await render(types, { format: 'json', shown });
  expect(spec).toMatchObject({
    extent: shown.window,
    window: shown.window,
    hidden: { groups: 1, cells: 80, missing: 0 },
    // Two thirds of the circle have an x of at least -0.5.
    counts: { cells: 240, inWindow: 161 },
  });
  expect(spec.groups.map(({ label }: { label: string }) => label)).not.toContain('T cell');
  const renderBytes = async (rest: object) =>
    Buffer.from((await render(types, { format, view, ...rest })).body);
  const [all, part] = [await renderBytes({}), await renderBytes({ shown })];
  expect(Buffer.compare(all, part)).not.toBe(0);
  if (format !== 'svg') return;
  expect(all.toString()).toContain('>T cell<');
  expect(part.toString()).not.toContain('>T cell<');
  expect(part.toString()).toContain('80 cells of 1 group hidden · part of the map with 161 cells');
});

test('the spec reports colours by log(1 + x), and the range of a column of numbers', async () => {
  const { body } = await render(depth, { format: 'json', shown: { log: true }, range: [0, 9] });
  expect(body).toMatchObject({ log: true, range: [0, 9], domain: { low: 0, high: 9 } });
  expect((await render(gene1, { format: 'json', shown: { log: true } })).body.log).toBe(true);
});

const from0 = [0, 1];
test.each([
  [types, { hidden: ['B cell', '<b>no</b>'] }, 422, 'not_drawable', '<b>no</b>'],
  [types, { log: true }, 400, 'invalid_request', 'log(1 + x)'],
  [{ kind: 'obs-umap', column: 'patient' }, { log: true }, 422, 'not_drawable', 'no logarithm'],
  [depth, { hidden: ['1'] }, 422, 'not_drawable', 'no categories'],
  [gene1, { hidden: ['B cell'] }, 400, 'invalid_request', 'no categories'],
  [gene1, { hide_missing: true }, 400, 'invalid_request', 'no categories'],
  [types, { hide_others: true }, 400, 'invalid_request', 'highlights'],
  [{ kind: 'gene-violin', gene: 'GENE1' }, { log: true }, 400, 'invalid_request', 'Only a UMAP'],
  [{ kind: 'dot-plot', groupby: 'cell_type' }, {}, 400, 'invalid_request', 'Only a UMAP'],
  [types, { window: { x: [1, 1], y: from0 } }, 400, 'invalid_request', 'rises from its first number'],
  [types, { window: { x: [2, 1], y: from0 } }, 400, 'invalid_request', 'rises from its first number'],
  [types, { window: { x: from0, y: [-1.7e308, 1.7e308] } }, 400, 'invalid_request', 'rises from its first'],
  [types, { window: { x: from0 } }, 400, 'invalid_request', 'window'],
  [types, { window: { x: [0, null], y: from0 } }, 400, 'invalid_request', 'a number'],
  [types, { hidden: new Array(5001).fill('x') }, 400, 'invalid_request', '5,000'],
  [types, { embedding: 'X_no' }, 400, 'column_not_found', '"X_no"'],
  [types, { embedding: 'X_slope', axes: [0, 3] }, 400, 'column_not_found', '3 dimensions'],
  [types, { axes: [0, 2] }, 400, 'column_not_found', '2 dimensions'],
  [types, { axes: [1, 1] }, 400, 'invalid_request', 'two different axes'],
])('of %j showing %j is refused with the reason', async (content, shown, status, code, words) => {
  const answer = await render(content, { shown });
  expect(answer).toMatchObject({ status, body: { code } });
  expect(answer.body.message).toContain(words);
});

test('a range is refused for a column of categories', async () => {
  const answer = await render({ kind: 'obs-umap', column: 'patient' }, { range: [0, 1] });
  expect(answer).toMatchObject({ status: 422, body: { code: 'not_drawable' } });
  expect(answer.body.message).toContain('no range of values');
});

const violin = { kind: 'violin', of: { measure: 'gene', gene: 'GENE1' } };

test('a violin has points and the means of the samples of a column', async () => {
  const { body } = await render({ ...violin, points: true, samples: 'patient' }, { format: 'json' });
  expect(body.summary).toContain('all 240 cells as points · 9 dots: means of 3 samples');
  const [first] = body.groups;
  const cells = Array.from({ length: 80 }, (_, cell) => cell).filter(
    (cell) => written.patient(cell) === 'P2',
  );
  expect(first.samples[1]).toMatchObject({ label: 'P2', cells: cells.length });
  const sum = cells.reduce((total, cell) => total + written.expression[0]![cell]!, 0);
  expect(first.samples[1].mean).toBeCloseTo(sum / cells.length, 6);
});

test('a score is measured by any column, alone and against a gene, with its cautions', async () => {
  const of = {
    measure: 'score',
    score: { of: 'signature', score_name: 'mine', genes: ['GENE1', 'GENE2', 'GENE3'] },
  };
  const { body: violins } = await render(
    { kind: 'violin', of, by: { column: 'patient' } },
    { format: 'json' },
  );
  expect(violins).toMatchObject({ kind: 'violin', title: 'mine', groupTitle: 'Patient' });
  expect(violins.groups.map(({ label }: { label: string }) => label)).toEqual(['P1', 'P2', 'P3']);
  const { body: old } = await render({ kind: 'score-violin', ...of.score }, { format: 'json' });
  const { body: byType } = await render({ kind: 'violin', of }, { format: 'json' });
  expect(byType.groups.map(({ mean }: { mean: number }) => mean)).toEqual(
    old.groups.map(({ mean }: { mean: number }) => mean),
  );
  expect(byType.cautions).toEqual(old.cautions);
  const { body: scatter } = await render({ kind: 'gene-scatter', x: 'GENE1', y: of }, { format: 'json' });
  expect(scatter).toMatchObject({ title: 'mine against GENE1', cells: 240 });
  expect(scatter.pearson).toBeGreaterThan(0.3);
});

test('quality is drawn of the columns that are named', async () => {
  const content = { kind: 'quality', columns: ['depth'], by: { column: 'patient' } };
  const { body } = await render(content, { format: 'json' });
  expect(body.groups).toHaveLength(3);
  expect(body.measures).toMatchObject([{ column: 'depth', log: false, domain: [1, 1] }]);
  expect(await render({ ...content, columns: ['patient'] })).toMatchObject({
    status: 422,
    body: { code: 'not_drawable', message: expect.stringContaining('categories') },
  });
  expect(await render(content, { range: [0, 1] })).toMatchObject({ status: 400 });
});

test('groups come in the requested order, and other figures have none', async () => {
  const order = ['T cell', 'B cell'];
  const labels = async (rest: object) =>
    (await render(violin, { format: 'json', ...rest })).body.groups.map(
      ({ label }: { label: string }) => label,
    );
  expect((await labels({ order })).slice(0, 2)).toEqual(order);
  expect((await labels({}))[0]).toBe('B cell');
  const refused = await render(types, { order });
  expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  expect(refused.body.message).toContain('no groups that could be put in an order');
  expect(await render(violin, { order: new Array(501).fill('x') })).toMatchObject({ status: 400 });
});

test('a map is split into one of each category, with one scale, in every format', async () => {
  const shown = { split: 'patient' };
  const { body } = await render(gene1, { format: 'json', shown });
  expect(body.split).toEqual({
    title: 'Patient',
    parts: ['P1', 'P2', 'P3'].map((label) => ({ label, cells: 80 })),
    partCount: 3,
  });
  const { body: whole } = await render(gene1, { format: 'json' });
  expect(body.domain).toEqual(whole.domain);
  const svg = Buffer.from((await render(gene1, { format: 'svg', shown })).body).toString();
  for (const label of ['P1', 'P2', 'P3']) expect(svg).toContain(`>${label}<`);
  const png = async (rest: object) => Buffer.from((await render(gene1, rest)).body);
  expect(Buffer.compare(await png({ shown }), await png({}))).not.toBe(0);
  expect(await render(gene1, { shown: { split: '<b>no</b>' } })).toMatchObject({
    status: 400,
    body: { code: 'column_not_found' },
  });
  expect(await render(violin, { shown })).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
});

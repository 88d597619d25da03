import { type CategoryColumn, decodeColumn } from '@cellfolio/columns';
import type { ColumnCategories, FigureSource } from '@cellfolio/contract';
import type { Column } from '@cellfolio/model';
import { removeDataset } from '@cellfolio/store';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { hostile, writeAnalysisDataset } from '../../testing/analysis-dataset.ts';
import { apiClient } from '../../testing/running-server.ts';
import { type SharedServer, shareTestServer } from '../../testing/shared-server.ts';
import { categorical, writeTestDataset } from '../../testing/write-test-dataset.ts';

const id = 'analysis.h5ad';
const replaced = 'replaced.h5ad';
let server: SharedServer;
let ada: ReturnType<typeof apiClient>;
let eve: ReturnType<typeof apiClient>;

beforeAll(async () => {
  server = await shareTestServer(async ({ objectRoot }) => {
    await writeAnalysisDataset(objectRoot, id);
    await writeReplaced(objectRoot, ['a', 'b', 'c']);
  });
  ada = apiClient(server, await server.signIn('standard'), 'displays');
  eve = apiClient(server, await server.signIn('professional'), 'displays');
  await ada.get(`/api/dataset_analysis/${id}`);
  await eve.get(`/api/dataset_analysis/${id}`);
});
afterEach(async () => {
  for (const column of ['cell_type', 'leiden', 'patient', 'flag']) await reset(column);
});

function writeReplaced(root: Parameters<typeof writeTestDataset>[0], types: readonly string[]) {
  const cellCount = 10 * types.length;
  return writeTestDataset(root, replaced, {
    cellCount,
    obs: new Map<string, Column>([
      ['type', categorical(types, cellCount, (cell) => cell % types.length)],
      ['flag', { kind: 'boolean', values: Uint8Array.from({ length: cellCount }, (_, cell) => cell % 2) }],
    ]),
    genes: [{ name: 'GENE1', cells: Int32Array.of(0), values: Float32Array.of(1) }],
    embeddings: [],
    catalogue: { name: 'Replaced' },
    roles: { cellType: 'type', metadata: {} },
  });
}

const pathOf = (column: string, dataset = id) => `/api/datasets/${dataset}/category-displays/${column}`;
async function shown(column: string, { api = ada, dataset = id } = {}): Promise<ColumnCategories> {
  const { status, body } = await api.get(pathOf(column, dataset));
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
}
async function reset(column: string, dataset = column === 'flag' ? replaced : id) {
  const { revision, own } = await shown(column, { dataset });
  if (!own) return;
  const { status } = await ada.send('DELETE', `${pathOf(column, dataset)}?revision=${revision}`);
  expect(status).toBe(200);
}
type Category = string | { name: string; colour?: string; label?: string };
async function show(
  column: string,
  categories: readonly Category[],
  dataset = id,
): Promise<ColumnCategories> {
  const { revision } = await shown(column, { dataset });
  const { status, body } = await ada.send('PUT', pathOf(column, dataset), {
    revision,
    categories: categories.map((one) => (typeof one === 'string' ? { name: one } : one)),
  });
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
}
const named = ({ categories }: ColumnCategories) => categories.map(({ name }) => name);

interface Spec {
  groups: { label: string; colour: string; code?: number; name?: string }[];
}
async function render(
  content: FigureSource['content'],
  { api = ada, displays }: { api?: typeof ada; displays?: FigureSource['displays'] } = {},
): Promise<Spec> {
  const source = { dataset_filename: id, content, ...(displays && { displays }) };
  const { status, body } = await api.post('/api/render-figure', { source, format: 'json' });
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
}
const of = (one: ColumnCategories) => [{ column: one.column, revision: one.revision }];

test('a column begins as the dataset has it, with the colours that figures give it', async () => {
  const leiden = await shown('leiden');
  expect(leiden).toMatchObject({ column: 'leiden', title: 'Leiden', revision: 0, own: false });
  expect(leiden.categories.map(({ name, cells, place }) => [name, cells, place])).toEqual([
    ['0', 60, 0],
    ['1', 60, 1],
    ['2', 60, 2],
    ['3', 60, 3],
  ]);
  const { groups } = await render({ kind: 'obs-umap', column: 'leiden' });
  expect(groups.map(({ colour }) => colour)).toEqual(leiden.categories.map(({ colour }) => colour));
});

test('a new order moves the categories in figures, and each keeps its colour', async () => {
  const before = await shown('leiden');
  const after = await show('leiden', ['3', '1', '0', { name: '2', colour: '#0000FF' }]);
  expect(after).toMatchObject({ revision: before.revision + 1, own: true });
  const colours = new Map(before.categories.map(({ name, colour }) => [name, colour])).set('2', '#0000ff');
  const inOrder = ['3', '1', '0', '2'].map((label) => ({ label, colour: colours.get(label) }));
  const contents: FigureSource['content'][] = [
    { kind: 'obs-umap', column: 'leiden' },
    { kind: 'violin', of: { measure: 'gene', gene: 'GENE1' }, by: { column: 'leiden' } },
    { kind: 'ridge', of: { measure: 'gene', gene: 'GENE1' }, by: { column: 'leiden' } },
    { kind: 'stacked-violin', genes: ['GENE1'], by: { column: 'leiden' } },
  ];
  for (const content of contents) {
    const { groups } = await render(content, { displays: of(after) });
    expect(groups, content.kind).toMatchObject(inOrder);
    const own = await render(content);
    expect(own.groups.map(({ label }) => label)).toEqual(['0', '1', '2', '3']);
  }
  for (const kind of ['gene-dot-plot', 'matrix-plot', 'heatmap'] as const) {
    const content = { kind, genes: ['GENE1', 'GENE2'], by: { column: 'leiden' } } as FigureSource['content'];
    const { groups } = await render(content, { displays: of(after) });
    expect(
      groups.map(({ label }) => label),
      kind,
    ).toEqual(['3', '1', '0', '2']);
  }
});

test('moving categories changes none of the numbers of a figure', async () => {
  const after = await show('leiden', ['3', '1', '0', '2']);
  const content: FigureSource['content'] = {
    kind: 'gene-dot-plot',
    genes: ['GENE1', 'GENE11'],
    by: { column: 'leiden' },
    scale: 'none',
    order: 'column',
  };
  const own = (await render(content)) as Spec & { mean: number[]; fraction: number[] };
  const moved = (await render(content, { displays: of(after) })) as typeof own;
  const order = [3, 1, 0, 2];
  for (const part of ['mean', 'fraction'] as const) {
    expect(moved[part]).toEqual(order.flatMap((at) => own[part].slice(2 * at, 2 * at + 2)));
  }
});

test('the legend of a live map follows, while its cells keep the codes of the dataset', async () => {
  const after = await show('leiden', ['3', '1', '0', '2']);
  const { groups } = await render({ kind: 'obs-umap', column: 'leiden' }, { displays: of(after) });
  expect(groups.map(({ label, code }) => [label, code])).toEqual([
    ['3', 3],
    ['1', 1],
    ['0', 0],
    ['2', 2],
  ]);
  const bytes = (await ada.get(`/api/datasets/${id}/columns/obs/leiden`)).body as Uint8Array;
  const column = decodeColumn(bytes) as CategoryColumn;
  expect(column.categories).toEqual(['0', '1', '2', '3']);
  expect(column.counts).toEqual([60, 60, 60, 60]);
});

test('calls on the active cells draw as the caller has it, and the source says so', async () => {
  const after = await show('cell_type', ['T cell', { name: 'B cell', colour: '#00ff00' }, hostile]);
  const plotRequest = { genes: ['GENE1'], violin_plot: true };
  const { body } = await ada.post('/api/plot-umap-with-genes', plotRequest);
  const [umap, violin] = body.plots;
  expect(violin.figure.groups.map((one: Spec['groups'][number]) => one.label)).toEqual(named(after));
  expect(violin.figure.groups[1].colour).toBe('#00ff00');
  expect(violin.source.displays).toEqual(of(after));
  // It shows no categories, so that all users share it.
  expect(umap.source).not.toHaveProperty('displays');
  const { body: others } = await eve.post('/api/plot-umap-with-genes', plotRequest);
  expect(others.plots[1].figure.groups[0].label).toBe('B cell');
  expect(others.plots[1].source).not.toHaveProperty('displays');
});

test('markers are listed in the new order, with the same numbers', async () => {
  const parameters = { groupby: 'cell_type', n_genes: 3 };
  const before = (await ada.post('/api/perform-marker-analysis', parameters)).body;
  const after = await show('cell_type', ['T cell', 'B cell', hostile]);
  const { body } = await ada.post('/api/perform-marker-analysis', parameters);
  const names = (of: { groups: { name: string }[] }) => of.groups.map(({ name }) => name);
  expect(names(before)).toEqual(['B cell', hostile, 'T cell']);
  expect(names(body)).toEqual(['T cell', 'B cell', hostile]);
  expect(body.groups).toEqual([2, 0, 1].map((at) => before.groups[at]));
  const lines = (csv: string) => csv.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  expect(lines(body.marker_csv).toSorted()).toEqual(lines(before.marker_csv).toSorted());
  expect(lines(body.marker_csv)[1]).toMatch(/^T cell,/);
  expect(body.figure.groups.map((one: Spec['groups'][number]) => one.label)).toEqual(named(after));
  const meansOf = (spec: { groups: object[]; genes: { symbol: string }[]; mean: number[] }, row: number) =>
    new Map(spec.genes.map(({ symbol }, at) => [symbol, spec.mean[row * spec.genes.length + at]]));
  expect(meansOf(body.figure, 0)).toEqual(meansOf(before.figure, 2));
  expect(body.source.displays).toEqual(of(after));
});

test('what chooses cells follows the order and keeps the names of the dataset', async () => {
  await show('cell_type', ['T cell', hostile, 'B cell']);
  await show('patient', ['P3', 'P1', 'P2']);
  await show('leiden', ['3', '2', '1', '0']);
  const { body: analysis } = await ada.get(`/api/dataset_analysis/${id}`);
  expect(analysis.cell_types).toEqual(['T cell', hostile, 'B cell']);
  expect(analysis.leiden_clusters).toEqual(['3', '2', '1', '0']);
  expect(analysis.patient_metadata).toEqual({ 'Patient id': ['P3', 'P1', 'P2'] });
  const filter = { subset_group_name: 'chosen', cell_type_filter: true, cell_type: ['T cell'] };
  const { body } = await ada.post('/api/preview-filter', filter);
  expect(body.cell_count).toBe(80);
  expect(Object.keys(body.cell_type_counts)).toEqual(['T cell', hostile, 'B cell']);
  const { body: others } = await eve.get(`/api/dataset_analysis/${id}`);
  expect(others.cell_types).toEqual(['B cell', hostile, 'T cell']);
});

test('what one user sees never shows to another', async () => {
  const mine = await show('leiden', ['3', '1', '0', { name: '2', colour: '#0000ff' }]);
  expect(await shown('leiden', { api: eve })).toMatchObject({ revision: 0, own: false });
  expect((await eve.get(`/api/datasets/${id}/category-displays`)).body).toEqual({ displays: [] });
  expect((await ada.get(`/api/datasets/${id}/category-displays`)).body.displays).toMatchObject(of(mine));
  const source = {
    dataset_filename: id,
    content: { kind: 'obs-umap', column: 'leiden' },
    displays: of(mine),
  };
  const { status, body } = await eve.post('/api/render-figure', { source, format: 'json' });
  expect([status, body.code]).toEqual([404, 'display_not_kept']);
});

test('a figure is drawn again as it was, until twenty changes later', async () => {
  const first = await show('leiden', ['3', '1', '0', '2']);
  await show('leiden', ['2', '3', '1', '0']);
  const content = { kind: 'obs-umap', column: 'leiden' } as const;
  const again = await render(content, { displays: of(first) });
  expect(again.groups.map(({ label }) => label)).toEqual(['3', '1', '0', '2']);
  for (let time = 0; time < 19; time++) await show('leiden', ['0', '1', '3', '2']);
  const source = { dataset_filename: id, content, displays: of(first) };
  const { status, body } = await ada.post('/api/render-figure', { source, format: 'json' });
  expect([status, body.code]).toEqual([404, 'display_not_kept']);
});

test('a change of a state that is not the latest is refused', async () => {
  const first = await show('leiden', ['3', '1', '0', '2']);
  const categories = ['0', '1', '2', '3'].map((name) => ({ name }));
  const late = { revision: first.revision - 1, categories };
  const { status, body } = await ada.send('PUT', pathOf('leiden'), late);
  expect([status, body.code]).toEqual([409, 'display_changed']);
  const answers = await Promise.all(
    [1, 2].map(() => ada.send('PUT', pathOf('leiden'), { revision: first.revision, categories })),
  );
  expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 409]);
  const dropped = await ada.send('DELETE', `${pathOf('leiden')}?revision=${first.revision}`);
  expect([dropped.status, dropped.body.code]).toEqual([409, 'display_changed']);
});

test('every figure shows the names that a user chose, and its legend those of the dataset beside them', async () => {
  const after = await show('leiden', [
    '3',
    { name: '1', label: 'Tumour <b>&' },
    '0',
    { name: '2', label: '0b' },
  ]);
  expect(after.categories.map(({ name, label }) => [name, label])).toEqual([
    ['3', '3'],
    ['1', 'Tumour <b>&'],
    ['0', '0'],
    ['2', '0b'],
  ]);
  const shownNames = ['3', 'Tumour <b>&', '0', '0b'];
  const by = { column: 'leiden' };
  const of = { measure: 'gene', gene: 'GENE1' } as const;
  const genes = ['GENE1', 'GENE2'];
  const contents = [
    { kind: 'violin', of, by },
    { kind: 'ridge', of, by },
    { kind: 'stacked-violin', genes, by },
    { kind: 'gene-dot-plot', genes, by },
    { kind: 'matrix-plot', genes, by },
    { kind: 'heatmap', genes, by },
    { kind: 'composition-bar', by, of: { column: 'patient' } },
    { kind: 'embedding-density', by },
    { kind: 'obs-umap', column: 'leiden' },
  ] as FigureSource['content'][];
  const displays = [{ column: 'leiden', revision: after.revision }];
  for (const content of contents) {
    const { groups } = await render(content, { displays });
    expect(
      groups.map(({ label }) => label),
      content.kind,
    ).toEqual(shownNames);
  }
  const parts = await render({ kind: 'composition-bar', by: { column: 'patient' }, of: by } as never, {
    displays,
  });
  expect((parts as unknown as { parts: { label: string }[] }).parts.map(({ label }) => label)).toEqual(
    shownNames,
  );
  const { groups } = await render({ kind: 'obs-umap', column: 'leiden' }, { displays });
  expect(groups.map(({ name }) => name)).toEqual([undefined, '1', undefined, '2']);
  const source = { dataset_filename: id, content: { kind: 'obs-umap', column: 'leiden' }, displays };
  const { body: svg } = await ada.post('/api/render-figure', { source, format: 'svg' });
  const text = typeof svg === 'string' ? svg : new TextDecoder().decode(svg);
  expect(text).toContain('Tumour &lt;b&gt;&amp;');
  expect(text).not.toContain('<b>');
});

test('a category is hidden, highlighted and sorted by as the dataset names it', async () => {
  const after = await show('leiden', [{ name: '0', label: 'Zero' }, '1', '2', '3']);
  const displays = of(after);
  const hidden = { content: { kind: 'obs-umap', column: 'leiden' }, dataset_filename: id, displays };
  const { body } = await ada.post('/api/render-figure', {
    source: hidden,
    format: 'json',
    shown: { hidden: ['0'] },
  });
  expect(body.groups.map((one: Spec['groups'][number]) => one.label)).toEqual(['1', '2', '3']);
  const one = await render({ kind: 'highlight-umap', of: 'cluster', leiden_clusters: ['0'] }, { displays });
  expect(one).toMatchObject({ title: 'Cluster Zero', groups: [{ label: 'Zero', name: '0' }] });
});

test('tables on the page have the names that a user chose, files those of the dataset, and say so', async () => {
  const parameters = { groupby: 'cell_type', n_genes: 3 };
  const before = (await ada.post('/api/perform-marker-analysis', parameters)).body;
  await show('cell_type', ['B cell', hostile, { name: 'T cell', label: 'T lymphocytes' }]);
  const { body } = await ada.post('/api/perform-marker-analysis', parameters);
  expect(body.groups).toEqual(before.groups);
  expect(body.figure.groups.map((one: Spec['groups'][number]) => one.label)).toContain('T lymphocytes');
  expect(body.marker_preview_table_html).toContain('T lymphocytes');
  const lines = (csv: string) => csv.split('\n').filter((line) => !line.startsWith('#'));
  expect(lines(body.marker_csv)).toEqual(lines(before.marker_csv));
  expect(body.marker_csv).toContain('# Groups have the names of the dataset; figures and tables on the page');
  expect(before.marker_csv).not.toContain('names of the dataset');
  const { body: opened } = await ada.get(`/api/dataset_analysis/${id}`);
  expect(opened.cell_types).toEqual(['B cell', hostile, 'T cell']);
  expect(opened.columns.cell_types).toBe('cell_type');
});

test.each([
  ['as another one is called', ['0', '1', { name: '2', label: 'x' }, { name: '3', label: ' x ' }]],
  ['as another one in the dataset', ['0', '1', '2', { name: '3', label: '1' }]],
  ['the same in other characters', ['0', '1', { name: '2', label: '１' }, '3']],
])('a category that would be called %s is refused, with the way to a merge', async (_, categories) => {
  const { revision } = await shown('leiden');
  const { status, body } = await ada.send('PUT', pathOf('leiden'), {
    revision,
    categories: categories.map((one) => (typeof one === 'string' ? { name: one } : one)),
  });
  expect([status, body.code]).toEqual([400, 'category_labels_repeat']);
  expect(body.message ?? body.error).toContain('copy the column as an annotation');
});

test('names may be swapped, as each still is of one category', async () => {
  const after = await show('leiden', [{ name: '0', label: '1' }, { name: '1', label: '0' }, '2', '3']);
  expect(after.categories.map(({ label }) => label)).toEqual(['1', '0', '2', '3']);
});

test('a reset goes back to the dataset’s own, and figures of before are still drawn as they were', async () => {
  const changed = await show('leiden', ['3', '1', '0', { name: '2', colour: '#0000ff' }]);
  const answer = await ada.send('DELETE', `${pathOf('leiden')}?revision=${changed.revision}`);
  expect(answer.body).toMatchObject({ own: false, revision: changed.revision + 1 });
  expect(named(answer.body)).toEqual(['0', '1', '2', '3']);
  expect(answer.body.categories[2].colour).toBe(answer.body.categories[2].dataset_colour);
  expect((await ada.get(`/api/datasets/${id}/category-displays`)).body).toEqual({ displays: [] });
  const again = await render({ kind: 'obs-umap', column: 'leiden' }, { displays: of(changed) });
  expect(again.groups.at(-1)).toMatchObject({ label: '2', colour: '#0000ff' });
});

test.each([
  ['a category is missing', ['0', '1', '2']],
  ['one is named twice', ['0', '1', '2', '2']],
  ['one is not of the column', ['0', '1', '2', '4']],
])('an order is refused where %s', async (_, names) => {
  const { revision } = await shown('leiden');
  const { status, body } = await ada.send('PUT', pathOf('leiden'), {
    revision,
    categories: names.map((name) => ({ name })),
  });
  expect([status, body.code]).toEqual([400, 'categories_not_named']);
});

test('a column without categories, or that is not there, is refused', async () => {
  const depth = await ada.get(pathOf('depth'));
  expect([depth.status, depth.body.code]).toEqual([400, 'not_categorical']);
  const none = await ada.get(pathOf('__proto__'));
  expect([none.status, none.body.code]).toEqual([404, 'column_not_found']);
  const mitochondrial = await ada.get(pathOf('pct_counts_mt'));
  expect(mitochondrial.body.message).toBe('The dataset has no column "Mitochondrial share (%)" of obs.');
  const { status } = await ada.send('PUT', pathOf('leiden'), {
    revision: 0,
    categories: [{ name: '0', colour: 'red;}' }],
  });
  expect(status).toBe(400);
});

test('true and false are put in order too', async () => {
  const after = await show('flag', ['True', { name: 'False', colour: '#123456' }], replaced);
  expect(after.categories.map(({ name, place }) => [name, place])).toEqual([
    ['True', 1],
    ['False', 0],
  ]);
  const source = {
    dataset_filename: replaced,
    content: { kind: 'composition-bar', by: { column: 'type' }, of: { column: 'flag' } },
    displays: of(after),
  };
  const { body } = await ada.post('/api/render-figure', { source, format: 'json' });
  expect(body.parts).toMatchObject([{ label: 'True' }, { label: 'False', colour: '#123456' }]);
});

test('when a dataset is replaced, categories that are new stand behind those of the order', async () => {
  await show('type', ['c', { name: 'a', colour: '#0000ff' }, 'b'], replaced);
  await removeDataset(server.settings.objectRoot, replaced);
  await writeReplaced(server.settings.objectRoot, ['b', 'a', 'd', 'e']);
  const read = async () => (await ada.get(pathOf('type', replaced))).body;
  await expect
    .poll(async () => (await read()).categories?.map(({ name }: { name: string }) => name))
    .toEqual(['a', 'b', 'd', 'e']);
  const { categories } = await shown('type', { dataset: replaced });
  expect(categories[0]!.colour).toBe('#0000ff');
});

import { type CategoryColumn, decodeColumn, encodeCells } from '@cellfolio/columns';
import type { Annotation, AnnotationChange } from '@cellfolio/contract';
import { removeDataset } from '@cellfolio/store';
import { beforeAll, expect, test } from 'vitest';
import { type AnalysisDataset, writeAnalysisDataset } from '../../testing/analysis-dataset.ts';
import { type ApiAnswer, apiClient } from '../../testing/running-server.ts';
import { type SharedServer, shareTestServer } from '../../testing/shared-server.ts';
import { categorical, writeTestDataset } from '../../testing/write-test-dataset.ts';

const id = 'analysis.h5ad';
let server: SharedServer;
let written: AnalysisDataset;
let ada: ReturnType<typeof apiClient>;
let eve: ReturnType<typeof apiClient>;
let nextName = 1;

beforeAll(async () => {
  server = await shareTestServer(async ({ objectRoot }) => {
    written = await writeAnalysisDataset(objectRoot, id);
    await writeReplaced(objectRoot, 40);
  });
  ada = apiClient(server, await server.signIn('standard'), 'labels');
  eve = apiClient(server, await server.signIn('professional'), 'labels');
  await ada.get(`/api/dataset_analysis/${id}`);
});

const replaced = 'replaced.h5ad';
function writeReplaced(root: Parameters<typeof writeTestDataset>[0], cellCount: number) {
  return writeTestDataset(root, replaced, {
    cellCount,
    obs: new Map([['type', categorical(['a', 'b'], cellCount, (cell) => cell % 2)]]),
    genes: [{ name: 'GENE1', cells: Int32Array.of(0), values: Float32Array.of(1) }],
    embeddings: [],
    catalogue: { name: 'Replaced' },
    roles: { cellType: 'type', metadata: {} },
  });
}

const ofDataset = `/api/datasets/${id}/annotations`;
const groupsOf = ({ groups }: Annotation) => groups.map(({ name, cells }) => [name, cells]);
async function begin(from?: string, name = `Labels ${nextName++}`): Promise<Annotation> {
  const { status, body } = await ada.post(ofDataset, { name, ...(from !== undefined && { from }) });
  expect(body).toMatchObject({ name });
  expect(status).toBe(200);
  return body;
}
const change = ({ id: one, revision }: Annotation, what: AnnotationChange, api = ada): Promise<ApiAnswer> =>
  api.post(`/api/annotations/${one}/changes`, { revision, change: what });
async function changed(before: Annotation, what: AnnotationChange): Promise<Annotation> {
  const { status, body } = await change(before, what);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
}
const move = ({ id: one, revision }: Annotation, to: number) =>
  ada.post(`/api/annotations/${one}/revision`, { revision, to });
const filter = (part: object) => ({ subset_group_name: 'chosen', ...part });
const typesOf = (cell_type: string[]) => filter({ cell_type_filter: true, cell_type });
const clusters = (of: string[]) =>
  filter({ patient_metadata_filter: true, patient_metadata: { Cluster: of } });

test('an annotation begins with the groups, the order and the colours of a column', async () => {
  const created = await begin('cell_type');
  const types = [...new Set(Array.from({ length: 240 }, (_, cell) => written.cellType(cell)))];
  expect(groupsOf(created)).toEqual(types.map((type) => [type, 80]));
  expect(created).toMatchObject({
    revision: 1,
    unlabelled: 0,
    version: written.manifest.version,
    history: [{ revision: 1, words: 'Copied from “Cell Type”', cells: 240 }],
  });
  const { body } = await ada.post('/api/render-figure', {
    source: { dataset_filename: id, content: { kind: 'category-umap' } },
    format: 'json',
  });
  expect(created.groups.map(({ colour }) => colour)).toEqual(
    body.groups.map(({ colour }: { colour: string }) => colour),
  );
});

test('groups are renamed, merged, coloured, ordered and removed, and each change says how many cells it was about', async () => {
  let labels = await begin('leiden');
  labels = await changed(labels, { change: 'rename', group: '0', name: 'Naive' });
  labels = await changed(labels, { change: 'merge', groups: ['2', '1'], name: 'Memory' });
  expect(groupsOf(labels)).toEqual([
    ['Naive', 60],
    ['Memory', 120],
    ['3', 60],
  ]);
  labels = await changed(labels, { change: 'colour', group: 'Memory', colour: '#FF0000' });
  labels = await changed(labels, { change: 'order', groups: ['3', 'Memory', 'Naive'] });
  labels = await changed(labels, { change: 'remove', group: 'Naive' });
  expect(labels).toMatchObject({
    revision: 6,
    unlabelled: 60,
    groups: [
      { name: '3', cells: 60 },
      { name: 'Memory', colour: '#ff0000', cells: 120 },
    ],
  });
  expect(labels.history.map(({ words, cells }) => [words, cells])).toEqual([
    ['Removed “Naive”', 60],
    ['Changed the order', 0],
    ['Colored “Memory” #ff0000', 120],
    ['Merged “2”, “1” into “Memory”', 120],
    ['Renamed “0” to “Naive”', 60],
    ['Copied from “Leiden”', 240],
  ]);
});

test('selected cells are labelled, also within one group alone, and lose their label again', async () => {
  let labels = await begin();
  expect(labels).toMatchObject({ groups: [], unlabelled: 240 });
  labels = await changed(labels, { change: 'label', group: 'T', cells: typesOf(['T cell']) });
  labels = await changed(labels, { change: 'label', group: 'T0', within: 'T', cells: clusters(['0']) });
  expect(groupsOf(labels)).toEqual([
    ['T', 60],
    ['T0', 20],
  ]);
  expect(labels.unlabelled).toBe(160);
  const places = encodeCells(new Uint8Array(30).fill(255, 0, 5), 240);
  const cells = filter({ cells_filter: true, cells: { version: labels.version, places } });
  labels = await changed(labels, { change: 'label', group: 'by lasso', cells });
  expect(groupsOf(labels)).toContainEqual(['by lasso', 40]);
  labels = await changed(labels, { change: 'label', group: null, cells: { subset_group_name: 'Default' } });
  expect(labels.unlabelled).toBe(240);
  expect(new Set(labels.groups.map(({ colour }) => colour)).size).toBe(3);
});

test('whole groups of a column are labelled in one step, of some of the cells where these are named', async () => {
  let labels = await begin();
  const groups = [
    { of: '0', group: 'even' },
    { of: '2', group: 'even' },
    { of: '1', group: 'one' },
  ];
  labels = await changed(labels, { change: 'assign', column: 'leiden', groups });
  expect(groupsOf(labels)).toEqual([
    ['even', 120],
    ['one', 60],
  ]);
  expect(labels.unlabelled).toBe(60);
  expect(labels.history[0]).toMatchObject({ words: 'Labeled “even”, “one” by “Leiden”', cells: 180 });
  labels = await changed(labels, {
    change: 'assign',
    column: 'leiden',
    groups: [{ of: '3', group: 'one' }],
    cells: typesOf(['T cell']),
  });
  expect(groupsOf(labels)).toContainEqual(['one', 80]);
  const own = await begin();
  const byOwn = await changed(own, {
    change: 'assign',
    column: labels.name,
    groups: [{ of: 'one', group: 'again' }],
  });
  expect(groupsOf(byOwn)).toEqual([['again', 80]]);
});

test('new groups have no colour by accident that a cell type or a cluster of the dataset has', async () => {
  const coloursOf = async (column: string) => {
    const source = { dataset_filename: id, content: { kind: 'obs-umap', column } };
    const { body } = await ada.post('/api/render-figure', { source, format: 'json' });
    return body.groups.map(({ colour }: { colour: string }) => colour) as string[];
  };
  let labels = await begin();
  for (const group of ['one', 'two', 'three']) {
    labels = await changed(labels, { change: 'label', group, cells: clusters(['0']) });
  }
  const imported = await importTable('barcode,label\ncell-0,one\ncell-1,two\n', { name: 'Not by accident' });
  const used = [...labels.groups, ...imported.body.annotation.groups].map(({ colour }) => colour);
  expect(used).toHaveLength(5);
  const figureColours = [...(await coloursOf('cell_type')), ...(await coloursOf('leiden'))];
  expect(figureColours).toHaveLength(7);
  expect(used.filter((colour) => figureColours.includes(colour))).toEqual([]);
});

test('changes are undone and made again, until another change takes their place', async () => {
  const first = await begin('leiden');
  const second = await changed(first, { change: 'rename', group: '0', name: 'A' });
  const third = await changed(second, { change: 'rename', group: '1', name: 'B' });
  const back = (await move(third, 1)).body;
  expect(groupsOf(back)[0]).toEqual(['0', 60]);
  expect(back.history).toHaveLength(3);
  expect(groupsOf((await move(back, 3)).body)[1]).toEqual(['B', 60]);
  const again = (await move({ ...back, revision: 3 }, 2)).body;
  const other = await changed(again, { change: 'rename', group: '1', name: 'C' });
  expect(other.history.map(({ revision }) => revision)).toEqual([4, 2, 1]);
  expect(await move(other, 3)).toMatchObject({ status: 404, body: { code: 'revision_not_found' } });
  expect(await change(second, { change: 'remove', group: 'A' })).toMatchObject({
    status: 409,
    body: { code: 'annotation_changed' },
  });
});

test('the latest twenty states are kept', async () => {
  let labels = await begin('leiden');
  for (let i = 0; i < 25; i++) {
    labels = await changed(labels, { change: 'colour', group: '0', colour: `#0000${String(i + 10)}` });
  }
  expect(labels.history.map(({ revision }) => revision)).toEqual(
    Array.from({ length: 20 }, (_, i) => 26 - i),
  );
});

test('an annotation groups figures, markers and subsets and colours maps as a column of obs does', async () => {
  let labels = await begin('cell_type', 'my labels');
  labels = await changed(labels, { change: 'merge', groups: ['T cell', 'B cell'], name: 'Lymphocytes' });
  labels = await changed(labels, { change: 'colour', group: 'Lymphocytes', colour: '#123456' });
  const figure = await ada.post('/api/render-figure', {
    source: { dataset_filename: id, content: { kind: 'obs-umap', column: 'my labels' } },
    format: 'json',
  });
  expect(figure.body.groups).toMatchObject([
    { label: 'Lymphocytes', cells: 160, colour: '#123456' },
    { cells: 80 },
  ]);
  const markers = await ada.post('/api/perform-marker-analysis', { groupby: 'my labels', n_genes: 3 });
  expect(markers.body).toMatchObject({
    group_title: 'my labels',
    groups: [{ name: 'Lymphocytes', cells: 160 }, { cells: 80 }],
    source: { annotations: [{ id: labels.id, revision: labels.revision, name: 'my labels' }] },
  });
  const filterRequest = filter({
    patient_metadata_filter: true,
    patient_metadata: { 'my labels': ['Lymphocytes'] },
  });
  const preview = await ada.post('/api/preview-filter', filterRequest);
  expect(preview.body).toMatchObject({ cell_count: 160 });
  const column = await ada.get(`/api/datasets/${id}/columns/obs/my%20labels?version=${labels.version}`);
  expect(column.headers.get('cache-control')).toBe('private, no-cache');
  expect((decodeColumn(column.body) as CategoryColumn).categories).toEqual(
    labels.groups.map(({ name }) => name),
  );
  const cell = await ada.get(`/api/datasets/${id}/columns/cell/0?obs=my%20labels`);
  expect(cell.body.obs).toMatchObject([{ name: 'my labels', title: 'my labels' }]);
  const csv = Buffer.from(
    (await ada.post('/api/export-cells', { columns: ['my labels'], coordinates: false })).body,
  ).toString();
  const lines = csv.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  expect(lines[0]).toBe('barcode,my labels');
  expect(lines.filter((line) => line.endsWith(',Lymphocytes'))).toHaveLength(160);
  expect((await eve.get(`/api/dataset_analysis/${id}`)).status).toBe(200);
  expect(await eve.post('/api/perform-marker-analysis', { groupby: 'my labels' })).toMatchObject({
    status: 400,
    body: { code: 'unknown_column' },
  });
});

test('an annotation is called as its user wrote it, in lists, figures and tables', async () => {
  const name = 't_cells';
  const labels = await begin('cell_type', name);
  const list = await ada.get(`/api/datasets/${id}/columns?version=${labels.version}`);
  expect(list.body.obs).toContainEqual(expect.objectContaining({ name, title: name, own: true }));
  const renderFigure = (content: object, format = 'json') =>
    ada.post('/api/render-figure', { source: { dataset_filename: id, content }, format });
  expect((await renderFigure({ kind: 'obs-umap', column: name })).body).toMatchObject({ title: name });
  const by = { column: name };
  const violin = await renderFigure({ kind: 'violin', of: { measure: 'gene', gene: 'GENE1' }, by }, 'svg');
  const svg = Buffer.from(violin.body).toString();
  expect(svg).toContain(name);
  expect(svg).not.toMatch(/T Cells/i);
  const markers = await ada.post('/api/perform-marker-analysis', { groupby: name, n_genes: 3 });
  expect(markers.body).toMatchObject({ group_title: name });
});

test('an annotation splits a map, also one of a figure that was kept with another', async () => {
  const labels = await begin('cell_type');
  const parts = await begin('leiden');
  const source = {
    dataset_filename: id,
    content: { kind: 'obs-umap', column: labels.name },
    annotations: [{ id: labels.id, revision: labels.revision, name: labels.name }],
  };
  const { body } = await ada.post('/api/render-figure', {
    source,
    format: 'json',
    shown: { split: parts.name },
  });
  expect(body.split.parts).toHaveLength(4);
  expect(body.groups).toHaveLength(3);
});

test('a figure is drawn of the labels as they were, also when they have changed', async () => {
  const labels = await begin('cell_type');
  const content = { kind: 'obs-umap', column: labels.name };
  const draw = (annotations?: object[], api = ada) =>
    api.post('/api/render-figure', {
      source: { dataset_filename: id, content, ...(annotations && { annotations }) },
      format: 'json',
    });
  const { id: one, revision, name } = labels;
  await changed(labels, { change: 'merge', groups: ['T cell', 'B cell'], name: 'Lymphocytes' });
  expect((await draw()).body.groups).toHaveLength(2);
  expect((await draw([{ id: one, revision, name }])).body.groups).toHaveLength(3);
  expect(await draw([{ id: one, revision: 9, name }])).toMatchObject({
    status: 404,
    body: { code: 'annotation_not_kept' },
  });
  expect((await draw([{ id: one, revision, name }], eve)).status).toBe(404);
});

test('an annotation is seen, changed and deleted by its user alone', async () => {
  const labels = await begin('leiden');
  expect((await eve.get(ofDataset)).body.annotations).toEqual([]);
  expect((await ada.get(ofDataset)).body.annotations.map((one: Annotation) => one.id)).toContain(labels.id);
  expect((await change(labels, { change: 'remove', group: '0' }, eve)).status).toBe(404);
  expect((await eve.post(`/api/annotations/${labels.id}/revision`, { revision: 1, to: 1 })).status).toBe(404);
  expect((await eve.post(`/api/annotations/${labels.id}/carry-over`, { revision: 1 })).status).toBe(404);
  expect((await eve.send('DELETE', `/api/annotations/${labels.id}`)).status).toBe(404);
  expect((await eve.send('PATCH', `/api/annotations/${labels.id}`, { name: 'x' })).status).toBe(404);
  expect((await ada.send('PATCH', `/api/annotations/${labels.id}`, { name: 'Renamed' })).body.name).toBe(
    'Renamed',
  );
  expect((await ada.send('DELETE', `/api/annotations/${labels.id}`)).status).toBe(200);
  expect((await change(labels, { change: 'remove', group: '0' })).status).toBe(404);
});

test.each([
  ['a name that the dataset has', { name: 'leiden' }, 409, 'annotation_exists'],
  ['a name of its metadata', { name: 'Patient id' }, 409, 'annotation_exists'],
  ['a name of two lines', { name: 'a\nb' }, 400, 'invalid_request'],
  ['an unknown column', { name: 'x', from: '<script>' }, 404, 'column_not_found'],
  ['a column of numbers', { name: 'x', from: 'depth' }, 400, 'not_categorical'],
])('%s begins no annotation', async (_what, body, status, code) => {
  expect(await ada.post(ofDataset, body)).toMatchObject({ status, body: { code } });
});

test('a second annotation of one name, and changes of groups that are not there or taken, are refused', async () => {
  const labels = await begin('leiden', 'Twice');
  expect(await ada.post(ofDataset, { name: 'Twice' })).toMatchObject({
    status: 409,
    body: { code: 'annotation_exists' },
  });
  for (const [what, status, code] of [
    [{ change: 'rename', group: '0', name: '1' }, 409, 'group_exists'],
    [{ change: 'rename', group: '__proto__', name: 'x' }, 400, 'group_not_found'],
    [{ change: 'merge', groups: ['0', '1'], name: '2' }, 409, 'group_exists'],
    [{ change: 'order', groups: ['0', '1', '2', '2'] }, 400, 'group_not_found'],
    [{ change: 'colour', group: '0', colour: 'url(x)' }, 400, 'invalid_request'],
    [{ change: 'label', group: 'x', within: 'no', cells: typesOf(['T cell']) }, 400, 'group_not_found'],
    [{ change: 'label', group: 'x', cells: typesOf(['no such']) }, 400, 'unknown_value'],
    [{ change: 'assign', column: 'leiden', groups: [{ of: 'no', group: 'x' }] }, 400, 'group_not_found'],
    [{ change: 'assign', column: 'gone', groups: [{ of: '0', group: 'x' }] }, 404, 'column_not_found'],
    [{ change: 'assign', column: 'depth', groups: [{ of: '0', group: 'x' }] }, 400, 'not_categorical'],
  ] as const) {
    const answer = await change(labels, what as unknown as AnnotationChange);
    expect([answer.status, answer.body.code], JSON.stringify(what)).toEqual([status, code]);
  }
});

test('names with markup and formulas are labels like others, and harmless in a CSV', async () => {
  const name = '<img src=x onerror=alert(1)>';
  let labels = await begin('leiden', name);
  labels = await changed(labels, { change: 'rename', group: '0', name: '=HYPERLINK("x")' });
  labels = await changed(labels, { change: 'rename', group: '1', name: '__proto__' });
  expect(groupsOf(labels).slice(0, 2)).toEqual([
    ['=HYPERLINK("x")', 60],
    ['__proto__', 60],
  ]);
  const csv = Buffer.from(
    (await ada.post('/api/export-cells', { columns: [name], coordinates: false })).body,
  ).toString();
  expect(csv).toContain(`"'=HYPERLINK(""x"")"`);
  // Read in again, they are what they were.
  const again = await importTable(csv, { name: 'harmless and back' });
  expect(groupsOf(again.body.annotation).map(([group]) => group)).toContain('=HYPERLINK("x")');
  const svg = await ada.post('/api/render-figure', {
    source: { dataset_filename: id, content: { kind: 'obs-umap', column: name } },
    format: 'svg',
  });
  expect(Buffer.from(svg.body).toString()).not.toContain('<img');
  const preview = filter({ patient_metadata_filter: true, patient_metadata: { [name]: ['__proto__'] } });
  expect((await ada.post('/api/preview-filter', preview)).body.cell_count).toBe(60);
});

const importTable = (
  table: string | Uint8Array,
  query: Record<string, string>,
  type = 'text/csv',
  api = ada,
) =>
  api.send('POST', `${ofDataset}/import?${String(new URLSearchParams(query))}`, table, {
    'content-type': type,
  });

test('labels are imported from a table, with a report of what was matched', async () => {
  const table = [
    '# made elsewhere',
    'barcode,my label,quality',
    'cell-0,"T, naive",1',
    'cell-1,B,1',
    'cell-1,T,1',
    'cell-2,,1',
    'nobody-1,B,1',
  ].join('\r\n');
  const { status, body } = await importTable(table, { name: 'from a table' });
  expect(status).toBe(200);
  expect(groupsOf(body.annotation)).toEqual([
    ['B', 1],
    ['T, naive', 1],
  ]);
  expect(body.match).toEqual({
    given: 4,
    matched: 2,
    by_suffix: 0,
    ambiguous: 0,
    unknown: 1,
    repeated: 1,
    examples: ['nobody-1'],
    unlabelled: 238,
  });
  const tabs = await importTable(
    'cell-5\tx\tgood\ncell-6\ty\tbad',
    { name: 'tabs' },
    'text/tab-separated-values',
  );
  expect(groupsOf(tabs.body.annotation)).toEqual([
    ['x', 1],
    ['y', 1],
  ]);
  const third = await importTable('id,a,b\ncell-5,x,good', { name: 'third column', column: 'b' });
  expect(groupsOf(third.body.annotation)).toEqual([['good', 1]]);
});

test.each<[string, string | Uint8Array, string]>([
  ['no line', '', 'no line'],
  ['one column', 'cell-0\ncell-1', 'one column'],
  ['other barcodes', 'AAA,x\nBBB,y', 'None of the'],
  ['an open quote', 'cell-0,"x', 'cannot be read'],
  ['nothing but separators', ','.repeat(9_000_000), 'more than 8,000,000 fields'],
  ['another encoding', Buffer.from('cell-0,caf\u{e9}\ncell-1,caf\u{e8}\n', 'latin1'), 'not UTF-8'],
  [
    'too many labels',
    Array.from({ length: 1200 }, (_, i) => `cell-${i},label ${i}`).join('\n'),
    'more than 1000',
  ],
])('a table with %s is refused in words', async (_what, table, words) => {
  const answer = await importTable(table, { name: 'refused' });
  expect(answer).toMatchObject({ status: 422, body: { code: 'labels_not_read' } });
  expect(answer.body.message).toContain(words);
  expect((await importTable(table, { name: 'refused' }, 'application/json')).status).toBeGreaterThanOrEqual(
    400,
  );
});

test('labels are transferred to a new version of the dataset by barcode, and the answer reports the losses', async () => {
  const path = `/api/datasets/${replaced}/annotations`;
  const { body: created } = await ada.post(path, { name: 'kept', from: 'type' });
  expect(groupsOf(created)).toEqual([
    ['a', 20],
    ['b', 20],
  ]);
  expect((await ada.post(`/api/annotations/${created.id}/carry-over`, { revision: 1 })).body.code).toBe(
    'nothing_to_carry_over',
  );
  await removeDataset(server.settings.objectRoot, replaced);
  const { version } = await writeReplaced(server.settings.objectRoot, 30);
  await expect.poll(async () => (await ada.get(path)).body.version).toBe(version);
  expect(await change(created, { change: 'remove', group: 'a' })).toMatchObject({
    status: 409,
    body: { code: 'annotation_of_other_version' },
  });
  const content = { kind: 'composition-bar', by: { column: 'kept' }, of: { column: 'type' } };
  const renderFigure = (api = ada) =>
    api.post('/api/render-figure', { source: { dataset_filename: replaced, content }, format: 'json' });
  expect((await renderFigure()).body).toMatchObject({
    code: 'column_not_found',
    message:
      'Your labels "kept" belong to another version of the dataset. Carry them over to this one first.',
  });
  // Another user learns nothing of them.
  expect((await renderFigure(eve)).body.message).toBe('The dataset has no column "Kept" of obs.');
  const { status, body } = await ada.post(`/api/annotations/${created.id}/carry-over`, { revision: 1 });
  expect(status).toBe(200);
  expect(groupsOf(body.annotation)).toEqual([
    ['a', 15],
    ['b', 15],
  ]);
  expect(body.match).toMatchObject({ given: 40, matched: 30, unknown: 0, ambiguous: 10, unlabelled: 0 });
  expect(body.annotation.history).toHaveLength(1);
  expect(body.annotation.history[0].words).toMatch(
    /^Carried over to the version of the dataset of [A-Z][a-z]+ \d+, \d{4}: 30 of 40 labeled cells/,
  );
  expect(body.annotation).toMatchObject({ version, revision: 2 });
  expect((await renderFigure()).status).toBe(200);
});

test('twenty annotations of a dataset are taken, and no more', async () => {
  const { body } = await ada.get(ofDataset);
  for (let n = body.annotations.length; n < 20; n++) await begin();
  const refused = await ada.post(ofDataset, { name: 'one more' });
  expect(refused).toMatchObject({ status: 409, body: { code: 'too_many_annotations' } });
  expect(refused.body.message).toMatch(/20 annotations.*Delete/);
});

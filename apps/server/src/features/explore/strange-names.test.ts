import { filterAnswer } from '@cellfolio/contract';
import { type Column, packStrings } from '@cellfolio/model';
import { createDatasetWriter } from '@cellfolio/store';
import { beforeAll, expect, test } from 'vitest';
import { apiClient } from '../../testing/running-server.ts';
import { type SharedServer, shareTestServer } from '../../testing/shared-server.ts';

/** The maximum length of an id. */
const id = `${'a'.repeat(115)}.h5ad`;
const cellTypes = [' T cell ', '__proto__', ''];
const patients = ['', ' P1'];
const cellCount = 30;
let server: SharedServer;
let api: ReturnType<typeof apiClient>;

beforeAll(async () => {
  server = await shareTestServer(({ objectRoot }) => writeDataset(objectRoot));
  api = apiClient(server, await server.signIn('standard'), 'names');
});

/** Thirty cells of three types whose names have blank ends, are that of an accessor, and are empty. */
async function writeDataset(root: string): Promise<void> {
  const writer = await createDatasetWriter(root, id);
  const everyCell = Int32Array.from({ length: cellCount }, (_, cell) => cell);
  const genes = ['GENE1', 'VEGFA'];
  const categorical = (
    categories: string[],
    codeOf = (cell: number) => cell % categories.length,
  ): Column => ({
    kind: 'categorical',
    codes: Int8Array.from(everyCell, codeOf),
    categories,
    categoryType: 'string',
    ordered: false,
  });
  await writer.obs({
    rowCount: cellCount,
    indexName: '_index',
    index: packStrings([...everyCell].map((cell) => `cell-${cell}`)),
    columns: new Map([
      [' cell type ', categorical(cellTypes)],
      ['patient', categorical(patients)],
      ['__proto__', categorical(['toString', '__proto__'])],
      ['lot', categorical(['1', '2'], (cell) => (cell < 5 ? 0 : cell < 18 ? 1 : -1))],
    ]),
  });
  await writer.var({ rowCount: 2, indexName: '_index', index: packStrings(genes), columns: new Map() });
  const values = Float32Array.from({ length: cellCount * 2 }, (_, i) => Math.sin(i));
  await writer.obsm({ name: 'X_umap', dimensions: 2, values });
  const matrix = await writer.matrix('X', {
    cellCount,
    geneCount: 2,
    indptr: Float64Array.of(0, cellCount, 2 * cellCount),
    valueType: 'float32',
  });
  for (const factor of [1, 2]) {
    await matrix.write(
      everyCell,
      Float32Array.from(everyCell, (cell) => factor + (cell % 3)),
    );
  }
  await matrix.close();
  await writer.publish({
    catalogue: {
      name: 'Names',
      disease: 'Breast Cancer',
      subdisease: 'Triple-negative',
      category1: 'Primary',
      category2: 'Untreated',
      description: 'Names that a file may hold.',
      simulated: false,
    },
    roles: {
      cellType: ' cell type ',
      embedding: 'X_umap',
      metadata: { patient: 'patient', ['__proto__']: '__proto__', lot: 'lot' },
    },
    expression: { path: 'X', state: 'log-normalised', hasCounts: false },
    warnings: [],
  });
}

const open = () => api.get(`/api/dataset_analysis/${id}`);

test('a dataset with the longest id is opened, and every cell type is counted whatever its name', async () => {
  const { status, body } = await open();
  expect(status).toBe(200);
  expect(body.cell_types).toEqual(cellTypes);
  expect(Object.entries(body.cell_type_counts)).toEqual(cellTypes.map((name) => [name, 10]));
});

test('a metadata field is listed whatever its name, in the catalogue and with the dataset', async () => {
  const expected = [
    ['patient', patients],
    ['__proto__', ['toString', '__proto__']],
    ['lot', ['1', '2']],
  ];
  expect(Object.entries((await open()).body.patient_metadata)).toEqual(expected);
  const { body } = await api.get('/api/dataset_metadata');
  const [dataset] = body['Breast Cancer']['Triple-negative'];
  expect(Object.entries(dataset.patient_metadata)).toEqual(expected);
});

test('the cells of each metadata value are counted in the order of the values, those without a value in none', async () => {
  const { body } = await open();
  expect(Object.entries(body.patient_metadata_counts)).toEqual([
    ['patient', [15, 15]],
    ['__proto__', [15, 15]],
    ['lot', [5, 13]],
  ]);
  expect(body.cell_count).toBe(cellCount);
});

test.each(cellTypes)('the cell type %j is chosen by its name as it is', async (name) => {
  await open();
  const { status, body } = await api.post('/api/filter-active-dataset', {
    subset_group_name: 'one type',
    cell_type_filter: true,
    cell_type: [name],
  });
  expect(status).toBe(200);
  const counts = Object.entries(filterAnswer.parse(body).cell_type_counts);
  expect(counts).toEqual(cellTypes.map((type) => [type, type === name ? 10 : 0]));
  const plots = await api.post('/api/plot-isolated-cell-types', { cell_types: [name] });
  expect(plots.body.plots).toMatchObject([{ cell_type: name, cell_count: 10 }]);
  const again = await api.post('/api/render-figure', { source: plots.body.plots[0].source });
  expect(again.headers.get('content-type')).toContain('image/png');
});

test.each(patients)('the metadata value %j is chosen by its name as it is', async (name) => {
  await open();
  const { body } = await api.post('/api/filter-active-dataset', {
    subset_group_name: 'one patient',
    patient_metadata_filter: true,
    patient_metadata: { patient: [name] },
  });
  expect(body.cell_count).toBe(15);
});

test.each([' cell type ', 'cell type', 'Cell Type', 'cell_type'])(
  '%j finds the column whose name has blanks at its ends',
  async (groupby) => {
    await open();
    const { status, body } = await api.post('/api/perform-marker-analysis', { groupby });
    expect(status).toBe(200);
    expect(body.parameters.groupby).toBe(' cell type ');
    expect(body.groups.map(({ name }: { name: string }) => name)).toEqual(cellTypes);
  },
);

test('a body with the key __proto__ is read like any other, and broken JSON is refused as such', async () => {
  await open();
  const send = async (body: string) => {
    const answer = await fetch(`${server.siteUrl}/api/filter-active-dataset`, {
      method: 'POST',
      headers: {
        ...server.headers(await server.signIn('standard'), 'names'),
        'content-type': 'application/json',
      },
      body,
    });
    return { status: answer.status, body: (await answer.json()) as { code: string; message: string } };
  };
  const key = await send(
    '{"subset_group_name": "x", "patient_metadata_filter": true, "patient_metadata": {"__proto__": ["toString"]}}',
  );
  expect(key).toMatchObject({ status: 200, body: { cell_count: 15 } });
  expect((await send('{"subset_group_name": ')).body.message).toContain('not JSON');
  expect((await send('')).body.message).toContain('empty');
});

test('an address that cannot be read is refused in the words of the API', async () => {
  const answer = await api.get('/api/dataset_analysis/%zz');
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  expect(answer.body.message).toContain('%25');
});

test('figures of a cell state in small letters and of a score without a name have their titles', async () => {
  const titleOf = async (content: object) => {
    const source = { dataset_filename: id, content };
    const { body } = await api.post('/api/render-figure', { source, format: 'svg' });
    return new TextDecoder().decode(body);
  };
  const genes = ['GENE1'];
  const unnamed = await titleOf({ kind: 'score-umap', of: 'signature', score_name: ' ', genes });
  expect(unnamed).toContain('Unnamed Signature');
  const state = { kind: 'score-umap', of: 'cell-state', cell_state: 'hypoxia', minimum_genes: 1 };
  expect(await titleOf(state)).toContain('HYPOXIA');
});

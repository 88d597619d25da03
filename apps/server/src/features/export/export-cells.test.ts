import { type Column, packStrings } from '@cellfolio/model';
import { createDatasetWriter } from '@cellfolio/store';
import { beforeAll, expect, test } from 'vitest';
import { apiClient } from '../../testing/running-server.ts';
import { type SharedServer, shareTestServer } from '../../testing/shared-server.ts';

const id = 'export.h5ad';
const cellCount = 90;
const cellTypes = ['=HYPERLINK("x")', 'B, "naive"', 'T\ncell'];
const geneNames = ['-1+2', 'patient', ...Array.from({ length: 40 }, (_, gene) => `GENE${gene}`)];
const valueAt = (gene: number, cell: number) =>
  (gene + cell) % 3 === 0 ? 0 : Math.fround(Math.log1p(((gene * 7 + cell) % 11) + 1));
let server: SharedServer;
let api: ReturnType<typeof apiClient>;

beforeAll(async () => {
  server = await shareTestServer(({ objectRoot }) => writeDataset(objectRoot));
  api = apiClient(server, await server.signIn('standard'), 'export');
  await api.get(`/api/dataset_analysis/${id}`);
});

async function writeDataset(root: string): Promise<void> {
  const writer = await createDatasetWriter(root, id);
  const cells = Int32Array.from({ length: cellCount }, (_, cell) => cell);
  const categorical = (categories: string[]): Column => ({
    kind: 'categorical',
    codes: Int8Array.from(cells, (cell) => cell % categories.length),
    categories,
    categoryType: 'string',
    ordered: false,
  });
  await writer.obs({
    rowCount: cellCount,
    indexName: '_index',
    index: packStrings([...cells].map((cell) => `@cell-${cell}`)),
    columns: new Map([
      ['cell type', categorical(cellTypes)],
      ['patient', categorical(['P1', 'P2'])],
    ]),
  });
  await writer.var({
    rowCount: geneNames.length,
    indexName: '_index',
    index: packStrings(geneNames),
    columns: new Map(),
  });
  const values = Float32Array.from({ length: cellCount * 2 }, (_, i) => Math.sin(i));
  await writer.obsm({ name: 'X_umap', dimensions: 2, values });
  const expressing = geneNames.map((_, gene) => cells.filter((cell) => valueAt(gene, cell) > 0));
  const indptr = new Float64Array(geneNames.length + 1);
  for (const [gene, { length }] of expressing.entries()) indptr[gene + 1] = indptr[gene]! + length;
  const shape = { cellCount, geneCount: geneNames.length, indptr, valueType: 'float32' } as const;
  const matrix = await writer.matrix('X', shape);
  for (const [gene, own] of expressing.entries()) {
    await matrix.write(
      own,
      Float32Array.from(own, (cell) => valueAt(gene, cell)),
    );
  }
  await matrix.close();
  await writer.publish({
    catalogue: {
      name: 'Export,=1+1\n of/cells',
      disease: 'Breast Cancer',
      subdisease: 'None',
      category1: '',
      category2: '',
      description: '',
      simulated: false,
    },
    roles: {
      cellType: 'cell type',
      patient: 'patient',
      embedding: 'X_umap',
      metadata: { patient: 'patient' },
    },
    expression: { path: 'X', state: 'log-normalised', hasCounts: false },
    warnings: [{ code: 'w', message: 'Take care.' }],
  });
}

/** Comment lines, column names and rows of a file, parsed as in RFC 4180. */
function parsed(body: Uint8Array) {
  const text = new TextDecoder().decode(body);
  const comments = text
    .match(/^(?:# .*\n)*/)![0]
    .split('\n')
    .slice(0, -1);
  const table = text.slice(comments.join('\n').length + 1);
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of table.matchAll(/(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n)/g)) {
    rows.at(-1)!.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === '\n') rows.push([]);
  }
  const [columns, ...lines] = rows.slice(0, -1);
  return { comments, columns: columns!, lines };
}
const exported = (body: object) => api.post('/api/export-cells', body);
const everything = () => api.post('/api/filter-active-dataset', { subset_group_name: 'Default' });

test('all cells are exported with what the dataset holds of them, and no text is a formula', async () => {
  await everything();
  const { status, headers, body } = await exported({ genes: ['patient', '-1+2'] });
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(headers.get('content-disposition')).toContain('filename="Export_1_1_of_cells-all-cells.csv"');
  const { comments, columns, lines } = parsed(body);
  expect(comments[0]).toContain("# Dataset: Export,'=1+1  of/cells (export.h5ad, version ");
  expect(comments.slice(1)).toEqual([
    '# Cells: all 90',
    '# Columns: barcode, then 2 of obs, 2 of coordinates, 2 of genes, 0 of scores; what is missing is empty',
    '# Values of genes: log-normalized expression',
    '# Take care.',
    expect.stringMatching(
      /^# Definition: .*"cells":\{\},"call":"export-cells","parameters":\{.*"genes":\["patient","\\u002d1\+2"\]/,
    ),
  ]);
  expect(columns).toEqual([
    'barcode',
    'cell type',
    'patient',
    'X_umap_1',
    'X_umap_2',
    'patient (2)',
    "'-1+2",
  ]);
  expect(lines).toHaveLength(cellCount);
  for (const [cell, [barcode, type, patient, x, y, ...genes]] of lines.entries()) {
    const name = cellTypes[cell % 3]!;
    expect([barcode, type, patient]).toEqual([
      `'@cell-${cell}`,
      name.startsWith('=') ? `'${name}` : name,
      `P${(cell % 2) + 1}`,
    ]);
    expect([x, y].map((value) => Math.fround(Number(value)))).toEqual(
      [2 * cell, 2 * cell + 1].map((i) => Math.fround(Math.sin(i))),
    );
    expect(genes.map((value) => Math.fround(Number(value)))).toEqual([valueAt(1, cell), valueAt(0, cell)]);
  }
});

test('a subset has the lines of its cells alone, and the file says which they are', async () => {
  await api.post('/api/filter-active-dataset', {
    subset_group_name: 'Naive / B',
    cell_type_filter: true,
    cell_type: [cellTypes[1]],
  });
  const { headers, body } = await exported({ metadata: false, coordinates: false, genes: ['gene3'] });
  expect(headers.get('content-disposition')).toContain('-Naive_B-cells.csv"');
  const { comments, columns, lines } = parsed(body);
  expect(comments[1]).toBe('# Cells: 30 of 90, the subset "Naive / B": Cell type is B, "naive"');
  expect(columns).toEqual(['barcode', 'GENE3']);
  expect(lines.map(([barcode]) => barcode)).toEqual(
    Array.from({ length: 30 }, (_, i) => `'@cell-${3 * i + 1}`),
  );
  expect(lines.map(([, value]) => Math.fround(Number(value)))).toEqual(
    Array.from({ length: 30 }, (_, i) => valueAt(5, 3 * i + 1)),
  );
});

test('scores are columns of their own, and the file names the genes that they lack', async () => {
  await everything();
  const body = {
    metadata: false,
    coordinates: false,
    signature: { genes: ['GENE1', 'GENE2', 'GENE4', 'NOPE'], score_name: '=mine' },
  };
  const { status, body: bytes } = await exported(body);
  expect(status).toBe(200);
  const { comments, columns, lines } = parsed(bytes);
  expect(comments).toContain('# Score "=mine": score_genes on these cells, of 3 genes, without NOPE');
  expect(columns).toEqual(['barcode', "'=mine"]);
  expect(lines).toHaveLength(cellCount);
  const scores = lines.map(([, score]) => Number(score));
  expect(new Set(scores).size).toBeGreaterThan(10);
  expect(scores.every(Number.isFinite)).toBe(true);
});

test.each([
  [{ genes: ['GENE1', 'NOPE'] }, 400, 'gene_not_found'],
  [{ genes: 'GENE1' }, 400, 'invalid_request'],
  [{ signature: { genes: ['NOPE'] } }, 422, 'no_genes_found'],
  [{ cell_state: { cell_state: 'JOY' } }, 400, 'unknown_cell_state'],
  [{ cell_state: { cell_state: 'HYPOXIA' } }, 422, 'no_genes_found'],
])('the request %j is refused with %i', async (body, status, code) => {
  const answer = await exported(body);
  expect([answer.status, answer.body.code]).toEqual([status, code]);
});

test('more genes than one call may request are refused', async () => {
  const maxGenes = server.settings.maxGenesPerCall;
  const { status, body } = await exported({
    genes: Array.from({ length: maxGenes + 1 }, (_, at) => `GENE${at}`),
  });
  expect([status, body.code, body.details.limit]).toEqual([400, 'too_many_genes', maxGenes]);
});

test('a tab without a dataset is refused, and refusals hold no place', async () => {
  const other = apiClient(server, await server.signIn('standard'), 'empty');
  for (let i = 0; i < 5; i++) {
    const { status, body } = await other.post('/api/export-cells', {});
    expect([status, body.code]).toEqual([400, 'no_dataset_loaded']);
  }
  expect((await exported({})).status).toBe(200);
});

import { request } from 'node:http';
import {
  type AreaColumn,
  type CategoryColumn,
  decodeColumn,
  type LevelColumn,
  mapOrder,
  type PositionColumn,
} from '@cellfolio/columns';
import { beforeAll, expect, test } from 'vitest';
import { type AnalysisDataset, writeAnalysisDataset } from '../../testing/analysis-dataset.ts';
import { apiClient } from '../../testing/running-server.ts';
import { type SharedServer, shareTestServer } from '../../testing/shared-server.ts';
import { categorical, writeTestDataset } from '../../testing/write-test-dataset.ts';

const id = 'analysis.h5ad';
const base = `/api/datasets/${id}/columns`;
let server: SharedServer;
let written: AnalysisDataset;
let api: ReturnType<typeof apiClient>;
let order: Uint32Array;

beforeAll(async () => {
  server = await shareTestServer(async ({ objectRoot }) => {
    written = await writeAnalysisDataset(objectRoot, id);
    await writeTestDataset(objectRoot, 'donors.h5ad', {
      cellCount: 4,
      obs: new Map([['donor', categorical(['D1', 'D2'], 4, (cell) => cell % 2)]]),
      genes: [],
      embeddings: [],
      catalogue: { name: 'Donors' },
      roles: { patient: 'donor', metadata: {} },
    });
  });
  api = apiClient(server, await server.signIn('standard'), 'map');
  const { cellCount } = written.manifest;
  const values = Float32Array.from({ length: cellCount * 2 }, (_, i) => {
    const angle = (2 * Math.PI * (i >> 1)) / cellCount;
    return i % 2 ? Math.sin(angle) : Math.cos(angle);
  });
  order = mapOrder({ name: 'X_umap', dimensions: 2, values });
});

const column = async (path: string) => {
  const answer = await api.get(`${base}/${path}`);
  expect(answer.status).toBe(200);
  return decodeColumn(answer.body);
};

test('what can be drawn is listed with its kind, categories and missing values', async () => {
  const { body } = await api.get(base);
  expect(body).toMatchObject({
    version: written.manifest.version,
    cell_count: 240,
    default_embedding: 'X_umap',
    embeddings: [{ name: 'X_umap', dimensions: 2 }],
  });
  expect(body.obs).toContainEqual({
    name: 'cell_type',
    title: 'Cell Type',
    kind: 'categories',
    categories: 3,
    missing: 0,
    role: 'cellType',
  });
  expect(body.obs).toContainEqual({ name: 'depth', title: 'Depth', kind: 'levels', missing: 0 });
});

test('the list names the column of the samples where it is known', async () => {
  expect((await api.get(base)).body).not.toHaveProperty('sample_column');
  const { body } = await api.get('/api/datasets/donors.h5ad/columns');
  expect(body).toMatchObject({ sample_column: 'donor', obs: [{ name: 'donor', role: 'patient' }] });
});

test('positions, categories and genes come in one order of the cells', async () => {
  const positions = await column('embedding/X_umap');
  expect(positions).toMatchObject({ kind: 'positions', cells: 240, morton: true, missing: 0 });
  const types = (await column('obs/cell_type')) as CategoryColumn;
  expect(Array.from(types.codes, (code) => types.categories[code - 1])).toEqual(
    Array.from(order, (row) => written.cellType(row)),
  );
  const gene = (await column('gene/gene1')) as LevelColumn;
  const exact = written.expression[0]!;
  gene.levels.forEach((level, place) => {
    const value = exact[order[place]!]!;
    expect(level === 0).toBe(value === 0);
    expect(gene.values[level]).toBeCloseTo(value, 1);
  });
  expect(gene.range[1]).toBeCloseTo(Math.max(...exact), 5);
});

test('cells in a square of the map come at their exact coordinates', async () => {
  const all = (await column('embedding/X_umap')) as PositionColumn;
  const square = (await column('embedding/X_umap?square=32768,49152,16384')) as AreaColumn;
  const within = [...order.keys()].filter((place) => {
    const [x, y] = [all.positions[2 * place]!, all.positions[2 * place + 1]!];
    return x >= 32_768 && x <= 49_152 && y >= 49_152;
  });
  expect(within.length).toBeGreaterThan(20);
  expect(square).toMatchObject({ kind: 'area', cells: within.length, left: 32_768, bottom: 49_152 });
  expect(Array.from(square.places)).toEqual(within);
  within.forEach((place, at) => {
    const angle = (2 * Math.PI * order[place]!) / written.manifest.cellCount;
    const steps = { x: 32_768 + square.positions[2 * at]!, y: 49_152 + square.positions[2 * at + 1]! };
    expect(all.origin[0] + all.step * steps.x).toBeCloseTo(Math.cos(angle), 6);
    expect(all.origin[1] + all.step * steps.y).toBeCloseTo(Math.sin(angle), 6);
  });
});

test('a filter is a mask, and a score is of the cells of its subset', async () => {
  const subset = { subset_group_name: 'B', cell_type_filter: true, cell_type: ['B cell'] };
  const mask = await api.post(`${base}/mask`, { subset });
  const bits = decodeColumn(mask.body);
  expect(bits).toMatchObject({ kind: 'mask', count: 80 });
  const score = { of: 'signature', score_name: 'mine', genes: ['GENE1', 'GENE2'] };
  const scored = decodeColumn((await api.post(`${base}/score`, { score, subset })).body) as LevelColumn;
  expect(scored.missing).toBe(160);
  order.forEach((row, place) => {
    expect(scored.levels[place] !== 0).toBe(written.cellType(row) === 'B cell');
    expect(((bits as { bits: Uint8Array }).bits[place >> 3]! >> (place & 7)) & 1).toBe(
      written.cellType(row) === 'B cell' ? 1 : 0,
    );
  });
});

test('the exact values of a cell are requested by its index', async () => {
  const { body } = await api.get(`${base}/cell/5?gene=GENE1&obs=cell_type&obs=depth`);
  const row = order[5]!;
  expect(body).toEqual({
    barcode: `cell-${row}`,
    obs: [
      { name: 'cell_type', title: 'Cell Type', value: written.cellType(row) },
      { name: 'depth', title: 'Depth', value: 1 },
    ],
    genes: [{ name: 'GENE1', value: written.expression[0]![row] }],
  });
});

test('an address with the version is cached for good, and a conditional request for it is answered with 304', async () => {
  const { version } = written.manifest;
  const response = await api.get(`${base}/gene/GENE2?version=${version}`);
  expect(response.headers.get('cache-control')).toBe('private, max-age=31536000, immutable');
  expect((await api.get(`${base}/gene/GENE2`)).headers.get('cache-control')).toBe('private, no-cache');
  const headers = {
    ...server.headers(await server.signIn('standard'), 'map'),
    'if-none-match': `"${version}"`,
  };
  expect((await fetch(`${server.siteUrl}${base}/gene/GENE2`, { headers })).status).toBe(304);
});

test('a client that accepts no gzip gets the bytes uncompressed', async () => {
  const headers = server.headers(await server.signIn('standard'), 'map');
  const plain = await new Promise<{ encoding: unknown; bytes: Buffer }>((resolve, reject) => {
    request(`${server.siteUrl}${base}/obs/leiden`, { headers }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on('data', (piece: Buffer) => pieces.push(piece));
      answer.on('end', () =>
        resolve({ encoding: answer.headers['content-encoding'], bytes: Buffer.concat(pieces) }),
      );
    })
      .on('error', reject)
      .end();
  });
  expect(plain.encoding).toBeUndefined();
  expect(decodeColumn(plain.bytes)).toEqual(await column('obs/leiden'));
});

test.each([
  ['another version', 'obs/leiden?version=old', 409, 'dataset_changed'],
  ['a column that is not there', `obs/${encodeURIComponent('<script>/..')}`, 404, 'column_not_found'],
  ['an embedding that is not there', 'embedding/constructor', 404, 'column_not_found'],
  ['an axis that is not there', 'embedding/X_umap?axes=0,2', 404, 'column_not_found'],
  ['axes that are no numbers', 'embedding/X_umap?axes=x', 400, 'invalid_request'],
  ['a square between those of the grid', 'embedding/X_umap?square=100,0,1024', 400, 'invalid_request'],
  ['a square that is too small', 'embedding/X_umap?square=0,0,32', 400, 'invalid_request'],
  ['a gene that is not there', 'gene/NOPE', 404, 'gene_not_found'],
  ['a place behind the last', 'cell/240', 404, 'cell_not_found'],
  ['a place that is no number', 'cell/first', 400, 'invalid_request'],
  ['a column of a cell that is not there', 'cell/1?obs=__proto__', 404, 'column_not_found'],
])('%s is refused', async (_what, path, status, code) => {
  expect(await api.get(`${base}/${path}`)).toMatchObject({ status, body: { code } });
});

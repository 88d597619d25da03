import { gzipSync } from 'node:zlib';
import { type CategoryColumn, decodeColumn, encodeCells, mapOrder } from '@cellfolio/columns';
import { filterAnswer, mapPoints } from '@cellfolio/contract';
import { packStrings } from '@cellfolio/model';
import { createDatasetWriter } from '@cellfolio/store';
import { beforeAll, expect, test } from 'vitest';
import { apiClient } from '../../testing/running-server.ts';
import { type SharedServer, shareTestServer } from '../../testing/shared-server.ts';
import { createRandom } from '@cellfolio/analysis';

const id = 'million.h5ad';
const cellCount = 1_000_000;
let server: SharedServer;
let token: string;
let api: ReturnType<typeof apiClient>;
let version: string;
const positions = islands();
const order = mapOrder({ name: 'X_umap', dimensions: 2, values: positions });

function islands(): Float32Array {
  const random = createRandom('a million cells');
  const centres = Array.from({ length: 80 }, () => 20 * random.uniform());
  return Float32Array.from({ length: 2 * cellCount }, (_, i) => {
    const island = (Math.imul(i >> 1, 2654435761) >>> 16) % 40;
    return centres[2 * island + (i & 1)]! + 0.8 * random.normal();
  });
}

async function writeMillion(root: string): Promise<string> {
  const writer = await createDatasetWriter(root, id);
  const codes = Int8Array.from({ length: cellCount }, (_, row) => row % 2);
  const categories = ['B cell', 'T cell'];
  await writer.obs({
    rowCount: cellCount,
    indexName: '_index',
    index: packStrings(Array.from({ length: cellCount }, (_, row) => `c${row}`)),
    columns: new Map([
      ['cell_type', { kind: 'categorical', codes, categories, categoryType: 'string', ordered: false }],
    ]),
  });
  await writer.var({ rowCount: 1, indexName: '_index', index: packStrings(['CD3D']), columns: new Map() });
  await writer.obsm({ name: 'X_umap', dimensions: 2, values: positions });
  const cells = Int32Array.from({ length: cellCount / 100 }, (_, i) => i * 100);
  const indptr = Float64Array.of(0, cells.length);
  const matrix = await writer.matrix('X', { cellCount, geneCount: 1, indptr, valueType: 'float32' });
  await matrix.write(cells, new Float32Array(cells.length).fill(1));
  await matrix.close();
  const { version: written } = await writer.publish({
    catalogue: {
      name: 'Million',
      disease: 'None',
      subdisease: 'None',
      category1: 'None',
      category2: 'None',
      description: '',
      simulated: true,
    },
    roles: { cellType: 'cell_type', embedding: 'X_umap', metadata: {} },
    expression: { path: 'X', state: 'log-normalised', hasCounts: false },
    warnings: [],
  });
  return written;
}

beforeAll(async () => {
  server = await shareTestServer(async ({ objectRoot }) => {
    version = await writeMillion(objectRoot);
  });
  token = await server.signIn('standard');
  api = apiClient(server, token, 'million');
  await api.get(`/api/dataset_analysis/${id}`);
});

function selectionOf(passes: (row: number) => boolean) {
  const bits = new Uint8Array(cellCount / 8);
  const types: Record<string, number> = { 'B cell': 0, 'T cell': 0 };
  for (let place = 0; place < cellCount; place++) {
    const row = order[place]!;
    if (!passes(row)) continue;
    bits[place >> 3]! |= 1 << (place & 7);
    types[row % 2 ? 'T cell' : 'B cell']!++;
  }
  return { types, places: encodeCells(bits, cellCount) };
}

function lasso(): (row: number) => boolean {
  const [x, y] = [10, 10];
  const distances = Float64Array.from({ length: cellCount }, (_, row) =>
    Math.hypot(positions[2 * row]! - x, positions[2 * row + 1]! - y),
  );
  const radius = distances.toSorted()[cellCount / 5]!;
  return (row) => distances[row]! < radius;
}

const random = createRandom('half of them');
const half = Uint8Array.from({ length: cellCount }, () => (random.uniform() < 0.5 ? 1 : 0));

test.each([
  ['a lasso around a fifth', lasso(), 60_000],
  ['a random half', (row: number) => half[row] === 1, 170_000],
])('%s of a million cells is chosen, saved and read back', async (name, passes, maxCharacters) => {
  const { places, types } = selectionOf(passes);
  if (process.env['MEASURE'])
    console.log(name, places.length, 'characters', gzipSync(places).length, 'bytes gzipped');
  expect(places.length).toBeLessThan(maxCharacters);
  const request = { subset_group_name: name, cells_filter: true, cells: { version, places } };
  const answer = filterAnswer.parse((await api.post('/api/filter-active-dataset', request)).body);
  expect(answer.cell_type_counts).toEqual(types);

  // What the page saves: the request, and beside it what the form shows.
  const table = `${server.siteUrl}/rest/v1/subset_metadata`;
  const headers = {
    apikey: server.config.publishableKey,
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    prefer: 'return=representation',
  };
  const { sub } = JSON.parse(atob(token.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/'))) as {
    sub: string;
  };
  const row = { user_id: sub, subset_name: name, filter_config: { api_payload: request } };
  const saved = await fetch(table, { method: 'POST', headers, body: JSON.stringify(row) });
  expect(saved.status).toBe(201);
  const read = await fetch(`${table}?subset_name=eq.${encodeURIComponent(name)}`, { headers });
  expect(await read.json()).toMatchObject([{ filter_config: { api_payload: request } }]);
});

test('a selection of a million cells stays active for the calls that follow, and is drawn', async () => {
  const { places } = selectionOf((row) => half[row] === 1);
  const cells = { version, places };
  await api.post('/api/filter-active-dataset', { subset_group_name: 'Half', cells_filter: true, cells });
  const { status, body } = await api.post('/api/plot-umap-with-genes', { genes: ['CD3D'] });
  expect(status).toBe(200);
  const { source, figure } = body.plots[0];
  const chosen = half.reduce((sum, one) => sum + one, 0);
  expect(figure.counts.cells).toBe(chosen);
  // Two selections in one call: the cells that are tested, and those they are cut by.
  const markers = await api.post('/api/perform-marker-analysis', {
    groupby: 'Map selection',
    cells: { subset: source.subset },
    selection: { version, places: selectionOf(lasso()).places },
    pvals_adj: 1,
    logfoldchanges: -100,
  });
  expect(markers.status).toBe(200);
  const groups = markers.body.groups.map(({ cells: count }: { cells: number }) => count);
  expect(groups[0] + groups[1]).toBe(chosen);
});

test('a map of points has one in five of a million cells, in pieces that join', async () => {
  const types = decodeColumn(
    (await api.get(`/api/datasets/${id}/columns/obs/cell_type`)).body,
  ) as CategoryColumn;
  const places: number[] = [];
  const codes: number[] = [];
  for (let from: number | null = 0, calls = 0; from !== null; calls++) {
    expect(calls).toBeLessThan(4);
    const body = { color: { column: 'cell_type' }, version, from };
    // oxlint-disable-next-line no-await-in-loop -- a piece says where the next begins
    const piece = mapPoints.parse((await api.post(`/api/datasets/${id}/columns/points`, body)).body);
    expect(piece).toMatchObject({ cells: cellCount, placed: cellCount, every: 5, points: 200_000, from });
    const bytes = Uint8Array.from(Buffer.from(piece.places, 'base64'));
    places.push(...new Uint32Array(bytes.buffer));
    codes.push(...Buffer.from(piece.values!.bytes, 'base64'));
    from = piece.next_from;
  }
  expect(places).toEqual(Array.from({ length: 200_000 }, (_, at) => 5 * at));
  expect(codes).toEqual(places.map((place) => types.codes[place]));
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type CategoryColumn,
  decodeColumn,
  encodeCells,
  type LevelColumn,
  type PositionColumn,
} from '@cellfolio/columns';
import type { MapFigure, MapPoints } from '@cellfolio/contract';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hostile, writeAnalysisDataset } from '../../testing/analysis-dataset.ts';
import { apiClient } from '../../testing/running-server.ts';
import { type SharedServer, shareTestServer } from '../../testing/shared-server.ts';
import { pageCaching, serveMapPage } from './map-page.ts';
import { connectTools, revision } from './testing/connect-tools.ts';

const id = 'cells.h5ad';
const uri = 'ui://cellfolio/map.html';
const dataset = { filename: id };
let server: SharedServer;
let api: ReturnType<typeof apiClient>;
let tools: Awaited<ReturnType<typeof connectTools>>;
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cellfolio-map-page-'));
  server = await shareTestServer(async ({ objectRoot }) => {
    await writeAnalysisDataset(objectRoot, id);
  });
  const token = await server.signIn('standard');
  api = apiClient(server, token, 'map-page');
  tools = await connectTools(server.siteUrl, { authorization: `Bearer ${token}` });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The official client of a server that has the page alone. */
async function clientOf(file: string): Promise<Client> {
  const make = () => {
    const one = new Server(
      { name: 'page', version: '1' },
      { capabilities: { resources: {} }, cacheHints: { 'resources/read': pageCaching } },
    );
    serveMapPage(one, uri, file);
    return one;
  };
  const { fetch: answer } = createMcpHandler(make);
  const client = new Client(
    { name: 'tests', version: '1' },
    { versionNegotiation: { mode: { pin: revision } } },
  );
  const ask = (url: string | URL, init?: RequestInit) => answer(new Request(url, init));
  await client.connect(new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), { fetch: ask }));
  return client;
}

test('the tools of the map name their page, and the one for its data is for apps alone', async () => {
  const all = await tools.list();
  const metas = new Map(all.map(({ name, _meta: meta }) => [name, meta]));
  const metaOf = (tool: string) => metas.get(tool);
  expect(metaOf('show_map')).toEqual({ ui: { resourceUri: uri } });
  expect(metaOf('map_points')).toEqual({ ui: { resourceUri: uri, visibility: ['app'] } });
  expect(metaOf('draw_figure')).toBeUndefined();
});

test('the page is a resource of MCP Apps that reaches no domain', async () => {
  const file = join(folder, 'map.html');
  await writeFile(file, '<!doctype html><title>Map</title>');
  const client = await clientOf(file);
  const { resources } = await client.listResources();
  expect(resources).toMatchObject([{ uri, mimeType: 'text/html;profile=mcp-app' }]);
  const { contents } = await client.readResource({ uri });
  expect(contents).toEqual([
    {
      uri,
      mimeType: 'text/html;profile=mcp-app',
      text: '<!doctype html><title>Map</title>',
      _meta: { ui: { csp: {}, prefersBorder: true } },
    },
  ]);
  await expect(client.readResource({ uri: 'ui://cellfolio/other.html' })).rejects.toThrow(
    'There is no such resource',
  );
});

test('a server without the built page lists none, and says how it is built', async () => {
  const client = await clientOf(join(folder, 'absent.html'));
  expect((await client.listResources()).resources).toEqual([]);
  await expect(client.readResource({ uri })).rejects.toThrow('The map was not built on this server.');
});

const show = async (args: object) => (await tools.call('show_map', { dataset, ...args })).data;
const piece = async (args: object) => {
  const { data, text } = await tools.call('map_points', { dataset, ...args });
  expect(data, text).toBeDefined();
  return data as MapPoints & { figures?: { light: MapFigure; dark: MapFigure } };
};
const column = async (path: string) => {
  const { status, body } = await api.get(`/api/datasets/${id}/columns/${path}`);
  expect(status).toBe(200);
  return decodeColumn(body);
};
const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64'));
const shorts = (text: string) => Array.from(new Uint16Array(bytes(text).buffer));

test('the words of a map are those of its figure', async () => {
  const shown = await show({});
  const body = { source: { dataset_filename: id, content: { kind: 'category-umap' } }, format: 'json' };
  const figure = (await api.post('/api/render-figure', body)).body;
  expect(shown).toMatchObject({
    dataset: { filename: id, version: expect.any(String) },
    title: figure.words.title,
    reading: figure.words.reading,
    embedding: 'X_umap',
    cells: { shown: 240, in_dataset: 240, without_position: 0 },
    points: { count: 240, every: 1 },
    groups: figure.groups.map(
      ({ label, colour, cells }: { label: string; colour: string; cells: number }) => ({
        name: label,
        color: colour,
        cells,
      }),
    ),
  });
  expect(await show({ color: { gene: 'GENE1' } })).toMatchObject({
    title: expect.stringContaining('GENE1'),
    range: { low: expect.any(Number), high: expect.any(Number) },
  });
});

test('the points have the positions and the values of the columns', async () => {
  const groups = await piece({});
  const gene = await piece({ color: { gene: 'GENE1' } });
  const positions = (await column('embedding/X_umap')) as PositionColumn;
  const types = (await column('obs/cell_type')) as CategoryColumn;
  const levels = (await column('gene/GENE1')) as LevelColumn;
  expect(groups).toMatchObject({ cells: 240, placed: 240, points: 240, every: 1, from: 0, next_from: null });
  expect(shorts(groups.positions)).toEqual([...positions.positions]);
  expect([...new Uint32Array(bytes(groups.places).buffer)]).toEqual([...types.codes.keys()]);
  expect([...bytes(groups.values!.bytes)]).toEqual([...types.codes]);
  expect([...bytes(gene.values!.bytes)]).toEqual([...levels.levels]);
  expect(gene.values!.level_values).toEqual(
    Array.from(levels.values, (value) => (Number.isNaN(value) ? null : value)),
  );
  expect(gene.figures!.light).toMatchObject({ domain: expect.anything() });
  expect((gene.figures!.dark as { colours: object }).colours).not.toEqual(
    (gene.figures!.light as { colours: object }).colours,
  );
});

test('a filter leaves the points of its cells, and a later piece begins at its number', async () => {
  const types = (await column('obs/cell_type')) as CategoryColumn;
  const name = types.categories[0]!;
  const cells = { subset: { subset_group_name: 'Some', cell_type_filter: true, cell_type: [name] } };
  const all = await piece({ cells });
  expect(all).toMatchObject({ cells: types.counts[0], points: types.counts[0] });
  expect(new Set(bytes(all.values!.bytes))).toEqual(new Set([1]));
  const rest = await piece({ cells, from: 10 });
  expect(shorts(rest.positions)).toEqual(shorts(all.positions).slice(20));
  expect(rest.figures).toBeUndefined();
});

test('the filter that the page gives of encircled cells works in tools', async () => {
  const { version } = await piece({});
  const bits = new Uint8Array(30).fill(0b101, 0, 10);
  const cells = {
    subset: {
      subset_group_name: 'Encircled cells',
      cells_filter: true,
      cells: { version, places: encodeCells(bits, 240) },
    },
  };
  expect(await show({ cells })).toMatchObject({ cells: { shown: 20 }, points: { count: 20 } });
});

test('names of strangers arrive unchanged as data, and what is not there is refused', async () => {
  const { groups } = (await show({ color: { column: 'cell_type' } })) as { groups: { name: string }[] };
  expect(groups.map(({ name }) => name)).toContain(hostile);
  for (const tool of ['show_map', 'map_points']) {
    const refused = await tools.call(tool, { dataset, color: { gene: 'NO SUCH' } });
    expect(refused.fenced).toMatchObject({ code: 'gene_not_found' });
    const odd = await tools.call(tool, { dataset, color: { gene: 'GENE1', column: 'depth' } });
    expect(odd.fenced).toMatchObject({ status: 400, message: expect.stringContaining('color') });
  }
});

test('without an account the demo dataset alone can be shown', async () => {
  const visitor = await connectTools(server.siteUrl, {});
  await expect(visitor.call('show_map', { dataset })).rejects.toMatchObject({ status: 401 });
  await expect(visitor.call('map_points', { dataset })).rejects.toMatchObject({ status: 401 });
});

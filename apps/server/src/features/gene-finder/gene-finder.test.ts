import { noteDifferences } from '@cellfolio/model/testing';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FileObjectStore } from '@cellfolio/bytes';
import { temporaryRoot } from '@cellfolio/bytes/testing';
import { apiHeaders, geneSummary } from '@cellfolio/contract';
import type { DatasetManifest } from '@cellfolio/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import { ownersPassword, prepareOwners } from '../../testing/own-files.ts';
import { apiClient, startTestServer, type TestServer } from '../../testing/running-server.ts';
import { writeTinyDataset } from '../../testing/tiny-dataset.ts';
import { categorical, circle, writeTestDataset } from '../../testing/write-test-dataset.ts';
import { GeneFinder } from './gene-finder.ts';
import { summaryCsv } from './summary-files.ts';

const cellCount = 240;
const hostile = '<script>alert(1)</script>';
const types = ['B cell', hostile, 'T cell'];
const typeOf = (cell: number) => (cell % 8 === 0 ? -1 : cell % 3);
/** Value of every gene in a cell. fixtures/gene-finder/dot_plot_reference.py has the same formula. */
const valueOf = (gene: number, cell: number) =>
  (cell * 7 + gene * 3) % 11 < 3 * ((cell % 3) + 1) ? 1 + ((cell * 7) % 5) / 4 : 0;
const genes = ['GENE1', 'Gene2', hostile];
/** Indexed by gene, then type. */
const reference = JSON.parse(readFileSync(join(import.meta.dirname, 'dot-plot-reference.json'), 'utf8')) as {
  fractions: number[][];
  means: number[][];
};
let server: TestServer;
const tokens = new Map<string, string>();
let fileId = '';

interface Written {
  stored?: boolean;
  names?: readonly string[];
  symbols?: readonly string[];
}

async function write(
  root: string,
  id: string,
  name: string,
  { stored = true, names = types, symbols = genes }: Written = {},
): Promise<DatasetManifest> {
  const cellTypes = { ...categorical([], cellCount, typeOf), categories: names };
  return writeTestDataset(root, id, {
    cellCount,
    obs: new Map([['cell_type', cellTypes]]),
    ...(stored && { statistics: new Map([['cell_type', cellTypes]]) }),
    genes: symbols.map((gene, at) => {
      const cells = Int32Array.from({ length: cellCount }, (_, cell) => cell).filter(
        (cell) => valueOf(at, cell) > 0,
      );
      return { name: gene, cells, values: Float32Array.from(cells, (cell) => valueOf(at, cell)) };
    }),
    embeddings: [circle(cellCount)],
    catalogue: { name },
    roles: { cellType: 'cell_type', embedding: 'X_umap', metadata: {} },
  });
}

beforeAll(async () => {
  server = await startTestServer({ DEMO: 'false' }, async ({ dataDir, objectRoot }) => {
    await prepareOwners(dataDir, async ({ addUser, addFile, database, holdJobs }) => {
      fileId = await addFile(await addUser('ada', 'Professional'), 'mine.h5ad');
      await addUser('bob', 'Professional');
      await holdJobs();
      await database.pool.query(`insert into cellfolio.custom_datasets (file_id, version) values ($1, 'v')`, [
        fileId,
      ]);
    });
    await write(objectRoot, 'public.h5ad', 'Public');
    await write(objectRoot, `custom:${fileId}`, 'Mine', {
      stored: false,
      names: ['b_cells', hostile, 'T cell'],
    });
    await writeTinyDataset(objectRoot, 'older.h5ad', { name: hostile });
    const barcodes = Array.from({ length: 501 }, (_, at) => `cell ${at}`);
    await write(objectRoot, 'single.h5ad', 'Single', { stored: false, names: barcodes });
  });
  for (const person of ['ada', 'bob']) {
    const answer = await fetch(`${server.siteUrl}/auth/v1/token?grant_type=password`, {
      method: 'POST',
      headers: { apikey: server.config.publishableKey, 'content-type': 'application/json' },
      body: JSON.stringify({ email: `${person}@example.org`, password: ownersPassword }),
    });
    tokens.set(person, ((await answer.json()) as { access_token: string }).access_token);
  }
});
afterAll(() => server?.close());

async function ask(person: string, gene: string) {
  const { status, body } = await apiClient(server, tokens.get(person)!, 'tab').get(
    `/api/gene-summary?${new URLSearchParams({ gene })}`,
  );
  expect(status).toBe(200);
  return geneSummary.parse(body);
}

function download(person: string, gene: string, format: string, layout: object = {}) {
  return fetch(
    `${server.siteUrl}/api/gene-summary-file?${new URLSearchParams({ gene, format, ...layout })}`,
    {
      headers: {
        [apiHeaders.apiKey]: server.config.publishableKey,
        [apiHeaders.session]: 'tab',
        authorization: `Bearer ${tokens.get(person)!}`,
      },
    },
  );
}

test('fraction and mean of each type are those of scanpy’s dot plot, stored or computed', async () => {
  for (const [gene, name] of genes.entries()) {
    const { datasets } = await ask('ada', name.toLowerCase());
    expect(datasets.map(({ name: dataset, computed }) => [dataset, computed])).toEqual([
      ['Public', false],
      ['Mine', true],
    ]);
    for (const { symbol, cell_types: cellTypes } of datasets) {
      expect(symbol).toBe(name);
      for (const [type, { cells, expressing, mean }] of cellTypes.entries()) {
        const [share, expectedMean] = [reference.fractions[gene]![type]!, reference.means[gene]![type]!];
        noteDifferences('gene-finder', [expressing / cells, mean!], [share, expectedMean], 1);
        expect(cells).toBe(70);
        expect(Math.abs(expressing / cells - reference.fractions[gene]![type]!)).toBeLessThan(1e-6);
        expect(Math.abs(mean! - reference.means[gene]![type]!)).toBeLessThan(1e-6);
      }
    }
  }
});

test('an own dataset is found for its owner alone, as answer and as file', async () => {
  expect((await ask('ada', 'GENE1')).datasets.map(({ name }) => name)).toEqual(['Public', 'Mine']);
  expect((await ask('bob', 'GENE1')).datasets.map(({ name }) => name)).toEqual(['Public']);
  for (const format of ['csv', 'svg']) {
    expect(await (await download('ada', 'GENE1', format)).text()).toContain('Mine');
    expect(await (await download('bob', 'GENE1', format)).text()).not.toContain('Mine');
  }
});

test('types that are written differently share a column, which says how', async () => {
  const { columns, datasets } = await ask('ada', 'GENE1');
  expect(columns.map(({ name }) => name)).toEqual([hostile, 'B cell', 'T cell']);
  expect(columns[1]!.spellings).toEqual([
    { name: 'B cell', datasets: 1 },
    { name: 'b_cells', datasets: 1 },
  ]);
  expect(datasets.map(({ cell_types: [first] }) => [first!.name, first!.column])).toEqual([
    ['B cell', 1],
    ['b_cells', 1],
  ]);
});

test('a dataset that cannot be summarised is named with the reason, and so are those that do not have the gene', async () => {
  const single = { dataset_filename: 'single.h5ad', name: 'Single', reason: 'too_many_cell_types' };
  expect(await ask('bob', 'NOWHERE')).toEqual({
    gene: 'NOWHERE',
    datasets: [],
    columns: [],
    reading: '',
    renamed: [],
    nearest: [],
    without_gene: [expect.anything(), expect.anything()],
    not_summarised: [single],
    left_out: 0,
  });
  expect((await ask('bob', hostile)).datasets).toHaveLength(1);
  const older = await ask('bob', 'CD79A');
  expect(older.datasets).toMatchObject([{ dataset_filename: 'older.h5ad', computed: true }]);
  expect(older.reading).toBe(
    'CD79A is expressed most widely in “B cell” of “<script>alert(1)</script>”: in 100.0 % of 20 cells, with a mean of 2. Over all cell types, 33.3 % of 60 cells in 1 dataset express it.',
  );
});

test('a gene that is misspelt gets names like it that the caller’s datasets have, and how many', async () => {
  expect((await ask('ada', 'GENE-2')).nearest[0]).toEqual({ symbol: 'Gene2', datasets: 2 });
  expect((await ask('bob', 'GENE-2')).nearest[0]).toEqual({ symbol: 'Gene2', datasets: 1 });
  expect((await ask('bob', 'CD97A')).nearest).toEqual([{ symbol: 'CD79A', datasets: 1 }]);
  expect((await ask('bob', 'GENE2')).nearest).toEqual([]);
});

test('the figure is a file of each kind, the table has all numbers, and hostile names are text', async () => {
  const png = await download('bob', 'GENE1', 'png');
  expect([png.status, png.headers.get('content-type')]).toEqual([200, 'image/png']);
  const widthOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer()).readUInt32BE(16);
  const width = await widthOf(png);
  expect(await widthOf(await download('bob', 'GENE1', 'png-300dpi'))).toBeGreaterThanOrEqual(width);
  const svg = await (await download('bob', hostile, 'svg')).text();
  expect(svg).not.toContain('<script');
  expect(svg).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  const csv = await (await download('ada', 'GENE1', 'csv')).text();
  const lines = csv.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  expect(lines).toHaveLength(1 + 6);
  expect(lines[4]).toMatch(
    /^Mine,custom:[\w-]+,false,GENE1,b_cells,B cell,70,\d+,0\.\d+,\d\.\d+,expression$/,
  );
  expect(csv).toContain('# Cell types joined as "B cell": "B cell" (1), "b_cells" (1)');
  expect((await download('bob', 'NOWHERE', 'csv')).status).toBe(400);
});

test('the figure has the requested title block and width, and reports its sizes', async () => {
  const [titled, bare] = await Promise.all(
    [{ title: 'Figure 2a', width_mm: 89 }, { title_block: false }].map(async (layout) =>
      (await download('bob', 'GENE1', 'svg', layout)).text(),
    ),
  );
  expect(titled).toMatch(/^<svg [^>]*width="89mm"/);
  expect(titled).toContain('>Figure 2a</text>');
  expect(bare).not.toContain('All datasets that have it</text>');
  const { files } = (await (await download('bob', 'GENE1', 'json', { width_mm: 89 })).json()) as {
    files: { pdf: { width: number } };
  };
  expect(files.pdf.width).toBe(89);
  const refused = await download('bob', 'GENE1', 'pdf', { width_mm: 29 });
  expect(refused.status).toBe(400);
  expect(await refused.text()).toContain('30 to 420 mm');
});

test('a gene is found by its other names too, the requested name first, and the answer says so', async () => {
  const root = await temporaryRoot();
  const manifests = [
    await write(root, 'new.h5ad', 'New', { symbols: ['PTPRC', 'RACK1', 'GENE3'] }),
    await write(root, 'old.h5ad', 'Old', { symbols: ['Ptprc', 'GNB2L1', 'CD45'] }),
    await write(root, 'without.h5ad', 'Without'),
  ];
  const open = new OpenDatasets(new FileObjectStore(root), { datasets: 1, cacheBytes: 0 });
  const finder = new GeneFinder({
    catalogue: { manifests: async () => manifests },
    own: { manifestsOf: async () => [] },
    datasets: open,
    groupedGenes: { of: () => Promise.reject(new Error('nothing is to be computed')) },
  });
  const call = { signal: new AbortController().signal, users: () => [], onProgress: () => {} };
  const find = async (gene: string) =>
    geneSummary.parse(await finder.find({ userId: 'somebody' }, gene, call));
  const symbolsIn = ({ datasets }: Awaited<ReturnType<typeof find>>) => datasets.map(({ symbol }) => symbol);

  const cd45 = await find('cd-45');
  expect(symbolsIn(cd45)).toEqual(['PTPRC', 'Ptprc']);
  expect(cd45.renamed).toEqual([
    { symbol: 'PTPRC', datasets: 1 },
    { symbol: 'Ptprc', datasets: 1 },
  ]);
  expect(cd45.without_gene).toEqual([{ dataset_filename: 'without.h5ad', name: 'Without' }]);
  const exact = await find('CD45');
  expect(symbolsIn(exact)).toEqual(['PTPRC', 'CD45']);
  expect(exact.renamed).toEqual([{ symbol: 'PTPRC', datasets: 1 }]);
  expect(symbolsIn(await find('RACK1'))).toEqual(['RACK1', 'GNB2L1']);
  // A complex is no gene.
  expect(await find('CD3')).toMatchObject({ datasets: [], renamed: [] });
  expect(summaryCsv(exact)).toContain('# "CD45" is another name of "PTPRC" (1)');
});

test('what is prepared is not opened again by the first question', async () => {
  const root = await temporaryRoot();
  const manifests = [await write(root, 'one.h5ad', 'One'), await write(root, 'two.h5ad', 'Two')];
  const opened: string[] = [];
  const open = new OpenDatasets(new FileObjectStore(root), { datasets: 1, cacheBytes: 0 });
  const finder = new GeneFinder({
    catalogue: { manifests: async () => manifests },
    own: { manifestsOf: async () => [] },
    datasets: { get: async (ref) => (opened.push(ref.id), open.get(ref)) },
    groupedGenes: { of: () => Promise.reject(new Error('nothing is to be computed')) },
  });
  const stopped = AbortSignal.abort();
  await finder.prepare(stopped);
  expect(opened).toEqual([]);
  const { signal } = new AbortController();
  await finder.prepare(signal);
  expect(opened).toEqual(['one.h5ad', 'two.h5ad']);
  const done: number[] = [];
  const call = { signal, users: () => [], onProgress: (event: { done: number }) => done.push(event.done) };
  expect((await finder.find({ userId: 'somebody' }, 'GENE1', call)).datasets).toHaveLength(2);
  expect(opened).toHaveLength(2);
  expect(done).toEqual([0, 1, 2]);
  await expect(finder.find({ userId: 'somebody' }, 'GENE1', { ...call, signal: stopped })).rejects.toThrow(
    'abort',
  );
});

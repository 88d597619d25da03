import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { geneSummary } from '@cellfolio/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ownersPassword, prepareOwners } from '../../testing/own-files.ts';
import { apiClient, startTestServer, type TestServer } from '../../testing/running-server.ts';
import { writeTinyDataset } from '../../testing/tiny-dataset.ts';
import { categorical, circle, writeTestDataset } from '../../testing/write-test-dataset.ts';

const cellCount = 240;
const hostile = '<script>alert(1)</script>';
const types = ['B cell', hostile, 'T cell'];
const typeOf = (cell: number) => (cell % 8 === 0 ? -1 : cell % 3);
/** Of every gene: its value in a cell. fixtures/gene-finder/dot_plot_reference.py has the same. */
const valueOf = (gene: number, cell: number) =>
  (cell * 7 + gene * 3) % 11 < 3 * ((cell % 3) + 1) ? 1 + ((cell * 7) % 5) / 4 : 0;
const genes = ['GENE1', 'Gene2', hostile];
/** By gene and type. */
const reference = JSON.parse(readFileSync(join(import.meta.dirname, 'dot-plot-reference.json'), 'utf8')) as {
  fractions: number[][];
  means: number[][];
};
let server: TestServer;
const tokens = new Map<string, string>();
let fileId = '';

async function write(root: string, id: string, name: string): Promise<void> {
  const cellTypes = categorical(types, cellCount, typeOf);
  await writeTestDataset(root, id, {
    cellCount,
    obs: new Map([['cell_type', cellTypes]]),
    statistics: new Map([['cell_type', cellTypes]]),
    genes: genes.map((gene, at) => {
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
    await write(objectRoot, `custom:${fileId}`, 'Mine');
    await writeTinyDataset(objectRoot, 'older.h5ad', { name: hostile });
  });
  for (const person of ['ada', 'bob']) {
    const answer = await fetch(`${server.siteUrl}/auth/v1/token?grant_type=password`, {
      method: 'POST',
      headers: { apikey: server.config.publishableKey, 'content-type': 'application/json' },
      body: JSON.stringify({ email: `${person}@example.org`, password: ownersPassword }),
    });
    tokens.set(person, ((await answer.json()) as { access_token: string }).access_token);
  }
}, 180_000);
afterAll(() => server?.close());

async function ask(person: string, gene: string) {
  const { status, body } = await apiClient(server, tokens.get(person)!, 'tab').get(
    `/api/gene-summary?${new URLSearchParams({ gene })}`,
  );
  expect(status).toBe(200);
  return geneSummary.parse(body);
}

test('fraction and mean of each type are those of scanpy’s dot plot', async () => {
  for (const [gene, name] of genes.entries()) {
    const { datasets } = await ask('bob', name.toLowerCase());
    expect(datasets).toHaveLength(1);
    expect(datasets[0]).toMatchObject({ dataset_filename: 'public.h5ad', name: 'Public', symbol: name });
    const found = datasets[0]!.cell_types;
    expect(found.map((type) => type.name)).toEqual(types);
    for (const [type, { cells, expressing, mean }] of found.entries()) {
      expect(cells).toBe(70);
      expect(Math.abs(expressing / cells - reference.fractions[gene]![type]!)).toBeLessThan(1e-6);
      expect(Math.abs(mean! - reference.means[gene]![type]!)).toBeLessThan(1e-6);
    }
  }
});

test('an own dataset is found for its owner alone', async () => {
  expect((await ask('ada', 'GENE1')).datasets.map(({ name }) => name)).toEqual(['Public', 'Mine']);
  expect((await ask('bob', 'GENE1')).datasets.map(({ name }) => name)).toEqual(['Public']);
});

test('a dataset without stored statistics is named, and so is how many do not have the gene', async () => {
  const older = { dataset_filename: 'older.h5ad', name: hostile, reason: 'no_statistics' };
  expect(await ask('bob', 'NOWHERE')).toEqual({
    gene: 'NOWHERE',
    datasets: [],
    without_gene: 1,
    not_summarised: [older],
    left_out: 0,
  });
  expect((await ask('bob', hostile)).datasets).toHaveLength(1);
});

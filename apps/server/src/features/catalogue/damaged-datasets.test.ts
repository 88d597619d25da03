import { mkdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../../testing/run-command.ts';
import { apiClient, startTestServer, type TestServer } from '../../testing/running-server.ts';
import { writeTinyDataset } from '../../testing/tiny-dataset.ts';

interface Damage {
  what: string;
  harm: (folder: string) => Promise<unknown>;
  message: RegExp;
  cellTypeColumn?: string;
}

const codes = join('obs', 'cell_type', 'codes', 'c', '0');
const damages: readonly Damage[] = [
  {
    what: 'a manifest that is no JSON',
    harm: (folder) => writeFile(join(folder, 'manifest.json'), 'not JSON'),
    message: /manifest\.json: it is not JSON/,
  },
  {
    what: 'a manifest that was cut off',
    harm: (folder) => truncate(join(folder, 'manifest.json'), 300),
    message: /manifest\.json: it is not JSON/,
  },
  {
    what: 'a manifest of another layout',
    harm: (folder) => changeManifest(folder, (manifest) => ({ ...manifest, formatVersion: 0 })),
    message: /it has format version 0/,
  },
  {
    what: 'a manifest without what the catalog shows',
    harm: (folder) => changeManifest(folder, (manifest) => ({ ...manifest, catalogue: { name: 'x' } })),
    message: /catalogue\.disease is not text/,
  },
  {
    what: 'a folder in the place of its manifest',
    harm: async (folder) => {
      await rm(join(folder, 'manifest.json'));
      await mkdir(join(folder, 'manifest.json'));
    },
    message: /manifest\.json/,
  },
  {
    what: 'no manifest',
    harm: (folder) => rm(join(folder, 'manifest.json')),
    message: /manifest\.json is missing/,
  },
  {
    what: 'a manifest that names a column that is not there',
    harm: async () => undefined,
    cellTypeColumn: 'no_such_column',
    message: /it names "no_such_column", which obs does not have/,
  },
  {
    what: 'a missing file',
    harm: (folder) => rm(join(folder, codes)),
    message: /codes\/c\/0: it is missing/,
  },
  {
    what: 'changed labels',
    harm: (folder) => changeByte(join(folder, codes), 1),
    message: /codes\/c\/0: it cannot be decompressed/,
  },
  {
    what: 'changed metadata',
    harm: (folder) => changeByte(join(folder, 'zarr.json'), 2),
    message: /zarr\.json: its checksum does not fit/,
  },
  ...Array.from({ length: 12 }, (_, seed) => ({
    what: `one changed byte of the manifest (seed ${seed})`,
    harm: (folder: string) => changeByte(join(folder, 'manifest.json'), seed),
    message: /damaged and cannot be opened: [^:]+: \S/,
  })),
];
const idOf = (at: number) => `broken-${at + 10}.h5ad`;
const sound = ['a.h5ad', 'm.h5ad', 'z.h5ad'];
const oneGene = 'broken-gene.h5ad';
let server: TestServer;
let api: ReturnType<typeof apiClient>;

beforeAll(async () => {
  server = await startTestServer({}, async ({ objectRoot }) => {
    for (const id of [...sound, oneGene]) await writeTinyDataset(objectRoot, id);
    await changeByte(join(objectRoot, 'datasets', oneGene, 'X', 'data', 'c', '0'), 3, 0.1);
    for (const [at, { harm, cellTypeColumn }] of damages.entries()) {
      const roles = cellTypeColumn === undefined ? {} : { cellType: cellTypeColumn };
      await writeTinyDataset(objectRoot, idOf(at), {}, roles);
      await harm(join(objectRoot, 'datasets', idOf(at)));
    }
  });
  api = apiClient(server, await server.signIn('standard'), 'damaged');
});
afterAll(() => server?.close());

test('the catalogue lists every dataset that can be read, whatever is the matter with the others', async () => {
  const { status, body } = await api.get('/api/dataset_metadata');
  expect(status).toBe(200);
  const listed = Object.values<Record<string, { dataset_filename: string }[]>>(body)
    .flatMap((branch) => Object.values(branch).flat())
    .map((one) => one.dataset_filename);
  expect(listed).toEqual(['a.h5ad', oneGene, 'm.h5ad', 'z.h5ad']);
  for (const id of sound) expect((await api.get(`/api/dataset_analysis/${id}`)).status).toBe(200);
});

test.each(damages.map(({ what, message }, at) => ({ what, message, id: idOf(at) })))(
  'a dataset with $what is listed as damaged, and opening it is refused with the reason',
  async ({ id, message }) => {
    const { body } = await api.get('/api/damaged-datasets');
    const listed = body.datasets.find((one: { dataset_filename: string }) => one.dataset_filename === id);
    expect(listed.message).toMatch(message);
    const opened = await api.get(`/api/dataset_analysis/${id}`);
    expect(opened).toMatchObject({ status: 422, body: { code: 'dataset_damaged' } });
    // One remedy: the reason of another layout names its own.
    expect(
      opened.body.message.match(/cellfolio dataset verify|dataset add FILE --id \S+ --replace/g),
    ).toHaveLength(1);
  },
);

test('a dataset of another layout is reported as one to create again, not as one to verify', async () => {
  const id = idOf(damages.findIndex(({ what }) => what === 'a manifest of another layout'));
  const { message } = (await api.get(`/api/dataset_analysis/${id}`)).body;
  expect(message).toMatch(new RegExp(`dataset add FILE --id ${id} --replace\\.$`));
});

test('a search for a gene leaves out the datasets that cannot be opened', async () => {
  const { status, body } = await api.get('/api/gene-datasets?genes=CD79A');
  expect(status).toBe(200);
  const filenames = body.genes[0].datasets.map((one: { dataset_filename: string }) => one.dataset_filename);
  expect(filenames).toEqual(expect.arrayContaining(sound));
});

test('a gene whose bytes were changed is refused with the same code, and the dataset is open otherwise', async () => {
  expect((await api.get(`/api/dataset_analysis/${oneGene}`)).status).toBe(200);
  const answer = await api.post('/api/plot-umap-with-genes', { genes: ['CD79A'] });
  expect(answer).toMatchObject({ status: 422, body: { code: 'dataset_damaged' } });
});

test('the command line lists the same datasets as damaged', async () => {
  const { dataDir } = server.settings;
  const { out } = await runCommand(['dataset', 'list', '--json'], { DATA_DIR: dataDir });
  const { datasets, damaged } = JSON.parse(out) as Record<string, { id: string }[]>;
  expect(datasets!.map(({ id }) => id)).toEqual(['a.h5ad', oneGene, 'm.h5ad', 'z.h5ad']);
  expect(damaged!.map(({ id }) => id)).toEqual(damages.map((_, at) => idOf(at)));
});

async function changeManifest(folder: string, change: (manifest: object) => object): Promise<void> {
  const path = join(folder, 'manifest.json');
  await writeFile(path, JSON.stringify(change(JSON.parse(await readFile(path, 'utf8')) as object)));
}

async function changeByte(path: string, seed: number, part = 1): Promise<void> {
  const bytes = await readFile(path);
  const at = Math.floor(((Math.imul(seed + 1, 2_654_435_761) >>> 0) / 2 ** 32) * bytes.length * part);
  bytes[at] = bytes[at]! ^ 0x04;
  await writeFile(path, bytes);
}

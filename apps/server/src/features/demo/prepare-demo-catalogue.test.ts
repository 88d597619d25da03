import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileObjectStore, listDatasets, openDataset } from '@cellfolio/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepareDemoCatalogue } from './prepare-demo-catalogue.ts';
import { demoRecipes } from './recipes.ts';
import { simulateDataset } from './simulate-dataset.ts';

let folder: string;
const recipes = [
  { ...demoRecipes[0]!, cellCount: 300 },
  { ...demoRecipes[5]!, cellCount: 300 },
];
const options = () => ({ root: join(folder, 'store'), tempDir: join(folder, 'tmp'), recipes });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'demo-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('missing datasets are made, present ones kept, temporary files removed', async () => {
  const ids = recipes.map(({ id }) => id);
  const stages: string[] = [];
  const onProgress = ({ stage, done, total }: { stage: string; done: number; total: number }): void => {
    stages.push(`${stage} ${done}/${total}`);
  };
  expect(await prepareDemoCatalogue({ ...options(), onProgress })).toEqual({ prepared: ids, present: [] });
  expect(stages.at(-1)).toBe(`${recipes[1]!.catalogue.name} 2/2`);
  expect(await prepareDemoCatalogue(options())).toEqual({ prepared: [], present: ids });
  expect(await readdir(join(folder, 'tmp'))).toEqual([]);

  const objects = new FileObjectStore(join(folder, 'store'));
  const { datasets } = await listDatasets(objects);
  expect(datasets.map(({ catalogue }) => catalogue.simulated)).toEqual([true, true]);
  const { manifest } = await openDataset(objects, ids[0]!);
  expect(manifest.warnings).toEqual([]);
  expect(manifest.expression).toMatchObject({ state: 'log-normalised', hasCounts: true });
  expect(manifest.roles).toMatchObject({
    cellType: 'cell_type',
    cluster: 'leiden',
    patient: 'patient',
    embedding: 'X_umap',
  });
  expect(Object.values(manifest.roles.metadata)).toEqual(
    expect.arrayContaining(['age_group', 'stage', 'treatment']),
  );
});

test('a gene read from the store is the gene that was simulated', async () => {
  const recipe = recipes[0]!;
  await prepareDemoCatalogue(options());
  const simulated = simulateDataset(recipe);
  const dataset = await openDataset(new FileObjectStore(join(folder, 'store')), recipe.id);
  const row = dataset.genes.find('cd79a')!;
  const { cells, values } = await dataset.gene(row);
  const expected: [number, number][] = [];
  for (let cell = 0; cell < simulated.obs.rowCount; cell++)
    for (let i = simulated.indptr[cell]!; i < simulated.indptr[cell + 1]!; i++)
      if (simulated.indices[i] === row) expected.push([cell, simulated.values[i]!]);
  expect(expected.length).toBeGreaterThan(5);
  expect(Array.from(cells, (cell, i) => [cell, values[i]!])).toEqual(expected);
});

test('cancelled work leaves neither a dataset nor a file', async () => {
  const root = join(folder, 'cancelled');
  await expect(
    prepareDemoCatalogue({ ...options(), root, signal: AbortSignal.abort() }),
  ).rejects.toMatchObject({ name: 'AbortError' });
  expect((await listDatasets(new FileObjectStore(root))).datasets).toEqual([]);
});

import type { DatasetManifest } from '@cellfolio/store';
import { expect, test } from 'vitest';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import type { Catalogue } from './catalogue.ts';
import { GeneDirectory } from './genes.ts';

function directory(datasets: Record<string, Record<string, number>>) {
  const opened: string[] = [];
  const listed = Object.keys(datasets);
  const manifests = () => listed.map((key) => manifestOf(key));
  const catalogue = { manifests: async () => manifests() } as unknown as Catalogue;
  const open = {
    async get({ id, version }: DatasetManifest) {
      opened.push(`${id}@${version}`);
      const genes = datasets[`${id}@${version}`] ?? {};
      const valueStarts = [0];
      for (const cells of Object.values(genes)) valueStarts.push((valueStarts.at(-1) ?? 0) + cells);
      return { genes: { symbols: Object.keys(genes) }, valueStarts: Float64Array.from(valueStarts) };
    },
  } as unknown as OpenDatasets;
  return { find: new GeneDirectory(catalogue, open), opened, listed };
}

const manifestOf = (key: string) => {
  const [id, version] = key.split('@');
  return { id, version, cellCount: 100 } as DatasetManifest;
};

test('a gene is found in every dataset that has it, whatever the case, with the cells that express it', async () => {
  const { find } = directory({
    'human@1': { CD79A: 7, MS4A1: 0, CD3E: 40 },
    'mouse@1': { Cd3e: 12, Cd79a: 3 },
    'odd@1': { ['__proto__']: 1, constructor: 2 },
  });
  expect(await find.find(['cd79a', 'MS4A1', 'NOWHERE', 'constructor', 'toString'])).toEqual([
    {
      gene: 'cd79a',
      datasets: [
        { dataset_filename: 'human', expressing_cells: 7, cell_count: 100 },
        { dataset_filename: 'mouse', expressing_cells: 3, cell_count: 100 },
      ],
    },
    { gene: 'MS4A1', datasets: [{ dataset_filename: 'human', expressing_cells: 0, cell_count: 100 }] },
    { gene: 'constructor', datasets: [{ dataset_filename: 'odd', expressing_cells: 2, cell_count: 100 }] },
  ]);
});

test('concurrent requests open each version of a dataset once, and a replaced version is dropped', async () => {
  const { find, opened, listed } = directory({ 'a@1': { G: 1 }, 'b@1': { G: 2 }, 'a@2': { H: 3 } });
  listed.pop();
  await Promise.all([find.find(['G']), find.find(['G']), find.find(['H'])]);
  expect(opened).toEqual(['a@1', 'b@1']);
  listed.splice(0, 1, 'a@2');
  expect((await find.find(['G', 'H'])).map(({ gene, datasets }) => [gene, datasets.length])).toEqual([
    ['G', 1],
    ['H', 1],
  ]);
  expect(opened).toEqual(['a@1', 'b@1', 'a@2']);
});

test('a gene is found by its other names, and each dataset says what it calls it', async () => {
  const { find } = directory({ 'new@1': { MARCHF1: 3, CD3E: 4 }, 'old@1': { MARCH1: 5 } });
  const of = (id: string, expressing: number, symbol?: string) => ({
    dataset_filename: id,
    ...(symbol !== undefined && { symbol }),
    expressing_cells: expressing,
    cell_count: 100,
  });
  expect(await find.find(['MARCH1', 'marchf1'])).toEqual([
    { gene: 'MARCH1', datasets: [of('new', 3, 'MARCHF1'), of('old', 5)] },
    { gene: 'marchf1', datasets: [of('new', 3), of('old', 5, 'MARCH1')] },
  ]);
});

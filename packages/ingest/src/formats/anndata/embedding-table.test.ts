import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileObjectStore, openDataset } from '@cellfolio/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importH5ad, inspectH5ad } from '../../index.ts';
import {
  fixtureCatalogue,
  array,
  frameOf,
  group,
  soundFile,
  strings,
  writeHdf5,
  type Hdf5Node,
} from '../../testing/hdf5-fixtures.ts';
import { SeededRandom } from '../../testing/simulated-files.ts';

const cells = 40;
let root = '';
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'cellfolio-frames-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const random = new SeededRandom(7);
const coordinates = () => Float64Array.from({ length: cells }, () => random.fraction());
const cellNames = strings(Array.from({ length: cells }, (_, cell) => `CELL-${cell}`));

async function fileWith(name: string, columns: ReadonlyMap<string, Hdf5Node>, index: Hdf5Node = cellNames) {
  const path = join(root, `${name}.h5ad`);
  const table = frameOf('obsm/X_umap', index, columns);
  await writeHdf5(path, [...soundFile(cells, 25), ['obsm', group('dict')], ...table]);
  return path;
}

test('an embedding that is a DataFrame is read by its columns of numbers in their order', async () => {
  const [first, second] = [coordinates(), coordinates()];
  const columns = new Map([
    ['UMAP2', array(first)],
    ['batch', strings(Array.from({ length: cells }, (_, cell) => `b${cell % 2}`))],
    ['UMAP1', array(second)],
  ]);
  const path = await fileWith('umap', columns);
  const { report } = await importH5ad({ path, root, id: 'umap.h5ad', catalogue: fixtureCatalogue('Frames') });
  const dataset = await openDataset(new FileObjectStore(root), 'umap.h5ad');
  expect(await dataset.embedding('X_umap')).toEqual({
    name: 'X_umap',
    dimensions: 2,
    values: Float64Array.from({ length: 2 * cells }, (_, at) => (at % 2 === 0 ? first : second)[at >> 1]!),
  });
  expect(report.format.embeddings).toEqual([{ name: 'X_umap', dimensions: 2, columns: ['UMAP2', 'UMAP1'] }]);
  expect(report.roles.find(({ role }) => role === 'embedding')).toMatchObject({
    chosen: 'X_umap',
    why: "found by its name; the file holds it as a table (DataFrame) with the columns 'UMAP2', 'UMAP1'",
  });
  expect(report.warnings).toContainEqual({
    code: 'skipped-embedding',
    message: 'obsm/X_umap/batch was left out: its values are of type string.',
  });
});

test('coordinates of single precision stay in single precision', async () => {
  const columns = new Map(['x', 'y'].map((name) => [name, array(Float32Array.from(coordinates()))]));
  const path = await fileWith('single', columns);
  await importH5ad({ path, root, id: 'single.h5ad', catalogue: fixtureCatalogue('Frames') });
  const { values } = await (await openDataset(new FileObjectStore(root), 'single.h5ad')).embedding('X_umap');
  expect(values).toBeInstanceOf(Float32Array);
});

test.each([
  ['no column of numbers', new Map([['label', cellNames]]), cellNames, 'a table without a column of numbers'],
  [
    'other rows than obs',
    new Map([['x', array(coordinates())]]),
    strings(Array.from({ length: cells }, (_, cell) => `CELL-${cells - 1 - cell}`)),
    'a table whose rows are not the cells of obs in their order',
  ],
  [
    'row names that are no names',
    new Map([['x', array(coordinates())]]),
    array(new Float32Array(cells * 2), [cells, 2]),
    'a table whose rows are not the cells of obs in their order',
  ],
  [
    'columns of another length',
    new Map([['x', array(new Float64Array(cells + 1))]]),
    cellNames,
    'obsm/X_umap/x was left out: it has 41 values for 40 cells',
  ],
])('a DataFrame with %s is left out, and the report says why', async (name, columns, index, reason) => {
  const report = await inspectH5ad(await fileWith(name.replaceAll(' ', '-'), columns, index));
  expect(report.format.embeddings).toEqual([]);
  expect(report.warnings.map(({ message }) => message).join('\n')).toContain(reason);
});

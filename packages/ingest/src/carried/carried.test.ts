import { join } from 'node:path';
import { temporaryRoot } from '@cellfolio/bytes/testing';
import { FileObjectStore, openDataset } from '@cellfolio/store';
import { expect, test } from 'vitest';
import { importH5ad } from '../import-h5ad.ts';
import { fixtureCatalogue } from '../testing/hdf5-fixtures.ts';
import { readableFile } from '../conversions/readable-file.ts';
import type { CarriedContent } from './carried-content.ts';
import { placeCarried } from './place-carried.ts';

const fixtures = join(import.meta.dirname, '../../fixtures');
const catalogue = fixtureCatalogue('Carried');

async function imported(name: string, options: { maxCarried?: number } = {}) {
  const root = await temporaryRoot();
  const file = { path: join(fixtures, name), name };
  const { path } = await readableFile(file, join(root, 'file.h5ad'));
  const { report } = await importH5ad({ path, root, id: 'x.h5ad', catalogue, ...options });
  const dataset = await openDataset(new FileObjectStore(root), 'x.h5ad');
  const content = (await dataset.carried?.description()) as CarriedContent | undefined;
  const read = async (from: number, to: number) =>
    from === to ? new Uint8Array(0) : dataset.carried!.bytes({ from, to });
  return { report, content, read };
}

const version = 'anndata-versions/anndata-0.12.19-pandas-2.3.3-full-cells.h5ad.gz';

test('elements that nothing reads are stored with the dataset, and the report names each with its size', async () => {
  const { report, content } = await imported(version);
  const paths = content!.elements.map(({ path }) => path);
  expect(paths).toEqual(report.carried.map(({ path }) => path));
  expect(report.carried.every(({ bytes }) => bytes >= 0)).toBe(true);
  expect(paths).toEqual(['obsm/X_table', 'uns/cell_type_colors', 'X']);
  expect(report.notKept).toEqual([]);
});

test('elements beyond the room for them are left out and named with their size', async () => {
  const { report, content } = await imported(version, { maxCarried: 8 });
  expect(content?.elements.every(({ bytes }) => bytes <= 8) ?? true).toBe(true);
  expect(report.notKept.join(' ')).toMatch(
    /obsm\/X_table \([\d,]+ bytes: it is larger than the room for it\)/,
  );
});

test('an element along the cells is cut to the chosen ones', async () => {
  const { content, read } = await imported(version);
  const none = new Set<string>();
  const cells = Int32Array.of(0, 3, 5);
  const { elements } = await placeCarried(
    content!,
    { cells, taken: none, superseded: none, colours: none },
    read,
  );
  const { node } = elements.find(({ path }) => path === 'obsm/X_table')!;
  if (node.kind !== 'group') throw new TypeError('it is no group');
  const lengths = Array.from(node.members.values(), (member) => member.kind === 'array' && member.shape[0]);
  expect(new Set(lengths.filter((length) => length !== false))).toEqual(new Set([3]));
});

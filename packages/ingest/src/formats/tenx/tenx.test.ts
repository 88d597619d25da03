import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inspectH5ad, openCounts } from '../../index.ts';
import { array, group, strings, writeHdf5, type Hdf5Node } from '../../testing/hdf5-fixtures.ts';

let root = '';
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'cellfolio-tenx-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const cells = 6;
const genes = 4;
function content(): Map<string, Hdf5Node> {
  return new Map([
    ['matrix', group()],
    ['matrix/barcodes', strings(Array.from({ length: cells }, (_, cell) => `AAAC${cell}-1`))],
    ['matrix/data', array(Int32Array.from({ length: cells }, (_, cell) => cell + 1))],
    ['matrix/indices', array(BigInt64Array.from({ length: cells }, (_, cell) => BigInt(cell % genes)))],
    ['matrix/indptr', array(BigInt64Array.from({ length: cells + 1 }, (_, at) => BigInt(at)))],
    ['matrix/shape', array(Int32Array.of(genes, cells))],
    ['matrix/features', group()],
    ['matrix/features/name', strings(['A', 'B', 'C', 'D'])],
    ['matrix/features/id', strings(['ENSG1', 'ENSG2', 'ENSG3', 'ENSG4'])],
  ]);
}

let files = 0;
async function written(change: (file: Map<string, Hdf5Node>) => unknown): Promise<string> {
  const file = content();
  change(file);
  const path = join(root, `${files++}.h5`);
  await writeHdf5(path, [...file]);
  return path;
}

test('the counts are read in blocks of cells, and ids of genes with them', async () => {
  const counts = (await openCounts(await written(() => undefined)))!;
  expect(counts).toMatchObject({ cellCount: cells, geneCount: genes, by: 'cell', part: 'matrix' });
  expect(counts.geneNames).toEqual(['A', 'B', 'C', 'D']);
  const entries = [...counts.blocks()].flatMap(({ indices, counts: values }) =>
    Array.from(indices, (gene, at) => [gene, values[at]]),
  );
  counts.close();
  expect(entries).toEqual(Array.from({ length: cells }, (_, cell) => [cell % genes, cell + 1]));
});

test('a file without names of its features has their ids', async () => {
  const { geneNames } = (await openCounts(await written((file) => file.delete('matrix/features/name'))))!;
  expect(geneNames).toEqual(['ENSG1', 'ENSG2', 'ENSG3', 'ENSG4']);
});

test.each<[string, (file: Map<string, Hdf5Node>) => unknown, object]>([
  [
    'no features',
    (file) =>
      ['matrix/features/name', 'matrix/features/id', 'matrix/features'].map((part) => file.delete(part)),
    { code: 'no-var-names', part: 'matrix/features/id' },
  ],
  ['no shape', (file) => file.delete('matrix/shape'), { code: 'unreadable', part: 'matrix/shape' }],
  ['no counts', (file) => file.delete('matrix/data'), { code: 'unreadable', part: 'matrix' }],
  [
    'a shape of three numbers',
    (file) => file.set('matrix/shape', array(Int32Array.of(genes, cells, 1))),
    { code: 'unreadable', part: 'matrix/shape' },
  ],
  [
    'a huge declared shape',
    (file) => file.set('matrix/shape', array(BigInt64Array.of(BigInt(genes), 2n ** 40n))),
    { code: 'shape-mismatch', part: 'matrix' },
  ],
  [
    'fewer barcodes than columns',
    (file) => file.set('matrix/barcodes', strings(['AAAC0-1'])),
    { code: 'shape-mismatch', part: 'matrix/barcodes' },
  ],
  [
    'a column that is too short',
    (file) => file.set('matrix/features/id', strings(['ENSG1'])),
    { code: 'shape-mismatch', part: 'matrix/features/id' },
  ],
])('a 10x file with %s is refused by the name of the part', async (_, change, error) => {
  await expect(written(change).then((path) => inspectH5ad(path))).rejects.toMatchObject(error);
});

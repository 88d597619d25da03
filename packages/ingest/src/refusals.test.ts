import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inspectH5ad } from './index.ts';
import { array, group, soundFile, strings, writeHdf5, type Hdf5Node } from './testing/hdf5-fixtures.ts';

let root = '';
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'cellfolio-refusals-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

type Content = readonly (readonly [string, Hdf5Node])[];

async function messageOf(refusal: Promise<unknown>): Promise<string> {
  return refusal.then(
    () => 'nothing was refused',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

const cells = 30;
const genes = 25;
const barcodes = strings(Array.from({ length: cells }, (_, cell) => `AAAC${cell}-1`));
const formats: readonly (readonly [name: string, content: Content, sentences: readonly string[]])[] = [
  [
    'molecules of Cell Ranger',
    [
      ['barcode_idx', array(new Int32Array(9))],
      ['umi', array(new Int32Array(9))],
      ['barcodes', barcodes],
    ],
    [
      'a 10x Genomics file of molecules (molecule_info.h5), not an AnnData file',
      'filtered_feature_bc_matrix',
    ],
  ],
  [
    'HDF5 of another kind',
    [['weights', array(new Float32Array(4))]],
    ['this is an HDF5 file, but not an AnnData file: it has no X, obs and var. It holds weights.'],
  ],
];

test.each(formats)('%s under the name .h5ad is called by its name', async (name, content, phrases) => {
  const path = join(root, `${name.replaceAll(/\W+/g, '-')}.h5ad`);
  await writeHdf5(path, content);
  const refusal = inspectH5ad(path);
  await expect(refusal).rejects.toMatchObject({ name: 'H5adError', code: 'not-anndata' });
  const message = await messageOf(refusal);
  for (const text of phrases) expect(message).toContain(text);
});

test('names from a foreign file are shortened and few', async () => {
  const path = join(root, 'many.h5ad');
  const long = Array.from({ length: 40 }, (_, at) => `${'m'.repeat(300)}${at}`);
  await writeHdf5(path, [['mod', group()], ...long.map((name) => [`mod/${name}`, group()] as const)]);
  const message = await messageOf(inspectH5ad(path));
  expect(message).toContain('and 34 more');
  expect(message.length).toBeLessThan(1000);
});

function withoutX(layers: Readonly<Record<string, Hdf5Node>>): Content {
  const entries = Object.entries(layers).map(([name, node]) => [`layers/${name}`, node] as const);
  return [
    ...[...soundFile(cells, genes)].filter(([path]) => path !== 'X'),
    ['layers', group('dict')],
    ...entries,
  ];
}

const [, values] = [...soundFile(cells, genes)].find(([path]) => path === 'X')!;

test('a file without X and layers says what to set', async () => {
  const path = join(root, 'empty-x.h5ad');
  await writeHdf5(path, withoutX({}));
  await expect(inspectH5ad(path)).rejects.toMatchObject({
    code: 'no-x',
    problem: 'it has no expression values: X is empty (None), and there is neither raw nor a layer.',
    hint: 'Set adata.X to the counts, cells x genes, and write the file again.',
  });
});

test('a file without X whose layers are of unknown meaning names them, and which to take is left to the user', async () => {
  const path = join(root, 'spliced.h5ad');
  await writeHdf5(path, withoutX({ spliced: values, unspliced: values }));
  const refusal = inspectH5ad(path);
  await expect(refusal).rejects.toMatchObject({ code: 'no-x' });
  await expect(refusal).rejects.toThrow('Its layers: spliced, unspliced.');
  await expect(refusal).rejects.toThrow('adata.X = adata.layers["spliced"].copy()');
});

test('a file without X takes the layer that holds counts', async () => {
  const path = join(root, 'counts.h5ad');
  await writeHdf5(path, withoutX({ counts: values }));
  expect((await inspectH5ad(path)).expression.source).toMatchObject({ path: 'layers/counts' });
});

const tar = Buffer.alloc(1024);
tar.write('ustar', 257);
const zipOf = (name: string) => {
  const head = Buffer.alloc(30 + name.length);
  head.write('PK\u0003\u0004', 'latin1');
  head.writeUInt16LE(name.length, 26);
  head.write(name, 30);
  return head;
};
const matrixMarket = '%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 1 1\n';
const hdf5 = Buffer.from([0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a]);
const rds = Buffer.from('X\n\0\0\0\u0003', 'latin1');

test.each([
  ['saved R object', gzipSync(rds), 'an R object (.rds), not an AnnData file. Call it .rds'],
  ['uncompressed R object', rds, 'an R object'],
  ['R workspace', gzipSync('RDX3\nX\n'), 'an R workspace (.RData), not an AnnData file. In R, load()'],
  ['gzip of HDF5', gzipSync(hdf5), 'an HDF5 file packed with gzip, not an AnnData file. Unpack it'],
  ['gzip cut after its head', gzipSync(hdf5).subarray(0, 12), 'a file packed with gzip'],
  ['gzip of zeros without end', gzipSync(Buffer.alloc(2 ** 24)), 'a file packed with gzip'],
  ['tar.gz', gzipSync(tar), 'a packed folder (.tar.gz)'],
  ['tar', tar, 'a packed folder (.tar)'],
  ['matrix', matrixMarket, 'a Matrix Market matrix (.mtx), not an AnnData file.'],
  ['mtx.gz', gzipSync(matrixMarket), 'a Matrix Market matrix (.mtx.gz)'],
  ['zip', zipOf('data/cells.h5ad'), 'a file packed with zip'],
  ['zip of Zarr', zipOf('cells.zarr/.zgroup'), 'an AnnData-Zarr folder packed as zip'],
  ['workbook', zipOf('[Content_Types].xml'), 'an Excel workbook'],
  ['zip cut in its head', Buffer.from('PK\u0003\u0004', 'latin1'), 'a file packed with zip'],
  ['xz', Buffer.from('\u00fd7zXZ\0', 'latin1'), 'a file packed with xz'],
  ['text', 'gene\tcell\n', 'this is not an HDF5 file. An .h5ad file written by anndata is expected.'],
])('%s under the name .h5ad is distinguished from a damaged file', async (name, bytes, expectedMessage) => {
  const path = join(root, `${name.replaceAll(/\W+/g, '-')}.h5ad`);
  writeFileSync(path, bytes);
  const refusal = inspectH5ad(path);
  await expect(refusal).rejects.toMatchObject({ code: 'not-hdf5' });
  await expect(refusal).rejects.toThrow(expectedMessage);
});

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { deflateSync, gzipSync } from 'node:zlib';
import { FileObjectStore, openDataset } from '@cellfolio/store';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { problemOf, runWork } from './index.ts';
import { buildOf, datasetId, labels, listening, simulatedCounts, writeSmallFile } from './work.test-data.ts';

// Processing starts a thread with a library of its own each time: much for a machine that is busy.
vi.setConfig({ testTimeout: 120_000 });

const fixtures = resolve(import.meta.dirname, '../../../../../../packages/ingest/fixtures');

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cellfolio-inspect-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
function stored(name: string, content: string | Uint8Array) {
  const path = join(folder, `blob-${files++}`);
  writeFileSync(path, content);
  return { path, name };
}

function inspected(file: { path: string; name: string }) {
  return runWork({ kind: 'inspect', file }, listening(folder).context);
}

async function problem(work: Promise<unknown>) {
  const failure = await work.then(() => undefined, problemOf);
  if (failure === undefined) throw new Error('It was taken although it should be refused.');
  expect(failure.code).toMatch(/^[a-z_0-9]+$/);
  expect(failure.code).not.toBe('internal');
  expect(failure.message).not.toContain(folder);
  expect(failure.message).not.toContain('/tmp');
  expect(failure.message.length).toBeLessThanOrEqual(2000);
  return failure;
}

function beginning(text: string): string {
  const literal = text.replaceAll(/[.()[\]?]/g, String.raw`\$&`);
  return expect.stringMatching(new RegExp(`^${literal}`)) as string;
}

const png = Buffer.concat([Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1'), deflateSync(Buffer.alloc(5000))]);
function tarOf(name: string, content: string): Buffer {
  const archive = Buffer.alloc(1536);
  archive.write(name);
  archive.write('ustar', 257);
  archive.write(content, 512);
  return archive;
}

/** Compressed, a thousandth of its unpacked size. */
const bomb = gzipSync(Buffer.alloc(65 * 2 ** 20, 'A\n'));
const hdf5 = () => readFileSync(join(fixtures, 'csr-log.h5ad'));

test.each([
  ['photo.h5ad', png, 'foreign_content', 'photo.h5ad is a PNG picture, not an AnnData file.'],
  ['photo.mtx', png, 'foreign_content', 'photo.mtx is a PNG picture, not a Matrix Market file.'],
  ['photo.tsv', png, 'foreign_content', 'photo.tsv is a PNG picture, not a list of barcodes or features.'],
  ['page.h5ad', '<!DOCTYPE html><html>', 'foreign_content', 'page.h5ad is a web page'],
  ['data.tsv', hdf5(), 'foreign_content', 'data.tsv is an HDF5 file'],
  ['none.h5ad', '', 'empty', 'none.h5ad is empty.'],
  ['none.mtx', '', 'empty', 'none.mtx is empty.'],
  ['none.tsv', '', 'empty', 'none.tsv is empty.'],
  ['lines.tsv', '\n\n\r\n', 'empty', 'lines.tsv: the file holds no lines.'],
  ['packed.h5ad', 'BZh91AY', 'packed', 'packed.h5ad is packed (bzip2). Unpack it'],
  ['cut.h5ad.gz', gzipSync(hdf5()).subarray(0, -50), 'truncated', 'cut.h5ad.gz: the gzip data ends early'],
  ['no.zip', 'a few words', 'foreign_content', 'no.zip is not a zip file, so not a folder packed as zip'],
  ['no.rds', 'a few words', 'foreign_content', 'no.rds is not a file of saveRDS(), so not an R object'],
  ['packed.tsv', 'PK\u0003\u0004xx', 'packed', 'packed.tsv is packed (zip).'],
  [
    'x.h5ad',
    gzipSync('X\n\0\0\0'),
    'foreign_content',
    'x.h5ad is an R object (.rds), not an AnnData file. Call it .rds',
  ],
  [
    'm.h5ad',
    gzipSync('%%MatrixMarket matrix'),
    'foreign_content',
    'm.h5ad is a Matrix Market matrix (.mtx.gz), not an AnnData file.',
  ],
  ['photo.mtx.gz', png, 'foreign_content', 'photo.mtx.gz is a PNG picture, not a Matrix Market file.'],
  ['picture.tsv.gz', gzipSync(png), 'binary', 'picture.tsv.gz: is not text.'],
  [
    'twice.mtx.gz',
    gzipSync(gzipSync('%%MatrixMarket')),
    'binary',
    'twice.mtx.gz: is a file packed with gzip twice',
  ],
  [
    'folder.mtx.gz',
    gzipSync(tarOf('matrix.mtx', '%%MatrixMarket')),
    'foreign_content',
    'folder.mtx.gz is a packed folder (.tar), not a Matrix Market file. Unpack it',
  ],
  [
    'wide.csv',
    Buffer.from('\uFEFFgene,a,b\n', 'utf16le'),
    'foreign_content',
    'wide.csv is text in UTF-16, not a table of values. Save it as UTF-8',
  ],
  [
    'wide.tsv.gz',
    gzipSync(Buffer.from('AAAC-1\nAAAG-1\n', 'utf16le')),
    'foreign_content',
    'wide.tsv.gz is text in UTF-16, not a list of barcodes or features. Save it as UTF-8',
  ],
  [
    '._m.mtx',
    Buffer.from('\0\u0005\u0016\u0007\0\u0002\0\0Mac OS X', 'latin1'),
    'foreign_content',
    '._m.mtx is what macOS keeps beside a file (._…), not a Matrix Market file. Use the file whose name',
  ],
  [
    'large.csv',
    'gene,a,b\nCD3D,1e999,1\nCD3E,1,2\n',
    'malformed',
    'large.csv, line 2: holds "1e999" in column 2 ("a"), where other lines have numbers. It is not finite',
  ],
  [
    'cut.tsv.gz',
    gzipSync('AAAC-1\n'.repeat(99)).subarray(0, 30),
    'truncated',
    'cut.tsv.gz: the gzip data ends early',
  ],
  ['bomb.tsv.gz', bomb, 'bomb', 'bomb.tsv.gz: unpacks to more than'],
  ['zip.tsv.gz', 'PK\u0003\u0004xx', 'packed', 'zip.tsv.gz is packed (zip).'],
  ['text.h5ad', 'gene\tcell\n', 'not_hdf5', 'text.h5ad: this is not an HDF5 file.'],
  ['cut.h5ad', hdf5().subarray(0, 9000), 'truncated', 'cut.h5ad: the file is cut short'],
  [
    'head.h5ad',
    Buffer.concat([hdf5().subarray(0, 8), Buffer.alloc(400)]),
    'unreadable',
    'head.h5ad: the file could not be opened.',
  ],
  ['notes.mtx', 'a few words\n', 'not_matrix_market', 'notes.mtx, line 1: is not a Matrix Market file'],
  [
    'declared.mtx',
    '%%MatrixMarket matrix coordinate integer general\n3000000 900000000 4000000000000\n1 1 5\n',
    'cut_short',
    'declared.mtx declares 4,000,000,000,000 entries, more than a file of 87 bytes can hold.',
  ],
  [
    'wide.tsv',
    `${'x'.repeat(100_000)}\n`,
    'too_long',
    'wide.tsv, line 1: holds a name of 100,000 characters',
  ],
  ['bomb.tsv', bomb, 'bomb', 'bomb.tsv: unpacks to more than'],
])('%s is refused in words for its owner', async (name, content, code, message) => {
  const failure = await problem(inspected(stored(name, content)));
  expect(failure).toEqual({
    code,
    message: beginning(message),
  });
});

test.each([
  ['external-link', 'unsupported_link'],
  ['no-x', 'no_x'],
  ['no-cells', 'empty'],
  ['obs-too-short', 'shape_mismatch'],
])('an .h5ad of the kind %s is refused by its owner’s name for it', async (fixture, code) => {
  const failure = await problem(inspected({ path: join(fixtures, `${fixture}.h5ad`), name: 'mine.h5ad' }));
  expect(failure.code).toBe(code);
  expect(failure.message).toMatch(/^mine\.h5ad: /);
  expect(failure.message).not.toContain(fixtures);
});

test('a file that disappeared meanwhile, and one with a hostile name, are reported plainly', async () => {
  const failure = await problem(inspected({ path: join(folder, 'nowhere'), name: '../../etc/passwd.h5ad' }));
  expect(failure.message).toBe('../../etc/passwd.h5ad no longer exists. Upload it again.');
  const long = await problem(inspected(stored(`${'n'.repeat(100_000)}\u202E\r\n.h5ad`, 'text')));
  expect(long.message).toMatch(/^n{80,}…n+�+\.h5ad: this is not an HDF5 file\./);
  expect(long.message.length).toBeLessThan(500);
});

test('the report of an .h5ad says what will be computed, and what cannot', async () => {
  const counts = join(folder, 'counts.h5ad');
  const rows = simulatedCounts(30);
  const nasty = '<img src=x onerror=alert(1)>\u202E';
  const obs = new Map([[nasty, labels(rows.map((_, cell) => (cell % 2 === 0 ? '=1+1' : '__proto__')))]]);
  await writeSmallFile(counts, { rows, obs });
  const report = await inspected({ path: counts, name: 'counts.h5ad' });
  expect(report).toMatchObject({
    kind: 'h5ad',
    cells: 30,
    genes: 1000,
    hasCounts: true,
    expression: 'X holds raw counts, which are normalized to 10,000 per cell, with log1p taken.',
    willCompute: ['qualityControl', 'clusters', 'embedding'],
    // A name that can be chosen is told as it is.
    metadata: [nasty],
    warnings: [],
    plans: [
      'Clusters and a UMAP will be computed from the raw counts, after cells of low quality are removed.',
      'No column holds cell types, so cells are colored by clusters.',
    ],
    // The dataset that is built says so itself.
    notes: [],
  });
  const logarithms = join(folder, 'logarithms.h5ad');
  await writeSmallFile(logarithms, {
    rows: rows.map((row) => Float32Array.from(row, (n) => Math.log1p(n / 3))),
  });
  expect(await inspected({ path: logarithms, name: 'logarithms.h5ad' })).toMatchObject({
    hasCounts: false,
    willCompute: [],
    plans: ['No column holds cell types or clusters. Choose one among the columns to color cells by it.'],
    notes: [
      expect.stringMatching(
        /^Clusters and a UMAP cannot be computed, since the file holds no raw counts\. Upload/,
      ),
    ],
  });
});

test('the report of a file says which text of it is not UTF-8, and two categories of one name are refused', async () => {
  const cases = join(fixtures, 'cases/text-encodings');
  const report = await inspected({ path: join(cases, 'categories-fixed.h5ad'), name: 'cells.h5ad' });
  expect(JSON.stringify(report)).toContain(
    'The text of obs/cell_type/categories is not UTF-8; it was read as Windows-1252.',
  );
  const table = await inspected({ path: join(cases, 'windows.csv'), name: 'cells.csv' });
  expect(JSON.stringify(table)).toContain('The table is not UTF-8; it was read as Windows-1252.');
  const twins = { path: join(cases, 'repeated.h5ad.gz'), name: 'twins.h5ad.gz' };
  expect(await problem(inspected(twins))).toEqual({
    code: 'repeated_category',
    message: beginning('twins.h5ad.gz: obs/cell_type: two of its categories are called "T cell"'),
  });
});

test('proteins of an R object are reported, and are in the dataset that is built of it', async () => {
  const path = join(fixtures, '../src/conversions/rds/fixtures/seurat-5-proteins.rds');
  const file = { path, name: 'cells.rds' };
  const report = await inspected(file);
  expect(report).toMatchObject({
    proteins:
      '4 proteins are kept as a second modality (CD3, HLA-DR.DP, IgG1-control, CD8), from obsm/protein_expression: counts as centered log ratios (CLR) by cell, other values as they are.',
    notes: expect.arrayContaining(['Of the object’s assays RNA was read, and prot as proteins; left: HTO.']),
  });
  expect(JSON.stringify(report)).not.toContain('uns/protein');
  const root = join(folder, 'r-object');
  await runWork(buildOf(file, root), listening(folder).context);
  const dataset = await openDataset(new FileObjectStore(root), datasetId);
  expect(dataset.proteins?.columns.map(({ column }) => column)).toEqual([
    'CD3 (protein)',
    'HLA-DR.DP (protein)',
    'IgG1-control (protein, isotype control)',
    'CD8 (protein)',
  ]);
  expect(dataset.manifest.warnings.map(({ message }) => message)).toContain(
    '4 of the 4 proteins of obsm/protein_expression are missing (NaN) in some of the 10 cells: CD3 in 4, HLA-DR.DP in 4, IgG1-control in 4, CD8 in 4. These cells have no value of them, rather than 0.',
  );
});

test('a handful of cells is shown as it is, since nothing can be computed of it', async () => {
  const path = join(folder, 'handful.h5ad');
  await writeSmallFile(path, { rows: simulatedCounts(19) });
  const file = { path, name: 'handful.h5ad' };
  expect(await inspected(file)).toMatchObject({
    hasCounts: true,
    willCompute: [],
    notes: ['Clusters and a UMAP cannot be computed, since at least 20 cells are needed.'],
  });
  const result = await runWork(buildOf(file, join(folder, 'root')), listening(folder).context);
  expect(result).toMatchObject({ cells: 19, processed: undefined });
});

const matrix = (entries: string, size = '3 2 3') =>
  `%%MatrixMarket matrix coordinate integer general\n${size}\n${entries}`;
const barcodes = 'AAAC-1\nAAAG-1\n';
const features = 'g1\tCD3D\ng2\tMS4A1\ng3\tNKG7\n';

function conversion(mtx: string, one = barcodes, other = features) {
  const output = join(folder, `converted-${files++}.h5ad`);
  const work = runWork(
    {
      kind: 'convert',
      matrix: stored('matrix.mtx', mtx),
      tables: [stored('barcodes.tsv', one), stored('features.tsv', other)],
      output,
    },
    listening(folder).context,
  );
  return { work, output };
}

test.each([
  ['a negative count', matrix('1 1 1\n2 1 -4\n3 2 1\n'), 'not_counts', 'matrix.mtx, line 4: holds -4.'],
  [
    'a missing count',
    matrix('1 1 1\n2 1 nan\n3 2 1\n'),
    'not_counts',
    'matrix.mtx, line 4: holds a value that is not',
  ],
  [
    'a fraction among integers',
    matrix('1 1 1\n2 1 0.5\n3 2 1\n'),
    'not_counts',
    'matrix.mtx, line 4: holds 0.5, but the first line declares "integer".',
  ],
  [
    'a pattern',
    matrix('1 1\n2 1\n3 2\n').replace('integer', 'pattern'),
    'unsupported',
    'matrix.mtx, line 1: declares "pattern": the file says which values are not zero, and holds no counts.',
  ],
  ['a position outside', matrix('1 1 1\n9 1 2\n3 2 1\n'), 'out_of_range', 'matrix.mtx, line 4: names row 9'],
  [
    'an early end',
    matrix('1 1 1\n'),
    'truncated',
    'matrix.mtx, line 3: the file declares 3 entries and holds 1.',
  ],
  [
    'a repeated entry',
    matrix('1 1 1\n1 1 2\n3 2 1\n'),
    'repeated',
    'matrix.mtx: gives two counts for feature 1 of cell 1',
  ],
  [
    'a terabyte declared',
    matrix('1 1 1\n', '2000000000 2000000000 1'),
    'mismatch',
    'matrix.mtx: is a matrix of 2000000000 x',
  ],
])('a matrix with %s gives no file and a clear text', async (_, mtx, code, message) => {
  const { work, output } = conversion(mtx);
  const failure = await problem(work);
  expect(failure).toEqual({
    code,
    message: beginning(message),
  });
  expect(existsSync(output)).toBe(false);
});

test('repeated barcodes and tables of another sample are refused with the names of all files', async () => {
  const twice = await problem(conversion(matrix('1 1 1\n2 1 1\n3 2 1\n'), 'AAAC-1\nAAAC-1\n').work);
  expect(twice.message).toMatch(/^barcodes\.tsv, line 2: repeats the barcode "AAAC-1" of line 1\./);
  const other = await problem(
    conversion(matrix('1 1 1\n2 1 1\n3 2 1\n'), `${barcodes}AAAT-1\nAATT-1\nATTT-1\n`).work,
  );
  expect(other.message).toMatch(
    /^matrix\.mtx: is a matrix of 3 x 2, but barcodes\.tsv lists 5 and features\.tsv lists 3\./,
  );
});

test('a square matrix whose tables are not named as Cell Ranger names them is refused with a way out', async () => {
  const tables = [stored('cells.tsv', barcodes), stored('genes.tsv', 'CD3D\nCD3E\n')] as const;
  const square = stored('counts.mtx', matrix('1 1 1\n2 1 4\n', '2 2 2'));
  const output = join(folder, `converted-${files++}.h5ad`);
  const failure = await problem(
    runWork({ kind: 'convert', matrix: square, tables, output }, listening(folder).context),
  );
  expect(failure).toMatchObject({ code: 'ambiguous' });
  expect(failure.message).toMatch(
    /^counts\.mtx: has 2 rows and 2 columns, .*rename the tables barcodes\.tsv and features\.tsv/,
  );
  expect(existsSync(output)).toBe(false);
});

test('mixed line ends, a byte-order mark, gzip and Windows-1252 are read, and reported where it matters', async () => {
  const mtx = `\uFEFF${matrix('1 1 1\n2 1 1\r\n3 2 7\n')}`;
  const table = Buffer.from('g1\tCD3D\r\ng2\tMS4A1\ng3\tD\u00e9j\u00e0\n', 'latin1');
  const output = join(folder, 'odd.h5ad');
  const result = await runWork(
    {
      kind: 'convert',
      matrix: stored('matrix.mtx', gzipSync(mtx)),
      tables: [stored('features.tsv', table), stored('barcodes.tsv', barcodes)],
      output,
    },
    listening(folder).context,
  );
  expect(result).toEqual({
    cells: 2,
    genes: 3,
    entries: 3,
    notes: ['features.tsv is not UTF-8; it was read as Windows-1252.'],
  });
  expect(await inspected({ path: output, name: 'odd.h5ad' })).toMatchObject({ cells: 2, genes: 3 });
});

test('a conversion that is cancelled leaves nothing', async () => {
  const controller = new AbortController();
  const place = mkdtempSync(join(folder, 'cancelled-'));
  const { context } = listening(folder, controller.signal);
  const onProgress = (stage: string) =>
    stage === 'Writing the AnnData file' && controller.abort(new Error('enough'));
  const work = runWork(
    {
      kind: 'convert',
      matrix: stored('matrix.mtx', matrix('1 1 1\n2 1 1\n3 2 1\n')),
      tables: [stored('barcodes.tsv', barcodes), stored('features.tsv', features)],
      output: join(place, 'out.h5ad'),
    },
    { ...context, onProgress },
  );
  await expect(work).rejects.toThrow('enough');
  expect(readdirSync(place)).toEqual([]);
});

import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { File, ready } from 'h5wasm/node';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { inspectH5ad } from '../import-h5ad.ts';
import { convertMatrixMarket, planMatrixMarket, type NamedFile } from './convert-matrix-market.ts';
import { inspectTextFile } from './inspect-text-file.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'matrix-market-'));
  await ready;
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const banner = '%%MatrixMarket matrix coordinate integer general\n';
const matrix = `${banner}%by hand\n3 2 4\n1 1 5\n3 1 1\n2 2 7\n3 2 2\n`;
const barcodes = 'AAACCTGA-1\nAAACCTGC-1\n';
const features =
  'ENSG1\tCD79A\tGene Expression\nENSG2\tCST3\tGene Expression\nENSG3\tCST3\tGene Expression\n';

async function file(name: string, content: string | Buffer): Promise<NamedFile> {
  const path = join(folder, name);
  await writeFile(path, content);
  return { path, name };
}

async function trio(
  contents: { matrix?: string | Buffer; barcodes?: string | Buffer; features?: string | Buffer } = {},
) {
  return {
    matrix: await file('matrix.mtx', contents.matrix ?? matrix),
    tables: [
      await file('barcodes.tsv', contents.barcodes ?? barcodes),
      await file('features.tsv', contents.features ?? features),
    ] as const,
  };
}

function read(path: string) {
  const h5 = new File(path, 'r');
  try {
    const values = (name: string) => (h5.get(name) as unknown as { value: ArrayLike<number | string> }).value;
    const [cells, genes] = [Array.from(values('obs/_index')), Array.from(values('var/_index'))];
    const indptr = Array.from(values('X/indptr'), Number);
    const rows = cells.map(() => genes.map(() => 0));
    for (const [cell, row] of rows.entries()) {
      for (let at = indptr[cell]!; at < indptr[cell + 1]!; at++)
        row[Number(values('X/indices')[at])] = Number(values('X/data')[at]);
    }
    return { cells, genes, rows, ids: h5.get('var/gene_ids') && Array.from(values('var/gene_ids')) };
  } finally {
    h5.close();
  }
}

const expected = {
  cells: ['AAACCTGA-1', 'AAACCTGC-1'],
  genes: ['CD79A', 'CST3', 'CST3-1'],
  rows: [
    [5, 0, 1],
    [0, 7, 2],
  ],
  ids: ['ENSG1', 'ENSG2', 'ENSG3'],
};

test('a trio as Cell Ranger writes it becomes an .h5ad file of cells x genes', async () => {
  const output = join(folder, 'out.h5ad');
  const fractions: number[] = [];
  const plan = await convertMatrixMarket(await trio(), output, { onProgress: (f) => fractions.push(f) });
  expect(plan).toMatchObject({
    cellCount: 2,
    geneCount: 3,
    entryCount: 4,
    orientation: 'features-by-cells',
    notes: [],
  });
  expect(read(output)).toEqual(expected);
  expect(fractions.at(-1)).toBe(1);
});

test('a trio that is packed is inspected and converted under its packed names', async () => {
  // Two members one after the other are one text, as bgzip writes it.
  const half = matrix.length >> 1;
  const files = {
    matrix: await file(
      'GSM1_matrix.mtx.gz',
      Buffer.concat([gzipSync(matrix.slice(0, half)), gzipSync(matrix.slice(half))]),
    ),
    tables: [
      await file('GSM1_barcodes.tsv.gz', gzipSync(barcodes)),
      await file('GSM1_features.TSV.GZ', gzipSync(features)),
    ] as const,
  };
  const [cells, genes] = files.tables;
  expect(await inspectTextFile(files.matrix.path)).toMatchObject({
    kind: 'matrix',
    rows: 3,
    columns: 2,
    entries: 4,
  });
  expect(await inspectTextFile(cells.path)).toMatchObject({ kind: 'barcodes', lines: 2 });
  expect(await inspectTextFile(genes.path)).toMatchObject({ kind: 'features', lines: 3 });
  const output = join(folder, 'out.h5ad');
  await convertMatrixMarket(files, output);
  expect(read(output)).toEqual(expected);
});

const lines = matrix.trimEnd().split('\n');
test.each<[string, Parameters<typeof trio>[0]]>([
  ['cells as rows', { matrix: `${banner}2 3 4\n1 1 5\n1 3 1\n2 2 7\n2 3 2\n` }],
  ['entries in no order', { matrix: [...lines.slice(0, 3), ...lines.slice(3).toReversed()].join('\n') }],
  ['line ends of Windows', { matrix: lines.join('\r\n'), barcodes: 'AAACCTGA-1\r\nAAACCTGC-1' }],
  ['line ends of old Macs', { matrix: lines.join('\r'), features: features.replaceAll('\n', '\r') }],
  ['mixed line ends', { matrix: lines.map((line, i) => line + ['\r\n', '\n', '\r'][i % 3]!).join('') }],
  ['a byte-order mark', { matrix: `\u{FEFF}${matrix}`, barcodes: `\u{FEFF}${barcodes}` }],
  ['blanks and empty lines', { matrix: matrix.replace('1 1 5\n', '  1\t1   5  \n\n') }],
  [
    'counts with a point',
    { matrix: matrix.replace('integer', 'real').replace('1 1 5', '1 1 5.0').replace('2 2 7', '2 2 7e0') },
  ],
  [
    'zeros that are written out',
    { matrix: matrix.replace('3 2 4', '3 2 5').replace('1 1 5', '1 1 5\n1 2 0') },
  ],
  ['gzip under a plain name', { matrix: gzipSync(matrix), features: gzipSync(features) }],
  ['a line of titles', { barcodes: `barcode\n${barcodes}` }],
])('%s: the same result', async (_, contents) => {
  const output = join(folder, 'out.h5ad');
  await convertMatrixMarket(await trio(contents), output);
  expect(read(output)).toEqual(expected);
});

test('columns beside the barcodes become columns of obs, text that is not UTF-8 is read', async () => {
  const table = Buffer.from('barcode\tpatient\tage\nAAACCTGA-1\tM\xfcller\t40\nAAACCTGC-1\t\t41\n', 'latin1');
  const output = join(folder, 'out.h5ad');
  const plan = await convertMatrixMarket(await trio({ barcodes: table }), output);
  expect(plan.notes).toEqual([
    'The first line of barcodes.tsv was taken for titles.',
    'barcodes.tsv is not UTF-8; it was read as Windows-1252.',
  ]);
  const h5 = new File(output, 'r');
  const value = (name: string) => (h5.get(name) as unknown as { value: ArrayLike<unknown> }).value;
  expect(Array.from(value('obs/patient/categories'))).toEqual(['Müller']);
  expect(Array.from(value('obs/patient/codes'))).toEqual([0, -1]);
  expect(Array.from(value('obs/age'))).toEqual([40, 41]);
  h5.close();
});

test('for files without informative names, the counts identify each one', async () => {
  const files = {
    matrix: await file('m.mtx', matrix),
    tables: [await file('a.tsv', features), await file('b.tsv', 'x\ny\n')] as const,
  };
  const plan = await planMatrixMarket(files);
  expect([plan.features.name, plan.barcodes.name]).toEqual(['a.tsv', 'b.tsv']);
});

test('for a square matrix, names identify each file', async () => {
  const square = `${banner}2 2 1\n1 2 3\n`;
  const files = {
    matrix: await file('m.mtx', square),
    tables: [await file('genes.tsv', 'A\nB\n'), await file('cells.tsv', 'c1\nc2\n')] as const,
  };
  const named = planMatrixMarket({
    ...files,
    tables: [files.tables[0], await file('barcodes.tsv', 'c1\nc2\n')] as const,
  });
  expect(await named).toMatchObject({ features: { name: 'genes.tsv' }, orientation: 'features-by-cells' });
  expect((await named).notes.join()).toContain(
    'its rows were taken for features, as Cell Ranger writes them',
  );
  // Other programs write cells as rows.
  await expect(planMatrixMarket(files)).rejects.toMatchObject({ code: 'ambiguous', path: 'm.mtx' });
  for (const [genesIn, orientation] of [
    ['rows', 'features-by-cells'],
    ['columns', 'cells-by-features'],
  ] as const) {
    const plan = await planMatrixMarket(files, { genesIn });
    expect([plan.features.name, plan.orientation]).toEqual(['genes.tsv', orientation]);
  }
  const ofBustools = { path: files.matrix.path, name: 'cells_x_genes.mtx' };
  const turned = await planMatrixMarket({ ...files, matrix: ofBustools });
  expect(turned.orientation).toBe('cells-by-features');
  expect(turned.notes.join()).toContain('its rows were taken for cells, as its name says');
  const unnamed = [await file('a.tsv', 'A\nB\n'), await file('b.tsv', 'c1\nc2\n')] as const;
  await expect(planMatrixMarket({ ...files, tables: unnamed })).rejects.toThrow(
    'fits a.tsv and b.tsv either way, and neither their names nor what they list show which lists the cells',
  );
});

test('fractions of a matrix of real values are kept as they are', async () => {
  const real = matrix.replace('integer', 'real').replace('2 2 7', '2 2 0.25');
  const output = join(folder, 'out.h5ad');
  await convertMatrixMarket(await trio({ matrix: real }), output);
  expect(read(output).rows[1]).toEqual([0, 0.25, 2]);
});

const entry = (text: string) => matrix.replace('2 2 7', text);
test.each<[string, Parameters<typeof trio>[0], string, string]>([
  ['an empty matrix', { matrix: '' }, 'empty', 'matrix.mtx: the file is empty.'],
  [
    'a picture',
    { matrix: Buffer.from('89504e470d0a1a0a0000000d', 'hex') },
    'not-matrix-market',
    'matrix.mtx, line 1: is not a Matrix Market file',
  ],
  ['a long line', { matrix: 'x'.repeat(100_000) }, 'not-matrix-market', 'longer than 65536'],
  ['a dense array', { matrix: matrix.replace('coordinate', 'array') }, 'unsupported', 'holds a dense array'],
  ['complex values', { matrix: matrix.replace('integer', 'complex') }, 'unsupported', '"complex" values'],
  ['no sizes', { matrix: banner }, 'truncated', 'ends before the line with the sizes'],
  [
    'sizes that are no numbers',
    { matrix: `${banner}a b c\n` },
    'malformed',
    'line 2: should hold the numbers of rows',
  ],
  ['impossible sizes', { matrix: `${banner}3 2 99999999999\n` }, 'malformed', 'declares 99999999999 entries'],
  [
    'a negative count',
    { matrix: entry('2 2 -7') },
    'not-counts',
    'line 6: holds -7. Counts are numbers, none negative',
  ],
  [
    'a fraction among integers',
    { matrix: entry('2 2 0.25') },
    'not-counts',
    'line 6: holds 0.25, but the first line declares "integer"',
  ],
  [
    'a pattern without counts',
    { matrix: matrix.replace('integer', 'pattern') },
    'unsupported',
    'line 1: declares "pattern": the file says which values are not zero, and holds no counts.',
  ],
  ['NaN', { matrix: entry('2 2 nan') }, 'not-counts', 'a value that is not a number'],
  ['a row of zero', { matrix: entry('0 2 7') }, 'out-of-range', 'names row 0, column 2 of a matrix of 3 x 2'],
  ['a column too far', { matrix: entry('2 3 7') }, 'out-of-range', 'names row 2, column 3'],
  [
    'a missing count',
    { matrix: entry('2 2') },
    'malformed',
    'line 6: should hold a row, a column and a count',
  ],
  ['words', { matrix: entry('<script>') }, 'malformed', 'reads "<script>"'],
  ['a cut file', { matrix: matrix.slice(0, -6) }, 'truncated', 'declares 4 entries and holds 3'],
  ['too many entries', { matrix: `${matrix}1 2 1\n` }, 'malformed', 'one entry more than the 4'],
  ['a gene twice', { matrix: entry('3 2 7') }, 'repeated', 'gives two counts for feature 3 of cell 2'],
  [
    'gzip cut before its checksum',
    { barcodes: gzipSync(barcodes).subarray(0, -4) },
    'truncated',
    'gzip data',
  ],
  [
    'gzip of another file',
    { matrix: gzipSync('RDX3\nX\n') },
    'binary',
    'is an R workspace (.RData), and not',
  ],
  ['gzip of gzip', { features: gzipSync(gzipSync(features)) }, 'binary', 'packed with gzip twice, and not'],
  ['gzip of nothing', { features: gzipSync('') }, 'empty', 'features.tsv: the file holds no lines'],
  ['cut gzip', { matrix: gzipSync(matrix).subarray(0, 40) }, 'truncated', 'gzip data ends early'],
  [
    'a gzip bomb',
    { matrix: gzipSync(Buffer.from(`${matrix}${'%\n'.repeat(34_000_000)}`)) },
    'bomb',
    'unpacks to more than 100 times',
  ],
  [
    'too few barcodes',
    { barcodes: 'A\n' },
    'mismatch',
    'matrix.mtx: is a matrix of 3 x 2, but barcodes.tsv lists 1 and features.tsv lists 3.',
  ],
  [
    'a barcode too many, where titles could be',
    {
      barcodes: `ACGTACGTACGT-1\n${barcodes}`,
      features: [1, 2, 3].map((id) => `ENSG0000000000${id}\tG${id}\n`).join(''),
    },
    'mismatch',
    'barcodes.tsv: has 3 lines and the matrix 2 columns, but the first line, "ACGTACGTACGT-1", reads like a cell and not like a title',
  ],
  [
    'a barcode twice',
    { barcodes: 'A\nA\n' },
    'repeated',
    'barcodes.tsv, line 2: repeats the barcode "A" of line 1',
  ],
  ['an empty barcode', { barcodes: '\nA\n' }, 'malformed', 'barcodes.tsv, line 1: holds no barcode'],
  [
    'a table that is no text',
    { features: Buffer.from([0, 1, 2, 0, 10]) },
    'binary',
    'features.tsv: is not text',
  ],
  [
    'an endless name',
    { features: `${'G'.repeat(100_000)}\nB\nC\n` },
    'too-long',
    'features.tsv, line 1: holds a name of 100,000 characters in column 1 ("GGG',
  ],
])('%s: refused by name, and nothing is left over', async (_, contents, code, text) => {
  const files = await trio(contents);
  const before = await readdir(folder);
  await expect(convertMatrixMarket(files, join(folder, 'out.h5ad'))).rejects.toMatchObject({
    name: 'TextFileError',
    code,
    message: expect.stringContaining(text) as string,
  });
  expect(await readdir(folder)).toEqual(before);
});

test('an abort leaves nothing over', async () => {
  const files = await trio();
  const controller = new AbortController();
  const converting = convertMatrixMarket(files, join(folder, 'out.h5ad'), {
    signal: controller.signal,
    onProgress: () => controller.abort(new Error('enough')),
  });
  await expect(converting).rejects.toThrow('enough');
  expect((await readdir(folder)).sort()).toEqual(['barcodes.tsv', 'features.tsv', 'matrix.mtx']);
});

test('an inspection of a table reports what a conversion would refuse', async () => {
  const obstacles = async (name: string, text: string) => {
    const { path } = await file(name, text);
    const report = await inspectTextFile(path);
    return report.kind === 'matrix' ? undefined : report.obstacles;
  };
  const twice = 'A-1\nB-1\nA-1\nA-1\n';
  expect(await obstacles('barcodes.tsv', twice)).toEqual([
    expect.stringMatching(/^2 lines repeat a barcode of an earlier line, such as "A-1"\. .*add the sample/),
  ]);
  expect(await obstacles('barcodes.tsv', `\tsample\nA-1\tx\n\ty\n\tz\nB-1\tz\n`)).toEqual([
    expect.stringMatching(/^Line 3 holds no barcode\./),
  ]);
  expect(await obstacles('barcodes.tsv', barcodes)).toEqual([]);
  expect(await obstacles('features.tsv', 'ENSG1\tCD79A\n\t\nENSG3\tCST3\n')).toEqual([
    expect.stringMatching(/^Line 2 holds no gene\./),
  ]);
  // Genes of one name are told apart by a number; which of the two a table is, is not known here.
  expect(await obstacles('features.tsv', features)).toEqual([]);
  expect(await obstacles('table.tsv', twice)).toEqual([]);
  const long = 'A'.repeat(500);
  expect((await obstacles('barcodes.tsv', `${long}\n${long}\n`))![0]!.length).toBeLessThan(300);
});

test('further columns of the barcodes come along under their titles, or numbered where those cannot be', async () => {
  const titles = ['barcode', 'sample', '.', '__categories', 'a/b', 'sample', 'column_8', ''].join('\t');
  const rows = ['A-1', 'B-1'].map((name) =>
    [name, ...Array.from({ length: 7 }, (_, i) => `${name}${i}`)].join('\t'),
  );
  const output = join(folder, 'titles.h5ad');
  await convertMatrixMarket(await trio({ barcodes: [titles, ...rows, ''].join('\n') }), output);
  const { columns } = await inspectH5ad(output);
  expect(columns.map(({ name, categories }) => [name, categories])).toEqual(
    ['sample', 'column_3', 'column_4', 'a_b', 'column_6', 'column_8', 'column_8_'].map((name) => [name, 2]),
  );
});

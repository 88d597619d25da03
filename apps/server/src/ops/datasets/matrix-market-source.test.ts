import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { inspectH5ad } from '@cellfolio/ingest';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { convertedTrio } from './matrix-market-source.ts';

const [cells, genes] = [40, 30];
const entries = Array.from({ length: cells * genes }, (_, at) => at)
  .filter((at) => at % 7 < 3)
  .map((at) => `${(at % genes) + 1} ${Math.floor(at / genes) + 1} ${1 + (at % 5)}`);
const matrix = [
  '%%MatrixMarket matrix coordinate integer general',
  `${genes} ${cells} ${entries.length}`,
  ...entries,
].join('\n');
const lines = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join('\n');
const barcodes = lines(cells, (cell) => `CELL${cell}-1`);
const features = lines(genes, (gene) => `ENSG${gene}\tGENE${gene}\tGene Expression`);

let root = '';
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellfolio-trio-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const contents = (name: string) =>
  /mtx/i.test(name)
    ? matrix
    : /barcodes/i.test(name)
      ? barcodes
      : /features|genes/i.test(name)
        ? features
        : 'x';

async function folderWith(name: string, names: readonly string[]): Promise<string> {
  const folder = join(root, name);
  await mkdir(folder, { recursive: true });
  for (const file of names) {
    const text = contents(file);
    await writeFile(join(folder, file), /gz$/i.test(file) ? gzipSync(text) : text);
  }
  return folder;
}

const scratch = () => join(root, 'scratch');

async function converted(source: string) {
  await mkdir(scratch(), { recursive: true });
  const { signal } = new AbortController();
  return convertedTrio(source, undefined, { scratch: scratch(), onProgress: () => undefined, signal });
}

test.each<[string, readonly string[], { source?: string; name: string }]>([
  ['plain', ['matrix.mtx', 'barcodes.tsv', 'features.tsv'], { name: 'plain' }],
  ['cell-ranger-3', ['matrix.mtx.gz', 'barcodes.tsv.gz', 'features.tsv.gz'], { name: 'cell-ranger-3' }],
  ['cell-ranger-2', ['matrix.mtx', 'barcodes.tsv', 'genes.tsv'], { name: 'cell-ranger-2' }],
  [
    'a-prefix',
    ['GSM1_liver_matrix.mtx.gz', 'GSM1_liver_barcodes.tsv.gz', 'GSM1_liver_features.tsv.gz', 'notes.txt'],
    { name: 'GSM1_liver' },
  ],
  [
    'both-packed-and-not',
    ['matrix.mtx', 'matrix.mtx.gz', 'barcodes.tsv', 'features.tsv.gz'],
    { name: 'both-packed-and-not' },
  ],
  [
    'one-of-two-samples',
    ['a_matrix.mtx', 'a_barcodes.tsv', 'a_genes.tsv', 'b_matrix.mtx', 'b_barcodes.tsv', 'b_features.tsv'],
    { source: 'b_matrix.mtx', name: 'b' },
  ],
  [
    'a-matrix-of-another-name',
    ['Liver.MTX', 'barcodes.tsv', 'features.tsv'],
    { source: 'Liver.MTX', name: 'Liver' },
  ],
])(
  '%s: the three files are found and converted into one dataset',
  async (folderName, names, { source = '', name }) => {
    const conversion = await converted(join(await folderWith(folderName, names), source));
    expect(conversion?.named).toBe(name);
    const report = await inspectH5ad(conversion!.file.path);
    expect(report).toMatchObject({
      cells,
      genes,
      expression: { source: { state: 'normalised-here' } },
    });
    expect(conversion!.shown).toContain(folderName);
    expect(conversion!.rows.map(({ value }) => basename(dirname(value)))).toEqual([folderName, folderName]);
    await rm(conversion!.file.path);
  },
);

test.each<[string, readonly string[], string, readonly string[]]>([
  [
    'no-barcodes',
    ['matrix.mtx.gz', 'features.tsv.gz', 'cells.csv'],
    '',
    [
      'has no list of cells in its folder: looked for barcodes.tsv.gz, barcodes.tsv. There are: cells.csv, features.tsv.gz.',
    ],
  ],
  [
    'no-genes',
    ['S1_matrix.mtx', 'S1_barcodes.tsv'],
    'S1_matrix.mtx',
    [
      'has no list of genes in its folder: looked for S1_features.tsv, S1_features.tsv.gz, S1_genes.tsv, S1_genes.tsv.gz.',
    ],
  ],
  [
    'no-matrix',
    ['barcodes.tsv', 'features.tsv'],
    '',
    ['has no matrix: ', 'It contains barcodes.tsv, features.tsv.'],
  ],
  [
    'a-table',
    ['matrix.mtx', 'features.tsv.gz'],
    'features.tsv.gz',
    ['is a table of a matrix. Use the folder'],
  ],
  ['nothing', [], '', ['It is empty.']],
  [
    'two-samples',
    ['a_matrix.mtx', 'b_matrix.mtx.gz'],
    '',
    ['has 2 matrices: a_matrix.mtx, b_matrix.mtx.gz. Choose one'],
  ],
])(
  '%s: the error names the missing file and the expected names',
  async (folderName, names, source, texts) => {
    const refusal = converted(join(await folderWith(folderName, names), source));
    await expect(refusal).rejects.toMatchObject({ name: 'CommandFailure', exitCode: 3 });
    for (const text of texts) await expect(refusal).rejects.toThrow(text);
  },
);

test('a folder of Parse Biosciences, of cells x genes with tables of commas, is one dataset with the columns of its cells', async () => {
  const folder = await folderWith('DGE_filtered', []);
  const turned = entries.map((line) => line.replace(/^(\d+) (\d+)/, '$2 $1'));
  await writeFile(
    join(folder, 'count_matrix.mtx'),
    [matrix.split('\n')[0], `${cells} ${genes} ${entries.length}`, ...turned].join('\n'),
  );
  await writeFile(
    join(folder, 'cell_metadata.csv'),
    `bc_wells,sample,tscp_count\n${lines(cells, (cell) => `01_02_${cell},"lung, ${cell % 2 ? 'left' : 'right'}",${cell * 10}`)}\n`,
  );
  await writeFile(
    join(folder, 'all_genes.csv'),
    `gene_id,gene_name,genome\n${lines(genes, (gene) => `ENSG${gene},GENE${gene},hg38`)}\n`,
  );
  const conversion = await converted(folder);
  const report = await inspectH5ad(conversion!.file.path);
  expect(report).toMatchObject({ cells, genes, geneNames: { index: 'symbol' } });
  expect(report.columns).toMatchObject([
    { name: 'sample', kind: 'categorical', categories: 2 },
    { name: 'tscp_count', kind: 'numeric' },
  ]);
  await rm(conversion!.file.path);
});

test('other sources are not converted, and after a corrupt matrix no file is left', async () => {
  expect(await converted(join(root, 'cells.h5ad'))).toBeUndefined();
  expect(await converted(join(root, 'gone.mtx'))).toBeUndefined();
  await folderWith('outs/filtered_feature_bc_matrix', ['matrix.mtx', 'barcodes.tsv', 'features.tsv']);
  expect(await converted(join(root, 'outs'))).toBeUndefined();
  const folder = await folderWith('cut', ['matrix.mtx.gz', 'barcodes.tsv', 'features.tsv']);
  await writeFile(join(folder, 'matrix.mtx.gz'), gzipSync(matrix).subarray(0, 500));
  await expect(converted(folder)).rejects.toMatchObject({ name: 'TextFileError', code: 'truncated' });
  expect(await readdir(scratch())).toEqual([]);
});

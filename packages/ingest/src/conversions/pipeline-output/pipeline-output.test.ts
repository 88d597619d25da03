import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { unpackStrings } from '@cellfolio/model';
import { FileObjectStore, openDataset } from '@cellfolio/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importH5ad } from '../../import-h5ad.ts';
import { fixtureCatalogue } from '../../testing/hdf5-fixtures.ts';
import { zipFile } from '../../testing/zip-file.ts';
import { readableFile } from '../readable-file.ts';

let root = '';
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'cellfolio-outputs-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const cellCount = 30;
const geneCount = 12;
const cells = Array.from({ length: cellCount }, (_, cell) => `ACGTACGT${'ACGT'[cell % 4]}${cell}-1`);
const count = (gene: number, cell: number) => (gene * 3 + cell * 5) % 4;
const lines = (rows: readonly (readonly (string | number)[])[], separator = ',') =>
  `${rows.map((row) => row.join(separator)).join('\n')}\n`;

function matrixOf(rows: number, columns: number, value: (row: number, column: number) => number): string {
  const entries: string[] = [];
  for (let column = 0; column < columns; column++)
    for (let row = 0; row < rows; row++)
      if (value(row, column) !== 0) entries.push(`${row + 1} ${column + 1} ${value(row, column)}`);
  const head = '%%MatrixMarket matrix coordinate integer general';
  return [head, `${rows} ${columns} ${entries.length}`, ...entries, ''].join('\n');
}

type Files = Readonly<Record<string, string>>;

const trio = (folder: string, names = cells): Files => ({
  [`${folder}matrix.mtx.gz`]: matrixOf(geneCount, names.length, count),
  [`${folder}barcodes.tsv.gz`]: lines(names.map((name) => [name])),
  [`${folder}features.tsv.gz`]: lines(
    Array.from({ length: geneCount }, (_, gene) => [`ENSG${gene}`, `GENE${gene}`, 'Gene Expression']),
    '\t',
  ),
});

const cellRanger: Files = {
  ...trio('filtered_feature_bc_matrix/'),
  ...trio('raw_feature_bc_matrix/', [...cells, 'TTTTTTTT-1']),
  'analysis/clustering/gene_expression_graphclust/clusters.csv': lines([
    ['Barcode', 'Cluster'],
    ...cells.map((cell, at) => [cell, 10 - (at % 3)]).toReversed(),
  ]),
  'analysis/umap/gene_expression_2_components/projection.csv': lines([
    ['Barcode', 'UMAP-1', 'UMAP-2'],
    ...cells.map((cell, at) => [cell, at / 4, 5 - at]).toReversed(),
  ]),
  'analysis/tsne/gene_expression_2_components/projection.csv': lines([
    ['Barcode', 'TSNE-1', 'TSNE-2'],
    ...cells.slice(1).map((cell, at) => [cell, at, at]),
  ]),
};

const spots = cells.map((cell, at) => [cell, 1, at % 6, at % 5, 100 + 7 * at, 2000 - 3 * at]);
const outside = ['TTTTTTTT-1', 0, 70, 70, 9000, 9000];
const titles = 'barcode,in_tissue,array_row,array_col,pxl_row_in_fullres,pxl_col_in_fullres'.split(',');

let written = 0;
function packed(files: Readonly<Record<string, string | Buffer>>): { folder: string; zip: string } {
  const folder = join(root, `run-${written++}`, 'outs');
  const bytes = Object.entries(files).map(([name, text]) => ({
    name,
    bytes: name.endsWith('.gz') ? gzipSync(text) : Buffer.from(text),
  }));
  for (const { name, bytes: content } of bytes) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  const zip = join(dirname(folder), 'outs.zip');
  writeFileSync(
    zip,
    zipFile(
      bytes.map(({ name, bytes: content }, at) => ({
        name: `outs/${name}`,
        bytes: content,
        deflate: at % 2 === 0,
      })),
    ),
  );
  return { folder, zip };
}

async function imported(path: string, name = 'outs') {
  const id = `${written++}.h5ad`;
  const readable = await readableFile({ path, name }, join(root, id));
  expect(readdirSync(root).filter((name) => name.endsWith('.parts'))).toEqual([]);
  const store = join(root, 'store');
  const { report } = await importH5ad({
    path: readable.path,
    root: store,
    id,
    catalogue: fixtureCatalogue(id),
  });
  return { readable, report, dataset: await openDataset(new FileObjectStore(store), id) };
}

const kinds = ['folder', 'zip'] as const;

test.each(kinds)('Cell Ranger, %s: the filtered matrix, its clusters and its UMAP', async (kind) => {
  const { readable, report, dataset } = await imported(packed(cellRanger)[kind]);
  expect(dataset.manifest).toMatchObject({ cellCount, geneCount });
  const umap = await dataset.embedding('X_umap');
  expect([...umap.values]).toEqual(cells.flatMap((_, at) => [at / 4, 5 - at]));
  const clusters = await dataset.obs('graphclust');
  expect(clusters).toMatchObject({ categories: ['8', '9', '10'] });
  expect(clusters.kind === 'categorical' && [...clusters.codes]).toEqual(cells.map((_, at) => 2 - (at % 3)));
  expect(report.roles).toContainEqual(expect.objectContaining({ role: 'cluster', chosen: 'graphclust' }));
  expect(readable.notes.join(' ')).toContain('filtered_feature_bc_matrix/matrix.mtx.gz.');
  expect(readable.notes).toContainEqual(
    expect.stringMatching(/^X_tsne was left out: .* 1 of the 30 cells\.$/),
  );
});

test.each([
  ['tissue_positions.csv', [titles, ...[outside, ...spots].toReversed()]],
  ['tissue_positions_list.csv', [outside, ...spots]],
  // As pandas writes it: see fixtures/make-visium-hd-fixture.py.
  ['tissue_positions.parquet', undefined],
])('Space Ranger, %s: spots have their pixels as coordinates, x and then y', async (name, rows) => {
  const positions = rows ? lines(rows) : readFileSync(join(import.meta.dirname, 'fixtures', name));
  const files = { ...trio('filtered_feature_bc_matrix/'), [`spatial/${name}`]: positions };
  for (const kind of kinds) {
    const { dataset } = await imported(packed(files)[kind]);
    const spatial = await dataset.embedding('spatial');
    expect([...spatial.values]).toEqual(cells.flatMap((_, at) => [2000 - 3 * at, 100 + 7 * at]));
    expect(await dataset.obs('array_row')).toMatchObject({ kind: 'numeric' });
  }
});

const alevinGenes = Array.from({ length: geneCount }, (_, gene) => `ENSG0000000000${gene}`);
const alevin = (genes: readonly string[], value: typeof count): Files => ({
  'alevin/quants_mat.mtx': matrixOf(cellCount, genes.length, (cell, gene) => value(gene, cell)),
  'alevin/quants_mat_rows.txt': lines(cells.map((cell) => [cell])),
  'alevin/quants_mat_cols.txt': lines(genes.map((gene) => [gene])),
  'quant.json': '{"usa_mode": true}',
});

test.each(kinds)('alevin-fry in USA mode, %s: spliced and ambiguous counts are added', async (kind) => {
  const split = [...alevinGenes, ...alevinGenes.map((g) => `${g}-U`), ...alevinGenes.map((g) => `${g}-A`)];
  const { readable, dataset } = await imported(packed(alevin(split, count))[kind]);
  expect(dataset.manifest).toMatchObject({ cellCount, geneCount });
  expect(await countsOf(dataset)).toEqual(
    Array.from({ length: geneCount }, (_, gene) =>
      cells.map((_cell, cell) => count(gene, cell) + count(2 * geneCount + gene, cell)),
    ),
  );
  expect(readable.notes.join(' ')).toContain('spliced and ambiguous counts were added up');
});

test('alevin-fry with one count for each gene is read as it is', async () => {
  const { dataset } = await imported(join(packed(alevin(alevinGenes, count)).folder, 'alevin'));
  expect(await countsOf(dataset)).toEqual(
    alevinGenes.map((_, gene) => cells.map((_cell, cell) => count(gene, cell))),
  );
});

test('the MEX zip of BD Rhapsody is read, with cells of numbers and its AbSeq as proteins', async () => {
  const names = cells.map((_, at) => `${17 * at + 3}`);
  const files = trio('', names);
  const features = files['features.tsv.gz']!.replace(
    'ENSG0\tGENE0\tGene Expression',
    'CD103|ITGAE|AHS0001|pAbO\tCD103|ITGAE|AHS0001|pAbO\tAntibody Capture',
  );
  const path = join(root, 'S1_RSEC_MolsPerCell_MEX.zip');
  const entries = Object.entries({ ...files, 'features.tsv.gz': features });
  writeFileSync(
    path,
    zipFile(entries.map(([name, text]) => ({ name, bytes: gzipSync(text), deflate: true }))),
  );
  const { report, dataset } = await imported(path);
  expect(dataset.manifest).toMatchObject({ cellCount, geneCount: geneCount - 1 });
  const { names: own } = await dataset.cellRows({ from: 0, to: cellCount }, { columns: [], embeddings: [] });
  expect(unpackStrings(own)).toEqual(names);
  expect(report.proteins).toMatchObject({ names: ['CD103|ITGAE|AHS0001|pAbO'], scale: 'clr' });
});

test('the table of BD Rhapsody is read below its comments, with its AbSeq as proteins', async () => {
  const path = join(root, 'S1_RSEC_MolsPerCell.csv');
  const features = ['CD103|ITGAE|AHS0001|pAbO', 'CD3D', ...alevinGenes.slice(2)];
  const rows = cells.map((_, cell) => [17 * cell + 3, ...features.map((__, gene) => count(gene, cell))]);
  const comments =
    '####################\n## BD Targeted Multiplex Rhapsody Analysis Pipeline\n## Analysis Date: 2021-01-01\n';
  writeFileSync(path, comments + lines([['Cell_Index', ...features], ...rows]));
  const { report, dataset } = await imported(path, 'S1_RSEC_MolsPerCell.csv');
  expect(dataset.manifest).toMatchObject({ cellCount, geneCount: features.length - 1 });
  expect(report.proteins).toMatchObject({ names: [features[0]], scale: 'clr' });
  expect((await countsOf(dataset))[0]).toEqual(cells.map((_, cell) => count(1, cell)));
});

test.each<[string, Files, string]>([
  [
    'several matrices',
    {
      ...trio('per_sample_outs/S1/count/sample_filtered_feature_bc_matrix/'),
      ...trio('per_sample_outs/S2/count/sample_filtered_feature_bc_matrix/'),
    },
    'per_sample_outs/S1/count/sample_filtered_feature_bc_matrix/matrix.mtx.gz, ',
  ],
  ['a matrix alone', { 'matrix.mtx': matrixOf(2, 2, count) }, 'but not its lists of cells and genes'],
  [
    'positions of another run',
    {
      ...trio('filtered_feature_bc_matrix/'),
      'spatial/tissue_positions.csv': lines([titles, ...spots.slice(1)]),
    },
    'tissue_positions.csv: lacks 1 of the 30 barcodes of the matrix.',
  ],
  [
    'positions without pixels',
    {
      ...trio('filtered_feature_bc_matrix/'),
      'spatial/tissue_positions.csv': lines([titles.slice(0, 4), ...spots]),
    },
    'tissue_positions.csv: has no column pxl_col_in_fullres.',
  ],
  [
    'positions that are no Parquet file',
    { ...trio('filtered_feature_bc_matrix/'), 'spatial/tissue_positions.parquet': 'PAR1 cut off' },
    'tissue_positions.parquet: cannot be read as Parquet.',
  ],
  [
    'a position that is no number',
    {
      ...trio('filtered_feature_bc_matrix/'),
      'spatial/tissue_positions.csv': lines([titles, ...spots]).replace(',2000', ',1e999'),
    },
    'has "1e999" in the place of a number',
  ],
  [
    'clusters of another run',
    { ...cellRanger, 'analysis/clustering/graphclust/clusters.csv': 'Barcode,Cluster\nAAA-1,1\n' },
    'clusters.csv: lacks 30 of the 30 barcodes',
  ],
])('%s: refused by name, and nothing is left over', async (_, files, message) => {
  const { zip, folder } = packed(files);
  for (const path of [zip, folder]) {
    await expect(readableFile({ path, name: 'outs' }, join(root, 'refused.h5ad'))).rejects.toThrow(message);
    expect(readdirSync(root).filter((name) => name.startsWith('refused'))).toEqual([]);
  }
});

type Dataset = Awaited<ReturnType<typeof openDataset>>;

/** Genes x cells. */
async function countsOf(dataset: Dataset): Promise<number[][]> {
  const counts = (await dataset.storedMatrix('layers/counts'))!;
  const entries = counts.starts.at(-1)!;
  const [places, values] = [await counts.cells(0, entries), await counts.values(0, entries)];
  return Array.from({ length: dataset.manifest.geneCount }, (_, gene) => {
    const row = cells.map(() => 0);
    for (let at = counts.starts[gene]!; at < counts.starts[gene + 1]!; at++) row[places[at]!] = values[at]!;
    return row;
  });
}

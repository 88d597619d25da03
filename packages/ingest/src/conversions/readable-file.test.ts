import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { denseValues, unpackStrings } from '@cellfolio/model';
import { FileObjectStore, openDataset, type Dataset } from '@cellfolio/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importH5ad, inspectH5ad } from '../import-h5ad.ts';
import { fixtureCatalogue } from '../testing/hdf5-fixtures.ts';
import type { ConversionOptions } from './conversion.ts';
import { readableFile } from './readable-file.ts';

interface Expected {
  cells: string[];
  symbols: string[];
  uniqueSymbols: string[];
  accessions: string[];
  cellTypes: string[];
  stages: string[];
  treated: boolean[];
  umap: number[][];
  features: string[];
  featureTypes: string[];
  counts: number[][];
  expression: number[][];
  values: number[][];
}

const fixtures = join(import.meta.dirname, 'fixtures');
// What scanpy reads of the same files: see fixtures/make-format-fixtures.py.
const expected = JSON.parse(readFileSync(join(fixtures, 'expected.json'), 'utf8')) as Expected;
const cellCount = expected.cells.length;
const geneCount = expected.uniqueSymbols.length;

let root = '';
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'cellfolio-formats-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

let files = 0;
async function imported(name: string, options: ConversionOptions = {}) {
  const number = files++;
  const path = join(fixtures, name);
  const readable = await readableFile({ path, name: basename(path) }, join(root, `${number}.h5ad`), options);
  const id = `${number}.h5ad`;
  const { manifest, report } = await importH5ad({
    path: readable.path,
    root: join(root, 'store'),
    id,
    catalogue: fixtureCatalogue(name),
  });
  return {
    readable,
    manifest,
    report,
    dataset: await openDataset(new FileObjectStore(join(root, 'store')), id),
  };
}

async function largestDifference(dataset: Dataset, expectedValues: readonly number[][]): Promise<number> {
  let largest = 0;
  for (let gene = 0; gene < geneCount; gene++) {
    const values = denseValues(await dataset.gene(gene));
    for (let cell = 0; cell < cellCount; cell++) {
      const [actual, want] = [values[cell]!, expectedValues[cell]![gene]!];
      largest = Math.max(largest, Number.isNaN(actual) && Number.isNaN(want) ? 0 : Math.abs(actual - want));
    }
  }
  return largest;
}

async function cellNames(dataset: Dataset): Promise<string[]> {
  const { names } = await dataset.cellRows({ from: 0, to: cellCount }, { columns: [], embeddings: [] });
  return unpackStrings(names);
}

const zarrFiles = [
  ...['csr', 'csc', 'dense'].flatMap((kind) => [`v2-${kind}`, `v3-${kind}`]),
  'v2-blosc',
  'v2-lz4',
  'v2-gzip',
  'v3-shards',
];

test.each<[name: string, madeFrom: string | undefined, symbols: 'symbols' | 'uniqueSymbols']>([
  ['v3.h5', undefined, 'symbols'],
  ['v2-two-genomes.h5', undefined, 'symbols'],
  ['cells.h5ad.gz', 'an HDF5 file packed with gzip', 'uniqueSymbols'],
  ...zarrFiles.map((name): [string, string, 'uniqueSymbols'] => [
    `${name}.zarr.zip`,
    'AnnData-Zarr',
    'uniqueSymbols',
  ]),
  ['genes-x-cells.csv', 'a table of text', 'uniqueSymbols'],
  ['cells-x-genes.tsv.gz', 'a table of text', 'uniqueSymbols'],
  ['write-table.txt', 'a table of text', 'uniqueSymbols'],
])('%s has the counts and names that scanpy reads', async (name, madeFrom, symbols) => {
  const { readable, manifest, dataset } = await imported(name);
  expect(readable.madeFrom).toBe(madeFrom);
  expect(readable.table?.assumed ?? false).toBe(false);
  expect(manifest).toMatchObject({ cellCount, geneCount });
  expect(manifest.expression).toMatchObject({ state: 'normalised-here', hasCounts: true });
  expect(await largestDifference(dataset, expected.expression)).toBeLessThan(1e-6);
  expect(dataset.genes.symbols).toEqual(expected[symbols]);
  expect(await cellNames(dataset)).toEqual(expected.cells);
});

test.each(['v2-csr', 'v3-csr', 'v2-blosc', 'v3-shards'])(
  'columns, embeddings and what is left of %s are those of anndata',
  async (name) => {
    const { dataset, report } = await imported(`${name}.zarr.zip`);
    const categories = async (column: string) => {
      const read = await dataset.obs(column);
      return read.kind === 'categorical' && Array.from(read.codes, (code) => read.categories[code]);
    };
    expect(await categories('cell_type')).toEqual(expected.cellTypes);
    expect(await categories('stage')).toEqual(expected.stages);
    expect(await dataset.obs('stage')).toMatchObject({ categories: ['s3', 's2', 's1', 's0'], ordered: true });
    const treated = await dataset.obs('treated');
    expect(treated.kind === 'boolean' && Array.from(treated.values, Boolean)).toEqual(expected.treated);
    expect(await dataset.obs('age')).toMatchObject({ kind: 'numeric' });
    expect(dataset.obsColumnNames).toContain('pct % of? #1');
    const { values } = await dataset.embedding('X_umap');
    const places = expected.umap.flat();
    expect(Math.max(...places.map((place, at) => Math.abs(place - values[at]!)))).toBeLessThan(1e-6);
    expect(report.carried.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['obsp/distances', 'uns/colours']),
    );
  },
);

test.each(['v3.h5', '../../formats/loom/fixtures/loompy-3.loom'])(
  '%s packed with gzip is read as it is unpacked',
  async (name) => {
    const path = join(root, `${basename(name)}.gz`);
    writeFileSync(path, gzipSync(readFileSync(join(fixtures, name))));
    const packed = await readableFile(
      { path, name: basename(path) },
      join(root, `unpacked-${basename(name)}`),
    );
    expect(packed.madeFrom).toBe('an HDF5 file packed with gzip');
    const [one, other] = await Promise.all(
      [packed.path, join(fixtures, name)].map((file) => inspectH5ad(file)),
    );
    expect({ ...one, file: undefined }).toEqual({ ...other, file: undefined });
  },
);

test('of a 10x file the genes are the matrix, and antibodies are kept as proteins', async () => {
  const { manifest, report } = await imported('v3.h5');
  expect(manifest.otherFeatures).toBeUndefined();
  expect(report.proteins).toEqual({
    part: 'matrix (by matrix/features/feature_types)',
    names: expected.features.slice(-4),
    scale: 'clr',
  });
  expect(report.geneNames).toMatchObject({ index: 'symbol', repeated: 1 });
  expect(report.format.tables).toContain('since version 3');
});

test('of a 10x file of two genomes that with most counts is taken, and the other named', async () => {
  const { report } = await imported('v2-two-genomes.h5');
  expect(report.notKept).toEqual(['mm10']);
  expect(report.format.tables).toContain('genes of GRCh38');
});

test('a table keeps a second name of each gene, missing values and values that are no counts', async () => {
  const { readable, dataset, manifest, report } = await imported('noted.csv');
  const expectedValues = expected.values.map((row) => [...row]);
  expectedValues[4]![2] = Number.NaN;
  expect(manifest).toMatchObject({ cellCount, geneCount });
  expect(await largestDifference(dataset, expectedValues)).toBeLessThan(1e-6);
  expect(dataset.genes.symbols).toEqual(expected.uniqueSymbols);
  expect(report.geneNames).toMatchObject({ index: 'ensembl', symbolColumn: 'symbol' });
  expect(readable.notes[0]).toContain('genes in rows and cells in columns (the rows are named as genes are)');
});

test('totals, reads of no gene and numbers about the rows are no values of a table, and are named', async () => {
  const file = async (name: string, content: string) => {
    writeFileSync(join(root, name), content);
    const readable = await readableFile({ path: join(root, name), name }, join(root, `${name}.h5ad`));
    const report = await inspectH5ad(readable.path);
    return { notes: readable.notes.join(' '), report };
  };
  const genes = await file(
    'totals.csv',
    'gene,AAACCTGA,AAACGGGT,Total\nACTB,1,2,3\nCST3,4,0,4\nACTB,1,1,2\n__no_feature,5,5,10\n',
  );
  expect(genes.report).toMatchObject({ cells: 2, genes: 3, expression: { values: { maximum: 4 } } });
  expect(genes.notes).toContain('Left out of the table: Total, __no_feature.');
  expect(genes.notes).toContain('Names that an earlier gene has too were given numbers: ACTB-1.');
  const cells = await file(
    'numbers.csv',
    'cell,nCount_RNA,seurat_clusters,chromosome,ACTB,CST3\nAAACCTGA,3,0,1,1,2\nAAACGGGT,4,1,X,4,0\n',
  );
  expect(cells.report).toMatchObject({ cells: 2, genes: 2, expression: { values: { maximum: 4 } } });
  expect(cells.report.columns).toMatchObject([
    { name: 'nCount_RNA', kind: 'numeric' },
    { name: 'seurat_clusters' },
    { name: 'chromosome', kind: 'categorical' },
  ]);
  expect(cells.notes).toContain(
    'Columns about the rows, without values: nCount_RNA, seurat_clusters, chromosome.',
  );
});

test('a table with a count in each line has them at the names of its lines', async () => {
  const { readable, dataset, manifest } = await imported('long.tsv.gz');
  expect(readable.madeFrom).toBe('a table with a count in each line');
  // What has no count has no line.
  const cells = expected.cells.filter((_, cell) => expected.counts[cell]!.some((count) => count > 0));
  const genes = expected.uniqueSymbols.filter((_, gene) => expected.counts.some((row) => row[gene]! > 0));
  expect(manifest).toMatchObject({ cellCount: cells.length, geneCount: genes.length });
  const { names } = await dataset.cellRows({ from: 0, to: cells.length }, { columns: [], embeddings: [] });
  expect(unpackStrings(names).toSorted()).toEqual(cells.toSorted());
  expect(dataset.genes.symbols.toSorted()).toEqual(genes.toSorted());
  const places = unpackStrings(names).map((name) => expected.cells.indexOf(name));
  let largest = 0;
  for (const [gene, symbol] of dataset.genes.symbols.entries()) {
    const values = denseValues(await dataset.gene(gene));
    const column = expected.uniqueSymbols.indexOf(symbol);
    places.forEach((place, at) => {
      largest = Math.max(largest, Math.abs(values[at]! - expected.expression[place]![column]!));
    });
  }
  expect(largest).toBeLessThan(1e-6);
});

test('a table whose names show nothing is noted as assumed, and read as its owner declares', async () => {
  const guessed = await imported('unclear.csv');
  expect(guessed.readable.table).toEqual({ genesIn: 'rows', assumed: true });
  expect(guessed.readable.notes[0]).toContain('assumed, since the names on neither side show it');
  const rows = await imported('unclear.csv', { genesIn: 'rows' });
  expect(rows.readable.table).toEqual({ genesIn: 'rows', assumed: false });
  expect(rows.manifest).toMatchObject({ cellCount, geneCount });
  const columns = await imported('unclear.csv', { genesIn: 'columns' });
  expect(columns.manifest).toMatchObject({ cellCount: geneCount, geneCount: cellCount });
});

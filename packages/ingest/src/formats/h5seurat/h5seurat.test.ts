import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Column, denseValues, unpackStrings } from '@cellfolio/model';
import { FileObjectStore, openDataset, type Dataset } from '@cellfolio/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importH5ad, inspectH5ad } from '../../index.ts';
import {
  array,
  fixtureCatalogue,
  group,
  type Hdf5Node,
  strings,
  writeHdf5,
} from '../../testing/hdf5-fixtures.ts';

type Texts = (string | null)[];
interface Expected {
  genes: string[];
  cells: string[];
  counts: number[][];
  expression: number[][];
  umap: number[][];
  pca: number[][];
  cellType: Texts;
  levels: string[];
  donor: Texts;
  treated: (boolean | null)[];
  paired: boolean[];
  score: (number | null)[];
  batch: (number | null)[];
  biotype: string[];
  ident: string[];
  proteins: string[];
  /** Proteins x cells. */
  clr: number[][];
}

const fixtures = join(import.meta.dirname, 'fixtures');
// What R has of the same objects: see fixtures/make-h5seurat-fixtures.R.
const expected = JSON.parse(readFileSync(join(fixtures, 'expected.json'), 'utf8')) as Expected;

let root = '';
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'cellfolio-h5seurat-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function imported(name: string) {
  const id = `${name}.h5ad`;
  const path = join(fixtures, `${name}.h5seurat`);
  const result = await importH5ad({ path, root, id, catalogue: fixtureCatalogue(name), replace: true });
  return { ...result, dataset: await openDataset(new FileObjectStore(root), id) };
}

function valuesOf(column: Column): unknown[] {
  const isMissing = (at: number) => 'missing' in column && column.missing?.[at] === 1;
  switch (column.kind) {
    case 'categorical':
      return Array.from(column.codes, (code) => column.categories[code] ?? null);
    case 'string':
      return unpackStrings(column.strings);
    case 'boolean':
      return Array.from(column.values, (value, at) => (isMissing(at) ? null : value === 1));
    default:
      return Array.from(column.values as Float64Array, (value, at) =>
        isMissing(at) || Number.isNaN(value) ? null : value,
      );
  }
}

async function largestDifference(dataset: Dataset): Promise<number> {
  let largest = 0;
  for (const gene of expected.genes.keys()) {
    const values = denseValues(await dataset.gene(gene));
    for (const [cell, row] of expected.expression.entries())
      largest = Math.max(largest, Math.abs(values[cell]! - row[gene]!));
  }
  return largest;
}

test.each([
  ['cite-seq', 'assays/RNA/counts', 'normalised-here', true],
  ['records', 'assays/RNA/counts', 'normalised-here', true],
  ['dense', 'assays/integrated/data', 'log-normalised', false],
])('%s has the cells, genes and values that Seurat has', async (name, path, state, hasCounts) => {
  const { dataset, manifest } = await imported(name);
  const { names } = await dataset.cellRows({ from: 0, to: 10 }, { columns: [], embeddings: [] });
  expect(unpackStrings(names)).toEqual(expected.cells);
  expect(dataset.genes.symbols).toEqual(expected.genes);
  expect(await largestDifference(dataset)).toBeLessThan(1e-6);
  expect(manifest.expression).toMatchObject({ path, state, hasCounts });
});

test('metadata comes with its levels, its logical values and its missing ones, in whichever form it is written', async () => {
  const { dataset, manifest } = await imported('cite-seq');
  const { dataset: records } = await imported('records');
  const of = async (one: Dataset, names: readonly string[]) =>
    Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, valuesOf(await one.obs(name))] as const)),
    );
  const { cellType, donor, treated, paired, batch, ident } = expected;
  expect(await of(dataset, ['cell_type', 'donor', 'treated', 'paired', 'batch', 'active.ident'])).toEqual({
    cell_type: cellType,
    donor,
    treated,
    paired,
    batch,
    'active.ident': ident,
  });
  expect(await of(records, ['donor', 'treated', 'batch'])).toEqual({ donor, treated, batch });
  for (const one of [dataset, records]) {
    const score = valuesOf(await one.obs('score')) as (number | null)[];
    expect(score.map((value) => value?.toFixed(9))).toEqual(expected.score.map((value) => value?.toFixed(9)));
  }
  const types = await dataset.obs('cell_type');
  expect(types.kind === 'categorical' && types.categories).toEqual(expected.levels);
  expect(manifest.roles).toMatchObject({ cellType: 'cell_type', patient: 'donor' });
  // With a single identity it says nothing.
  expect(records.obsColumnNames).not.toContain('active.ident');
});

test('reductions become embeddings, and an assay of antibodies proteins by their centred log ratios', async () => {
  const { dataset, report } = await imported('cite-seq');
  for (const [key, places] of [
    ['X_umap', expected.umap],
    ['X_pca', expected.pca],
  ] as const) {
    const { values } = await dataset.embedding(key);
    const apart = places.flat().map((place, at) => Math.abs(place - values[at]!));
    expect(Math.max(...apart), key).toBeLessThan(1e-6);
  }
  expect(report.proteins).toMatchObject({ part: 'assays/ADT/counts', names: expected.proteins });
  for (const [at, title] of [
    'CD3 (protein)',
    'CD19 (protein)',
    'IgG1-control (protein, isotype control)',
  ].entries()) {
    const values = valuesOf(await dataset.obs(title)) as number[];
    const apart = values.map((value, cell) => Math.abs(value - expected.clr[at]![cell]!));
    expect(Math.max(...apart), title).toBeLessThan(1e-6);
  }
  expect(report.format.tables).toContain('Seurat 4.1.3');
  expect(report.notKept).toEqual(['assays/RNA/data', 'assays/RNA/scale.data', 'graphs/RNA_nn']);
  expect(report.warnings.map(({ code }) => code)).not.toContain('skipped-column');
});

function content(): Map<string, Hdf5Node> {
  return new Map([
    ['', group(undefined, { 'active.assay': 'RNA' })],
    ['assays', group()],
    ['assays/RNA', group()],
    ['assays/RNA/features', strings(['A', 'B', 'C'])],
    ['assays/RNA/counts', group()],
    // As 10x Genomics writes it: the files of R above have an attribute.
    ['assays/RNA/counts/shape', array(Int32Array.of(3, 4))],
    ['assays/RNA/counts/data', array(Float64Array.of(1, 2, 3, 4))],
    ['assays/RNA/counts/indices', array(Int32Array.of(0, 1, 2, 0))],
    ['assays/RNA/counts/indptr', array(Int32Array.of(0, 1, 2, 3, 4))],
    ['cell.names', strings(['c1', 'c2', 'c3', 'c4'])],
    ['meta.data', group()],
    ['meta.data/type', group()],
    ['meta.data/type/levels', strings(['T', 'B'])],
    ['meta.data/type/values', array(Int32Array.of(1, 2, 1, 2))],
  ]);
}

async function inspected(change: (file: Map<string, Hdf5Node>) => unknown) {
  const file = content();
  change(file);
  const path = join(root, 'changed.h5seurat');
  await writeHdf5(path, [...file]);
  return inspectH5ad(path);
}

test.each<[string, (file: Map<string, Hdf5Node>) => unknown, object]>([
  [
    'no assay',
    (file) => [...file.keys()].filter((path) => path.startsWith('assays/')).map((path) => file.delete(path)),
    { code: 'no-x', part: 'assays/RNA', hint: expect.stringContaining('DefaultAssay') },
  ],
  [
    'no names of genes',
    (file) => file.delete('assays/RNA/features'),
    { code: 'shape-mismatch', part: 'assays/RNA/features' },
  ],
  [
    'a cell less than its matrix',
    (file) => file.set('cell.names', strings(['c1', 'c2', 'c3'])),
    { code: 'shape-mismatch', part: 'cell.names', problem: expect.stringContaining('4 x 3') },
  ],
  [
    'a sparse matrix of no size',
    (file) => file.delete('assays/RNA/counts/shape'),
    { code: 'unreadable', part: 'assays/RNA/counts/shape' },
  ],
  [
    'more cells than pointers',
    (file) => file.set('assays/RNA/counts/shape', array(Int32Array.of(3, 5))),
    { code: 'shape-mismatch', part: 'assays/RNA/counts' },
  ],
  [
    'a size below zero',
    (file) => file.set('assays/RNA/counts/shape', array(Int32Array.of(3, -1))),
    { code: 'shape-mismatch', part: 'assays/RNA/counts' },
  ],
  [
    'a column that is too short',
    (file) => file.set('meta.data/age', array(Int32Array.of(1, 2))),
    { code: 'shape-mismatch', part: 'meta.data/age' },
  ],
  [
    'a level that is not there',
    (file) => file.set('meta.data/type/values', array(Int32Array.of(1, 2, 3, 1))),
    { code: 'index-out-of-range', part: 'meta.data/type' },
  ],
])('an h5Seurat file with %s is refused by the name of the part', async (_, change, error) => {
  await expect(inspected(change)).rejects.toMatchObject({ name: 'H5adError', ...error });
});

test('a factor whose levels are a factor is left out', async () => {
  const { warnings } = await inspected((file) =>
    file
      .set('meta.data/type/levels', group())
      .set('meta.data/type/levels/levels', strings(['T']))
      .set('meta.data/type/levels/values', array(Int32Array.of(1, 1))),
  );
  const left = warnings.find(({ code }) => code === 'skipped-column');
  expect(left?.message).toMatch(/^Column meta\.data\/type was left out: it is a group of an unknown kind/);
});

test('coordinates of other cells are left out', async () => {
  const { warnings } = await inspected((file) =>
    file
      .set('reductions', group())
      .set('reductions/umap', group())
      .set('reductions/umap/cell.embeddings', array(new Float64Array(10), [2, 5])),
  );
  expect(warnings.map(({ message }) => message)).toContain(
    'reductions/X_umap was left out: it has 5 rows for 4 cells.',
  );
});

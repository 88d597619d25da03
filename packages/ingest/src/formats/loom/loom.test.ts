import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { denseValues, unpackStrings } from '@cellfolio/model';
import { FileObjectStore, openDataset, type Dataset } from '@cellfolio/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importH5ad, inspectH5ad, openCounts } from '../../index.ts';
import {
  array,
  fixtureCatalogue,
  group,
  strings,
  writeHdf5,
  type Hdf5Node,
} from '../../testing/hdf5-fixtures.ts';
import { H5Output } from '../../testing/hdf5-output.ts';

interface Expected {
  cells: string[];
  genes: string[];
  accessions: string[];
  cellTypes: string[];
  umap: number[][];
  counts: number[][];
  expression: number[][];
}

const fixtures = join(import.meta.dirname, 'fixtures');
// What loompy and scanpy make of them: see fixtures/make-loom-fixtures.py.
const expected = JSON.parse(readFileSync(join(fixtures, 'expected.json'), 'utf8')) as Expected;
const cellCount = expected.cells.length;
const geneCount = expected.genes.length;

let root = '';
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'cellfolio-loom-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function imported(path: string, memoryBudget?: number) {
  const result = await importH5ad({
    path,
    root,
    id: 'cells.h5ad',
    catalogue: fixtureCatalogue('Loom'),
    replace: true,
    ...(memoryBudget !== undefined && { memoryBudget }),
  });
  return { ...result, dataset: await openDataset(new FileObjectStore(root), 'cells.h5ad') };
}

async function largestDifference(dataset: Dataset, expectedRows: readonly number[][]): Promise<number> {
  let largest = 0;
  for (let gene = 0; gene < geneCount; gene++) {
    const values = denseValues(await dataset.gene(gene));
    for (let cell = 0; cell < cellCount; cell++)
      largest = Math.max(largest, Math.abs(values[cell]! - expectedRows[cell]![gene]!));
  }
  return largest;
}

test.each([
  ['loompy-3', 'X_umap', 'version 3.0.0', ['layers/spliced', 'layers/unspliced', 'col_graphs/KNN']],
  ['anndata', 'UMAP', 'version 3.0.0', []],
  ['spec-2', 'embedding', 'version 2.0.1', []],
])(
  'the import of %s has the values, names and places of loompy and scanpy',
  async (name, key, version, notKept) => {
    const { manifest, report, dataset } = await imported(join(fixtures, `${name}.loom`));
    expect(manifest).toMatchObject({ cellCount, geneCount });
    expect(await largestDifference(dataset, expected.expression)).toBeLessThan(1e-6);
    expect(dataset.genes.symbols).toEqual(expected.genes);
    const range = { from: 0, to: cellCount };
    const { names, columns } = await dataset.cellRows(range, { columns: ['cell_type'], embeddings: [] });
    expect(unpackStrings(names)).toEqual(expected.cells);
    const [types] = columns;
    expect(
      types?.kind === 'categorical' && Array.from(types.codes, (code) => types.categories[code]),
    ).toEqual(expected.cellTypes);
    const { values } = await dataset.embedding(key);
    const places = expected.umap.flat();
    expect(Math.max(...places.map((place, at) => Math.abs(place - values[at]!)))).toBeLessThan(1e-6);
    expect(report.format.tables).toContain(version);
    expect(report.roles).toContainEqual(expect.objectContaining({ role: 'embedding', chosen: key }));
    expect(report.notKept).toEqual(notKept);
    expect(dataset.obsColumnNames.filter((column) => /umap|^_[XY]$/i.test(column))).toEqual([]);
    expect(manifest.expression).toMatchObject({ path: 'matrix', state: 'normalised-here', hasCounts: true });
  },
);

test.each(['loompy-3', 'anndata', 'spec-2'])(
  'the raw counts of %s are read in blocks of cells',
  async (name) => {
    const counts = (await openCounts(join(fixtures, `${name}.loom`)))!;
    const rows: number[][] = [];
    for (const { pointers, indices, counts: values } of counts.blocks()) {
      for (let i = 0; i + 1 < pointers.length; i++) {
        const row = new Array<number>(geneCount).fill(0);
        for (let at = pointers[i]!; at < pointers[i + 1]!; at++) row[indices[at]!] = values[at]!;
        rows.push(row);
      }
    }
    counts.close();
    expect(rows).toEqual(expected.counts);
  },
);

const cells = 6;
const genes = 4;

function content(): Map<string, Hdf5Node> {
  return new Map([
    [
      'matrix',
      array(
        Float32Array.from({ length: genes * cells }, (_, at) => at % 5),
        [genes, cells],
      ),
    ],
    ['row_attrs', group()],
    ['row_attrs/Gene', strings(['A', 'B', 'C', 'D'])],
    ['col_attrs', group()],
    ['col_attrs/CellID', strings(Array.from({ length: cells }, (_, cell) => `cell-${cell}`))],
  ]);
}

async function inspected(change: (file: Map<string, Hdf5Node>) => unknown) {
  const file = content();
  change(file);
  const path = join(root, 'changed.loom');
  await writeHdf5(path, [...file]);
  return inspectH5ad(path);
}

test.each<[string, (file: Map<string, Hdf5Node>) => unknown, object]>([
  [
    'no names of cells',
    (file) => file.delete('col_attrs/CellID') && file.set('col_attrs/Age', array(new Int32Array(cells))),
    {
      code: 'no-obs-names',
      part: 'col_attrs',
      problem: expect.stringContaining('are: Age.'),
      hint: expect.stringContaining('col_attrs/CellID'),
    },
  ],
  [
    'no attributes of cells',
    (file) => ['col_attrs/CellID', 'col_attrs'].map((path) => file.delete(path)),
    { code: 'no-obs-names', problem: expect.stringContaining('are: none.') },
  ],
  ['no names of genes', (file) => file.delete('row_attrs/Gene'), { code: 'no-var-names', part: 'row_attrs' }],
  [
    'more genes than rows',
    (file) => file.set('row_attrs/Gene', strings(['A', 'B', 'C', 'D', 'E'])),
    { code: 'shape-mismatch', part: 'row_attrs' },
  ],
  [
    'an attribute that is too short',
    (file) => file.set('col_attrs/Age', array(new Int32Array(cells - 1))),
    { code: 'shape-mismatch', part: 'col_attrs/Age' },
  ],
  [
    'a matrix of text',
    (file) => file.set('matrix', strings(['A'])),
    { code: 'unsupported-type', part: 'matrix' },
  ],
  [
    'a matrix of one dimension',
    (file) => file.set('matrix', array(new Float32Array(4))),
    { code: 'shape-mismatch', part: 'matrix' },
  ],
])('a Loom file with %s is refused by the name of the part', async (_, change, error) => {
  await expect(inspected(change)).rejects.toMatchObject(error);
});

test('coordinates of other cells are left out, and numbered columns of no embedding are none', async () => {
  const { roles, warnings } = await inspected((file) => {
    file.set('col_attrs/X_umap', array(new Float32Array(2 * cells + 2), [cells + 1, 2]));
    file.set('col_attrs/pct_counts_1', array(new Float32Array(cells)));
    file.set('col_attrs/pct_counts_2', array(new Float32Array(cells)));
  });
  expect(roles.find(({ role }) => role === 'embedding')?.chosen).toBeUndefined();
  expect(warnings.map(({ message }) => message)).toContain(
    'col_attrs/X_umap was left out: it has 7 rows for 6 cells.',
  );
});

test('chunks of too many cells for the memory are refused before anything is read', async () => {
  const path = join(root, 'wide.loom');
  const output = await H5Output.create(path);
  output.createArray('matrix', { type: 'int8', shape: [100_000, 1400], chunks: [1, 1400], gzip: 1 });
  // So large that its matrix can be that large.
  output.createArray('padding', { type: 'int8', shape: [2 ** 18] });
  output.writeArray('padding', { offset: [0], count: [2 ** 18] }, new Uint8Array(2 ** 18));
  for (const name of ['row_attrs', 'col_attrs']) output.group(name, {});
  output.close();
  await expect(inspectH5ad(path)).rejects.toMatchObject({
    code: 'unsupported-chunks',
    message: expect.stringContaining('1 genes x 1400 cells') as string,
  });
});

test('chunks that divide neither cells nor genes, and a small budget, give the same values', async () => {
  const path = join(root, 'odd.loom');
  const output = await H5Output.create(path);
  output.createArray('matrix', { type: 'float64', shape: [geneCount, cellCount], chunks: [7, 11], gzip: 2 });
  const values = Float64Array.from(
    { length: geneCount * cellCount },
    (_, at) => expected.counts[at % cellCount]![Math.floor(at / cellCount)]!,
  );
  const whole = { offset: [0, 0], count: [geneCount, cellCount] };
  output.writeArray('matrix', whole, new Uint8Array(values.buffer));
  for (const name of ['row_attrs', 'col_attrs']) output.group(name, {});
  output.strings('row_attrs/var_names', expected.genes);
  output.strings('col_attrs/Barcode', expected.cells);
  output.close();
  const { dataset } = await imported(path, 1);
  expect(await largestDifference(dataset, expected.expression)).toBeLessThan(1e-6);
});

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Column, denseValues, stringAt, unpackStrings } from '@cellfolio/model';
import { FileObjectStore, openDataset, type Dataset } from '@cellfolio/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importH5ad } from '../import-h5ad.ts';
import { fixtureCatalogue } from '../testing/hdf5-fixtures.ts';
import { readableFile } from './readable-file.ts';

type Value = string | number | boolean | null;

interface Right {
  names: { obs: string[]; var: string[] };
  obs: Readonly<Record<string, Value[]>>;
  var: Readonly<Record<string, Value[]>>;
  /** Cells x genes, and cells x dimensions. */
  values: {
    counts: number[][];
    expression?: number[][];
    X_umap?: number[][];
    X_table?: number[][];
  };
  categories?: Readonly<Record<string, { names: string[]; ordered: boolean }>>;
}

interface VersionFile {
  anndata: string;
  pandas: string;
  dataset: 'full' | 'plain';
  storage: 'h5ad' | 'zarr2' | 'zarr3';
  file: string;
  encodings: Readonly<Record<string, string | null>>;
  absent: string[];
}

const fixtures = join(import.meta.dirname, '../../fixtures/anndata-versions');
// What the versions of anndata read of their own files: see fixtures/anndata-versions.py.
const expected = JSON.parse(readFileSync(join(fixtures, 'expected.json'), 'utf8')) as {
  files: VersionFile[];
  right: Readonly<Record<VersionFile['dataset'], Right>>;
};

let root = '';
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'cellfolio-versions-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

test.each(expected.files)(
  'anndata $anndata with pandas $pandas: $storage, $dataset, is read as anndata reads it',
  async ({ file, dataset: kind, absent }) => {
    const right = expected.right[kind];
    const { path } = await readableFile(
      { path: join(fixtures, file), name: file },
      join(root, `${file}.h5ad`),
    );
    const { report } = await importH5ad({ path, root, id: file, catalogue: fixtureCatalogue(file) });
    const dataset = await openDataset(new FileObjectStore(root), file);
    await compareNamesAndColumns(dataset, right, absent);
    await compareValues(dataset, right);
    expect(report.warnings.filter(({ message }) => message.includes('left out'))).toEqual([]);
    expect(dataset.graphHead?.origin).toEqual(kind === 'plain' ? { metric: 'euclidean' } : undefined);
  },
);

test('the matrix has names in all encodings of them: text, and text with a mask since pandas 3', () => {
  const encodings = new Set(expected.files.map(({ encodings: { 'obs/_index': names } }) => names));
  expect(encodings).toEqual(new Set([null, 'string-array', 'nullable-string-array']));
});

async function compareNamesAndColumns(
  dataset: Dataset,
  right: Right,
  absent: readonly string[],
): Promise<void> {
  const cells = { from: 0, to: right.names.obs.length };
  const { names } = await dataset.cellRows(cells, { columns: [], embeddings: [] });
  expect(unpackStrings(names)).toEqual(right.names.obs);
  expect(dataset.genes.symbols).toEqual(right.names.var);
  const genes = await dataset.geneTable();
  for (const [name, values] of Object.entries(right.var))
    expect(valuesOf(genes.columns.get(name)!)).toEqual(values);
  const columns = Object.keys(right.obs).filter((name) => !absent.includes(name));
  expect(dataset.obsColumnNames.toSorted()).toEqual(columns.toSorted());
  for (const name of columns) {
    const column = await dataset.obs(name);
    const columnValues = valuesOf(column);
    // Categories are text here, whatever they were.
    const expectedValues = right.obs[name]!.map((value) =>
      value !== null && column.kind === 'categorical' ? String(value) : value,
    );
    expect({ name, values: columnValues }).toEqual({ name, values: expectedValues });
  }
  for (const [name, { names: categories, ordered }] of Object.entries(right.categories ?? {}))
    expect(await dataset.obs(name)).toMatchObject({ categories, ordered });
}

function valuesOf(column: Column): Value[] {
  switch (column.kind) {
    case 'categorical':
      return Array.from(column.codes, (code) => column.categories[code] ?? null);
    case 'string':
      return Array.from({ length: column.strings.offsets.length - 1 }, (_, row) =>
        column.missing?.[row] === 1 ? null : stringAt(column.strings, row),
      );
    default:
      return [...column.values].map((value, row) => {
        const number = Number(value);
        if (column.missing?.[row] === 1 || Number.isNaN(number)) return null;
        return column.kind === 'boolean' ? number === 1 : number;
      });
  }
}

async function compareValues(dataset: Dataset, { values }: Right): Promise<void> {
  const { cellCount, geneCount } = dataset.manifest;
  const totals = values.counts.map((row) => row.reduce((sum, count) => sum + count, 0));
  const expression =
    values.expression ??
    values.counts.map((row, cell) => row.map((count) => Math.log1p((count / totals[cell]!) * 1e4)));
  for (let gene = 0; gene < geneCount; gene++) {
    const actual = denseValues(await dataset.gene(gene));
    for (let cell = 0; cell < cellCount; cell++)
      expect(Math.abs(actual[cell]! - expression[cell]![gene]!)).toBeLessThan(2e-6);
  }
  expect(await keptCounts(dataset)).toEqual(values.counts);
  for (const name of ['X_umap', 'X_table'] as const) {
    const places = values[name];
    if (places === undefined) continue;
    const actual = (await dataset.embedding(name)).values;
    expect(actual).toHaveLength(places.flat().length);
    places.flat().forEach((place, at) => expect(Math.abs(place - actual[at]!)).toBeLessThan(1e-6));
  }
}

/** Cells x genes. */
async function keptCounts(dataset: Dataset): Promise<number[][]> {
  const { cellCount, geneCount } = dataset.manifest;
  const counts = (await dataset.storedMatrix('layers/counts'))!;
  const entries = counts.starts.at(-1)!;
  const [cells, values] = [await counts.cells(0, entries), await counts.values(0, entries)];
  const rows = Array.from({ length: cellCount }, () => Array.from({ length: geneCount }, () => 0));
  for (let gene = 0; gene < geneCount; gene++)
    for (let at = counts.starts[gene]!; at < counts.starts[gene + 1]!; at++)
      rows[cells[at]!]![gene] = values[at]!;
  return rows;
}

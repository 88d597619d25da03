import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileObjectStore, openDataset, type Dataset } from '@cellfolio/store';
import { denseValues, unpackStrings, type Column } from '@cellfolio/model';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { H5adError, importH5ad, inspectH5ad, reportRows } from './index.ts';
import { fixtureCatalogue } from './testing/hdf5-fixtures.ts';

interface Expected {
  cells: string[];
  umap: number[];
  obs: Record<string, (string | number | boolean | null)[]>;
  files: Record<
    string,
    {
      x: (number | null)[][];
      counts: number[][] | null;
      state: string;
      path: string;
      genes: string[];
      roles: Record<string, string>;
      warnings: string[];
    }
  >;
  bad: Record<string, { code: string; part: string }>;
}

const fixtures = join(import.meta.dirname, '../fixtures');
const expected = JSON.parse(readFileSync(join(fixtures, 'expected.json'), 'utf8')) as Expected;
const catalogue = fixtureCatalogue('Fixture');

let root = '';
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'cellfolio-ingest-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function fixture(name: string): string {
  return join(fixtures, `${name}.h5ad`);
}

async function imported(name: string, extra: Partial<Parameters<typeof importH5ad>[0]> = {}) {
  const id = `${name}.h5ad`;
  const result = await importH5ad({ path: fixture(name), root, id, catalogue, replace: true, ...extra });
  return { ...result, dataset: await openDataset(new FileObjectStore(root), id) };
}

async function allValues(dataset: Dataset): Promise<number[][]> {
  const { cellCount, geneCount } = dataset.manifest;
  const rows = Array.from({ length: cellCount }, () => new Array<number>(geneCount).fill(0));
  for (let gene = 0; gene < geneCount; gene++) {
    const column = await dataset.gene(gene);
    expect([...column.cells]).toEqual([...column.cells].sort((a, b) => a - b));
    expect(column.values.includes(0)).toBe(false);
    denseValues(column).forEach((value, cell) => (rows[cell]![gene] = value));
  }
  return rows;
}

function differences(actual: number[][], expectedValues: (number | null)[][]): string[] {
  return expectedValues.flatMap((row, cell) =>
    row.flatMap((value, gene) => {
      const got = actual[cell]?.[gene] ?? Infinity;
      const want = value ?? NaN;
      const same = Number.isNaN(want)
        ? Number.isNaN(got)
        : Math.abs(got - want) <= 1e-6 * Math.max(1, Math.abs(want));
      return same ? [] : [`cell ${cell}, gene ${gene}: ${got} instead of ${want}`];
    }),
  );
}

function cells(column: Column): (string | number | boolean | null)[] {
  switch (column.kind) {
    case 'categorical':
      return Array.from(column.codes, (code) => (code < 0 ? null : column.categories[code]!));
    case 'string':
      return unpackStrings(column.strings);
    case 'boolean':
      return Array.from(column.values, (value, row) => (column.missing?.[row] === 1 ? null : value === 1));
    case 'wide-integer':
      return Array.from(column.values, String);
    case 'numeric':
      return Array.from(column.values, (value, row) => (column.missing?.[row] === 1 ? null : value));
  }
}

describe('files as the field writes them', () => {
  test.each(Object.keys(expected.files))('%s gives the expression that scanpy gives', async (name) => {
    const want = expected.files[name]!;
    const { dataset, manifest, report } = await imported(name);
    expect(manifest.expression).toMatchObject({
      path: want.path,
      state: want.state,
      hasCounts: want.counts !== null,
    });
    expect(dataset.genes.symbols).toEqual(want.genes);
    expect(differences(await allValues(dataset), want.x)).toEqual([]);
    const { metadata: _, ...roles } = manifest.roles;
    expect(roles).toEqual(want.roles);
    expect(manifest.warnings.map(({ code }) => code).sort()).toEqual(want.warnings);
    expect(report.warnings).toEqual(manifest.warnings);
    expect(report.expression.values.exact).toBe(true);
  });
});

test('every kind of obs column keeps its values, text of few values becomes categories', async () => {
  const { dataset, manifest } = await imported('csr-log');
  const got: Record<string, unknown> = {};
  for (const name of Object.keys(expected.obs)) got[name] = cells(await dataset.obs(name));
  const { percent_mito: shares, ...others } = expected.obs;
  expect(got).toMatchObject(others);
  expect(got.percent_mito).toEqual(shares!.map((share) => Math.fround(share as number)));
  expect(await dataset.obs('stage')).toMatchObject({
    kind: 'categorical',
    ordered: true,
  });
  expect(manifest.roles.metadata).toEqual({ donor_id: 'donor_id', stage: 'stage' });
});

test.each(['anndata-0.6', 'anndata-0.7', 'csr-log'])('%s keeps its embedding', async (name) => {
  const { dataset } = await imported(name);
  expect([...(await dataset.embedding('X_umap')).values]).toEqual(expected.umap);
});

test('tables of records keep booleans, numbers and fixed-length text', async () => {
  const { dataset, report, manifest } = await imported('anndata-0.6');
  expect(report.format.tables).toBe('as records, as anndata before 0.7 wrote them');
  expect(cells(await dataset.obs('is_doublet'))).toEqual(expected.obs.is_doublet);
  expect(cells(await dataset.obs('n_genes'))).toEqual(expected.obs.n_genes);
  expect(cells(await dataset.obs('cell_type'))).toEqual(expected.obs.cell_type);
  expect(cells(await dataset.obs('batch')).slice(0, 4)).toEqual(['b0', 'b1', 'b2', 'b0']);
  expect(manifest.roles.metadata).toMatchObject({ batch: 'batch' });
});

test('genes answer to symbol and to Ensembl id', async () => {
  const { dataset, report } = await imported('ensembl');
  expect(dataset.genes.find('cd79a')).toBe(0);
  expect(dataset.genes.find('CD79A-2')).toBe(6);
  expect(dataset.genes.find('ENSG00000001003')).toBe(3);
  expect(report.geneNames).toEqual({
    index: 'ensembl',
    symbolColumn: 'feature_name',
    repeated: 3,
    repeatedExamples: ['CD79A', 'CST3'],
  });
});

test('whole clusters numbers become categories of the same numbers', async () => {
  const { dataset } = await imported('clusters-only');
  const column = await dataset.obs('louvain');
  expect(column).toMatchObject({ kind: 'categorical', categoryType: 'int64' });
  expect(cells(column).slice(9, 13)).toEqual(['9', '10', '11', '0']);
});

test('one fraction that no sample saw still keeps values from being taken for counts', async () => {
  const inspected = await inspectH5ad(fixture('late-fraction'));
  expect(inspected.expression.source.state).toBe('normalised-here');
  const memoryBudget = 4 * 2 ** 20;
  await expect(imported('late-fraction', { memoryBudget })).rejects.toMatchObject({
    code: 'undecided-scale',
  });
  const { manifest, dataset, report } = await imported('late-fraction', {
    memoryBudget,
    columns: { expression: 'log1p' },
  });
  expect(manifest.expression).toMatchObject({ path: 'X', state: 'log-normalised', hasCounts: false });
  expect(report.expression.values).toMatchObject({ nonZero: 400_000, minimum: 0.5, maximum: 1 });
  const gene = await dataset.gene(0);
  expect(gene.values[300]).toBe(0.5);
  expect(gene.values.length).toBe(4000);
  const counted = await imported('late-fraction', { memoryBudget, columns: { expression: 'counts' } });
  expect(counted.manifest.expression).toMatchObject({ hasCounts: true, fractionalCounts: true });
  expect(counted.report.warnings.find(({ code }) => code === 'fractional-counts')?.numbers).toEqual({
    fractional: 1,
    values: 400_000,
  });
});

test('columns named in the import replace the detected ones', async () => {
  const columns = {
    cellType: 'leiden',
    cluster: 'is_doublet',
    patient: 'stage',
    embedding: 'X_pca',
    metadata: { 'Kind of cell': 'cell_type', Genes: 'n_genes' },
  };
  const { manifest, dataset } = await imported('csr-log', { columns });
  expect(manifest.roles).toEqual({
    cellType: 'leiden',
    cluster: 'is_doublet',
    patient: 'stage',
    embedding: 'X_pca_2d',
    metadata: { 'Kind of cell': 'cell_type', Genes: 'n_genes' },
  });
  expect(await dataset.obs('is_doublet')).toMatchObject({
    categories: ['False', 'True'],
  });
});

test.each([
  [{ cellType: 'celltypo' }, 'unknown-column', /celltypo.*There are:.*cell_type/],
  [{ cluster: 'percent_mito' }, 'unusable-column', /percent_mito.*These can:.*leiden/],
  [{ embedding: 'X_tsne' }, 'unknown-column', /X_tsne.*X_umap/],
  [{ symbol: 'gene' }, 'unknown-column', /gene/],
  [{ metadata: { Age: 'age' } }, 'unknown-column', /age.*metadata 'Age'/],
])(
  'a named column that cannot be used is refused with those that can: %o',
  async (columns, code, message) => {
    const error = await refused(importH5ad({ path: fixture('csr-log'), root, id: 'x', catalogue, columns }));
    expect(error).toMatchObject({ name: 'H5adError', code });
    expect(error.message).toMatch(message);
  },
);

async function refused(work: Promise<unknown>): Promise<H5adError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(H5adError);
  return error as H5adError;
}

describe('files that must be refused', () => {
  test.each(Object.entries(expected.bad))(
    '%s is refused, naming the part, and leaves nothing',
    async (name, want) => {
      const error = await refused(importH5ad({ path: fixture(name), root, id: `bad-${name}`, catalogue }));
      expect({ code: error.code, part: error.part }).toEqual(want);
      expect(error.message).toContain(fixture(name));
      expect(error.hint).not.toBe('');
      expect(readdirSync(join(root, 'datasets'))).not.toContain(`bad-${name}`);
      expect(readdirSync(join(root, 'incoming'))).toEqual([]);
    },
  );

  test('a file that is not there is refused', async () => {
    const error = await refused(inspectH5ad(join(fixtures, 'absent.h5ad')));
    expect(error.code).toBe('not-found');
  });
});

test('an inspection says what an import would do, in plain words and as JSON', async () => {
  const report = await inspectH5ad(fixture('scaled-with-raw'));
  const { report: done } = await imported('scaled-with-raw');
  expect(JSON.parse(JSON.stringify(report))).toEqual(report);
  expect({ ...report, expression: { ...report.expression, values: {} } }).toEqual({
    ...done,
    expression: { ...done.expression, values: {} },
  });
  const rows = new Map(reportRows(report).map(({ label, value }) => [label, value]));
  expect(rows.get('Expression')).toBe('raw/X is taken as it is: its values look log-normalized.');
  expect(rows.get('Matrix X')).toMatch(/^dense, float32, 30 x 5, compression none; looks scaled$/);
  expect(rows.get('Cell type')).toBe(
    'cell_type: found by its name. Others: leiden, donor_id, n_genes, is_doublet.',
  );
  expect(rows.get('Size')).toBe('30 cells x 9 genes');
});

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileObjectStore, openDataset, verifyDataset } from '@cellfolio/store';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importH5ad, inspectH5ad } from '../import-h5ad.ts';
import { convertMatrixMarket } from '../matrix-market/convert-matrix-market.ts';
import { reportRows } from '../preflight-report.ts';
import {
  array,
  fixtureCatalogue,
  frameOf,
  group,
  type Hdf5Node,
  soundFile,
  strings,
  writeHdf5,
} from '../testing/hdf5-fixtures.ts';
import { type StoredFormat, text, writeSimulated } from '../testing/simulated-files.ts';
import { writeTrio } from '../testing/simulated-trio.ts';

const reference = JSON.parse(readFileSync(new URL('clr-reference.json', import.meta.url), 'utf8')) as {
  proteins: string[];
  counts: number[][];
  clr: number[][];
  panels: { lacking: number[][]; clr: (number | null)[][] };
};
const cells = reference.counts.length;
const proteins = reference.proteins.length;
const genes = 21;
const titles = reference.proteins.map((name) => `${name} (protein)`);

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'proteins-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
async function imported(path: string, keptCells?: Int32Array) {
  const id = `d-${files++}.h5ad`;
  const { manifest, report } = await importH5ad({
    path,
    root: folder,
    id,
    catalogue: fixtureCatalogue('Proteins'),
    ...(keptCells && { additions: { keptCells } }),
  });
  const store = new FileObjectStore(folder);
  const dataset = await openDataset(store, id);
  expect((await verifyDataset(store, id)).problems).toEqual([]);
  const columns = dataset.proteins?.columns ?? [];
  const values = await Promise.all(columns.map(async ({ column }) => numbers(await dataset.obs(column))));
  return { manifest, report, dataset, names: columns.map(({ column }) => column), values };
}

function numbers(column: { kind: string; values?: unknown }): number[] {
  expect(column.kind).toBe('numeric');
  return Array.from(column.values as Float32Array);
}

const ratios = (rows = reference.clr) =>
  reference.proteins.map((_, protein) => rows.map((row) => row[protein]!));

function expectClose(actual: readonly number[][], expected: readonly number[][]): void {
  expect(actual.map(({ length }) => length)).toEqual(expected.map(({ length }) => length));
  const largest = actual.flatMap((row, at) => row.map((value, i) => Math.abs(value - expected[at]![i]!)));
  expect(Math.max(...largest)).toBeLessThan(1e-6);
}

const types = Array.from({ length: genes + proteins }, (_, at) =>
  at % 3 === 1 && at / 3 < proteins ? 'Antibody Capture' : 'Gene Expression',
);
const names = types.map((type, at) =>
  type === 'Antibody Capture' ? reference.proteins[(at - 1) / 3]! : `G${at}`,
);
const joined = Float64Array.from({ length: cells * types.length }, (_, at) => {
  const [cell, feature] = [Math.floor(at / types.length), at % types.length];
  return types[feature] === 'Antibody Capture'
    ? reference.counts[cell]![(feature - 1) / 3]!
    : (cell * 7 + feature * 13) % 5 === 0
      ? 1 + (cell % 4)
      : 0;
});

async function amongFeatures(format: StoredFormat = 'csr', varNames = names): Promise<string> {
  const path = join(folder, `joined-${files++}.h5ad`);
  await writeSimulated(path, {
    cellCount: cells,
    geneCount: types.length,
    values: joined,
    varNames,
    var: new Map([['feature_types', text(types)]]),
    format,
  });
  return path;
}

describe.each(['csr', 'csc', 'dense'] satisfies StoredFormat[])('among features stored as %s', (format) => {
  test('proteins are centred log ratios by cell, as those of muon and Seurat', async () => {
    const {
      names: proteinNames,
      values,
      dataset,
      manifest,
      report,
    } = await imported(await amongFeatures(format));
    expect(proteinNames).toEqual(titles);
    expectClose(values, ratios());
    expect(dataset.proteins?.scale).toBe('clr');
    expect(manifest.geneCount).toBe(genes);
    expect(manifest.otherFeatures).toBeUndefined();
    expect(dataset.obsColumnNames).toEqual(['cell_type']);
    expect(reportRows(report)).toContainEqual({
      label: 'Proteins',
      value:
        '9 proteins are kept as a second modality (CD1, CD2, CD3, CD4, CD5, …), from X (by var/feature_types): as centered log ratios (CLR) by cell',
    });
  });

  test('of the cells that stay alone they are the same', async () => {
    const keptCells = Int32Array.from([1, 3, 7, 20]);
    const { values, manifest } = await imported(await amongFeatures(format), keptCells);
    expect(manifest.cellCount).toBe(4);
    expectClose(values, ratios(Array.from(keptCells, (cell) => reference.clr[cell]!)));
  });
});

test('a protein is one read, and its column is read in ranges with those of obs', async () => {
  const { dataset } = await imported(await amongFeatures());
  const before = dataset.counters.reads;
  await dataset.obs(titles[0]!);
  expect(dataset.counters.reads - before).toBe(1);
  const { columns } = await dataset.cellRows(
    { from: 7, to: 9 },
    { columns: ['cell_type', titles[1]!], embeddings: [] },
  );
  expectClose([numbers(columns[1]!)], [[reference.clr[7]![1]!, reference.clr[8]![1]!]]);
  expect(dataset.embeddings).toEqual([]);
});

test('a protein whose name was made unique beside its gene has its own name again', async () => {
  const varNames = names.map((name, at) =>
    name === 'CD2' ? 'CD2-1' : name === 'CD9' ? 'CD9-1' : at === 0 ? 'CD2' : name,
  );
  const { names: proteinNames } = await imported(await amongFeatures('csr', varNames));
  expect(proteinNames[1]).toBe('CD2 (protein)');
  expect(proteinNames[8]).toBe('CD9-1 (protein)');
});

test('isotype controls are called so, and names with markup, that repeat or are missing stay apart', async () => {
  const odd = [
    'IgG1_control_TotalSeqB',
    'Isotype_MOPC.21',
    '<b>CD3</b>',
    '=1+1',
    '..',
    'IgM',
    '',
    'HLA',
    'HLA',
  ];
  const { names: proteinNames, values } = await imported(
    await table({
      nodes: [
        ['obsm/protein_expression', dense],
        ['uns', group('dict')],
        ['uns/protein_names', strings(odd)],
      ],
    }),
  );
  expect(proteinNames).toEqual([
    'IgG1_control_TotalSeqB (protein, isotype control)',
    'Isotype_MOPC.21 (protein, isotype control)',
    '<b>CD3</b> (protein)',
    '=1+1 (protein)',
    '.. (protein)',
    'IgM (protein)',
    'Protein 7 (protein)',
    'HLA (protein)',
    'HLA-1 (protein)',
  ]);
  expectClose(values, ratios());
});

const cellNames = Array.from({ length: cells }, (_, cell) => `CELL-${cell}`);

async function table({
  columns = [],
  index = cellNames,
  nodes,
}: {
  columns?: readonly (readonly [string, Hdf5Node])[];
  index?: readonly string[];
  nodes?: readonly (readonly [string, Hdf5Node])[];
}): Promise<string> {
  const path = join(folder, `table-${files++}.h5ad`);
  await writeHdf5(path, [
    ...soundFile(cells, genes),
    ['obsm', group('dict')],
    ...(nodes ?? frameOf('obsm/protein_expression', strings(index), new Map(columns))),
  ]);
  return path;
}

const countColumn = (protein: number) => array(Int32Array.from(reference.counts, (row) => row[protein]!));
const ratioColumn = (protein: number) => array(Float64Array.from(reference.clr, (row) => row[protein]!));
const frame = (column: (protein: number) => Hdf5Node) =>
  reference.proteins.map((name, protein) => [name, column(protein)] as const);
const dense = array(Float32Array.from(reference.counts.flat()), [cells, proteins]);

test('a data frame in obsm is of proteins and of no embedding; text in it is left out by its name', async () => {
  const columns = [
    ...frame(countColumn),
    ['batch', strings(Array.from({ length: cells }, () => 'b'))] as const,
  ];
  const { names: proteinNames, values, dataset, manifest, report } = await imported(await table({ columns }));
  expect(proteinNames).toEqual(titles);
  expectClose(values, ratios());
  expect(dataset.embeddings).toEqual([]);
  expect(manifest.warnings.map(({ message }) => message)).toContain(
    'obsm/protein_expression/batch was left out: its values are of type string.',
  );
  expect(report.proteins).toMatchObject({ part: 'obsm/protein_expression', scale: 'clr' });
});

test('an array in obsm has its names from uns, else numbers', async () => {
  const named = await table({
    nodes: [
      ['obsm/protein_expression', dense],
      ['uns', group('dict')],
      ['uns/protein_type_colors', strings(reference.proteins.map(() => '#000000'))],
      ['uns/protein_names', strings(reference.proteins)],
    ],
  });
  const { names: proteinNames, values, report } = await imported(named);
  expect(proteinNames).toEqual(titles);
  expect(report.notKept).toEqual([]);
  expect(report.carried.map(({ path }) => path)).toContain('uns/protein_type_colors');
  expectClose(values, ratios());
  const { names: numbered } = await imported(await table({ nodes: [['obsm/protein_expression', dense]] }));
  expect(numbered[8]).toBe('Protein 9 (protein)');
});

test('values that are no counts stay as they are, and missing and negative ones are reported', async () => {
  const odd = array(
    Float64Array.from({ length: cells }, (_, cell) => (cell === 2 ? NaN : cell === 4 ? -3 : cell)),
  );
  const { values, dataset, manifest } = await imported(
    await table({ columns: [...frame(ratioColumn).slice(0, 2), ['odd', odd]] }),
  );
  expect(dataset.proteins?.scale).toBe('stored');
  expectClose(values.slice(0, 2), ratios().slice(0, 2));
  expect(values[2]!.slice(0, 6)).toEqual([0, 1, NaN, 3, -3, 5]);
  expect(manifest.warnings.find(({ code }) => code === 'proteins-as-stored')?.message).toBe(
    'The values of the proteins in obsm/protein_expression are kept as they are, since they are not all whole counts (1 is negative).',
  );
  expect(manifest.warnings.find(({ code }) => code === 'proteins-missing')?.message).toBe(
    '1 of the 3 proteins of obsm/protein_expression is missing (NaN) in some of the 40 cells: odd in 1. These cells have no value of them, rather than 0.',
  );
});

test('counts that are missing in some cells are ratios among the proteins that the cell has', async () => {
  const counts = array(
    Float64Array.from(reference.counts.flat(), (count, at) =>
      reference.panels.lacking[Math.floor(at / proteins)]!.includes(at % proteins) ? NaN : count,
    ),
    [cells, proteins],
  );
  const { values, dataset, manifest } = await imported(
    await table({ nodes: [['obsm/protein_expression', counts]] }),
  );
  expect(dataset.proteins?.scale).toBe('clr');
  const expected = reference.panels.clr.map((row) => row.map((value) => value ?? NaN));
  expect(values.map((row) => row.map(Number.isNaN))).toEqual(
    ratios(expected).map((row) => row.map(Number.isNaN)),
  );
  const zeroFilled = (rows: readonly number[][]) => rows.map((row) => row.map((value) => value || 0));
  expectClose(zeroFilled(values), zeroFilled(ratios(expected)));
  // The last cell has none at all.
  expect(values.map((row) => row.at(-1))).toEqual(Array.from({ length: proteins }, () => NaN));
  expect(manifest.warnings.find(({ code }) => code === 'proteins-missing')?.numbers).toEqual({
    proteins: 9,
    values: reference.panels.lacking.flat().length,
  });
});

test.each([
  ['protein level as stored', 'stored', reference.counts],
  ['centred log ratio (CLR)', 'clr', reference.counts],
  ['counts', 'clr', reference.clr],
] as const)('values that a file calls %s become %s', async (unit, scale, expected) => {
  const path = await table({
    nodes: [
      ['obsm/protein_expression', dense],
      ['uns', group('dict')],
      ['uns/protein_expression_unit', strings([unit])],
      ['uns/protein_names', strings(reference.proteins)],
    ],
  });
  const { names: proteinNames, values, dataset, report } = await imported(path);
  expect(proteinNames).toEqual(titles);
  expect(dataset.proteins?.scale).toBe(scale);
  expectClose(values, ratios([...expected]));
  const returned = report.carried.map(({ path }) => path);
  expect(returned.includes('uns/protein_expression_unit')).toBe(unit === 'counts');
});

test('names with slashes are read where old files nest them, and where uns has them for columns that lost them', async () => {
  const odd = ['HLA-DR/DP', 'HLA-DR/DQ/DR', 'CD66a/c', ...reference.proteins.slice(3)];
  const nested = await table({
    nodes: [
      ['obsm/protein_expression', group('dataframe', { _index: '_index', 'column-order': odd })],
      ['obsm/protein_expression/_index', strings(cellNames)],
      ['obsm/protein_expression/HLA-DR', group()],
      ['obsm/protein_expression/HLA-DR/DQ', group()],
      ['obsm/protein_expression/CD66a', group()],
      ...odd.map((name, at) => [`obsm/protein_expression/${name}`, countColumn(at)] as const),
    ],
  });
  const old = await imported(nested);
  expect(old.names).toEqual(odd.map((name) => `${name} (protein)`));
  expectClose(old.values, ratios());
  expect(old.manifest.warnings.filter(({ code }) => code === 'skipped-proteins')).toEqual([]);
  const columns = odd.map((name, at) => [name.replaceAll('/', '_'), countColumn(at)] as const);
  const renamed = await table({
    nodes: [
      ...frameOf('obsm/protein_expression', strings(cellNames), new Map(columns)),
      ['uns', group('dict')],
      ['uns/protein_names', strings(odd)],
    ],
  });
  expect((await imported(renamed)).names).toEqual(odd.map((name) => `${name} (protein)`));
});

test.each([
  [
    'other cells',
    { columns: frame(countColumn), index: Array.from({ length: cells }, (_, at) => `X-${at}`) },
    'rows are not the cells of obs',
  ],
  [
    'too few rows',
    { nodes: [['obsm/protein_expression', array(new Float32Array(30), [10, 3])] as const] },
    'it has 10 rows for 40 cells',
  ],
  [
    'three dimensions',
    { nodes: [['obsm/protein_expression', array(new Float32Array(4 * cells), [cells, 2, 2])] as const] },
    '3 dimensions',
  ],
  [
    'text',
    { nodes: [['obsm/protein_expression', strings(Array.from({ length: cells }, () => 'a'))] as const] },
    'was left out',
  ],
  ['nothing', { nodes: [['obsm/protein_expression', group('dict')] as const] }, 'was left out'],
])('a table of %s is left out by its name, and the genes are imported', async (_, content, reason) => {
  const { dataset, manifest } = await imported(await table(content));
  expect(dataset.proteins).toBeUndefined();
  expect(manifest.geneCount).toBe(genes);
  const [message = ''] = manifest.warnings
    .filter(({ code }) => code === 'skipped-proteins')
    .map((one) => one.message);
  expect(message).toMatch(/^obsm\/protein_expression was left out: /);
  expect(message).toContain(reason);
});

test('of more proteins than can be listed those with the largest sums are kept', async () => {
  const many = 503;
  const counts = Float32Array.from({ length: cells * many }, (_, at) =>
    (at % many) % 101 === 7 ? 1 : 2 + (at % 3),
  );
  const path = await table({ nodes: [['obsm/protein_expression', array(counts, [cells, many])]] });
  const { names: proteinNames, manifest } = await imported(path);
  expect(proteinNames.length).toBe(500);
  // Among the five with the smallest sums the first two are as large as the others.
  expect(proteinNames).not.toContain('Protein 412 (protein)');
  expect(proteinNames).toContain('Protein 8 (protein)');
  expect(manifest.warnings.find(({ code }) => code === 'proteins-cut')?.numbers).toEqual({
    proteins: many,
    kept: 500,
  });
  const rows = new Map(reportRows(await inspectH5ad(path)).map(({ label, value }) => [label, value]));
  expect(rows.get('Proteins')).toMatch(/^500 of 503 proteins are kept as a second modality/);
});

test('a trio of Matrix Market brings its proteins along, under their own names beside genes of the same', async () => {
  const output = join(folder, 'trio.h5ad');
  const features = types.map((type, at) => ({ name: at === 0 ? 'CD2' : names[at]!, type }));
  const { notes } = await convertMatrixMarket(writeTrio(folder, features, joined), output);
  expect(notes[0]).toContain('with the proteins as a second modality');
  const { names: proteinNames, values } = await imported(output);
  expect(proteinNames).toEqual(titles);
  expectClose(values, ratios());
});

test('a 10x file of genes and antibodies has both', async () => {
  const path = join(folder, 'tenx.h5');
  const indptr = [0n];
  const indices: bigint[] = [];
  const data: number[] = [];
  for (let cell = 0; cell < cells; cell++) {
    for (let feature = 0; feature < types.length; feature++) {
      const count = joined[cell * types.length + feature]!;
      if (count === 0) continue;
      indices.push(BigInt(feature));
      data.push(count);
    }
    indptr.push(BigInt(indices.length));
  }
  await writeHdf5(path, [
    ['matrix', group()],
    ['matrix/barcodes', strings(Array.from({ length: cells }, (_, cell) => `AAAC${cell}-1`))],
    ['matrix/data', array(Int32Array.from(data))],
    ['matrix/indices', array(BigInt64Array.from(indices))],
    ['matrix/indptr', array(BigInt64Array.from(indptr))],
    ['matrix/shape', array(Int32Array.of(types.length, cells))],
    ['matrix/features', group()],
    ['matrix/features/name', strings(names)],
    ['matrix/features/id', strings(names)],
    ['matrix/features/feature_type', strings(types)],
  ]);
  const { names: proteinNames, values, manifest } = await imported(path);
  expect(proteinNames).toEqual(titles);
  expectClose(values, ratios());
  expect(manifest.geneCount).toBe(genes);
});

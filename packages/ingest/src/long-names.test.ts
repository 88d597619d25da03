import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileObjectStore, openDataset } from '@cellfolio/store';
import { isCategorical } from '@cellfolio/model';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { H5adError, importH5ad, inspectH5ad, inspectTextFile, reportRows } from './index.ts';
import {
  fixtureCatalogue,
  array,
  frameOf,
  group,
  soundFile,
  strings,
  writeHdf5,
  type Hdf5Node,
} from './testing/hdf5-fixtures.ts';

let root = '';
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'cellfolio-long-names-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const million = 1_000_000;
const cells = 120;
const genes = 10;
const barcodes = strings(Array.from({ length: cells }, (_, cell) => `CELL-${cell}`));
const hostile = (end: number) => `<b>T\u202E\n cell 👩‍🔬${'x'.repeat(million)}${end}`;

let files = 0;
async function written(changes: Iterable<readonly [string, Hdf5Node]>): Promise<string> {
  const path = join(root, `${files++}.h5ad`);
  await writeHdf5(path, [...new Map([...soundFile(cells, genes), ...changes])]);
  return path;
}

function categorical(path: string, labels: readonly string[]): (readonly [string, Hdf5Node])[] {
  return [
    [path, group('categorical', { ordered: { uint8: 0 } })],
    [`${path}/codes`, array(Int32Array.from({ length: cells }, (_, cell) => cell % labels.length))],
    [`${path}/categories`, strings(labels)],
  ];
}

const obsOf = (columns: readonly string[]): readonly [string, Hdf5Node] => [
  'obs',
  group('dataframe', { _index: '_index', 'column-order': columns }),
];

async function refusalOf(work: Promise<unknown>): Promise<H5adError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(H5adError);
  return error as H5adError;
}

test('twelve cell types of a million characters are no cell types, and the report says which column it was', async () => {
  const labels = Array.from({ length: 12 }, (_, i) => hostile(i));
  const path = await written([
    obsOf(['cell_type', 'leiden']),
    ...categorical('obs/cell_type', labels),
    ...categorical('obs/leiden', ['0', '1']),
  ]);
  const report = await inspectH5ad(path);
  expect(report.roles[0]).toMatchObject({ role: 'cellType' });
  expect(report.roles[0]).not.toHaveProperty('chosen');
  const message = report.warnings.find(({ code }) => code === 'long-labels')!.message;
  expect(message).toContain('obs/cell_type');
  expect(message).toContain('"<b>T�� cell');
  expect(JSON.stringify(report).length).toBeLessThan(10_000);
  expect(JSON.stringify(reportRows(report)).length).toBeLessThan(10_000);
  const refusal = await refusalOf(inspectH5ad(path, { cellType: 'cell_type' }));
  expect(refusal.code).toBe('unusable-column');
  expect(refusal.message).toContain('obs/cell_type');
  expect(refusal.message).toContain('one of its texts has 1,000,0');
  expect(refusal.message).toContain('These can: leiden.');
  expect(refusal.message.length).toBeLessThan(1000);
});

test('a column of long labels is kept, and read with as many groups under names of bounded length', async () => {
  const labels = Array.from({ length: 12 }, (_, i) => hostile(i));
  const path = await written([
    obsOf(['notes', 'leiden']),
    ...categorical('obs/notes', labels),
    ...categorical('obs/leiden', ['0', '1']),
  ]);
  const { manifest } = await importH5ad({
    path,
    root,
    id: 'notes.h5ad',
    catalogue: { ...fixtureCatalogue('Notes'), name: hostile(1), description: hostile(2) },
  });
  expect(manifest.roles.metadata).toEqual({});
  const dataset = await openDataset(new FileObjectStore(root), 'notes.h5ad');
  const column = await dataset.obs('notes');
  expect(isCategorical(column)).toBe(true);
  const { categories } = column as Extract<typeof column, { kind: 'categorical' }>;
  expect(new Set(categories).size).toBe(12);
  expect(Math.max(...categories.map(({ length }) => length))).toBeLessThanOrEqual(500);
  expect(JSON.stringify({ ...dataset.manifest, files: {} }).length).toBeLessThan(15_000);
});

test.each([
  ['obs/_index', 'obs', 'cell'],
  ['var/_index', 'var', 'gene'],
])('a name of a million characters in %s is refused by its row and first characters', async (part, frame) => {
  const count = frame === 'obs' ? cells : genes;
  const names = Array.from({ length: count }, (_, row) => (row === 3 ? hostile(1) : `NAME${row}`));
  const refusal = await refusalOf(inspectH5ad(await written([[part, strings(names)]])));
  expect(refusal).toMatchObject({ code: 'long-name', part });
  expect(refusal.message).toContain('row 4 has a name of 1,000,0');
  expect(refusal.message).toContain('"<b>T�� cell');
  expect(refusal.message).not.toMatch(/[\n\u202E]/);
  expect(refusal.message.length).toBeLessThan(500);
});

test('names of exactly the bound are taken', async () => {
  const names = Array.from({ length: genes }, (_, row) => `${'ü'.repeat(499)}${row}`);
  const report = await inspectH5ad(await written([['var/_index', strings(names)]]));
  expect(report.genes).toBe(genes);
});

test('a column of long symbols is passed over, and refused where it is named', async () => {
  const ids = strings(Array.from({ length: genes }, (_, row) => `ENSG0000000000${row}`));
  const symbols = strings(Array.from({ length: genes }, (_, row) => hostile(row)));
  const path = await written(frameOf('var', ids, new Map([['gene_symbols', symbols]])));
  expect((await inspectH5ad(path)).roles.at(-1)).toMatchObject({ role: 'symbol', chosen: '_index' });
  const refusal = await refusalOf(inspectH5ad(path, { symbol: 'gene_symbols' }));
  expect(refusal).toMatchObject({ code: 'long-name', part: 'var/gene_symbols' });
});

test('columns, embeddings and parts of long names stay in the file and are reported by their beginnings', async () => {
  const long = 'n'.repeat(60_000);
  const uns = Array.from({ length: 1200 }, (_, i) => [`uns/${'u'.repeat(300)}${i}`, strings(['x'])] as const);
  const path = await written([
    ...frameOf('obs', barcodes, new Map([[long, strings(new Array<string>(cells).fill('a'))]])),
    ['obsm', group()],
    [`obsm/X_${long}`, array(new Float32Array(2 * cells), [cells, 2])],
    ['uns', group()],
    ...uns,
  ]);
  const report = await inspectH5ad(path);
  expect(report.columns).toEqual([]);
  expect(report.format.embeddings).toEqual([]);
  const warnings = report.warnings.map(({ code, message }) => `${code}: ${message}`);
  expect(warnings).toContainEqual(expect.stringMatching(/^skipped-column: .*its name has 60,000 characters/));
  expect(warnings).toContainEqual(
    expect.stringMatching(/^skipped-embedding: .*its name has 60,002 characters/),
  );
  const carried = report.carried.map((element) => element.path);
  expect(carried).toHaveLength(1001);
  expect(new Set(carried).size).toBe(1001);
  expect(carried.at(-1)).toMatch(/^\d+ more$/);
  expect(JSON.stringify(report).length).toBeLessThan(300_000);
});

test('of columns that cannot be read a few are named and the others counted', async () => {
  const nested = new Map(
    Array.from({ length: 300 }, (_, i) => [`col${i}`, array(new Int32Array(2 * cells), [cells, 2])] as const),
  );
  const report = await inspectH5ad(await written([['obs/_index', barcodes], ...odd(nested)]));
  const skipped = report.warnings.filter(({ code }) => code === 'skipped-column');
  expect(skipped).toHaveLength(21);
  expect(skipped.at(-1)!.message).toContain('280 more');
});

const odd = (columns: ReadonlyMap<string, Hdf5Node>) => [
  obsOf([...columns.keys()]),
  ...Array.from(columns, ([name, node]) => [`obs/${name}`, node] as const),
];

test('100,000 categories cannot be named as cell types, and nothing lists them', async () => {
  const labels = Array.from({ length: 100_000 }, (_, i) => `clone ${i}`);
  const path = await written([obsOf(['clone']), ...categorical('obs/clone', labels)]);
  const report = await inspectH5ad(path);
  expect(report.metadata).toEqual({});
  expect(JSON.stringify(report).length).toBeLessThan(10_000);
  const refusal = await refusalOf(inspectH5ad(path, { cluster: 'clone' }));
  expect(refusal.message).toContain('it has 100,000 categories, and 5,000 are the most');
});

test('metadata beyond what an answer can list is left out with a word', async () => {
  const wide = Array.from({ length: 30 }, (_, column) => `field${column}`);
  const labels = Array.from({ length: 60 }, (_, i) => `${'l'.repeat(490)}${i}`);
  const path = await written([obsOf(wide), ...wide.flatMap((name) => categorical(`obs/${name}`, labels))]);
  const report = await inspectH5ad(path);
  expect(Object.keys(report.metadata)).toEqual(wide.slice(0, 16));
  const warning = report.warnings.find(({ code }) => code === 'metadata-left-out')!;
  expect(warning.message).toContain('14 columns are not offered');
  expect(warning.numbers).toEqual({ columns: 14 });
});

test('a line of ten megabytes in a table is refused by its first characters', async () => {
  const path = join(root, 'barcodes.tsv');
  writeFileSync(path, `AAAC-1\n\u202E<b>${'x'.repeat(10_000_000)}\n`);
  const error: unknown = await inspectTextFile(path).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'too-long', line: 2 });
  expect((error as Error).message).toContain('10,000,004 characters in column 1 ("�<b>xxx');
  expect((error as Error).message.length).toBeLessThan(400);
});

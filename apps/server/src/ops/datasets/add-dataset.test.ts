import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BARCODES, writeRawMatrix } from '../../features/uploads/work/droplets.test-data.ts';
import { runWork } from '../../features/uploads/work/index.ts';
import {
  buildOf,
  labels,
  listening,
  simulatedCounts,
  writeSmallFile,
} from '../../features/uploads/work/work.test-data.ts';
import { CommandFailure } from '../command.ts';
import type { DatasetAddOptions } from './add-dataset.ts';
import { addedTo } from './adding.test-data.ts';

const CELLS = 120;
const [RICH, POOR] = [600, 120];
let folder: string;
let counts: string;
let logarithms: string;
let population: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cellfolio-add-'));
  counts = join(folder, 'counts.h5ad');
  logarithms = join(folder, 'logarithms.h5ad');
  const rows = simulatedCounts(CELLS);
  // One cell that quality control removes.
  rows[7]!.fill(0, 3);
  await writeSmallFile(counts, { rows });
  population = join(folder, 'population.h5ad');
  await writeSmallFile(population, {
    // Similar to each other: they express the same few genes.
    rows: simulatedCounts(RICH + POOR).map((row, cell) =>
      cell < RICH ? row : row.map((count, gene) => (gene % 10 === 3 ? count + 1 : 0)),
    ),
    obs: new Map([
      ['origin', labels(Array.from({ length: RICH + POOR }, (_, cell) => (cell < RICH ? 'blood' : 'bone')))],
    ]),
  });
  await writeSmallFile(logarithms, {
    rows: rows.map((row) => Float32Array.from(row, (x) => Math.log1p(x / 7))),
  });
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test('a Loom file is added under the name of an AnnData file', async () => {
  const source = resolve(
    import.meta.dirname,
    '../../../../../packages/ingest/src/formats/loom/fixtures/loompy-3.loom',
  );
  const { json, text } = await added(source, 'brain.loom');
  expect(json.report).toMatchObject({ cells: 90, genes: 30, expression: { countsFrom: 'matrix' } });
  expect(text).toContain('Added as brain.h5ad: 90 cells, 30 genes.');
  expect(text).toContain('as attributes of a Loom file, version 3.0.0 of its specification');
});

const formats = resolve(import.meta.dirname, '../../../../../packages/ingest/src/conversions/fixtures');

test.each([
  ['v3.h5', 'since version 3'],
  ['cells.h5ad.gz', 'an HDF5 file packed with gzip'],
  ['v3-csr.zarr.zip', 'AnnData-Zarr'],
  ['cells-x-genes.tsv.gz', 'genes in columns and cells in rows'],
])('%s is added, and the report says what it was read from', async (name, expectedText) => {
  const { json, text } = await addedTo(folder, join(formats, name), { compute: false });
  expect(json.report).toMatchObject({ cells: 60, genes: 40, file: { path: join(formats, name) } });
  expect(json.dataset).toBe(`${name.split('.')[0]}.h5ad`);
  expect(text).toContain(expectedText);
  expect(await readdir(join(folder, 'downloads'))).toEqual([]);
});

test('a table whose names show nothing is added only with --genes-in, which other files do not take', async () => {
  const table = join(formats, 'unclear.csv');
  await expect(added(table, 'unclear')).rejects.toThrow('Say it with --genes-in rows or --genes-in columns.');
  const { json } = await added(table, 'unclear', { genesIn: 'columns', compute: false });
  expect(json.report).toMatchObject({ cells: 40, genes: 60 });
  await expect(added(counts, 'other', { genesIn: 'rows' })).rejects.toThrow(
    '--genes-in is for tables and matrices of text',
  );
  expect(await readdir(join(folder, 'downloads'))).toEqual([]);
});

const added = (source: string, id: string, more: Partial<DatasetAddOptions> = {}) =>
  addedTo(folder, source, { id, ...more });

test('clusters, a UMAP and quality control are computed, reported and recorded', async () => {
  const { json, text } = await added(counts, 'computed');
  expect(json.processing).toMatchObject({
    computed: ['qualityControl', 'clusters', 'embedding'],
    cellsBefore: CELLS,
  });
  expect(json.report.cells).toBe(json.processing!.cellsKept);
  expect(json.processing!.cellsKept).toBeLessThan(CELLS);
  expect(json.report.warnings.map(({ code }) => code)).not.toContain('no-cluster');
  expect(text).toMatch(/\d+ of 120 cells passed quality control/);
  expect(text).toMatch(/\d+ clusters were found at the resolution 1\./);
});

test.each([
  ['an AnnData file', () => counts],
  ['a table', () => join(formats, 'cells-x-genes.tsv.gz')],
])('%s becomes the same dataset as by an upload with these choices', async (_, path) => {
  const catalogue = { name: 'A', disease: 'B', subdisease: 'C', category1: '', category2: '' };
  const work = buildOf({ path: path(), name: basename(path()) }, join(folder, 'uploads'), {
    datasetId: 'same.h5ad',
    catalogue: { ...catalogue, description: '', simulated: false },
    processing: { minimumGenes: 3, components: 12, minimumDistance: 0.1 },
  });
  const { version } = await runWork(work, listening(folder).context);
  const { json } = await added(path(), 'same', {
    minGenes: 3,
    components: 12,
    minDistance: 0.1,
    replace: true,
  });
  expect(json.processing).toMatchObject({ components: 12, minimumDistance: 0.1 });
  expect(json.version).toBe(version);
});

test('--keep-all-cells keeps all cells, and --resolution sets the resolution', async () => {
  const { json } = await added(counts, 'kept', { keepAllCells: true, resolution: 0.2 });
  expect(json.processing).toMatchObject({
    computed: ['clusters', 'embedding'],
    cellsKept: CELLS,
    resolution: 0.2,
  });
});

test('with --no-compute nothing is computed, and the report says so', async () => {
  const { json, text } = await added(counts, 'as-it-is', { compute: false });
  expect(json.processing).toBeUndefined();
  expect(json.report.cells).toBe(CELLS);
  expect(text).toContain('Not computed because of --no-compute: clusters and a UMAP.');
  expect(text).not.toMatch(/(is|are) computed where/);
});

test('without raw counts nothing can be computed, and the report says why', async () => {
  const { text } = await added(logarithms, 'logarithms');
  expect(text).toContain('Not computed: clusters and a UMAP, since the file has no raw counts.');
  expect(text).not.toMatch(/(is|are) computed where/);
});

test('an existing name is refused before anything is computed', async () => {
  await expect(added(counts, 'computed')).rejects.toThrow('computed.h5ad');
});

async function datasets(): Promise<string[]> {
  return (await readdir(folder, { recursive: true })).filter((path) => path.includes('population'));
}

test('an import whose defaults would remove a population fails with numbers and options, and writes nothing', async () => {
  const before = await datasets();
  const refused = await added(population, 'population').catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(CommandFailure);
  expect(refused).toMatchObject({ exitCode: 2 });
  const { message } = refused as CommandFailure;
  expect(message).toMatch(
    /its defaults would remove 12\d of 720 cells\. 1\d\d of the 1\d\d removed cells .* lie together/,
  );
  for (const option of [
    '--dry-run',
    '--keep-all-cells',
    '--min-counts',
    '--sample-column',
    '--deviations (5 ',
  ])
    expect(message).toContain(option);
  expect(await datasets()).toEqual(before);
});

test('--dry-run prints how many cells each rule would remove, and writes nothing', async () => {
  const before = await datasets();
  const { json, text } = await added(population, 'population', { dryRun: true });
  expect(await datasets()).toEqual(before);
  expect(json.quality!.removed.all).toBeGreaterThanOrEqual(POOR);
  expect(json.quality!.cautions.map(({ code }) => code)).toEqual(['removed-cells-together']);
  expect(json.report.cells).toBe(RICH + POOR);
  expect(text).toMatch(
    /of 720 cells passed quality control: at least [\d,]+ counts and [\d,]+ genes.*; removed 12\d: /,
  );
  expect(text).toContain('lie together in expression space');
  expect(text).toContain('Nothing was added (--dry-run).');
});

test('an import removes the cells of the dry run, with thresholds per sample if chosen', async () => {
  const bySample = { sampleColumn: 'origin', minGenes: 3 };
  const { json: planned, text } = await added(population, 'population', { ...bySample, dryRun: true });
  expect(planned.quality!.choice).toEqual({ sampleColumn: 'origin', minimumGenes: 3 });
  expect(text).toMatch(/Sample bone: 120 of 120 pass quality control, at least [\d,]+ counts and 3 genes/);
  const { json } = await added(population, 'by-sample', bySample);
  expect(json.processing!.quality).toMatchObject({
    sampleColumn: 'origin',
    removed: planned.quality!.removed,
  });
  expect(json.processing!.cellsKept).toBe(RICH + POOR - planned.quality!.removed.all);
});

test('giving the default as an option accepts it', async () => {
  const { json } = await added(population, 'accepted', { deviations: 5 });
  expect(json.processing!.cellsKept).toBeLessThanOrEqual(RICH);
  expect(json.processing!.quality!.cautions.map(({ code }) => code)).toEqual(['removed-cells-together']);
});

test('a dry run reports the barcodes that are cells before the cells to be removed', async () => {
  const raw = join(folder, 'raw.h5ad');
  await writeRawMatrix(raw);
  const { json } = await added(raw, 'raw', { dryRun: true });
  expect(json.quality!.droplets).toMatchObject({ barcodes: BARCODES, keep: 'called' });
  expect(json.log[0]).toMatch(/^The matrix holds empty droplets: .* were called cells \(EmptyDrops/);
  expect(json.log[1]).toMatch(/cells passed quality control/);
});

test.each([
  ['alone', {}],
  ['beside a choice of doublets', { doublets: 'mark' as const }],
])('--keep-all-cells %s keeps the empty droplets of a raw matrix', async (_, options) => {
  const raw = join(folder, 'every-barcode.h5ad');
  await writeRawMatrix(raw);
  const { json } = await added(raw, 'every-barcode', { keepAllCells: true, replace: true, ...options });
  expect(json.report.cells).toBe(BARCODES);
  expect(json.processing!.cellsKept).toBe(BARCODES);
});

test('a dry run says when no cell would be removed, and refuses a missing column', async () => {
  const { json, text } = await added(population, 'population', { dryRun: true, keepAllCells: true });
  expect(json.quality).toBeUndefined();
  expect(text).toContain('No cell is removed.');
  await expect(added(population, 'population', { dryRun: true, sampleColumn: 'gone' })).rejects.toThrow(
    "there is no 'gone' to take as sample",
  );
});

test.each([
  ['a name', { name: `\u202E${'x'.repeat(1_000_000)}` }, '--name has 1,000,001 characters ("�xxx'],
  ['a treatment', { treatment: 'x'.repeat(501) }, '--treatment has 501 characters'],
  ['a description', { description: 'x'.repeat(5001) }, 'the maximum is 5,000'],
  ['a field', { metadata: { ['x'.repeat(501)]: 'origin' } }, '--metadata has 501 characters'],
])('a too long %s is refused before the file is read', async (_, options, message) => {
  const refused: unknown = await added(join(folder, 'is-not-there.h5ad'), 'long', options).catch(
    (error: unknown) => error,
  );
  expect(refused).toBeInstanceOf(CommandFailure);
  expect((refused as Error).message).toContain(message);
  expect((refused as Error).message.length).toBeLessThan(300);
});

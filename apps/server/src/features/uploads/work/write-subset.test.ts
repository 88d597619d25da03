import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serialize } from 'node:v8';
import { encodeCells } from '@cellfolio/columns';
import { type Column, isCategorical } from '@cellfolio/model';
import { memoryNeeded, processCounts, type CountBlock } from '@cellfolio/process';
import { type Dataset, FileObjectStore, openDataset } from '@cellfolio/store';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { problemOf, runWork } from './index.ts';
import { processingSettings } from './processing-input.ts';
import type { SubsetWork } from './work.ts';
import { buildOf, datasetId, labels, listening, simulatedCounts, writeSmallFile } from './work.test-data.ts';

// Processing starts a thread with a library of its own each time: much for a machine that is busy.
vi.setConfig({ testTimeout: 120_000 });

const CELLS = 150;
const processing = {
  variableGenes: 200,
  components: 10,
  neighbours: 10,
  resolution: 0.5,
  minimumDistance: 0.3,
};
const rows = simulatedCounts(CELLS);
const kind = (cell: number) => `kind ${cell % 3}`;
const batch = (cell: number) => (cell % 2 === 0 ? 'one' : 'two');

let folder = '';
let version = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cellfolio-subset-'));
  const path = join(folder, 'parent.h5ad');
  await writeSmallFile(path, {
    rows,
    obs: new Map([
      ['cell_type', labels(everyCell.map(kind))],
      ['leiden', labels(everyCell.map((cell) => String(cell % 5)))],
      ['batch', labels(everyCell.map(batch))],
    ]),
    obsm: [{ name: 'X_umap', dimensions: 2, values: new Float32Array(2 * CELLS).map((_, at) => at) }],
    proteins: { names: ['CD3', 'HLA-DR/DP'], values: proteinCounts() },
    uns: { title: 'A study' },
  });
  const file = { path, name: 'parent.h5ad' };
  ({ version } = await runWork(buildOf(file, join(folder, 'root'), {}), listening(folder).context));
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function* proteinCounts(): AsyncGenerator<Column> {
  for (const factor of [3, 7])
    yield {
      kind: 'numeric',
      dtype: 'float32',
      values: Float32Array.from(everyCell, (cell) => (cell * factor) % 17),
    };
}

const everyCell = Array.from({ length: CELLS }, (_, cell) => cell);
const mine = [
  { name: 'my/labels', column: labels(everyCell.map((cell) => `mine ${cell % 4}`)) },
  { name: 'Cell types of Cluster', column: labels(everyCell.map(kind)) },
  { name: 'chosen', column: { kind: 'boolean', values: Uint8Array.from(everyCell, (cell) => cell % 2) } },
];

function subsetOf(cells: readonly number[], name: string, more: Partial<SubsetWork> = {}): SubsetWork {
  const bits = new Uint8Array(Math.ceil(CELLS / 8));
  for (const cell of cells) bits[cell >> 3]! |= 1 << (cell & 7);
  const ownColumns = join(folder, `${name}-columns`);
  writeFileSync(ownColumns, serialize(mine));
  return {
    kind: 'subset',
    root: join(folder, 'root'),
    parent: { id: datasetId, version, name: 'Parent' },
    cells: encodeCells(bits, CELLS),
    ownColumns,
    processing,
    memoryBytes: 2 ** 30,
    output: join(folder, `${name}.h5ad`),
    ...more,
  };
}

async function mapped(cells: readonly number[], name: string, samples = {}): Promise<Dataset> {
  const { context } = listening(folder);
  const work = subsetOf(cells, name);
  const { columns } = await runWork(work, context);
  const root = join(folder, `root-${name}`);
  const file = { path: work.output, name: `${name}.h5ad` };
  const report = await runWork({ kind: 'inspect', file, columns, isPart: true }, context);
  expect(report).toMatchObject({ waitsFor: [], willCompute: ['clusters', 'embedding'] });
  await runWork(
    buildOf(file, root, { columns, processing: { ...processing, samples }, isPart: true }),
    context,
  );
  return openDataset(new FileObjectStore(root), datasetId);
}

const twoKinds = everyCell.filter((cell) => cell % 3 !== 1);
const resolutionsAlone = { integrate: 'none', resolutions: [2] };
let ofTwoKinds: Promise<Dataset> | undefined;
/** Made once for all tests that use it. */
const mappedTwoKinds = () => (ofTwoKinds ??= mapped(twoKinds, 'two-kinds', resolutionsAlone));

function processed(cells: readonly number[]) {
  const genes = rows[0]!.length;
  const block = (cell: number): CountBlock => {
    const indices = Int32Array.from(rows[cell]!.keys()).filter((gene) => rows[cell]![gene]! > 0);
    return { pointers: [0, indices.length], indices, counts: indices.map((gene) => rows[cell]![gene]!) };
  };
  return processCounts(
    {
      cellCount: cells.length,
      geneNames: Array.from({ length: genes }, (_, gene) => `GENE${gene}`),
      by: 'cell',
      blocks: cells.map(block),
    },
    {
      settings: processingSettings(processing, false),
      combine: { batches: { codes: cells.map((cell) => cell % 2), names: ['one', 'two'] } },
    },
  );
}

async function labelsOf(dataset: Dataset, name: string): Promise<string[]> {
  const column = await dataset.obs(name);
  if (!isCategorical(column)) throw new TypeError(`${name} is ${column.kind}`);
  return Array.from(column.codes, (code) => column.categories[code]!);
}

test.each([
  ['all cells', everyCell, () => mapped(everyCell, 'all', resolutionsAlone)],
  ['two kinds of them', twoKinds, mappedTwoKinds],
])('the map of %s is the one that processing makes of their counts alone', async (_, cells, datasetOf) => {
  const dataset = await datasetOf();
  const alone = await processed(cells);
  expect(dataset.manifest).toMatchObject({
    cellCount: cells.length,
    roles: { cellType: 'cell_type', cluster: 'leiden', embedding: 'X_umap' },
    processing: { computed: ['clusters', 'embedding'], cellsBefore: cells.length, cellsKept: cells.length },
  });
  expect(dataset.manifest.processing!.samples).toEqual({
    batchColumn: 'batch',
    clusterings: [expect.objectContaining({ resolution: 2 })],
  });
  expect((await dataset.embedding('X_pca')).values).toEqual(alone.pca);
  expect((await dataset.embedding('X_umap')).values).toEqual(alone.umap);
  expect(await labelsOf(dataset, 'leiden')).toEqual(Array.from(alone.clusters!, String));
  expect(dataset.obsColumnNames).toContain('leiden_2');
});

test('what is known of the cells comes along, with the categories that they have and under names that a file can have', async () => {
  const cells = twoKinds;
  const dataset = await mappedTwoKinds();
  expect(await labelsOf(dataset, 'cell_type')).toEqual(cells.map(kind));
  expect(await dataset.obs('cell_type')).toMatchObject({ categories: ['kind 0', 'kind 2'] });
  expect(await labelsOf(dataset, 'parent_leiden')).toEqual(cells.map((cell) => String(cell % 5)));
  expect(await labelsOf(dataset, 'my_labels')).toEqual(cells.map((cell) => `mine ${cell % 4}`));
  expect(await labelsOf(dataset, 'chosen')).toEqual(cells.map((cell) => (cell % 2 === 1 ? 'True' : 'False')));
  const counts = await dataset.storedMatrix('layers/counts');
  const [from, to] = [counts!.starts[6]!, counts!.starts[7]!];
  const entries = await counts!.cells(from, to);
  const values = await counts!.values(from, to);
  const gene = new Int32Array(cells.length);
  entries.forEach((row, at) => (gene[row] = values[at]!));
  expect([...gene]).toEqual(cells.map((cell) => rows[cell]![6]!));
});

test('proteins come along with the values that they have in the dataset', async () => {
  const parent = await openDataset(new FileObjectStore(join(folder, 'root')), datasetId);
  const dataset = await mappedTwoKinds();
  expect(dataset.proteins).toMatchObject({ scale: 'clr', columns: [{ name: 'CD3' }, { name: 'HLA-DR/DP' }] });
  for (const { column } of dataset.proteins!.columns) {
    const [all, subset] = [await parent.obs(column), await dataset.obs(column)] as { values: Float32Array }[];
    expect(Math.max(...all!.values)).toBeLessThan(4);
    expect([...subset!.values]).toEqual(twoKinds.map((cell) => all!.values[cell]));
  }
});

test('cells of one type, by whatever column, are distinguished by the clusters', async () => {
  const cells = everyCell.filter((cell) => cell % 3 === 0);
  const work = subsetOf(cells, 'one-type');
  const { columns } = await runWork(work, listening(folder).context);
  const file = { path: work.output, name: 'one-type.h5ad' };
  const report = await runWork({ kind: 'inspect', file, columns, isPart: true }, listening(folder).context);
  expect(report.kind === 'h5ad' && report.roles.find(({ role }) => role === 'cellType')).toMatchObject({
    why: 'no column has a name that says so',
  });
  expect(columns).toEqual({ expression: 'counts' });
});

test('the method that was chosen mixes the values of the column that was chosen', async () => {
  const choice = { integrate: 'mnn', batchColumn: 'batch', resolutions: [] };
  const dataset = await mapped(everyCell, 'mixed', choice);
  expect(dataset.manifest.processing!.samples).toMatchObject({
    batchColumn: 'batch',
    integration: { method: 'mnn', typeColumn: 'cell_type' },
  });
  const corrected = dataset.embeddings.map(({ name }) => name).filter((name) => name.startsWith('X_pca_'));
  expect(corrected).toEqual(['X_pca_mnn']);
});

test('a dataset that was replaced or removed meanwhile is refused in words, and nothing is left', async () => {
  for (const parent of [
    { id: datasetId, version: 'another', name: 'Parent' },
    { id: 'custom:00000000-0000-4000-8000-000000000000', version, name: 'Parent' },
  ]) {
    const work = subsetOf([1, 2, 3], 'gone', { parent });
    const failure = await runWork(work, listening(folder).context).catch((error: unknown) => error);
    expect(problemOf(failure)).toEqual({
      code: 'parent_gone',
      message:
        'Parent was deleted or replaced before its cells could be read. If it still exists, open it and choose the cells again.',
    });
    expect(existsSync(work.output)).toBe(false);
  }
});

test('cells whose map would take too much memory are refused before any is copied, by their own entries', async () => {
  const cells = everyCell.filter((cell) => cell % 3 === 0);
  const entries = (of: readonly number[]) =>
    of.reduce((sum, cell) => sum + rows[cell]!.filter((count) => count > 0).length, 0);
  const [own, all] = [entries(cells), entries(everyCell)];
  expect(own).toBeLessThan(all);
  const size = { cellCount: cells.length, geneCount: rows[0]!.length, entryCount: own };
  const needed = memoryNeeded(size, processing, {});
  await expect(
    runWork(subsetOf(cells, 'fits', { memoryBytes: needed }), listening(folder).context),
  ).resolves.toMatchObject({
    notes: [
      expect.stringMatching(/^50 of 150 cells/),
      expect.stringMatching(
        /^Not copied: \d+ elements of the original file that are only kept for exports\./,
      ),
    ],
  });
  const work = subsetOf(cells, 'refused', { memoryBytes: needed - 1 });
  const failure = await runWork(work, listening(folder).context).catch((error: unknown) => error);
  expect(problemOf(failure)).toMatchObject({
    code: 'too_large',
    message: expect.stringMatching(
      /^A new map of these 50 cells needs about \d+ MiB of memory, and a job may use \d+ MiB here\. Choose fewer cells.*JOB_MEMORY_MB/,
    ),
  });
  expect(existsSync(work.output)).toBe(false);
});

test('cells that cannot be mapped end the build in words: a part without a map is worth nothing', async () => {
  const { context } = listening(folder);
  const work = subsetOf([0, 1, 2, 3, 4, 5], 'few');
  const { columns } = await runWork(work, context);
  const file = { path: work.output, name: 'few.h5ad' };
  const large = buildOf(file, join(folder, 'root-large'), { columns, isPart: true, memoryBytes: 2 ** 20 });
  // Fewer than twenty cells are an obstacle that is known before; more than memory has room for end the build.
  await expect(runWork(large, context)).resolves.toMatchObject({ cells: 6 });
  const more = subsetOf(
    Array.from({ length: 60 }, (_, cell) => cell),
    'more',
  );
  await runWork(more, context);
  const failure = await runWork(
    buildOf({ path: more.output, name: 'more.h5ad' }, join(folder, 'root-more'), {
      columns,
      isPart: true,
      memoryBytes: 2 ** 20,
    }),
    context,
  ).catch((error: unknown) => error);
  expect(problemOf(failure)).toMatchObject({ code: 'too_large' });
});

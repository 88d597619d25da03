import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { SamplesChoice } from '@cellfolio/contract';
import { memoryNeeded } from '@cellfolio/process';
import { FileObjectStore, openDataset } from '@cellfolio/store';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { problemOf, runWork } from './index.ts';
import { processingSettings } from './processing-input.ts';
import { buildOf, datasetId, labels, listening, simulatedCounts, writeSmallFile } from './work.test-data.ts';

// Processing starts a thread with a library of its own each time: much for a machine that is busy.
vi.setConfig({ testTimeout: 120_000 });

const CELLS = 90;
const poorCells = 2;
const groups = labels(Array.from({ length: CELLS }, (_, cell) => `group ${cell % 3}`));
const processing = { deviations: 10, variableGenes: 300, components: 10, neighbours: 10, resolution: 0.5 };

/** Genes that differ between the donors and not within them, beside 24 others of the same mean that never differ. */
const genesOfBob = new Set([700, 701, 702, 703]);

let folder = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cellfolio-build-'));
  const rows = simulatedCounts(CELLS);
  await writeSmallFile(place('grouped'), { rows, obs: new Map([['leiden', groups]]) });
  for (const row of rows.slice(0, poorCells)) row.fill(0, 40);
  await writeSmallFile(place('raw'), { rows });
  const donors = labels(rows.map((_, cell) => (cell < 48 ? 'ada' : 'bob')));
  const ofDonors = rows.map((row, cell) =>
    row.map((count, gene) =>
      genesOfBob.has(gene) ? (cell < 48 ? 0 : 10) : gene >= 800 && gene < 824 ? 5 : count,
    ),
  );
  await writeSmallFile(place('donors'), { rows: ofDonors, obs: new Map([['donor', donors]]) });
  const umap = { name: 'X_umap', dimensions: 2, values: new Float32Array(2 * CELLS).fill(1) };
  rows[5]!.fill(0);
  await writeSmallFile(place('drawn'), { rows, obsm: [umap] });
  await writeSmallFile(place('complete'), { rows, obs: new Map([['leiden', groups]]), obsm: [umap] });
  // Cells of different depth, after a correction.
  const corrected = rows.map((row, cell) =>
    Float32Array.from(row, (count, gene) =>
      count === 0 ? 0 : count * (20 + 15 * (cell % 9)) - ((gene % 7) + 1) / 8,
    ),
  );
  await writeSmallFile(place('corrected'), { rows: corrected });
  const logarithms = rows.map((row) => Float32Array.from(row, (count) => Math.log1p(count / 3)));
  await writeSmallFile(place('logarithms'), { rows: logarithms });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function place(name: string): string {
  return join(folder, `${name}.h5ad`);
}

function fileOf(name: string) {
  return { path: place(name), name: `My ${name}.h5ad` };
}

function rootOf(name: string): string {
  const root = join(folder, `root-${name}`);
  mkdirSync(root, { recursive: true });
  return root;
}

async function built(name: string, root: string, more: Parameters<typeof buildOf>[2] = { processing }) {
  const listener = listening(folder);
  const result = await runWork(buildOf(fileOf(name), root, more), listener.context);
  return { ...listener, result, dataset: await openDataset(new FileObjectStore(root), datasetId) };
}

test('of raw counts come clusters, a UMAP and quality control, all recorded in the dataset', async () => {
  const { result, dataset, stages, fractions, lines } = await built('raw', rootOf('raw'));
  expect(stages).toEqual([
    'Looking at the file',
    'Reading counts',
    'Quality control',
    'Doublets',
    'Normalization',
    'Variable genes',
    'Principal components',
    'Neighbors',
    'Clusters',
    'UMAP',
    'Writing the dataset',
  ]);
  expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
  expect(fractions.at(-1)).toBe(1);

  const goodCells = CELLS - poorCells;
  expect(result).toMatchObject({ cells: goodCells, genes: 1000, version: dataset.manifest.version });
  expect(result.processed).toMatchObject({
    computed: ['qualityControl', 'clusters', 'embedding'],
    methods: {
      variableGenes: expect.stringContaining('flavor="seurat"'),
      clusters: expect.stringMatching(/^Leiden .* by modularity/),
      seeds: expect.stringMatching(/^components 0, .*leiden 0/),
    },
    cellsBefore: CELLS,
    cellsKept: goodCells,
    clusterCount: 3,
    resolution: 0.5,
    neighbours: 10,
    components: 10,
    minimumDistance: 0.3,
  });
  expect(result.processed!.thresholds!.minimumCounts).toBeGreaterThan(20);
  expect(dataset.manifest.processing).toEqual(result.processed);
  expect(dataset.manifest.roles).toMatchObject({
    cluster: 'leiden',
    embedding: 'X_umap',
  });
  // What was computed are clusters; nobody has said of which types the cells are.
  expect(dataset.manifest.roles).not.toHaveProperty('cellType');
  expect(lines).toContainEqual(
    expect.stringContaining(`${goodCells} of ${CELLS} cells passed quality control`),
  );

  const leiden = await dataset.obs('leiden');
  if (leiden.kind !== 'categorical') throw new TypeError('leiden should be categorical');
  expect(leiden.categories).toEqual(['0', '1', '2']);
  const sizes = [0, 1, 2].map((cluster) => leiden.codes.filter((code) => code === cluster).length);
  expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
  // The cells that went are the first two, so the kinds of the others are known.
  const kinds = new Set(Array.from(leiden.codes, (code, row) => `${code} ${(row + poorCells) % 3}`));
  expect(kinds.size).toBe(3);
  const { values } = await dataset.embedding('X_umap');
  expect(values).toHaveLength(2 * goodCells);
  expect(values.every(Number.isFinite)).toBe(true);
  expect((await dataset.embedding('X_pca')).dimensions).toBe(10);
  for (const column of ['total_counts', 'n_genes_by_counts', 'pct_counts_mt'])
    expect(await dataset.obs(column)).toMatchObject({ kind: 'numeric' });
});

test('samples in a single file are integrated where that was chosen', async () => {
  const samples: SamplesChoice = {
    doublets: 'mark',
    integrate: 'harmony',
    batchColumn: 'donor',
    resolutions: [1],
  };
  const { result, dataset, stages } = await built('donors', rootOf('donors'), {
    processing: { ...processing, sampleColumn: 'donor', samples },
  });
  expect(stages).toEqual(expect.arrayContaining(['Doublets', 'Integration']));
  expect(result.processed!.samples).toMatchObject({
    batchColumn: 'donor',
    // Too few cells of each donor to look for any.
    doublets: { action: 'marked', groups: [{ sample: 'ada' }, { sample: 'bob' }] },
    integration: { method: 'harmony' },
    clusterings: [{ resolution: 1 }],
  });
  expect((await dataset.embedding('X_pca_harmony')).dimensions).toBe(10);
  expect(dataset.manifest.warnings.map(({ code }) => code)).toContain('doublets-not-sought');

  const withoutSamples = await built('donors', rootOf('kept'), {
    processing: { ...processing, sampleColumn: null, samples: { doublets: 'keep' } },
  });
  expect(withoutSamples.stages).not.toContain('Doublets');
  expect(withoutSamples.result.processed).not.toHaveProperty('samples');
});

test('in a single file doublets are marked in each sample, and genes vary within samples', async () => {
  const { result, dataset, stages, lines } = await built('donors', rootOf('plain'), {
    processing: { ...processing, variableGenes: 100 },
  });
  expect(stages).toContain('Doublets');
  expect(stages).not.toContain('Integration');
  expect(result.processed!.samples).toMatchObject({
    batchColumn: 'donor',
    doublets: { action: 'marked', groups: [{ sample: 'ada' }, { sample: 'bob' }] },
  });
  expect(lines.join('\n')).toContain('100 variable genes, chosen within each donor, gave 10 principal');
  const variable = async (of: typeof dataset) => {
    const column = (await of.geneTable()).columns.get('highly_variable');
    if (column?.kind !== 'boolean') throw new TypeError('highly_variable should be boolean');
    return [...genesOfBob].filter((gene) => column.values[gene] === 1);
  };
  expect(await variable(dataset)).toEqual([]);
  const { dataset: asOne } = await built('donors', rootOf('one'), {
    processing: { ...processing, variableGenes: 100, sampleColumn: null },
  });
  expect(await variable(asOne)).toEqual([...genesOfBob]);
});

test('where memory does not suffice for doublets by default, the dataset is built without them and says so', async () => {
  const settings = processingSettings(processing, true);
  const rows = simulatedCounts(CELLS);
  for (const row of rows.slice(0, poorCells)) row.fill(0, 40);
  const entryCount = rows.reduce((sum, row) => sum + row.filter((count) => count > 0).length, 0);
  const size = { cellCount: CELLS, geneCount: 1000, entryCount };
  const memoryBytes = memoryNeeded(size, settings, { doublets: 'mark' }) - 1;
  const { dataset } = await built('raw', rootOf('narrow'), { processing, memoryBytes });
  expect(dataset.obsColumnNames).not.toContain('doublet_score');
  const caution = dataset.manifest.warnings.find(({ code }) => code === 'doublets-not-sought');
  expect(caution?.message).toMatch(/^Doublets were not detected\. Processing these .* of memory/);
});

test('the same file and settings give the same version, other settings another', async () => {
  const root = rootOf('raw');
  const before = await openDataset(new FileObjectStore(root), datasetId);
  expect((await built('raw', root)).result.version).toBe(before.manifest.version);
  const { result } = await built('raw', root, { processing: { ...processing, neighbours: 12 } });
  expect(result.version).not.toBe(before.manifest.version);
});

test('clusters of the file stay, and no cell is taken away where there are any', async () => {
  // Enough for its entries, though not for as many as a dense matrix of this size could hold.
  const settings = processingSettings(processing, false);
  const dense = { cellCount: CELLS, geneCount: 1000, entryCount: CELLS * 1000 };
  const memoryBytes = memoryNeeded(dense, settings) - 1;
  const { result, dataset } = await built('grouped', rootOf('grouped'), { processing, memoryBytes });
  expect(result.processed).toMatchObject({ computed: ['embedding'], cellsKept: CELLS, clusterCount: 0 });
  expect(result.processed).not.toHaveProperty('thresholds');
  expect(await dataset.obs('leiden')).toMatchObject({ categories: ['group 0', 'group 1', 'group 2'] });
  expect(dataset.manifest.roles.embedding).toBe('X_umap');
  expect(dataset.obsColumnNames).toEqual(['leiden']);
});

test('a UMAP of the file stays; a cell without counts is in no cluster, and still there', async () => {
  const { result, dataset } = await built('drawn', rootOf('drawn'));
  expect(result.processed).toMatchObject({ computed: ['clusters'], cellsKept: CELLS });
  const leiden = await dataset.obs('leiden');
  if (leiden.kind !== 'categorical') throw new TypeError('leiden should be categorical');
  expect(leiden.codes).toHaveLength(CELLS);
  expect(leiden.codes[5]).toBe(-1);
  expect(new Set((await dataset.embedding('X_umap')).values)).toEqual(new Set([1]));
  expect((await dataset.embedding('X_pca')).values.slice(50, 60).every(Number.isNaN)).toBe(true);
});

test('without counts nothing is computed, and the dataset says so', async () => {
  const { result, dataset, stages } = await built('logarithms', rootOf('logarithms'));
  expect(result.processed).toBeUndefined();
  expect(stages).toEqual(['Looking at the file', 'Writing the dataset']);
  expect(dataset.manifest.warnings.map(({ code }) => code)).toContain('no-embedding');
  expect(result.notes).toContainEqual(expect.stringContaining('no UMAP'));
});

test('a file with counts, clusters and a UMAP lacks nothing, so nothing is computed', async () => {
  const { context, stages } = listening(folder);
  const report = await runWork({ kind: 'inspect', file: fileOf('complete') }, context);
  expect(report).toMatchObject({ kind: 'h5ad', cells: CELLS, willCompute: [] });
  const { result, stages: ofBuild } = await built('complete', rootOf('complete'));
  expect(result).toMatchObject({ cells: CELLS, processed: undefined });
  expect([...stages, ...ofBuild]).not.toContain('Reading counts');
});

test('columns that were chosen play their parts, and clusters are never cell types', async () => {
  const { dataset } = await built('grouped', rootOf('chosen'), {
    columns: { cellType: 'leiden', patient: 'leiden' },
    memoryBytes: 1,
  });
  expect(dataset.manifest.roles).toMatchObject({ patient: 'leiden', cluster: 'leiden' });
  expect(dataset.manifest.roles).not.toHaveProperty('cellType');
  const wrong = runWork(
    buildOf(fileOf('grouped'), rootOf('chosen'), { columns: { cluster: 'nothing' } }),
    listening(folder).context,
  );
  await expect(wrong).rejects.toMatchObject({
    name: 'WorkFailed',
    code: 'unknown_column',
    message: "My grouped.h5ad: obs: there is no 'nothing' to take as cluster. There are: leiden.",
  });
});

test('more than the memory allows is refused with both sizes, or left out where the file can do without', async () => {
  const memoryBytes = 100 * 2 ** 20;
  const root = rootOf('small');
  const refused = runWork(buildOf(fileOf('raw'), root, { memoryBytes }), listening(folder).context);
  await expect(refused).rejects.toMatchObject({
    code: 'too_large',
    message: expect.stringMatching(
      /^My raw\.h5ad: Processing these 90 cells takes about \d{3} MiB of memory, and 100 MiB may be used\. Take fewer/,
    ) as string,
  });
  expect(existsSync(join(root, 'custom-datasets'))).toBe(false);
  const { result, stages } = await built('grouped', root, { memoryBytes });
  expect(stages).not.toContain('Reading counts');
  expect(result.processed).toBeUndefined();
  expect(result.notes).toContainEqual(
    expect.stringContaining('Not computed: a UMAP. Processing these 90 cells'),
  );
});

test('filters that leave too few cells are refused with what they were', async () => {
  const work = buildOf(fileOf('raw'), rootOf('few'), { processing: { minimumCounts: 100_000 } });
  const error: unknown = await runWork(work, listening(folder).context).catch((cause: unknown) => cause);
  expect(problemOf(error)).toEqual({
    code: 'too_few_cells',
    message: expect.stringMatching(/^My raw\.h5ad: 0 of 90 cells pass quality control/) as string,
  });
});

test.each([
  ['raw', 'Neighbors'],
  ['logarithms', 'Writing the dataset'],
])(
  'a build of the %s file that is cancelled at "%s" leaves nothing, and what was there stays',
  async (name, stage) => {
    const root = rootOf(`canceled ${stage}`);
    const { result } = await built('grouped', root, { memoryBytes: 1 });
    const controller = new AbortController();
    const { context } = listening(folder, controller.signal);
    const onProgress = (now: string) => now === stage && controller.abort(new Error('enough'));
    const work = runWork(buildOf(fileOf(name), root, { processing }), { ...context, onProgress });
    await expect(work).rejects.toThrow('enough');
    expect(readdirSync(join(root, 'incoming'))).toEqual([]);
    const { manifest } = await openDataset(new FileObjectStore(root), datasetId);
    expect(manifest.version).toBe(result.version);
  },
);

test('a Loom file is inspected and built as an AnnData file is', async () => {
  const path = resolve(
    import.meta.dirname,
    '../../../../../../packages/ingest/src/formats/loom/fixtures/anndata.loom',
  );
  const file = { path, name: 'My cells.loom' };
  const listener = listening(folder);
  expect(await runWork({ kind: 'inspect', file }, listener.context)).toMatchObject({
    kind: 'h5ad',
    cells: 90,
    genes: 30,
    hasCounts: true,
    willCompute: ['clusters'],
  });
  const root = rootOf('loom');
  const choice = { ...processing, variableGenes: 30 };
  const result = await runWork(buildOf(file, root, { processing: choice }), listener.context);
  expect(result).toMatchObject({ cells: 90, genes: 30, processed: { computed: ['clusters'] } });
  const dataset = await openDataset(new FileObjectStore(root), datasetId);
  expect(dataset.manifest.roles).toMatchObject({ cellType: 'cell_type', embedding: 'UMAP' });
});

const formats = resolve(import.meta.dirname, '../../../../../../packages/ingest/src/conversions/fixtures');

test.each(['v3.h5', 'cells.h5ad.gz', 'v2-csc.zarr.zip', 'genes-x-cells.csv'])(
  '%s is inspected and built as an AnnData file is',
  async (name) => {
    const file = { path: join(formats, name), name };
    const listener = listening(folder);
    expect(await runWork({ kind: 'inspect', file }, listener.context)).toMatchObject({
      kind: 'h5ad',
      cells: 60,
      genes: 40,
      hasCounts: true,
    });
    const root = rootOf(name);
    const choice = { ...processing, minimumCounts: 1, minimumGenes: 1, maximumMitochondrial: 1 };
    const result = await runWork(buildOf(file, root, { processing: choice }), listener.context);
    expect(result.genes).toBe(40);
    const dataset = await openDataset(new FileObjectStore(root), datasetId);
    expect(dataset.manifest.roles.embedding).toBe('X_umap');
  },
);

test('a table whose names do not show where its genes are waits for an answer, and is built by it', async () => {
  const file = { path: join(formats, 'unclear.csv'), name: 'unclear.csv' };
  const listener = listening(folder);
  const inspection = await runWork({ kind: 'inspect', file }, listener.context);
  expect(inspection).toMatchObject({ waitsFor: ['genesIn'], genesIn: 'rows', cells: 60, genes: 40 });
  const root = rootOf('unclear');
  await expect(runWork(buildOf(file, root), listener.context)).rejects.toMatchObject({
    code: 'undecided_genes',
    message: expect.stringContaining('unclear.csv: the names in the table') as string,
  });
  const columns = { genesIn: 'columns' as const };
  expect(await runWork({ kind: 'inspect', file, columns }, listener.context)).toMatchObject({
    waitsFor: ['qualityControl'],
    genesIn: 'columns',
    cells: 40,
    genes: 60,
  });
  const choice = { ...processing, minimumCounts: 1, minimumGenes: 1, maximumMitochondrial: 1 };
  const built = await runWork(buildOf(file, root, { processing: choice, columns }), listener.context);
  expect(built.genes).toBe(60);
});

test('values that can be counts with fractions wait for an answer, and are counts by it, of which nothing is computed', async () => {
  const file = fileOf('corrected');
  const listener = listening(folder);
  const inspection = await runWork({ kind: 'inspect', file }, listener.context);
  expect(inspection).toMatchObject({
    hasCounts: false,
    waitsFor: ['expression'],
    willCompute: [],
    scale: {
      read: 'unknown',
      open: ['counts', 'linear'],
      why: expect.stringContaining('For counts') as string,
    },
  });
  const root = rootOf('corrected');
  await expect(runWork(buildOf(file, root), listener.context)).rejects.toMatchObject({
    code: 'undecided_scale',
  });
  const columns = { expression: 'counts' as const };
  const { dataset } = await built('corrected', root, { processing, columns });
  const { expression, warnings, processing: computed } = dataset.manifest;
  expect(expression).toMatchObject({ hasCounts: true, fractionalCounts: true });
  expect(computed).toBeUndefined();
  expect(warnings.find(({ code }) => code === 'fractional-counts')?.message).toContain(
    'pseudobulk takes them; a negative binomial test, quality control, doublets and new maps take whole counts alone',
  );
});

test('what is damaged within an upload is named by its own name and part', async () => {
  const path = join(folder, 'damaged.csv');
  writeFileSync(path, 'gene,A,B\nACTB,1,2\nGAPDH,1\n');
  await expect(
    runWork({ kind: 'inspect', file: { path, name: 'My table.csv' } }, listening(folder).context),
  ).rejects.toThrow('My table.csv, line 3: has 2 fields, the lines above have 3.');
});

import { mkdtemp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isCategorical } from '@cellfolio/model';
import { FileObjectStore, openDataset } from '@cellfolio/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { labels, writeSmallFile } from '../../features/uploads/work/work.test-data.ts';
import { seededRows, type SeededSample } from './add-samples.test-data.ts';
import type { DatasetAddOptions } from './add-dataset.ts';
import { addedTo } from './adding.test-data.ts';

let folder: string;
let table: string;
let samples: readonly SeededSample[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cellfolio-add-samples-'));
  samples = seededRows();
  const lines = ['sample,file,condition,patient'];
  for (const { name, rows, types, geneNames } of samples) {
    if (name === 'S3') await writeTrio(join(folder, name), rows, geneNames);
    else
      await writeSmallFile(join(folder, `${name}.h5ad`), {
        rows,
        geneNames: (gene) => geneNames[gene]!,
        obs: new Map([['cell_type', labels(types)]]),
        cellNames: (cell) => `AAAC${cell}-1`,
      });
    lines.push(
      `${name},${name === 'S3' ? name : `${name}.h5ad`},${name === 'S1' ? 'well' : 'ill'},P-${name}`,
    );
  }
  table = join(folder, 'study.csv');
  await writeFile(table, `${lines.join('\n')}\n`);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function writeTrio(
  path: string,
  rows: readonly Int32Array[],
  geneNames: readonly string[],
): Promise<void> {
  await mkdir(path);
  const entries = rows.flatMap((row, cell) =>
    Array.from(row.entries()).flatMap(([gene, count]) =>
      count > 0 ? [`${gene + 1} ${cell + 1} ${count}`] : [],
    ),
  );
  const head = [
    '%%MatrixMarket matrix coordinate integer general',
    `${geneNames.length} ${rows.length} ${entries.length}`,
  ];
  await writeFile(join(path, 'matrix.mtx'), `${[...head, ...entries].join('\n')}\n`);
  await writeFile(join(path, 'barcodes.tsv'), `${rows.map((_, cell) => `AAAC${cell}-1`).join('\n')}\n`);
  await writeFile(
    join(path, 'features.tsv'),
    `${geneNames.map((name) => `${name}\t${name}\tGene Expression`).join('\n')}\n`,
  );
}

const added = (source: string | undefined, more: Partial<DatasetAddOptions>) =>
  addedTo(join(folder, 'data'), source, more);

test('three samples become one integrated dataset without doublets, and each step says what it took', async () => {
  const { json, text } = await added(undefined, { samples: table, resolution: 0.5 });
  const { log } = json;
  const processing = json.processing!;
  expect(json.dataset).toBe('study.h5ad');
  expect(processing.cellsBefore).toBe(samples.reduce((sum, { rows }) => sum + rows.length, 0));
  expect(processing.quality!.sampleColumn).toBe('sample');
  const record = processing.samples!;
  expect(record.files!.map(({ sample, file }) => [sample, file])).toEqual([
    ['S1', 'S1.h5ad'],
    ['S2', 'S2.h5ad'],
    ['S3', 'S3'],
  ]);
  // The third sample lacks ten genes.
  expect(record.genes).toMatchObject({ kept: 'shared', matchedBy: 'names', shared: 690, ofAny: 700 });
  const { doublets, integration } = record;
  expect(doublets!.action).toBe('removed');
  expect(doublets!.groups.map(({ sample }) => sample)).toEqual(['S1', 'S2', 'S3']);
  expect(processing.cellsKept).toBe(
    processing.cellsBefore - processing.quality!.removed.all - doublets!.called,
  );
  expect(integration).toMatchObject({ method: 'harmony', typeColumn: 'cell_type', merged: [] });
  expect(processing.mixing!.effectiveSamples).toBeGreaterThan(
    1.5 * integration!.mixingBefore!.effectiveSamples,
  );
  expect(record.clusterings.map(({ resolution }) => resolution)).toEqual([2]);
  const logText = log.join('\n');
  expect(logText).toMatch(
    /690 genes are in all 3 files \(matched by names\) and were kept; 10 that some files lack/,
  );
  expect(logText).toMatch(/\d+ of \d+ cells passed quality control, each by the thresholds of its sample/);
  expect(logText).toMatch(
    /\d+ of \d+ cells were called doublets \(Scrublet within each sample, automatic threshold of each sample\) and removed\./,
  );
  expect(logText).toMatch(/S2: \d+ of \d+, scores above 0\.\d+, as \d+\.\d % of simulated doublets have\./);
  expect(logText).toMatch(/Harmony took differences between the values of sample out/);
  expect(text).toContain(table);
  expect((await readdir(join(folder, 'data', 'downloads'))).length).toBe(0);
});

test('the dataset has the columns of the table, scores and clusters, and both maps', async () => {
  const dataset = await openDataset(new FileObjectStore(join(folder, 'data', 'objects')), 'study.h5ad');
  const { manifest, embeddings } = dataset;
  expect(manifest.roles.embedding).toBe('X_umap');
  const names = embeddings.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['X_umap', 'X_umap_unintegrated', 'X_pca', 'X_pca_harmony']));
  const obs = await dataset.obs('condition');
  expect(isCategorical(obs) && obs.categories).toEqual(['well', 'ill']);
});

test('--integrate mnn and --doublets mark mix the samples by mutual nearest neighbours and leave doublets, as every word says', async () => {
  const { json } = await addedTo(join(folder, 'by-neighbours'), undefined, {
    samples: table,
    integrate: 'mnn',
    doublets: 'mark',
    furtherResolutions: [],
    sampleColumn: null,
  });
  const { mixing, samples: record, quality, cellsBefore, cellsKept } = json.processing!;
  const { doublets, integration } = record!;
  expect(doublets!.action).toBe('marked');
  expect(cellsKept).toBe(cellsBefore - quality!.removed.all);
  // The same thresholds for all cells, yet two cells of different samples were never in one droplet.
  expect(quality!.groups).toHaveLength(1);
  expect(doublets!.groups).toHaveLength(3);
  expect(integration).toMatchObject({
    method: 'mnn',
    neighbours: 15,
    order: expect.arrayContaining(['S1', 'S2', 'S3']),
    typeColumn: 'cell_type',
    merged: [],
  });
  expect(mixing!.effectiveSamples).toBeGreaterThan(1.5 * integration!.mixingBefore!.effectiveSamples);
  expect(integration!.keptAfter).toBeGreaterThan(0.9);
  const logText = json.log.join('\n');
  expect(logText).toMatch(
    /Mutual nearest neighbors took differences between the values of sample out of the components: 15 neighbors; S\d, which varies most, was left where it is, and \d+ % of the other cells are in a pair with a cell of another batch\./,
  );
  expect(logText).not.toContain('Harmony');
  const objects = new FileObjectStore(join(folder, 'by-neighbours', 'objects'));
  const names = (await openDataset(objects, 'study.h5ad')).embeddings.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['X_umap', 'X_umap_unintegrated', 'X_pca', 'X_pca_mnn']));
  expect(names).not.toContain('X_pca_harmony');
});

test('--doublet-threshold calls cells of every sample above it, and --integrate none leaves components, as log and record say', async () => {
  const { json } = await added(undefined, {
    samples: table,
    id: 'by-hand',
    doubletThreshold: 0.3,
    integrate: 'none',
  });
  const { doublets, integration } = json.processing!.samples!;
  expect(integration).toBeUndefined();
  expect(doublets).toMatchObject({ action: 'removed', threshold: 0.3 });
  expect(doublets!.groups.map(({ threshold }) => threshold)).toEqual([0.3, 0.3, 0.3]);
  for (const { histogram, cells, called, detectable } of doublets!.groups) {
    const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);
    expect(sum(histogram!.observed)).toBe(cells);
    expect(sum(histogram!.observed.slice(60))).toBe(called);
    expect(sum(histogram!.simulated.slice(60)) / sum(histogram!.simulated)).toBeCloseTo(detectable!, 9);
  }
  expect(json.log.join('\n')).toMatch(
    /cells were called doublets \(Scrublet within each sample, threshold 0\.3, which was set\) and removed\.\nS1: \d+ of \d+, scores above 0\.3, as \d+\.\d % of simulated doublets have\./,
  );
  const dataset = await openDataset(new FileObjectStore(join(folder, 'data', 'objects')), 'by-hand.h5ad');
  const scores = await dataset.obs('doublet_score');
  expect(scores.kind === 'numeric' && Math.max(...scores.values)).toBeLessThanOrEqual(0.3);
  await expect(
    added(undefined, { samples: table, id: 'neither', doublets: 'keep', doubletThreshold: 0.3 }),
  ).rejects.toThrow('--doublets keep does not look');
});

test('--keep-all-cells removes none, and --genes all keeps the genes of any file', async () => {
  const { json } = await added(undefined, {
    samples: table,
    id: 'all',
    keepAllCells: true,
    genes: 'all',
    integrate: 'none',
  });
  expect(json.processing!.cellsKept).toBe(json.processing!.cellsBefore);
  expect(json.report.genes).toBe(700);
});

test('a dry run says what would be removed, and adds nothing', async () => {
  const { text } = await added(undefined, { samples: table, id: 'dry', dryRun: true });
  expect(text).toMatch(/Sample S3: \d+ of \d+ pass quality control/);
  expect(text).toContain('Nothing was added (--dry-run).');
});

test.each([
  ['no source', undefined, {}, 'Give a file, or a table of several with --samples.'],
  ['two sources', 'a.h5ad', { samples: 'study.csv' }, 'Give either a file or --samples'],
  [
    'an option of several samples with one file',
    'a.h5ad',
    { genes: 'all' as const },
    '--genes is for several samples',
  ],
])('%s is refused', async (_, source, options, message) => {
  await expect(added(source, options)).rejects.toThrow(message);
});

test('batches that the table does not have are refused', async () => {
  const refused = (batchColumn: string) => added(undefined, { samples: table, id: 'batches', batchColumn });
  await expect(refused('lane')).rejects.toThrow(
    "the table of samples has no column 'lane'; its columns are sample, condition, patient",
  );
});

test('a matrix that cannot be read is named with its sample, as all samples have files of one name', async () => {
  const broken = join(folder, 'broken');
  await writeTrio(broken, samples[2]!.rows, samples[2]!.geneNames);
  await writeFile(join(broken, 'matrix.mtx'), 'a few words\n');
  const list = join(folder, 'broken.csv');
  await writeFile(list, 'sample,file\nS1,S1.h5ad\nS9,broken\n');
  await expect(added(undefined, { samples: list })).rejects.toThrow(
    'sample S9: matrix.mtx, line 1: is not a Matrix Market file',
  );
});

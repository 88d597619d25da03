import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, afterAll, beforeAll, vi } from 'vitest';
import type { FileReport, ProcessingChoice } from '@cellfolio/contract';
import { FileObjectStore, openDataset } from '@cellfolio/store';
import { skipReason, qualityLines } from './file-quality.ts';
import { runWork } from './index.ts';
import { buildOf, datasetId, labels, listening, simulatedCounts, writeSmallFile } from './work.test-data.ts';

test('a plan is left to the build for too many entries or too little memory, each in words of its own', () => {
  expect(skipReason({ entryCount: 4e8, cellCount: 1e6 }, 1e9)).toBeUndefined();
  expect(skipReason({ entryCount: 4e8 + 1, cellCount: 1e6 }, 1e9)).toBe(
    'The cells that quality control would remove were not computed before the build: the matrix has 400,000,001 entries, more than 400,000,000. The log of the build lists them.',
  );
  expect(skipReason({ entryCount: 10, cellCount: 1e6 }, 1e6)).toBe(
    'The cells that quality control would remove were not computed before the build: 1,000,000 cells need 64 MB of memory, and there are 1 MB. The log of the build lists them.',
  );
});

const removed = { all: 0, noCounts: 0, counts: 0, genes: 0, mitochondrial: 0, several: 0 };

test.each([
  [{ minimumCounts: 1000, minimumGenes: 200 }, 'at least 1,000 counts and 200 genes'],
  [
    { minimumCounts: 0, minimumGenes: 200, maximumMitochondrial: 0.08 },
    'at least 200 genes, at most 8.0 % mito',
  ],
  [{ minimumCounts: 0, minimumGenes: 0, maximumMitochondrial: 0.08 }, 'at most 8.0 % mitochondrial'],
  [{ minimumCounts: 0, minimumGenes: 0 }, 'no threshold'],
])('for %o the log lists only thresholds that some cell may fail', (thresholds, requirements) => {
  const groups = [{ sample: undefined, cells: 10, removed, thresholds, pooled: false }];
  const [line] = qualityLines({ removed, groups, sampleColumn: undefined, cautions: [] });
  expect(line).toContain(`10 of 10 cells passed quality control: ${requirements}`);
});

// Processing starts a thread with a library of its own each time: much for a machine that is busy.
vi.setConfig({ testTimeout: 120_000 });

const rich = 240;
const poor = 120;
const samples = labels(Array.from({ length: rich + poor }, (_, cell) => (cell < rich ? 'blood' : 'marrow')));
const processing = { variableGenes: 300, components: 10, neighbours: 10 };

let folder = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cellfolio-review-'));
  // A twelfth of the genes of each cell of the second sample.
  const rows = simulatedCounts(rich + poor).map((row, cell) =>
    cell < rich ? row : row.map((count, gene) => ((gene + cell) % 12 === 0 ? count : 0)),
  );
  await writeSmallFile(fileOf('samples').path, { rows, obs: new Map([['sample', samples]]) });
  const geneNames = (gene: number) => (gene === 0 ? 'MTOR' : gene < 4 ? `RPS${gene + 2}` : `GENE${gene}`);
  await writeSmallFile(fileOf('nameless').path, { rows: rows.slice(0, rich), geneNames });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function fileOf(name: string) {
  return { path: join(folder, name), name: `${name}.h5ad` };
}

async function inspected(name: string, processing: ProcessingChoice = {}) {
  const report: FileReport = await runWork(
    { kind: 'inspect', file: fileOf(name), processing, memoryBytes: 2 ** 31 },
    listening(folder).context,
  );
  if (report.kind !== 'h5ad') throw new TypeError('An .h5ad should be found.');
  return report;
}

async function built(name: string, choice: ProcessingChoice = {}) {
  const { context, lines } = listening(folder);
  const root = join(folder, `root-${name}`);
  const result = await runWork(
    buildOf(fileOf(name), root, { processing: { ...processing, ...choice } }),
    context,
  );
  return { result, lines, dataset: await openDataset(new FileObjectStore(root), datasetId) };
}

test('an inspection says which cells a build would remove, per sample, and waits for its owner', async () => {
  const report = await inspected('samples');
  expect(report.waitsFor).toEqual(['qualityControl']);
  expect(report.quality).toMatchObject({
    cells: rich + poor,
    sampleColumn: 'sample',
    sampleColumns: ['sample'],
    mitochondrialGenes: 5,
    removed: { all: 0 },
    groups: [
      { sample: 'blood', cells: rich, pooled: false },
      { sample: 'marrow', cells: poor, pooled: false },
    ],
    cautions: [],
  });
  for (const { bins, cells } of report.quality!.groups)
    expect(bins!.counts.reduce((sum, bin) => sum + bin, 0)).toBe(cells);
  const pooled = (await inspected('samples', { sampleColumn: null })).quality!;
  expect(pooled).not.toHaveProperty('sampleColumn');
  expect(pooled).toMatchObject({ choice: { sampleColumn: null }, groups: [{ cells: rich + poor }] });
  // One that is not there any more is found anew.
  expect((await inspected('samples', { sampleColumn: 'gone' })).quality).toMatchObject({
    sampleColumn: 'sample',
    choice: {},
  });
});

test('a build removes the cells of the plan, and says in its log and record who went by which rule', async () => {
  const choice = { sampleColumn: null, minimumCounts: 400 };
  const { quality: plan } = await inspected('samples', choice);
  const { result, lines } = await built('samples', choice);
  const { quality, thresholds, cellsKept } = result.processed!;
  expect(plan!.removed.counts).toBeGreaterThanOrEqual(poor);
  expect(quality!.removed).toEqual(plan!.removed);
  expect(quality!.groups).toHaveLength(1);
  expect(plan!.groups).toMatchObject(quality!.groups);
  expect(cellsKept).toBe(rich + poor - plan!.removed.all);
  expect(thresholds).toEqual(plan!.groups[0]!.thresholds);
  expect(lines[0]).toMatch(
    new RegExp(`cells passed quality control: at least 400 counts .* removed ${plan!.removed.all}: `),
  );
  const apart = await built('samples');
  expect(apart.result.processed).toMatchObject({
    cellsKept: rich + poor,
    quality: { sampleColumn: 'sample' },
  });
  expect(apart.result.processed).not.toHaveProperty('thresholds');
  expect(apart.lines).toContainEqual(
    expect.stringMatching(/^Sample marrow: 120 of 120 pass quality control, at least \d+ counts/),
  );
});

test('without mitochondrial genes no such threshold is recorded, and a caution says so; other shares are columns', async () => {
  const { result, dataset, lines } = await built('nameless', { maximumMitochondrial: 0.05 });
  expect(result.processed!.thresholds).not.toHaveProperty('maximumMitochondrial');
  expect(result.processed!.quality).toMatchObject({ mitochondrialGenes: 0, ribosomalGenes: 3 });
  const caution = { code: 'no-mitochondrial-genes', numbers: { mitochondrialGenes: 0 } };
  expect(result.processed!.quality!.cautions).toMatchObject([caution]);
  expect(dataset.manifest.warnings).toContainEqual(expect.objectContaining(caution));
  expect(lines).toContainEqual(expect.stringContaining('no filter of mitochondrial counts is applied'));
  expect(lines.join()).not.toContain('% mitochondrial');
  expect(dataset.obsColumnNames).toContain('pct_counts_ribo');
  expect(dataset.obsColumnNames).not.toContain('pct_counts_mt');
  expect(dataset.obsColumnNames).not.toContain('pct_counts_hb');
});

test('a column of samples that is not there is refused by name', async () => {
  await expect(built('samples', { sampleColumn: 'gone' })).rejects.toMatchObject({
    code: 'unknown_column',
    message: "samples.h5ad: obs: there is no 'gone' to take as sample. There are: sample.",
  });
});

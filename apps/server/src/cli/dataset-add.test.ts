import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PreflightReport } from '@cellfolio/ingest';
import type { ProcessingRecord } from '@cellfolio/model';
import { simulatedCounts, writeSmallFile } from '../jobs/work/work.test-data.ts';
import { readSettings } from '../start/environment.ts';
import { addDataset, type DatasetAddOptions } from './dataset-add.ts';

const CELLS = 120;
let folder: string;
let counts: string;
let logarithms: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cellfolio-add-'));
  counts = join(folder, 'counts.h5ad');
  logarithms = join(folder, 'logarithms.h5ad');
  const rows = simulatedCounts(CELLS);
  // One cell that quality control takes away.
  rows[7]!.fill(0, 3);
  await writeSmallFile(counts, { rows });
  await writeSmallFile(logarithms, {
    rows: rows.map((row) => Float32Array.from(row, (x) => Math.log1p(x / 7))),
  });
});

afterAll(() => rm(folder, { recursive: true, force: true }));

interface Printed {
  readonly json: { report: PreflightReport; processing?: ProcessingRecord; log: string[] };
  readonly text: string;
}

async function added(source: string, id: string, more: Partial<DatasetAddOptions> = {}): Promise<Printed> {
  let printed: Printed | undefined;
  await addDataset({
    source,
    options: {
      name: 'A',
      disease: 'B',
      subdisease: 'C',
      id,
      metadata: {},
      replace: false,
      compute: true,
      keepAllCells: false,
      ...more,
    },
    settings: readSettings({ DATA_DIR: folder }),
    terminal: {
      json: true,
      result: (value, text) => (printed = { json: value as Printed['json'], text: text() }),
      note: () => undefined,
      progress: () => ({ update: () => undefined, stop: () => undefined }),
    },
    signal: new AbortController().signal,
  });
  return printed!;
}

test('clusters, a UMAP and quality control are computed, told and recorded', async () => {
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

test('all cells stay and the resolution is another where that is asked for', async () => {
  const { json } = await added(counts, 'kept', { keepAllCells: true, resolution: 0.2 });
  expect(json.processing).toMatchObject({
    computed: ['clusters', 'embedding'],
    cellsKept: CELLS,
    resolution: 0.2,
  });
});

test('with --no-compute nothing is computed, and the report says so and not that it is', async () => {
  const { json, text } = await added(counts, 'as-it-is', { compute: false });
  expect(json.processing).toBeUndefined();
  expect(json.report.cells).toBe(CELLS);
  expect(text).toContain('Not computed, as --no-compute says: clusters and a UMAP.');
  expect(text).not.toMatch(/(is|are) computed where/);
});

test('without raw counts nothing can be computed, and the report says why', async () => {
  const { text } = await added(logarithms, 'logarithms');
  expect(text).toContain('Not computed: clusters and a UMAP, since the file holds no raw counts.');
  expect(text).not.toMatch(/(is|are) computed where/);
});

test('a name that is taken is refused before anything is computed', async () => {
  await expect(added(counts, 'computed')).rejects.toThrow('computed.h5ad');
});

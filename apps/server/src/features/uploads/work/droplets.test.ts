import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RawCounts } from '@cellfolio/ingest';
import { FileObjectStore, openDataset } from '@cellfolio/store';
import { BARCODES, CELLS, kindsOfBarcodes, writeRawMatrix } from './droplets.test-data.ts';
import { dropletsOf, pooledSamples } from './droplets.ts';
import { runWork } from './run-work.ts';
import type { BuildResult } from './work.ts';
import { buildOf, datasetId, labels, listening } from './work.test-data.ts';

const processing = { variableGenes: 150, components: 10 };
const kinds = kindsOfBarcodes();
let folder: string;
let file: { path: string; name: string };
let built: BuildResult;
let lines: readonly string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cellfolio-droplets-'));
  file = { path: join(folder, 'raw.h5ad'), name: 'raw.h5ad' };
  await writeRawMatrix(file.path, labels(kinds.map((kind) => (kind % 2 === 0 ? 'a' : 'b'))));
  const listener = listening(folder);
  built = await runWork(buildOf(file, join(folder, 'called'), { processing }), listener.context);
  ({ lines } = listener);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test('a raw matrix is built of the barcodes that hold cells, and says so in log, warnings and record', async () => {
  expect(built.processed!.droplets).toMatchObject({
    barcodes: BARCODES,
    emptyUpTo: 100,
    detected: true,
    keep: 'called',
    falseDiscoveryRate: 0.001,
    iterations: 10_000,
    cells: built.processed!.cellsBefore,
  });
  expect(lines[0]).toMatch(
    /^The matrix holds empty droplets: 1,3\d\d of 1,475 barcodes have at most 100 counts\. 1\d\d were called cells \(EmptyDrops, false discovery rate 0\.001/,
  );
  const dataset = await openDataset(new FileObjectStore(join(folder, 'called')), datasetId);
  expect(dataset.manifest.warnings.map(({ code }) => code)).toContain('empty-droplets');
  const column = await dataset.obs('kind');
  const cellKinds = column.kind === 'numeric' ? Array.from(column.values, (kind) => kind - 0.5) : [];
  expect(cellKinds.filter((kind) => kind === 3)).toHaveLength(0);
  expect(cellKinds.length).toBeGreaterThan(0.98 * CELLS);
  expect(cellKinds.filter((kind) => kind === 2).length).toBeGreaterThan(22);
  expect(built.processed!.clusterCount).toBeLessThan(10);
});

test('a caution reports samples that share no cluster with the figures of clusters, and neighbours are recorded', () => {
  expect(built.processed!.mixing).toMatchObject({ column: 'sample', neighbours: 14 });
  expect(built.processed!.mixing!.effectiveSamples).toBeLessThan(1.1);
  const mixingNote = built.notes.find((note) => note.includes("samples of 'sample'"));
  expect(mixingNote).toMatch(
    /^\d of \d clusters, with (9\d|100) % of the cells, are nearly of one sample each .*\/blog\//,
  );
});

test('an inspection shows the curve and who would be called, and waits for its owner', async () => {
  const { context } = listening(folder);
  const report = await runWork({ kind: 'inspect', file }, context);
  const plan = report.kind === 'h5ad' ? report.quality! : undefined;
  expect(plan!.droplets).toMatchObject({ barcodes: BARCODES, keep: 'called', detected: true });
  expect(plan!.cells).toBe(plan!.droplets!.cells);
  expect(plan!.cautions[0]!.code).toBe('empty-droplets');
  const { curve, knee, inflection } = plan!.droplets!;
  expect(curve.length).toBeLessThanOrEqual(402);
  expect(curve[0]).toMatchObject({ cells: 1 });
  expect(curve.at(-1)).toMatchObject({ cells: 0, counts: expect.any(Number) });
  expect(knee).toBeGreaterThan(inflection!);
});

test('all barcodes are kept where that was chosen, with a caution; and those with a minimum of counts', async () => {
  const { context, lines } = listening(folder);
  const inspect = { kind: 'inspect', file } as const;
  const all = await runWork({ ...inspect, processing: { droplets: { keep: 'all' } } }, context);
  expect(all).toMatchObject({
    quality: {
      cells: BARCODES,
      droplets: { keep: 'all' },
    },
  });
  expect(all.kind === 'h5ad' && all.quality!.cautions[0]!.code).toBe('empty-droplets-kept');
  const minimum = { keep: 'minimum', minimumCounts: 400 } as const;
  const columns = { symbol: '_index', expression: 'counts' } as const;
  const some = await runWork({ ...inspect, columns, processing: { droplets: minimum } }, context);
  expect(some).toMatchObject({ quality: { choice: { ...columns, droplets: minimum } } });
  expect(some).toMatchObject({ quality: { cells: 150, droplets: { keep: 'minimum', minimumCounts: 400 } } });
  const built = await runWork(
    buildOf(file, join(folder, 'all'), { processing: { ...processing, droplets: { keep: 'all' } } }),
    context,
  );
  expect(built.processed!.cellsBefore).toBe(BARCODES);
  expect(lines[0]).toMatch(/All are kept, as you chose: clusters may be empty droplets\.$/);
});

/** 1,000 empty droplets of 50 counts and some cells, each with two specific genes. */
function rawCounts(totals: readonly number[]): RawCounts {
  const genes = 50;
  const empties = 1000;
  const rows = [
    ...totals.map((total, at) => [
      [at % 7, total - 10],
      [7 + (at % 5), 10],
    ]),
    ...Array.from({ length: empties }, (_, at) =>
      Array.from({ length: 25 }, (__, place) => [2 * place + (at % 2), 2]),
    ),
  ];
  const pointers = [0];
  for (const row of rows) pointers.push(pointers.at(-1)! + row.length);
  const block = {
    pointers: Float64Array.from(pointers),
    indices: Int32Array.from(rows.flat(), ([gene]) => gene!),
    counts: Float64Array.from(rows.flat(), ([, count]) => count!),
  };
  return {
    by: 'cell',
    cellCount: rows.length,
    geneCount: genes,
    entryCount: block.indices.length,
    blocks: () => [block],
  } as unknown as RawCounts;
}

test('far too many counts for the test give a minimum of counts, with the figures why', async () => {
  const { context } = listening(folder);
  const counts = rawCounts(Array.from({ length: 60 }, (_, at) => 5e9 - at * 1e7));
  const droplets = await dropletsOf(counts, { choice: undefined, samples: undefined }, context);
  expect(droplets!.record).toMatchObject({ detected: true, keep: 'minimum' });
  expect(droplets!.record).not.toHaveProperty('knee');
  expect(droplets!.record.minimumCounts).toBe(droplets!.record.inflection);
  expect(droplets!.cautions).toContainEqual({
    code: 'droplets-not-tested',
    message: expect.stringContaining('would draw 5.0e+13 molecules, more than 1e+10'),
    numbers: { draws: 5e13, mostDraws: 1e10 },
  });
  await expect(
    dropletsOf(counts, { choice: { keep: 'called' }, samples: undefined }, context),
  ).rejects.toMatchObject({ code: 'too-large' });
});

test('a caution reports the number of barcodes that are left out for want of iterations', async () => {
  const { context } = listening(folder);
  const droplets = await dropletsOf(
    rawCounts([300, 280]),
    { choice: { keep: 'called', falseDiscoveryRate: 1e-6 }, samples: undefined },
    context,
  );
  expect(droplets!.record).toMatchObject({ cells: 0, iterations: 100_000 });
  expect(droplets!.cautions).toContainEqual({
    code: 'droplets-limited',
    message: expect.stringMatching(/^2 barcodes are left out although none of 100,000 simulated droplets/),
    numbers: { limited: 2, iterations: 100_000, falseDiscoveryRate: 1e-6 },
  });
});

const names = ['deep', 'shallow', 'empty'];
const codes = Int32Array.from([0, 0, 0, 1, 1, -1, 2]);
const totals = [4000, 5000, 4400, 900, 1100, 10_000, 20];

test('a caution reports samples of unequal depth that were called together, with their medians', () => {
  const [caution, ...others] = pooledSamples(totals, Int32Array.from([0, 1, 2, 3, 4, 5]), { codes, names });
  expect(others).toEqual([]);
  expect(caution).toMatchObject({
    code: 'droplets-called-together',
    numbers: {
      samples: 2,
      leastSample: 'shallow',
      leastMedian: 1100,
      leastCells: 2,
      mostSample: 'deep',
      mostMedian: 4400,
      mostCells: 3,
    },
  });
  expect(caution!.message).toContain('a median of 1,100 counts in shallow (2 cells)');
});

test('one sample, none, and samples of like depth have no caution', () => {
  const cells = Int32Array.from([0, 1, 2]);
  expect(pooledSamples(totals, cells, { codes, names })).toEqual([]);
  expect(pooledSamples(totals, cells, undefined)).toEqual([]);
  expect(pooledSamples([4000, 4100, 4200], cells, { codes: Int32Array.from([0, 1, 1]), names })).toEqual([]);
});

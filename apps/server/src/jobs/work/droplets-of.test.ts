import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FileObjectStore, openDataset } from '@cellfolio/store';
import { BARCODES, CELLS, kindsOfBarcodes, writeRawMatrix } from './droplets.test-data.ts';
import { runWork } from './run-work.ts';
import { buildOf, datasetId, labels, listening } from './work.test-data.ts';

const processing = { variableGenes: 150, components: 10 };
const kinds = kindsOfBarcodes();
let folder: string;
let file: { path: string; name: string };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cellfolio-droplets-'));
  file = { path: join(folder, 'raw.h5ad'), name: 'raw.h5ad' };
  await writeRawMatrix(file.path, labels(kinds.map((kind) => (kind % 2 === 0 ? 'a' : 'b'))));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test('a raw matrix is built of the barcodes that hold cells, and says so in log, warnings and record', async () => {
  const { context, lines } = listening(folder);
  const built = await runWork(buildOf(file, join(folder, 'called'), { processing }), context);
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
    /^The matrix holds empty droplets: 2,6\d\d of 2,940 barcodes have at most 100 counts\. 3\d\d were called cells \(EmptyDrops, false discovery rate 0\.001/,
  );
  const dataset = await openDataset(new FileObjectStore(join(folder, 'called')), datasetId);
  expect(dataset.manifest.warnings.map(({ code }) => code)).toContain('empty-droplets');
  const column = await dataset.obs('kind');
  const kept = column.kind === 'numeric' ? Array.from(column.values, (kind) => kind - 0.5) : [];
  expect(kept.filter((kind) => kind === 3)).toHaveLength(0);
  expect(kept.length).toBeGreaterThan(0.98 * CELLS);
  expect(kept.filter((kind) => kind === 2).length).toBeGreaterThan(36);
  expect(built.processed!.clusterCount).toBeLessThan(10);
});

test('samples that share no cluster are told with the figures of clusters and of neighbours', async () => {
  const { context } = listening(folder);
  const built = await runWork(buildOf(file, join(folder, 'mixing'), { processing }), context);
  expect(built.processed!.mixing).toMatchObject({ column: 'sample', neighbours: 14 });
  expect(built.processed!.mixing!.effectiveSamples).toBeLessThan(1.1);
  const told = built.notes.find((note) => note.includes("samples of 'sample'"));
  expect(told).toMatch(
    /^\d of \d clusters, with (9\d|100) % of the cells, .* with a chance of (?:9\d|100) %, .*\/blog\//,
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
  const some = await runWork({ ...inspect, processing: { droplets: minimum } }, context);
  expect(some).toMatchObject({ quality: { cells: 300, droplets: { keep: 'minimum', minimumCounts: 400 } } });
  const built = await runWork(
    buildOf(file, join(folder, 'all'), { processing: { ...processing, droplets: { keep: 'all' } } }),
    context,
  );
  expect(built.processed!.cellsBefore).toBe(BARCODES);
  expect(lines[0]).toMatch(/All are kept as you chose: clusters may be of empty droplets\.$/);
});

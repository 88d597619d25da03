import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FileObjectStore, StoreWriteFailed } from '@cellfolio/bytes';
import { temporaryRoot } from '@cellfolio/bytes/testing';
import { expect, onTestFinished, test } from 'vitest';
import { createDatasetWriter } from './dataset-writer.ts';
import { DatasetExists, DatasetReplaced, InvalidDatasetId, ShapeMismatch } from './errors.ts';
import { listDatasets } from './list-datasets.ts';
import { openDataset } from './open-dataset.ts';
import { removeDataset } from './open-store.ts';
import { description, sampleMatrix, sampleObs, sampleVar, writeSample } from './testing/sample-dataset.ts';
import { verifyDataset } from './verify-dataset.ts';

const folder = (path: string) => readdir(path).catch(() => []);

async function present(root: string) {
  return { datasets: await folder(join(root, 'datasets')), incoming: await folder(join(root, 'incoming')) };
}

test('a dataset is not there before it is published, and nothing else is left after', async () => {
  const root = await temporaryRoot();
  const writer = await createDatasetWriter(root, 'd');
  await writer.obs(sampleObs(3));
  expect((await present(root)).datasets).toEqual([]);
  await writer.discard();
  expect(await present(root)).toEqual({ datasets: [], incoming: [] });
  await writeSample(root, 'd');
  expect(await present(root)).toEqual({ datasets: ['d'], incoming: [] });
});

test('the same input has the same version, and any other value or role another', async () => {
  const root = await temporaryRoot();
  const { manifest } = await writeSample(root, 'a');
  expect((await writeSample(root, 'b')).manifest.version).toBe(manifest.version);
  expect((await writeSample(root, 'c', { cellCount: 41 })).manifest.version).not.toBe(manifest.version);
  expect((await writeSample(root, 'e', { label: 'Other' })).manifest.version).not.toBe(manifest.version);
  expect(manifest).toMatchObject({
    cellCount: 40,
    geneCount: 12,
    valueCount: sampleMatrix(40, 12).cells.length,
  });
});

test('a dataset of the same name is only replaced on request, and readers see the new one', async () => {
  const root = await temporaryRoot();
  const objects = new FileObjectStore(root);
  await writeSample(root, 'd', { label: 'first' });
  await (await openDataset(objects, 'd')).gene(0);
  await expect(createDatasetWriter(root, 'd')).rejects.toThrow(DatasetExists);
  const { matrix } = await writeSample(root, 'd', { label: 'second', replace: true, cellCount: 60 });
  const dataset = await openDataset(objects, 'd', { cacheBytes: 0 });
  expect(dataset.manifest.catalogue.name).toBe('second');
  expect((await dataset.gene(2)).cells.length).toBe(60);
  expect((await dataset.gene(0)).values).toEqual(matrix.values.slice(0, matrix.shape.indptr[1]));
  expect(await present(root)).toEqual({ datasets: ['d'], incoming: [] });
  // What was open before is no damage: another took its place, or it is gone.
  await writeSample(root, 'd', { label: 'third', replace: true, cellCount: 8 });
  await expect(dataset.gene(2)).rejects.toThrow(DatasetReplaced);
  const third = await openDataset(objects, 'd', { cacheBytes: 0 });
  await removeDataset(root, 'd');
  await expect(third.gene(2)).rejects.toThrow(DatasetReplaced);
});

test('of two writers of one name the second to finish is refused as too late', async () => {
  const root = await temporaryRoot();
  const late = await createDatasetWriter(root, 'd');
  await late.obs(sampleObs(4));
  await late.var(sampleVar(1));
  const shape = { cellCount: 4, geneCount: 1, indptr: Float64Array.of(0, 0), valueType: 'float32' } as const;
  await (await late.matrix('X', shape)).close();
  const { manifest } = await writeSample(root, 'd');
  await expect(late.publish(description)).rejects.toThrow(DatasetExists);
  expect((await listDatasets(new FileObjectStore(root))).datasets).toEqual([manifest]);
  expect((await present(root)).incoming).toEqual([]);
});

test('a removed dataset is gone, and removing it again is an error', async () => {
  const root = await temporaryRoot();
  await writeSample(root, 'd');
  await removeDataset(root, 'd');
  expect(await present(root)).toEqual({ datasets: [], incoming: [] });
  await expect(removeDataset(root, 'd')).rejects.toThrow('there is no dataset "d"');
  await expect(removeDataset(root, '../d')).rejects.toThrow(InvalidDatasetId);
});

test('parts that do not fit each other are refused, and nothing stays behind', async () => {
  const root = await temporaryRoot();
  const refused = async (
    work: (writer: Awaited<ReturnType<typeof createDatasetWriter>>) => Promise<unknown>,
  ) => {
    const writer = await createDatasetWriter(root, 'd');
    await writer.obs(sampleObs(4));
    await expect(work(writer)).rejects.toThrow(ShapeMismatch);
    expect(await present(root)).toEqual({ datasets: [], incoming: [] });
    // What failed once does not start to work.
    await expect(writer.var(sampleVar(1))).rejects.toThrow(ShapeMismatch);
  };
  await refused((writer) => writer.obsm({ name: 'X_umap', dimensions: 2, values: new Float32Array(6) }));
  await refused((writer) => writer.matrix('X', sampleMatrix(5, 3).shape));
  await refused((writer) => writer.var({ ...sampleVar(2), rowCount: 3 }));
  await refused((writer) => writer.publish(description));
});

test.each(['a/b', '__proto__', 'constructor', '..', ''])(
  'an embedding %j is read back equal',
  async (name) => {
    const root = await temporaryRoot();
    const writer = await createDatasetWriter(root, 'd');
    const sample = sampleMatrix(4, 3);
    await writer.obs(sampleObs(4));
    await writer.var(sampleVar(3));
    await writer.obsm({ name, dimensions: 2, values: Float32Array.of(0, 1, 2, 3, 4, 5, 6, 7) });
    const matrix = await writer.matrix('X', sample.shape);
    await matrix.write(sample.cells, sample.values);
    await matrix.close();
    await writer.publish({ ...description, expression: { ...description.expression, hasCounts: false } });
    const objects = new FileObjectStore(root);
    const dataset = await openDataset(objects, 'd');
    expect((await dataset.embedding(name)).values).toEqual(Float32Array.of(0, 1, 2, 3, 4, 5, 6, 7));
    expect(await verifyDataset(objects, 'd')).toMatchObject({ ok: true });
  },
);

test('a cancelled import stops at the next step and leaves nothing', async () => {
  const root = await temporaryRoot();
  const stop = new AbortController();
  const writer = await createDatasetWriter(root, 'd', { signal: stop.signal });
  await writer.obs(sampleObs(4));
  stop.abort(new Error('client went'));
  await expect(writer.var(sampleVar(1))).rejects.toThrow('client went');
  expect(await present(root)).toEqual({ datasets: [], incoming: [] });
});

test('a root that cannot be written is a clear error', async () => {
  const root = await temporaryRoot();
  await writeFile(join(root, 'file'), '');
  await expect(createDatasetWriter(join(root, 'file'), 'd')).rejects.toThrow(StoreWriteFailed);
});

test('killed at any moment, a store holds each dataset whole or not at all, and the next writer sweeps', async () => {
  const root = await temporaryRoot();
  await mkdir(join(root, 'datasets'));
  const objects = new FileObjectStore(root);
  let leftovers = 0;
  // Until enough kills hit a write: one that hits none shows nothing.
  for (let round = 0; round < 4 || leftovers < 3; round++) {
    expect(round, 'kills that hit too few writes').toBeLessThan(30);
    const target = join(import.meta.dirname, 'testing/kill-target.ts');
    const child = spawn(process.execPath, [target, root], { stdio: ['ignore', 'pipe', 'inherit'] });
    // After a few datasets, at a moment that moves on by a third of a write from round to round.
    for (let count = 0; count < 1 + (round % 3); count++) await once(child.stdout, 'data');
    await new Promise((resolve) => setTimeout(resolve, 13 * (round % 6)));
    child.kill('SIGKILL');
    await once(child, 'exit');
    leftovers += (await present(root)).incoming.length;
    const { datasets, damaged } = await listDatasets(objects);
    expect(damaged).toEqual([]);
    for (const { id } of datasets) {
      expect(await verifyDataset(objects, id)).toEqual({ id, ok: true, problems: [] });
      if (id !== 'replaced') await rm(join(root, 'datasets', id), { recursive: true });
    }
    await (await createDatasetWriter(root, 'next')).discard();
    const after = await present(root);
    expect(after.incoming).toEqual([]);
    // Once there, a dataset being replaced is never lost, not even between the two moves.
    expect(after.datasets).toContain('replaced');
  }
}, 180_000);

test('a full disk is a clear error that leaves the other datasets and no rest', async (context) => {
  const root = await temporaryRoot();
  const mount = join(root, 'small');
  await mkdir(mount);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', mount], { stdio: 'pipe' });
  } catch {
    console.warn('SKIPPED: the full disk test needs the right to mount a tmpfs');
    return context.skip();
  }
  const objects = new FileObjectStore(mount);
  onTestFinished(async () => {
    // An open file would keep the mount busy.
    await objects.close();
    execFileSync('umount', [mount]);
  });
  await writeSample(mount, 'before');
  const cellCount = 100_000;
  const writer = await createDatasetWriter(mount, 'd');
  await writer.var(sampleVar(20));
  const indptr = Float64Array.from({ length: 21 }, (_, i) => i * cellCount);
  const matrix = await writer.matrix('X', { cellCount, geneCount: 20, indptr, valueType: 'float32' });
  const cells = Int32Array.from({ length: cellCount }, (_, i) => i);
  const values = Float32Array.from(cells, (i) => Math.sin(i));
  const fillDisk = async () => {
    for (let gene = 0; gene < 20; gene++) await matrix.write(cells, values);
  };
  const error = await fillDisk().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(StoreWriteFailed);
  expect((error as StoreWriteFailed).message).toMatch(
    /^could not write .*\/X\/(data|indices)\/c\/\d+: the disk is full$/,
  );
  expect(await present(mount)).toEqual({ datasets: ['before'], incoming: [] });
  expect(await verifyDataset(objects, 'before')).toMatchObject({ ok: true });
  expect(JSON.parse(await readFile(join(mount, 'datasets/before/manifest.json'), 'utf8'))).toHaveProperty(
    'id',
    'before',
  );
});

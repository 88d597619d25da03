import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FileObjectStore } from '@cellfolio/bytes';
import { temporaryRoot } from '@cellfolio/bytes/testing';
import { expect, test } from 'vitest';
import { createDatasetWriter } from './dataset-writer.ts';
import { addGeneSums } from './entry-sums.ts';
import { listDatasets } from './list-datasets.ts';
import { openDataset } from './open-dataset.ts';
import { description, sampleMatrix, sampleObs, sampleVar } from './testing/sample-dataset.ts';

const { shape, cells, values } = sampleMatrix(40, 12);
const plain = { ...description, expression: { ...description.expression, hasCounts: false } };

async function written(root: string, wrong?: number) {
  const writer = await createDatasetWriter(root, 'd');
  const matrix = await writer.matrix('X', shape);
  await matrix.write(cells, values);
  const sums = new Int32Array(shape.geneCount);
  addGeneSums(sums, { firstGene: 0, starts: shape.indptr, cells, values });
  if (wrong !== undefined) sums[wrong]! += 1;
  await matrix.close({ sums, wide: false });
  await writer.obs(sampleObs(40));
  await writer.var(sampleVar(12));
  return writer;
}

async function nothingLeft(root: string) {
  expect((await listDatasets(new FileObjectStore(root))).datasets).toEqual([]);
  expect(await readdir(join(root, 'incoming'))).toEqual([]);
}

test('columns of every kind and a matrix with its sums are published', async () => {
  const root = await temporaryRoot();
  await (await written(root)).publish(plain);
  expect((await openDataset(new FileObjectStore(root), 'd')).manifest.valueCount).toBe(cells.length);
});

test('a matrix with other entries than were read is named with the gene, and nothing is published', async () => {
  const root = await temporaryRoot();
  const writer = await written(root, 4);
  await expect(writer.publish(plain)).rejects.toThrow(/^X: the values of gene 5 came back/);
  await nothingLeft(root);
});

test.each([
  ['obs/n_counts/c/0', /obs\/n_counts/],
  ['X/data/c/0', /X\/data/],
])('bytes of %s that changed on the disk are found before publishing', async (path, message) => {
  const root = await temporaryRoot();
  const writer = await written(root);
  const [folder] = await readdir(join(root, 'incoming'));
  const file = join(root, 'incoming', folder!, path);
  const bytes = await readFile(file);
  bytes[bytes.length >> 2]! ^= 1;
  await writeFile(file, bytes);
  await expect(writer.publish(plain)).rejects.toThrow(message);
  await nothingLeft(root);
});

test.each(['int32', 'uint32', 'float64'] as const)(
  'blocks of counts of %s are exact, as float32 where it holds them',
  async (valueType) => {
    const root = await temporaryRoot();
    const writer = await createDatasetWriter(root, valueType);
    const x = await writer.matrix('X', shape);
    await x.write(cells, values);
    await x.close();
    const counts = Float64Array.from(cells, (cell) => cell + 1);
    counts[3] = 20_000_001;
    const layer = await writer.matrix('layers/counts', { ...shape, valueType });
    await layer.write(cells, counts);
    await layer.close();
    await writer.obs(sampleObs(40));
    await writer.var(sampleVar(12));
    await writer.publish(description);
    const dataset = await openDataset(new FileObjectStore(root), valueType);
    const { starts, useBlock } = (await dataset.counts())!;
    const first = await useBlock(0, 1, (block) => block.values.slice());
    expect(Array.from(first)).toEqual(Array.from(counts.subarray(0, starts[1])));
    const other = await useBlock(2, 3, (block) => block.values.slice());
    expect(Array.from(other)).toEqual(Array.from(counts.subarray(starts[2], starts[3])));
    expect(other).toBeInstanceOf(Float32Array);
  },
);

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FileObjectStore } from '@cellfolio/bytes';
import { temporaryRoot } from '@cellfolio/bytes/testing';
import type { CategoricalColumn } from '@cellfolio/model';
import { expect, test } from 'vitest';
import { createDatasetWriter } from '../dataset-writer.ts';
import { DatasetDamaged, ShapeMismatch } from '../errors.ts';
import { openDataset } from '../open-dataset.ts';
import {
  description,
  sampleMatrix,
  sampleObs,
  sampleVar,
  sealAgain,
  writeSample,
} from '../testing/sample-dataset.ts';
import { verifyDataset } from '../verify-dataset.ts';

const cellCount = 400;
const geneCount = 7;
const { shape, cells, values } = sampleMatrix(cellCount, geneCount, 0.9);
// A missing value, a stored zero and a negative value.
values[3] = NaN;
values[700] = 0;
values[900] = -2.5;

function column(codeOf: (cell: number) => number, categories: number): CategoricalColumn {
  return {
    kind: 'categorical',
    codes: Int16Array.from({ length: cellCount }, (_, cell) => codeOf(cell)),
    categories: Array.from({ length: categories }, (_, i) => `c${i}`),
    categoryType: 'string',
    ordered: false,
  };
}

const groups = new Map([
  ['cell_type', column((cell) => [0, 1, 3, -1][cell % 4]!, 5)],
  ['a/b', column((cell) => cell % 3, 3)],
  ['__proto__', column((cell) => Math.floor(cell / 100), 4)],
]);

async function written(options: { groups?: ReadonlyMap<string, CategoricalColumn>; block?: number } = {}) {
  const root = await temporaryRoot();
  const writer = await createDatasetWriter(root, 'd');
  await writer.obs(sampleObs(cellCount));
  await writer.var(sampleVar(geneCount));
  const matrix = await writer.matrix('X', shape, options.groups ?? groups);
  const { block = cells.length } = options;
  for (let at = 0; at < cells.length; at += block) {
    await matrix.write(cells.subarray(at, at + block), values.subarray(at, at + block));
  }
  await matrix.close();
  const expression = { ...description.expression, hasCounts: false };
  const roles = { metadata: {}, symbol: 'symbol' };
  await writer.publish({ ...description, expression, roles });
  const objects = new FileObjectStore(root);
  return { root, objects, dataset: await openDataset(objects, 'd') };
}

function expected({ codes }: CategoricalColumn, categories: readonly number[]) {
  const slots = categories.length + 1;
  const sums = new Float64Array(geneCount * slots);
  const squares = new Float64Array(geneCount * slots);
  const expressing = new Int32Array(geneCount * slots);
  for (let gene = 0; gene < geneCount; gene++) {
    for (let i = shape.indptr[gene]!; i < shape.indptr[gene + 1]!; i++) {
      const code = codes[cells[i]!]!;
      const at = gene * slots + (code < 0 ? slots - 1 : categories.indexOf(code));
      sums[at]! += values[i]!;
      squares[at]! += Math.fround(values[i]! ** 2);
      if (values[i] !== 0) expressing[at]!++;
    }
  }
  return { categories: Int32Array.from(categories), sums, squares, expressing };
}

const presentCategories = { cell_type: [0, 1, 3], 'a/b': [0, 1, 2], ['__proto__']: [0, 1, 2, 3] };

test.each([[cells.length], [37], [1]])(
  'the sums of every group of every column are kept, from blocks of %d entries',
  async (block) => {
    const { dataset } = await written({ block });
    for (const [name, categories] of Object.entries(presentCategories)) {
      const actual = (await dataset.groupStatistics(name))!;
      const reference = expected(groups.get(name)!, categories);
      expect(actual.categories).toEqual(reference.categories);
      expect(actual.expressing).toEqual(reference.expressing);
      // Entries of a group are added up in another order.
      for (const part of ['sums', 'squares'] as const) {
        expect(actual[part].length).toBe(reference[part].length);
        const worst = actual[part].reduce(
          (largest, value, i) => Math.max(largest, distance(value, reference[part][i]!)),
          0,
        );
        expect(worst).toBeLessThan(1e-12);
      }
    }
    expect(await dataset.groupStatistics('stage')).toBeUndefined();
    expect(await dataset.geneStatistics('stage')).toBeUndefined();
  },
);

test('the statistics of one gene are a read of two arrays', async () => {
  const { dataset } = await written();
  const whole = (await dataset.groupStatistics('cell_type'))!;
  const read = (await dataset.geneStatistics('cell_type'))!;
  for (let row = 0; row < geneCount; row++) {
    const { reads } = dataset.counters;
    const gene = await read(row);
    expect(dataset.counters.reads).toBe(reads + 2);
    const slots = [row * 4, (row + 1) * 4] as const;
    expect(gene).toEqual({
      categories: whole.categories,
      sums: whole.sums.slice(...slots),
      expressing: whole.expressing.slice(...slots),
    });
  }
});

test('genes that are requested at the same time share the reads of their chunks', async () => {
  const { dataset } = await written();
  const read = (await dataset.geneStatistics('cell_type'))!;
  const { reads } = dataset.counters;
  const rows = Array.from({ length: geneCount }, (_, row) => row);
  const byGene = await Promise.all(rows.map((row) => read(row)));
  expect(dataset.counters.reads).toBe(reads + 2);
  const whole = (await dataset.groupStatistics('cell_type'))!;
  expect(byGene.flatMap(({ sums }) => Array.from(sums))).toEqual([...whole.sums]);
});

function distance(value: number, target: number): number {
  if (Number.isNaN(value) || Number.isNaN(target)) return Object.is(value, target) ? 0 : Infinity;
  return Math.abs(value - target);
}

test('the mean of a gene is added up in float32, cell after cell, without values that are missing', async () => {
  const { dataset } = await written();
  const means = Float64Array.from({ length: geneCount }, (_, gene) => {
    let sum = 0;
    let missing = 0;
    for (let i = shape.indptr[gene]!; i < shape.indptr[gene + 1]!; i++) {
      if (Number.isNaN(values[i])) missing++;
      else sum = Math.fround(sum + values[i]!);
    }
    return sum / (cellCount - missing);
  });
  expect(await dataset.geneMeans()).toEqual(means);
});

test('statistics are read whole, in one read an array, and belong to what is verified', async () => {
  const { root, objects, dataset } = await written();
  const { reads } = dataset.counters;
  await dataset.groupStatistics('cell_type');
  expect(dataset.counters.reads).toBe(reads + 4);
  expect(await verifyDataset(objects, 'd')).toMatchObject({ ok: true, problems: [] });
  const path = join(root, 'datasets', 'd', 'uns/cellfolio/group_statistics/cell_type/sums/c/0/0');
  const damaged = await readFile(path);
  damaged[damaged.length - 8]! ^= 16;
  await writeFile(path, damaged);
  await expect(dataset.groupStatistics('cell_type')).rejects.toThrow(DatasetDamaged);
  expect((await verifyDataset(objects, 'd')).ok).toBe(false);
});

test('a dataset without statistics says so', async () => {
  const { dataset } = await written({ groups: new Map() });
  expect(await dataset.groupStatistics('cell_type')).toBeUndefined();
  const root = await temporaryRoot();
  await writeSample(root, 's', { cellCount: 40 });
  const path = join(root, 'datasets', 's', 'zarr.json');
  const metadata = JSON.parse(await readFile(path, 'utf8')) as {
    consolidated_metadata: { metadata: Record<string, unknown> };
  };
  // As datasets were written before there were any.
  const nodes = metadata.consolidated_metadata.metadata;
  for (const node of Object.keys(nodes)) if (node.startsWith('uns/')) delete nodes[node];
  await writeFile(path, JSON.stringify(metadata));
  await sealAgain(root, 's');
  const older = await openDataset(new FileObjectStore(root), 's');
  expect(await older.geneMeans()).toBeUndefined();
  expect(await older.groupStatistics('cell_type')).toBeUndefined();
});

test('groups of other cells are refused', async () => {
  const writer = await createDatasetWriter(await temporaryRoot(), 'd');
  const short = { ...groups.get('cell_type')!, codes: new Int8Array(3) };
  await expect(writer.matrix('X', shape, new Map([['cell_type', short]]))).rejects.toThrow(ShapeMismatch);
});

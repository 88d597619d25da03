import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { type ByteRange, FileObjectStore, type ObjectStore } from '@cellfolio/bytes';
import { temporaryRoot } from '@cellfolio/bytes/testing';
import {
  denseValues,
  type GeneBlock,
  type NumericColumn,
  packStrings,
  rowsOf,
  type StringColumn,
  unpackStrings,
} from '@cellfolio/model';
import { expect, test } from 'vitest';
import * as zarr from 'zarrita';
import { createDatasetWriter } from './dataset-writer.ts';
import { DatasetNotFound, InvalidDatasetId, UnknownColumn } from './errors.ts';
import { openDataset } from './open-dataset.ts';
import { geneBlocks } from './read-plan.ts';
import { description, sampleObs, sampleVar, writeSample } from './testing/sample-dataset.ts';

async function sample(options?: { cacheBytes?: number }) {
  const root = await temporaryRoot();
  const written = await writeSample(root, 'sample.h5ad');
  const objects = new FileObjectStore(root);
  return { root, objects, ...written, dataset: await openDataset(objects, 'sample.h5ad', options) };
}

test('every kind of column is read back equal, in the order of the file', async () => {
  const { dataset } = await sample();
  const { columns } = sampleObs(40);
  expect(dataset.obsColumnNames).toEqual([...columns.keys()]);
  for (const [name, column] of columns) {
    expect({ name, column: await dataset.obs(name) }).toEqual({ name, column });
  }
});

test('embeddings are read back equal, and once', async () => {
  const { dataset } = await sample();
  const umap = await dataset.embedding('X_umap');
  expect(umap.dimensions).toBe(2);
  expect([...umap.values.subarray(0, 3)]).toEqual([0, 0.25, 0.5]);
  const { reads } = dataset.counters;
  expect(await dataset.embedding('X_umap')).toBe(umap);
  expect(dataset.counters.reads).toBe(reads);
});

test('an unknown column or embedding is named in its error', async () => {
  const { dataset } = await sample();
  await expect(dataset.obs('nope')).rejects.toThrow(UnknownColumn);
  await expect(dataset.obs('barcode')).rejects.toThrow('has no "barcode" in obs');
  await expect(dataset.embedding('constructor')).rejects.toThrow(UnknownColumn);
});

test('every gene is read back equal for two reads each, none where it comes from the cache', async () => {
  const { dataset, matrix } = await sample();
  const { indptr, geneCount } = matrix.shape;
  for (let row = 0; row < geneCount; row++) {
    const before = dataset.counters.reads;
    const gene = await dataset.gene(row);
    expect(gene.cells).toEqual(matrix.cells.slice(indptr[row], indptr[row + 1]));
    expect(gene.values).toEqual(matrix.values.slice(indptr[row], indptr[row + 1]));
    expect(dataset.counters.reads - before).toBe(gene.cells.length === 0 ? 0 : 2);
    expect(await dataset.gene(row)).toBe(gene);
    expect(dataset.counters.reads - before).toBe(gene.cells.length === 0 ? 0 : 2);
  }
});

test('a cache of no bytes keeps no gene', async () => {
  const { dataset } = await sample({ cacheBytes: 0 });
  await dataset.gene(0);
  const { reads } = dataset.counters;
  await dataset.gene(0);
  expect(dataset.counters.reads).toBe(reads + 2);
});

test('blocks of genes hold the same entries as the genes, and are not kept', async () => {
  const { dataset, matrix } = await sample();
  expect(dataset.valueStarts).toEqual(matrix.shape.indptr);
  for (const { from, to } of geneBlocks(dataset.valueStarts, 50)) {
    const { reads } = dataset.counters;
    const block = await dataset.useGeneBlock(from, to, (geneBlock) => structuredClone(geneBlock));
    expect(dataset.counters.reads - reads).toBe(2);
    for (let row = from; row < to; row++) {
      const [start, end] = [block.starts[row - from]!, block.starts[row - from + 1]!];
      const { cells, values } = await dataset.gene(row);
      expect(block.cells.slice(start, end)).toEqual(cells);
      expect(block.values.slice(start, end)).toEqual(values);
    }
  }
  const { reads } = dataset.counters;
  const firstGeneOf = ({ firstGene }: GeneBlock) => firstGene;
  await dataset.useGeneBlock(0, matrix.shape.geneCount, firstGeneOf);
  expect(dataset.counters.reads).toBe(reads + 2);
  await expect(dataset.useGeneBlock(0, 1, firstGeneOf, AbortSignal.abort(new Error('gone')))).rejects.toThrow(
    'gone',
  );
});

test('blocks of raw counts are read for two reads each, and their positions once', async () => {
  const { dataset, matrix } = await sample();
  const { starts, useBlock } = (await dataset.counts())!;
  expect(starts).toEqual(matrix.shape.indptr);
  const { reads } = dataset.counters;
  expect((await dataset.counts())!.starts).toBe(starts);
  const blocks = geneBlocks(starts, 50);
  expect(blocks.length).toBeGreaterThan(1);
  for (const { from, to } of blocks) {
    const block = await useBlock(from, to, (geneBlock) => structuredClone(geneBlock));
    const [start, end] = [starts[from]!, starts[to]!];
    expect(block.cells).toEqual(matrix.cells.slice(start, end));
    expect(block.values).toEqual(matrix.values.slice(start, end).map(Math.trunc));
  }
  expect(dataset.counters.reads - reads).toBe(2 * blocks.length);
});

test('a dataset without raw counts says so', async () => {
  const root = await temporaryRoot();
  await writeSample(root, 'few', { few: true });
  const dataset = await openDataset(new FileObjectStore(root), 'few');
  expect(await dataset.counts()).toBeUndefined();
});

test('the same gene wanted twice at a time is read once', async () => {
  const { dataset } = await sample({ cacheBytes: 0 });
  const { reads } = dataset.counters;
  const [one, other] = await Promise.all([dataset.gene(0), dataset.gene(0)]);
  expect(one).toBe(other);
  expect(dataset.counters.reads).toBe(reads + 2);
});

test('the signal of the last caller to leave reaches the reads of the store', async () => {
  const { objects } = await sample();
  const signals: AbortSignal[] = [];
  const slow: ObjectStore = {
    put: (key, body) => objects.put(key, body),
    delete: (key) => objects.delete(key),
    list: (prefix) => objects.list(prefix),
    head: (key) => objects.head(key),
    get: (key: string, options?: { range?: ByteRange; signal?: AbortSignal }) => {
      if (!options?.signal) return objects.get(key, options);
      signals.push(options.signal);
      return new Promise((_, reject) => {
        options.signal!.addEventListener('abort', () => reject(new Error('read canceled')));
      });
    },
  };
  const dataset = await openDataset(slow, 'sample.h5ad');
  const leaving = new AbortController();
  const reading = dataset.gene(0, leaving.signal);
  leaving.abort(new Error('gone'));
  await expect(reading).rejects.toThrow('gone');
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
});

test('a missing dataset is distinguished from an invalid id', async () => {
  const objects = new FileObjectStore(await temporaryRoot());
  await expect(openDataset(objects, 'none.h5ad')).rejects.toThrow(DatasetNotFound);
  for (const id of ['', '.hidden', '../x', 'a/b', 'a b', 'x'.repeat(121)]) {
    await expect(openDataset(objects, id)).rejects.toThrow(InvalidDatasetId);
  }
});

test('an independent Zarr reader sees the same matrix, columns and coordinates', async () => {
  const { root, matrix, dataset } = await sample();
  const folder = join(root, 'datasets', 'sample.h5ad');
  const read = async (path: string) => readFile(join(folder, path)).catch(() => undefined);
  const store = {
    get: (key: string) => read(key.slice(1)),
    getRange: async (key: string, range: { offset: number; length: number } | { suffixLength: number }) => {
      const bytes = await read(key.slice(1));
      if ('suffixLength' in range) return bytes?.subarray(-range.suffixLength);
      return bytes?.subarray(range.offset, range.offset + range.length);
    },
  };
  const group = zarr.root(store);
  const array = async (path: string) => {
    const opened = await zarr.open.v3(group.resolve(path), { kind: 'array' });
    return (await zarr.get(opened)).data as ArrayLike<unknown>;
  };
  expect(await array('X/data')).toEqual(matrix.values);
  expect(await array('X/indices')).toEqual(matrix.cells);
  expect(Array.from(await array('X/indptr'), Number)).toEqual([...matrix.shape.indptr]);
  expect(Array.from(await array('layers/counts/data'), Number)).toEqual(
    Array.from(matrix.values, Math.trunc),
  );
  expect(Array.from((await array('obs/barcode')) as ArrayLike<string>).slice(0, 2)).toEqual([
    'CELL-0',
    'CELL-1',
  ]);
  expect(await array('obsm/X_umap')).toEqual((await dataset.embedding('X_umap')).values);
  const opened = await zarr.open.v3(group.resolve('X'), { kind: 'group' });
  expect(opened.attrs).toEqual({
    'encoding-type': 'csc_matrix',
    'encoding-version': '0.1.0',
    shape: [40, 12],
  });
});

test('columns longer than a chunk are cut and joined again', async () => {
  const root = await temporaryRoot();
  const rows = 1_200_000;
  const values = Float64Array.from({ length: rows }, (_, i) => i);
  const names = packStrings(Array.from({ length: rows }, (_, i) => `c${i}`));
  const writer = await createDatasetWriter(root, 'long');
  await writer.obs({
    rowCount: rows,
    indexName: '_index',
    index: names,
    columns: new Map([
      ['order', { kind: 'numeric', dtype: 'float64', values }],
      ['name', { kind: 'string', strings: names }],
    ]),
  });
  await writer.var(sampleVar(1));
  const matrix = await writer.matrix('X', {
    cellCount: rows,
    geneCount: 1,
    indptr: Float64Array.of(0, 0),
    valueType: 'float32',
  });
  await matrix.close();
  await writer.publish({ ...description, expression: { ...description.expression, hasCounts: false } });
  const dataset = await openDataset(new FileObjectStore(root), 'long');
  const order = await dataset.obs('order');
  // `toEqual` of a million numbers takes longer than reading them.
  expect(order).toEqual({ kind: 'numeric', dtype: 'float64', values: expect.any(Float64Array) });
  const read = (order as NumericColumn).values as Float64Array;
  expect(read.length).toBe(rows);
  expect(read.findIndex((value, row) => value !== row)).toBe(-1);
  const name = await dataset.obs('name');
  expect(name.kind === 'string' && name.strings.bytes.length).toBe(names.bytes.length);
  expect(name.kind === 'string' && Buffer.compare(name.strings.bytes, names.bytes)).toBe(0);
  expect(denseValues(await dataset.gene(0)).length).toBe(rows);
});

test('some cells are read as they are in the whole columns, one read for each chunk', async () => {
  const { dataset } = await sample();
  const columns = dataset.obsColumnNames;
  const all = await dataset.cellRows({ from: 0, to: 40 }, { columns, embeddings: ['X_umap'] });
  for (const [place, name] of columns.entries()) {
    expect({ name, column: all.columns[place] }).toEqual({ name, column: await dataset.obs(name) });
  }
  const umap = await dataset.embedding('X_umap');
  expect(all.embeddings).toEqual([umap]);
  const { reads } = dataset.counters;
  const some = await dataset.cellRows(
    { from: 7, to: 19 },
    { columns: ['score', 'note'], embeddings: ['X_umap'] },
  );
  expect(dataset.counters.reads - reads).toBe(4);
  expect(unpackStrings(some.names)).toEqual(unpackStrings(all.names).slice(7, 19));
  const [score, note] = some.columns as [NumericColumn, StringColumn];
  expect(score.values).toEqual(((await dataset.obs('score')) as NumericColumn).values.slice(7, 19));
  expect(unpackStrings(note.strings)).toEqual(
    unpackStrings(((await dataset.obs('note')) as StringColumn).strings).slice(7, 19),
  );
  expect(some.embeddings[0]?.values).toEqual(umap.values.slice(14, 38));
  const before = dataset.counters.reads;
  const unnamed = await dataset.cellRows(
    { from: 7, to: 19 },
    { names: false, columns: ['score'], embeddings: [] },
  );
  expect(dataset.counters.reads - before).toBe(1);
  expect(unpackStrings(unnamed.names)).toEqual([]);
  const none = await dataset.cellRows({ from: 7, to: 7 }, { columns, embeddings: ['X_umap'] });
  expect(none.columns.map(rowsOf)).toEqual(columns.map(() => 0));
  expect(none.embeddings).toEqual([{ name: 'X_umap', dimensions: 2, values: new Float32Array(0) }]);
  await expect(dataset.cellRows({ from: 30, to: 41 }, { columns: [], embeddings: [] })).rejects.toThrow(
    RangeError,
  );
});

test('cells on both sides of the end of a chunk are read of both, and no others', async () => {
  const cellCount = (1 << 18) + 10;
  const root = await temporaryRoot();
  const writer = await createDatasetWriter(root, 'long.h5ad');
  await writer.obs({
    rowCount: cellCount,
    indexName: '_index',
    index: packStrings(Array.from({ length: cellCount }, (_, cell) => `c${cell}`)),
    columns: new Map(),
  });
  await writer.var(sampleVar(1));
  const values = Float32Array.from({ length: cellCount * 8 }, (_, i) => i % 1013);
  await writer.obsm({ name: 'X_umap', dimensions: 8, values });
  const shape = { cellCount, geneCount: 1, indptr: Float64Array.of(0, 0), valueType: 'float32' } as const;
  await (await writer.matrix('X', shape)).close();
  await writer.publish(description);
  const dataset = await openDataset(new FileObjectStore(root), 'long.h5ad');
  // The names have two chunks of equal length, the coordinates three.
  for (const [end, chunks] of [
    [131_077, 3],
    [87_385, 3],
    [10, 2],
  ] as const) {
    const { reads } = dataset.counters;
    const range = { from: end - 3, to: end + 4 };
    const { names, embeddings } = await dataset.cellRows(range, { columns: [], embeddings: ['X_umap'] });
    expect(unpackStrings(names)).toEqual(Array.from({ length: 7 }, (_, i) => `c${range.from + i}`));
    expect(embeddings[0]?.values).toEqual(values.slice(range.from * 8, range.to * 8));
    expect(dataset.counters.reads - reads).toBe(chunks);
  }
});

test('a damaged chunk of a column, of names or of coordinates is named in the error', async () => {
  const { root, objects } = await sample();
  const damage = async (path: string, change: (bytes: Buffer) => Buffer) => {
    const file = join(root, 'datasets', 'sample.h5ad', path);
    await writeFile(file, change(await readFile(file)));
  };
  const flipped = (bytes: Buffer) => (bytes.writeUInt8(bytes.readUInt8(20) ^ 4, 20), bytes);
  await damage('obs/n_counts/c/0', flipped);
  await damage('obs/barcode/c/0', flipped);
  // Sound frames, but of another size than the chunk has.
  await damage('obsm/X_umap/c/0/0', () => zstdCompressSync(Buffer.alloc(8)));
  await damage('obs/batch/c/0', () => zstdCompressSync(Buffer.alloc(1 << 20)));
  await rm(join(root, 'datasets', 'sample.h5ad', 'obs/score/c/0'));
  const dataset = await openDataset(objects, 'sample.h5ad');
  const none = { columns: [], embeddings: [] };
  for (const [path, read] of [
    ['obs/n_counts/c/0', () => dataset.obs('n_counts')],
    ['obs/barcode/c/0', () => dataset.cellRows({ from: 0, to: 1 }, none)],
    ['obsm/X_umap/c/0/0', () => dataset.embedding('X_umap')],
    ['obs/batch/c/0', () => dataset.obs('batch')],
    ['obs/score/c/0', () => dataset.obs('score')],
  ] as const) {
    await expect(read()).rejects.toMatchObject({ tag: 'DatasetDamaged', path });
  }
});

test('columns and embeddings whose names mean something in an address are read back', async () => {
  const root = await temporaryRoot();
  const names = ['% mito', 'doublet?', 'cluster #1', 'a%20b', 'c:\u00e9', '..x'];
  const writer = await createDatasetWriter(root, 'named');
  const column = (i: number): NumericColumn => ({
    kind: 'numeric',
    dtype: 'int16',
    values: Int16Array.of(i, -i),
  });
  await writer.obs({
    rowCount: 2,
    indexName: '_index',
    index: packStrings(['a', 'b']),
    columns: new Map(names.map((name, i) => [name, column(i)])),
  });
  await writer.var(sampleVar(1));
  const umap = { name: 'X_umap?50%', dimensions: 2, values: Float32Array.of(1, 2, 3, 4) };
  await writer.obsm(umap);
  const shape = { cellCount: 2, geneCount: 1, indptr: Float64Array.of(0, 0), valueType: 'float32' } as const;
  await (await writer.matrix('X', shape)).close();
  await writer.publish({ ...description, expression: { ...description.expression, hasCounts: false } });
  const dataset = await openDataset(new FileObjectStore(root), 'named');
  for (const [i, name] of names.entries()) expect(await dataset.obs(name)).toEqual(column(i));
  expect(await dataset.embedding(umap.name)).toEqual(umap);
});

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FileObjectStore } from '@cellfolio/bytes';
import { temporaryRoot } from '@cellfolio/bytes/testing';
import type { GeneBlock } from '@cellfolio/model';
import { expect, onTestFinished, test } from 'vitest';
import { crc32c } from './crc32c.ts';
import type { MatrixShape } from './shard-layout.ts';
import { DatasetDamaged, ShapeMismatch } from './errors.ts';
import type { DatasetManifest } from './manifest.ts';
import { MatrixReader } from './matrix-reader.ts';
import { shardIndexBytes, startMatrix } from './matrix-writer.ts';
import { ZarrReader } from './zarr-reader.ts';
import { ZarrWriter } from './zarr-writer.ts';
import { StagingFolder } from './publish/staging-folder.ts';
import { sampleMatrix } from './testing/sample-dataset.ts';

const genesOf = ({ firstGene }: GeneBlock) => ({ firstGene });

async function matrixWriter(shape: MatrixShape, lengths?: { inner: number; shard: number }) {
  const root = await temporaryRoot();
  const folder = await StagingFolder.create(join(root, 'datasets', 'm'));
  onTestFinished(() => folder.remove());
  const nodes = new ZarrWriter(folder);
  return { root, folder, nodes, writer: await startMatrix(folder, nodes, 'X', shape, { lengths }) };
}

/** A matrix cut into shards of 64 values in inner chunks of 16, so that genes cross both. */
async function cutMatrix() {
  const { shape, cells, values } = sampleMatrix(50, 20);
  const { root, folder, nodes, writer } = await matrixWriter(shape, { inner: 16, shard: 64 });
  await writer.write(cells, values);
  await writer.close();
  await nodes.writeRoot();
  await folder.settle();
  const reader = new ZarrReader(new FileObjectStore(root), 'm', 'datasets/m/');
  await reader.open({ files: Object.fromEntries(folder.files) });
  const { cellCount, geneCount } = shape;
  const manifest = { cellCount, geneCount, files: Object.fromEntries(folder.files) } as DatasetManifest;
  return { root, shape, cells, values, reader, matrix: await MatrixReader.open(reader, manifest, 'X') };
}

test('one gene costs at most one read for each array and shard: four in all, two inside a shard', async () => {
  const { shape, cells, values, reader, matrix } = await cutMatrix();
  let crossings = 0;
  for (let gene = 0; gene < shape.geneCount; gene++) {
    const [start, end] = [shape.indptr[gene]!, shape.indptr[gene + 1]!];
    const before = reader.counters.reads;
    const read = await matrix.gene(gene);
    expect(read.cells).toEqual(cells.slice(start, end));
    expect(read.values).toEqual(values.slice(start, end));
    const shards = start === end ? 0 : Math.floor((end - 1) / 64) - Math.floor(start / 64) + 1;
    if (shards === 2) crossings++;
    expect(reader.counters.reads - before).toBe(2 * shards);
    expect(shards).toBeLessThanOrEqual(2);
  }
  expect(crossings).toBeGreaterThan(1);
});

test('a read of one gene takes only the bytes of the inner chunks that it touches', async () => {
  const { shape, reader, matrix } = await cutMatrix();
  const before = reader.counters.bytes;
  await matrix.gene(0);
  // 15 or so values of 50 cells: one or two inner chunks of 16 four-byte values in each array, and their checksums.
  expect(shape.indptr[1]).toBeLessThan(32);
  expect(reader.counters.bytes - before).toBeLessThanOrEqual(2 * 2 * (16 * 4 + 4));
});

test('a walk over all entries checks them, whatever the cut', async () => {
  const { matrix } = await cutMatrix();
  await expect(matrix.checkRows()).resolves.toBeUndefined();
});

test('a block of genes costs one read for each array and shard that it touches, however many genes it has', async () => {
  const { shape, cells, values, reader, matrix } = await cutMatrix();
  const { indptr, geneCount, cellCount } = shape;
  let crossings = 0;
  for (const [from, to] of [
    [0, geneCount],
    [0, 1],
    [1, 2],
    [1, 9],
    [4, 4],
    [3, 20],
    [19, 20],
  ] as const) {
    const [start, end] = [indptr[from]!, indptr[to]!];
    const before = { ...reader.counters };
    const block = await matrix.block(from, to, (geneBlock) => structuredClone(geneBlock));
    expect(block).toEqual({
      cellCount,
      firstGene: from,
      starts: indptr.slice(from, to + 1).map((at) => at - start),
      cells: cells.slice(start, end),
      values: values.slice(start, end),
    });
    const shards = start === end ? 0 : Math.floor((end - 1) / 64) - Math.floor(start / 64) + 1;
    if (shards > 2) crossings++;
    expect(reader.counters.reads - before.reads).toBe(2 * shards);
    // No inner chunk is read twice: the bytes are at most those of both arrays, with their checksums.
    const chunks = start === end ? 0 : Math.floor((end - 1) / 16) - Math.floor(start / 16) + 1;
    expect(reader.counters.bytes - before.bytes).toBeLessThanOrEqual(2 * chunks * (16 * 4 + 4));
  }
  expect(crossings).toBeGreaterThan(1);
});

test.each([
  [-1, 3],
  [3, 2],
  [0, 21],
  [0.5, 3],
  [0, NaN],
])('a block of the genes %d to %d of 20 is a range error', async (from, to) => {
  const { matrix } = await cutMatrix();
  await expect(matrix.block(from, to, genesOf)).rejects.toThrow(RangeError);
});

test('single genes come in pieces that make them up, each inner chunk read once, whatever the number of genes in it', async () => {
  const { shape, cells, values, reader, matrix } = await cutMatrix();
  for (const rows of [[0], [1], [0, 2, 3, 11, 19], Array.from({ length: 20 }, (_, row) => row)]) {
    const collected = rows.map(() => ({ cells: [] as number[], values: [] as number[] }));
    const places: number[] = [];
    const before = { ...reader.counters };
    await matrix.pieces(Int32Array.from(rows), (place, pieceCells, pieceValues) => {
      places.push(place);
      collected[place]!.cells.push(...pieceCells);
      collected[place]!.values.push(...pieceValues);
    });
    rows.forEach((row, place) => {
      const [start, end] = [shape.indptr[row]!, shape.indptr[row + 1]!];
      expect(collected[place]!.cells).toEqual([...cells.subarray(start, end)]);
      expect(collected[place]!.values).toEqual([...values.subarray(start, end)]);
    });
    expect(places).toEqual([...places].sort((a, b) => a - b));
    const all = Math.ceil(values.length / 16);
    expect(reader.counters.bytes - before.bytes).toBeLessThanOrEqual(2 * all * (16 * 4 + 4));
    // One read for each array and shard at most, as seven inner chunks are read at once and a shard has four.
    expect(reader.counters.reads - before.reads).toBeLessThanOrEqual(2 * Math.ceil(values.length / 64));
  }
});

test('a flipped bit is noticed when single genes are read, also after others were handed over', async () => {
  const { root, matrix } = await cutMatrix();
  const path = join(root, 'datasets', 'm', 'X', 'data', 'c', '2');
  const damaged = await readFile(path);
  damaged[40]! ^= 4;
  await writeFile(path, damaged);
  const rows = Int32Array.from({ length: 20 }, (_, row) => row);
  await expect(matrix.pieces(rows, () => undefined)).rejects.toThrow('X/data/c/2');
});

test('a flipped bit in an inner chunk is noticed when a block of genes is read', async () => {
  const { root, matrix } = await cutMatrix();
  for (const array of ['indices', 'data']) {
    const path = join(root, 'datasets', 'm', 'X', array, 'c', '1');
    const sound = await readFile(path);
    const damaged = Buffer.from(sound);
    damaged[40]! ^= 4;
    await writeFile(path, damaged);
    await expect(matrix.block(0, 20, genesOf)).rejects.toThrow(DatasetDamaged);
    await expect(matrix.block(0, 20, genesOf)).rejects.toThrow(`X/${array}/c/1`);
    await writeFile(path, sound);
    await expect(matrix.block(0, 20, genesOf)).resolves.toMatchObject({ firstGene: 0 });
  }
});

test.each([
  ['fall', [1, 0, 2], 'gene 0 do not rise'],
  ['repeat', [0, 1, 2, 2], 'gene 1 do not rise'],
  ['leave the dataset', [0, 1, 2, 4], 'gene 1 do not rise inside'],
  ['are negative', [-1, 1, 2, 3], 'gene 0 do not rise'],
])('cells that %s are damage that a block of genes reports', async (_, cells, message) => {
  const indptr = Float64Array.of(0, 2, cells.length);
  const { root, folder, nodes, writer } = await matrixWriter({
    cellCount: 4,
    geneCount: 2,
    indptr,
    valueType: 'float32',
  });
  await writer.write(Int32Array.of(0, 1, 0, 1).subarray(0, cells.length), new Float32Array(cells.length));
  await writer.close();
  await nodes.writeRoot();
  await folder.settle();
  // Sound chunks with the wrong cells in them: what a broken writer, not a broken disk, leaves behind.
  const { frames, size } = oneChunkShard(Int32Array.from(cells));
  await writeFile(join(root, 'datasets', 'm', 'X', 'indices', 'c', '0'), frames);
  const reader = new ZarrReader(new FileObjectStore(root), 'm', 'datasets/m/');
  const files = Object.fromEntries(folder.files);
  await reader.open({ files });
  files['X/indices/c/0'] = { ...files['X/indices/c/0']!, size };
  const matrix = await MatrixReader.open(
    reader,
    { cellCount: 4, geneCount: 2, files } as DatasetManifest,
    'X',
  );
  await expect(matrix.block(0, 2, genesOf)).rejects.toThrow(DatasetDamaged);
  await expect(matrix.block(0, 2, genesOf)).rejects.toThrow(message);
  await expect(matrix.pieces(Int32Array.of(0, 1), () => undefined)).rejects.toThrow(message);
});

test('a cancelled block reads nothing more', async () => {
  const { matrix } = await cutMatrix();
  await expect(matrix.block(0, 20, genesOf, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
});

test('a gene outside the matrix is a range error', async () => {
  const { matrix } = await cutMatrix();
  for (const row of [-1, 20, 1.5]) await expect(matrix.gene(row)).rejects.toThrow(RangeError);
});

function oneChunkShard(rows: Int32Array) {
  const values = Buffer.from(rows.buffer);
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(crc32c(values));
  const frames = Buffer.concat([values, sum, shardIndexBytes(1, values.length + 4, 1)]);
  return { frames, size: frames.length };
}

const shape: MatrixShape = {
  cellCount: 4,
  geneCount: 2,
  indptr: Float64Array.of(0, 2, 3),
  valueType: 'float32',
};

test.each([
  ['too many entries', [0, 1, 2, 3], 'more than the 3 entries'],
  ['a cell twice in one gene', [1, 1, 0], 'gene 0 has cell 1 after 1'],
  ['falling cells', [2, 1, 0], 'gene 0 has cell 1 after 2'],
  ['a cell outside the dataset', [0, 4, 0], 'gene 0 has cell 4'],
  ['a negative cell', [-1, 1, 0], 'gene 0 has cell -1'],
])('entries with %s are refused', async (_, cells, message) => {
  const { writer } = await matrixWriter(shape);
  const writing = writer.write(Int32Array.from(cells), new Float32Array(cells.length));
  await expect(writing).rejects.toThrow(message);
});

test('entries in blocks that end inside a gene are checked across the blocks', async () => {
  const { writer } = await matrixWriter(shape);
  await writer.write(Int32Array.of(2), Float32Array.of(1));
  await expect(writer.write(Int32Array.of(1), Float32Array.of(1))).rejects.toThrow('cell 1 after 2');
});

test('fewer entries than announced are refused at the end', async () => {
  const { writer } = await matrixWriter(shape);
  await writer.write(Int32Array.of(0, 1), Float32Array.of(1, 2));
  await expect(writer.close()).rejects.toThrow('2 entries came, indptr announced 3');
});

test.each([
  ['of the wrong length', Float64Array.of(0, 3)],
  ['that do not start at 0', Float64Array.of(1, 2, 3)],
  ['that fall', Float64Array.of(0, 3, 2)],
  ['with more entries than cells', Float64Array.of(0, 5, 5)],
  ['that are not numbers', Float64Array.of(0, NaN, 3)],
])('positions %s are refused', async (_, indptr) => {
  await expect(matrixWriter({ ...shape, indptr })).rejects.toThrow(ShapeMismatch);
});

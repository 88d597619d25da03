import type { GeneBlock, GeneColumn } from '@cellfolio/model';
import { eachLimited } from './each-limited.ts';
import type { PlannedChunk, PlannedRead } from './gene-plan.ts';
import { planEntries } from './gene-plan.ts';
import type { DatasetManifest } from './manifest.ts';
import type { NodeReader } from './node-reader.ts';
import { bytesPerValue, numbersFromBytes } from './number-bytes.ts';
import { RisingRows } from './rising-rows.ts';
import type { ShardIndex } from './shard-index.ts';
import { parseShardIndex, shardIndexSize } from './shard-index.ts';
import type { ShardLayout } from './shard-layout.ts';
import { chunksPerShard, shardCount } from './shard-layout.ts';
import type { ZarrType } from './zarr-metadata.ts';
import { decompressed, decompressedHere } from './zstd.ts';

/** Shard indexes read at a time while a dataset is opened. */
const indexesAtOnce = 8;
/** Inner chunks decompressed at a time for one array of one gene: the libuv pool has four threads. */
const chunksAtOnce = 4;

interface ShardedArray {
  readonly path: string;
  readonly type: Exclude<ZarrType, 'string'>;
  readonly layout: ShardLayout;
  readonly shards: readonly ShardIndex[];
}

/** A gene-major matrix whose positions and shard indexes are in memory: 8 bytes a gene and 12 an inner chunk. */
export class MatrixReader {
  readonly path: string;
  readonly cellCount: number;
  readonly geneCount: number;
  readonly indptr: Float64Array;
  readonly #nodes: NodeReader;
  readonly #indices: ShardedArray;
  readonly #data: ShardedArray;

  private constructor(
    nodes: NodeReader,
    path: string,
    shape: readonly [number, number],
    parts: { indptr: Float64Array; indices: ShardedArray; data: ShardedArray },
  ) {
    this.#nodes = nodes;
    this.path = path;
    [this.cellCount, this.geneCount] = shape;
    this.indptr = parts.indptr;
    this.#indices = parts.indices;
    this.#data = parts.data;
  }

  /** Reads the positions and, once and for all, the shard indexes. Throws DatasetDamaged. */
  static async open(nodes: NodeReader, manifest: DatasetManifest, path: string): Promise<MatrixReader> {
    const { 'encoding-type': encoding, shape } = nodes.attributes(path);
    if (encoding !== 'csc_matrix' || !Array.isArray(shape))
      throw nodes.damaged(path, 'it is not a CSC matrix');
    const [cellCount, geneCount] = shape as [number, number];
    if (cellCount !== manifest.cellCount || geneCount !== manifest.geneCount) {
      throw nodes.damaged(path, `its shape ${cellCount} x ${geneCount} is not that of the dataset`);
    }
    const positions = await nodes.numbers(`${path}/indptr`);
    const indptr = Float64Array.from(positions.values);
    const fault = faultOfPositions(indptr, cellCount, geneCount);
    if (fault) throw nodes.damaged(`${path}/indptr`, fault);
    const valueCount = indptr[geneCount]!;
    const indices = await openSharded(nodes, manifest, `${path}/indices`, valueCount);
    if (indices.type !== 'int32') throw nodes.damaged(indices.path, 'the rows are not 32-bit integers');
    const data = await openSharded(nodes, manifest, `${path}/data`, valueCount);
    return new MatrixReader(nodes, path, [cellCount, geneCount], { indptr, indices, data });
  }

  /** Entries of one gene, one range read for each array and shard. Throws RangeError, DatasetDamaged. */
  async gene(row: number, signal?: AbortSignal): Promise<GeneColumn> {
    if (!Number.isInteger(row) || row < 0 || row >= this.geneCount) {
      throw new RangeError(`there is no gene ${row} among ${this.geneCount}`);
    }
    const start = this.indptr[row]!;
    const end = this.indptr[row + 1]!;
    const cells = new Int32Array(end - start);
    const values = new Float32Array(end - start);
    await Promise.all([
      this.#read(this.#indices, start, end, cells, signal),
      this.#read(this.#data, start, end, values, signal),
    ]);
    let previous = -1;
    for (let i = 0; i < cells.length; i++) {
      const cell = cells[i]!;
      if (cell <= previous || cell >= this.cellCount) {
        throw this.#nodes.damaged(
          this.#indices.path,
          `the cells of gene ${row} do not rise inside the dataset`,
        );
      }
      previous = cell;
    }
    return { cellCount: this.cellCount, cells, values };
  }

  /**
   * Entries of the genes [from, to): one range read for each array and shard that they touch. Inner chunks are
   * decompressed on the calling thread. Throws RangeError, DatasetDamaged.
   */
  async block(from: number, to: number, signal?: AbortSignal): Promise<GeneBlock> {
    if (!(
      Number.isInteger(from) &&
      Number.isInteger(to) &&
      0 <= from &&
      from <= to &&
      to <= this.geneCount
    )) {
      throw new RangeError(`there are no genes ${from} to ${to} among ${this.geneCount}`);
    }
    const start = this.indptr[from]!;
    const end = this.indptr[to]!;
    const cells = new Int32Array(end - start);
    const values = new Float32Array(end - start);
    await Promise.all([
      this.#read(this.#indices, start, end, cells, signal, 'here'),
      this.#read(this.#data, start, end, values, signal, 'here'),
    ]);
    const starts = this.indptr.slice(from, to + 1);
    for (let i = 0; i < starts.length; i++) starts[i]! -= start;
    const fault = faultOfRows(starts, cells, this.cellCount);
    if (fault !== undefined) {
      throw this.#nodes.damaged(
        this.#indices.path,
        `the cells of gene ${from + fault} do not rise inside the dataset`,
      );
    }
    return { cellCount: this.cellCount, firstGene: from, starts, cells, values };
  }

  /** Walks all entries in order and checks that their cells rise. Throws DatasetDamaged. */
  async checkRows(signal?: AbortSignal): Promise<void> {
    const rows = new RisingRows(this.indptr, this.cellCount);
    const valueCount = this.indptr[this.geneCount]!;
    // Whole inner chunks, so that none is decompressed twice.
    const step = this.#indices.layout.innerLength * 32;
    for (let start = 0; start < valueCount; start += step) {
      const end = Math.min(valueCount, start + step);
      const cells = new Int32Array(end - start);
      await this.#read(this.#indices, start, end, cells, signal);
      const fault = rows.fault(cells);
      if (fault) throw this.#nodes.damaged(this.#indices.path, fault);
    }
  }

  async #read(
    array: ShardedArray,
    start: number,
    end: number,
    into: Int32Array | Float32Array,
    signal: AbortSignal | undefined,
    decode: 'here' | 'pool' = 'pool',
  ): Promise<void> {
    let reads: PlannedRead[];
    try {
      reads = planEntries(array.layout, array.shards, start, end);
    } catch (cause) {
      throw this.#nodes.damaged(array.path, 'a part of it is not stored', cause);
    }
    await Promise.all(reads.map((read) => this.#readShard(array, read, into, signal, decode)));
  }

  async #readShard(
    array: ShardedArray,
    read: PlannedRead,
    into: Int32Array | Float32Array,
    signal: AbortSignal | undefined,
    decode: 'here' | 'pool',
  ): Promise<void> {
    const path = `${array.path}/c/${read.shard}`;
    const bytes = await this.#nodes.bytes(path, { range: read.range, signal });
    const size = array.layout.innerLength * bytesPerValue(array.type);
    const frame = ({ offset, length }: PlannedChunk) => bytes.subarray(offset, offset + length);
    const place = (chunk: PlannedChunk, decoded: Uint8Array) =>
      into.set(numbersFromBytes(array.type, decoded).subarray(chunk.from, chunk.to), chunk.into);
    const damaged = (cause: unknown) =>
      this.#nodes.damaged(path, 'an inner chunk cannot be decompressed', cause);
    signal?.throwIfAborted();
    if (decode === 'here') {
      for (const chunk of read.chunks) {
        let decoded: Uint8Array;
        try {
          decoded = decompressedHere(frame(chunk), size);
        } catch (cause) {
          throw damaged(cause);
        }
        place(chunk, decoded);
      }
      return;
    }
    await eachLimited(read.chunks.length, chunksAtOnce, async (i) => {
      signal?.throwIfAborted();
      const chunk = read.chunks[i]!;
      const decoded = await decompressed(frame(chunk), size).catch((cause: unknown) => {
        throw damaged(cause);
      });
      place(chunk, decoded);
    });
  }
}

/** The first gene, if any, whose cells do not rise from 0 to below cellCount. One comparison an entry. */
function faultOfRows(starts: Float64Array, cells: Int32Array, cellCount: number): number | undefined {
  for (let gene = 0; gene + 1 < starts.length; gene++) {
    const end = starts[gene + 1]! | 0;
    let previous = -1;
    let rising = true;
    for (let i = starts[gene]! | 0; i < end; i++) {
      const cell = cells[i]!;
      if (cell <= previous) rising = false;
      previous = cell;
    }
    if (!rising || previous >= cellCount) return gene;
  }
  return undefined;
}

function faultOfPositions(indptr: Float64Array, cellCount: number, geneCount: number): string | undefined {
  if (indptr.length !== geneCount + 1) return `it has ${indptr.length} positions for ${geneCount} genes`;
  if (indptr[0] !== 0) return 'it does not start at 0';
  for (let gene = 0; gene < geneCount; gene++) {
    const length = indptr[gene + 1]! - indptr[gene]!;
    if (length < 0) return `it falls at gene ${gene}`;
    if (length > cellCount) return `gene ${gene} has more entries than there are cells`;
  }
  return undefined;
}

async function openSharded(
  nodes: NodeReader,
  manifest: DatasetManifest,
  path: string,
  valueCount: number,
): Promise<ShardedArray> {
  const metadata = nodes.array(path);
  const type = metadata.data_type;
  const [codec] = metadata.codecs;
  const inner = codec?.configuration?.['chunk_shape'] as number[] | undefined;
  const innerLength = inner?.[0];
  const shardLength = metadata.chunk_grid.configuration.chunk_shape[0];
  if (type === 'string' || codec?.name !== 'sharding_indexed' || !innerLength || !shardLength) {
    throw nodes.damaged(path, 'it is not a sharded array of numbers');
  }
  if (metadata.shape.length !== 1 || metadata.shape[0] !== valueCount) {
    throw nodes.damaged(path, `it does not have the ${valueCount} entries that indptr announces`);
  }
  const layout: ShardLayout = { valueCount, innerLength, shardLength };
  const shards = new Array<ShardIndex>(shardCount(layout));
  const length = shardIndexSize(chunksPerShard(layout));
  await eachLimited(shards.length, indexesAtOnce, async (shard) => {
    const file = `${path}/c/${shard}`;
    const size = manifest.files[file]?.size;
    if (size === undefined || size < length) throw nodes.damaged(file, 'the manifest does not know it');
    const bytes = await nodes.bytes(file, { range: { offset: size - length, length } });
    try {
      shards[shard] = parseShardIndex(bytes, size);
    } catch (cause) {
      throw nodes.damaged(file, 'its index cannot be read', cause);
    }
  });
  return { path, type, layout, shards };
}

import type { NumericArray, WideIntegers } from '@cellfolio/model';
import { checksumBytes } from './chunk-buffers.ts';
import { crc32c } from './crc32c.ts';
import { numbers } from './encode-column.ts';
import { ShapeMismatch } from './errors.ts';
import type { ZarrWriter } from './zarr-writer.ts';
import { asType, bytesPerValue, numbersFromBytes } from './numeric-arrays.ts';
import type { StagingFile, StagingFolder } from './publish/staging-folder.ts';
import { chunkBytes, chunksPerShard, type ShardLayout, shardLayout } from './sharded-array.ts';
import { SortedIndexCheck } from './sorted-index-check.ts';
import { groupMetadata, shardedArray } from './zarr-metadata.ts';

/** Shape of a gene-major sparse matrix (CSC of cells x genes) before its entries are known. */
export interface MatrixShape {
  readonly cellCount: number;
  readonly geneCount: number;
  /** geneCount + 1 positions: gene g has the entries [indptr[g], indptr[g + 1]). */
  readonly indptr: Float64Array;
  readonly valueType: 'float32' | 'float64' | 'int32' | 'uint32' | 'int64';
}

/** Takes the entries of a matrix gene after gene, in blocks of any size. */
export interface MatrixWriter {
  /**
   * The next entries: rising cell rows within a gene, and their values. Resolves when the caller may
   * reuse both arrays; waits while earlier blocks are being compressed and written.
   */
  write(cells: Int32Array, values: Float32Array | Float64Array | Int32Array): Promise<void>;
  /** Throws where fewer or more entries came than indptr says. */
  close(): Promise<void>;
}

interface MatrixWriterOptions {
  readonly lengths?: { readonly inner: number; readonly shard: number } | undefined;
  /** Sees all entries, checked, while the cache of the processor still holds them. */
  readonly onEntries?: ((cells: Int32Array, values: NumericArray) => void) | undefined;
}

/** Starts a CSC matrix of cells x genes. Throws ShapeMismatch for an impossible shape. */
export async function startMatrix(
  folder: StagingFolder,
  nodes: ZarrWriter,
  path: string,
  shape: MatrixShape,
  { lengths, onEntries }: MatrixWriterOptions = {},
): Promise<MatrixWriter> {
  const layout = shardLayout(...checkedShape(path, shape), lengths);
  await nodes.declare(
    path,
    groupMetadata({
      'encoding-type': 'csc_matrix',
      'encoding-version': '0.1.0',
      shape: [shape.cellCount, shape.geneCount],
    }),
  );
  // scipy refuses to work on a matrix whose two index arrays differ in type, and anndata hands it what it reads.
  const positionType = layout.valueCount <= 0x7fff_ffff ? 'int32' : 'int64';
  await nodes.write(numbers(`${path}/indptr`, positionType, shape.indptr, [shape.indptr.length], {}));
  await nodes.declare(`${path}/indices`, shardedArray('int32', layout.valueCount, layout));
  await nodes.declare(`${path}/data`, shardedArray(shape.valueType, layout.valueCount, layout));
  return new CscWriter(folder, path, shape, layout, onEntries);
}

/** Number of entries and entries of the largest gene. */
function checkedShape(path: string, { cellCount, geneCount, indptr }: MatrixShape): [number, number] {
  if (indptr.length !== geneCount + 1)
    throw new ShapeMismatch(`${path}/indptr`, `not ${geneCount} + 1 positions`);
  if (cellCount > 0x7fff_ffff) throw new ShapeMismatch(path, `more cells than 32-bit row numbers can count`);
  if (indptr[0] !== 0) throw new ShapeMismatch(`${path}/indptr`, 'does not start at 0');
  let largest = 0;
  for (let gene = 0; gene < geneCount; gene++) {
    const length = indptr[gene + 1]! - indptr[gene]!;
    if (!(length >= 0 && length <= cellCount)) {
      throw new ShapeMismatch(`${path}/indptr`, `gene ${gene} has ${length} entries in ${cellCount} cells`);
    }
    if (length > largest) largest = length;
  }
  return [indptr[geneCount]!, largest];
}

class CscWriter implements MatrixWriter {
  readonly #path: string;
  readonly #shape: MatrixShape;
  readonly #layout: ShardLayout;
  readonly #indices: ShardedArrayWriter;
  readonly #data: ShardedArrayWriter;
  #cells: Int32Array;
  /** 64-bit integers are gathered as float64 and turned into bytes at the end of each inner chunk. */
  #values: NumericArray;
  #filled = 0;
  #written = 0;
  readonly #rows: SortedIndexCheck;
  readonly #onEntries: MatrixWriterOptions['onEntries'];

  constructor(
    folder: StagingFolder,
    path: string,
    shape: MatrixShape,
    layout: ShardLayout,
    onEntries: MatrixWriterOptions['onEntries'],
  ) {
    this.#onEntries = onEntries;
    this.#path = path;
    this.#shape = shape;
    this.#layout = layout;
    this.#rows = new SortedIndexCheck(shape.indptr, shape.cellCount);
    this.#indices = new ShardedArrayWriter(folder, `${path}/indices`, layout, 4);
    this.#data = new ShardedArrayWriter(folder, `${path}/data`, layout, bytesPerValue(shape.valueType));
    this.#cells = numbersFromBytes('int32', this.#indices.block()) as Int32Array;
    this.#values = this.#valueBlock();
  }

  async write(cells: Int32Array, values: Float32Array | Float64Array | Int32Array): Promise<void> {
    if (cells.length !== values.length) {
      throw new ShapeMismatch(this.#path, `${cells.length} cells and ${values.length} values in one block`);
    }
    if (this.#written + cells.length > this.#layout.valueCount) {
      throw new ShapeMismatch(this.#path, `more than the ${this.#layout.valueCount} entries of indptr`);
    }
    const { innerLength } = this.#layout;
    for (let at = 0; at < cells.length;) {
      const take = Math.min(cells.length - at, innerLength - this.#filled);
      const { cells: taken, values: theirs } = this.#room(take);
      taken.set(cells.subarray(at, at + take));
      theirs.set(values.subarray(at, at + take));
      // Readers rely on rising rows: a source that breaks that must not be stored.
      const fault = this.#rows.fault(taken);
      if (fault) throw new ShapeMismatch(`${this.#path}/indices`, fault);
      this.#onEntries?.(taken, theirs);
      this.#filled += take;
      this.#written += take;
      at += take;
      if (this.#filled === innerLength) await this.#pushBlocks();
    }
  }

  async close(): Promise<void> {
    if (this.#written !== this.#layout.valueCount) {
      throw new ShapeMismatch(
        this.#path,
        `${this.#written} entries came, indptr announced ${this.#layout.valueCount}`,
      );
    }
    if (this.#filled > 0) {
      this.#cells.fill(0, this.#filled);
      this.#values.fill(0, this.#filled);
      await this.#pushBlocks();
    }
    await Promise.all([this.#indices.close(), this.#data.close()]);
  }

  /** For the next entries of the block at hand. */
  #room(count: number): { cells: Int32Array; values: NumericArray } {
    const end = this.#filled + count;
    return {
      cells: this.#cells.subarray(this.#filled, end),
      values: this.#values.subarray(this.#filled, end),
    };
  }

  async #pushBlocks(): Promise<void> {
    const { valueType } = this.#shape;
    if (valueType === 'int64') {
      const block = this.#data.block();
      block.set(bytesOf(asType(valueType, this.#values)));
      await this.#data.push(block);
    } else await this.#data.push(bytesOf(this.#values));
    await this.#indices.push(bytesOf(this.#cells));
    this.#cells = numbersFromBytes('int32', this.#indices.block()) as Int32Array;
    if (valueType !== 'int64') this.#values = this.#valueBlock();
    this.#filled = 0;
  }

  #valueBlock(): NumericArray {
    const { valueType } = this.#shape;
    if (valueType === 'int64') return new Float64Array(this.#layout.innerLength);
    return numbersFromBytes(valueType, this.#data.block());
  }
}

function bytesOf(values: NumericArray | WideIntegers): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

/** Bytes gathered before they go to the file; as many again may be on their way to it. */
const writeSize = 1 << 20;

/** Appends inner chunks with their checksums to the shards of one array, in order. */
class ShardedArrayWriter {
  readonly #folder: StagingFolder;
  readonly #path: string;
  readonly #chunksPerShard: number;
  readonly #chunkBytes: number;
  readonly #free: Uint8Array[] = [];
  #writing: Promise<void> = Promise.resolve();
  #file: StagingFile | undefined;
  #shard = 0;
  /** Chunks of the shard at hand. */
  #chunks = 0;
  #gathered: Uint8Array[] = [];

  constructor(folder: StagingFolder, path: string, layout: ShardLayout, bytesPerValue: number) {
    this.#folder = folder;
    this.#path = path;
    this.#chunksPerShard = chunksPerShard(layout);
    this.#chunkBytes = chunkBytes(layout, bytesPerValue);
  }

  /** Memory for the values of one inner chunk, to be filled and pushed. Its old content is undefined. */
  block(): Uint8Array {
    const whole = this.#free.pop() ?? new Uint8Array(this.#chunkBytes);
    return whole.subarray(0, -checksumBytes);
  }

  /** Takes the next inner chunk, filled memory of `block`. Resolves when there is room for a further one. */
  async push(block: Uint8Array): Promise<void> {
    const chunk = new Uint8Array(block.buffer as ArrayBuffer);
    new DataView(chunk.buffer).setUint32(block.length, crc32c(block), true);
    this.#file ??= await this.#folder.create(`${this.#path}/c/${this.#shard}`);
    this.#gathered.push(chunk);
    this.#chunks++;
    if (this.#chunks === this.#chunksPerShard) await this.#finishShard(this.#file);
    else if (this.#gathered.length * this.#chunkBytes >= writeSize) await this.#flush(this.#file);
  }

  /** Resolves when the last shard is complete. Throws what writing threw. */
  async close(): Promise<void> {
    if (this.#file) await this.#finishShard(this.#file);
  }

  /** Waits for what was gathered before, while this is gathered: the disk works while the next chunks are filled. */
  async #flush(file: StagingFile): Promise<void> {
    await this.#writing;
    const pieces = this.#gathered;
    this.#gathered = [];
    this.#writing = file.append(pieces).then(() => void this.#free.push(...pieces));
    // Thrown where it is waited for.
    this.#writing.catch(() => undefined);
  }

  async #finishShard(file: StagingFile): Promise<void> {
    await this.#flush(file);
    await this.#writing;
    await file.append([shardIndexBytes(this.#chunks, this.#chunkBytes, this.#chunksPerShard)]);
    await file.close();
    this.#file = undefined;
    this.#chunks = 0;
    this.#shard++;
  }
}

const absent = 0xffff_ffff_ffff_ffffn;

/**
 * The index at the end of a shard (Zarr v3, "sharding_indexed"): pairs of offset and length for inner chunks of the same
 * length, appended one after the other, and for those that are not there; then its CRC-32C.
 */
export function shardIndexBytes(chunks: number, chunkBytes: number, chunksPerShard: number): Uint8Array {
  const out = new Uint8Array(chunksPerShard * 16 + 4);
  const view = new DataView(out.buffer);
  for (let i = 0; i < chunksPerShard; i++) {
    view.setBigUint64(i * 16, i < chunks ? BigInt(i * chunkBytes) : absent, true);
    view.setBigUint64(i * 16 + 8, i < chunks ? BigInt(chunkBytes) : absent, true);
  }
  view.setUint32(out.length - 4, crc32c(out.subarray(0, -4)), true);
  return out;
}

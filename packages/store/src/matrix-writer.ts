import { createHash } from 'node:crypto';
import { checksumBytes } from './chunk-buffers.ts';
import { crc32c } from './crc32c.ts';
import { numbers } from './encode-column.ts';
import type { EntrySums } from './entry-sums.ts';
import {
  arrayNames,
  EntryWriter,
  type EntryTarget,
  type Seam,
  type ShardFile,
  type ShardFiles,
  writeChecksum,
  writeWhole,
  type WrittenChunks,
} from './entry-writer.ts';
import { ShapeMismatch } from './errors.ts';
import type { ZarrWriter } from './zarr-writer.ts';
import { bytesPerValue } from './numeric-arrays.ts';
import type { PlacedFile, StagingFolder } from './publish/staging-folder.ts';
import {
  chunkBytes,
  chunkCount,
  chunksOfShard,
  chunksPerShard,
  type MatrixShape,
  type ShardLayout,
  shardLayout,
} from './shard-layout.ts';
import type { StatisticsTarget } from './statistics/gene-tally.ts';
import { groupMetadata, shardedArray } from './zarr-metadata.ts';

export interface MatrixWriter {
  /**
   * Next entries, gene by gene, in blocks of any size: rising cell rows within a gene, and their values. Resolves when
   * the caller may reuse both arrays.
   */
  write(cells: Int32Array, values: Float32Array | Float64Array | Int32Array): Promise<void>;
  /**
   * Throws if the number of entries differs from indptr. The stored entries must have these sums when the dataset is
   * published; without them only the checksums of its chunks are verified.
   */
  close(sums?: EntrySums): Promise<void>;
  /** For threads that write the entries themselves, instead of `write`. Absent if all entries must pass here. */
  readonly parts?: MatrixParts;
}

/**
 * Parallel writing, with an EntryWriter of `target` per thread: a part is a run of whole genes. A failed part must have
 * ended before the dataset is discarded.
 */
export interface MatrixParts {
  readonly target: EntryTarget;
  /** Opens the files of the entries [position, position + count). Throws StoreWriteFailed. */
  open(position: number, count: number): Promise<ShardFiles>;
  done(part: WrittenPart): Promise<void>;
}

export interface WrittenPart {
  readonly written: WrittenChunks;
  readonly seams: readonly Seam[];
}

interface MatrixWriterOptions {
  lengths?: { inner: number; shard: number } | undefined;
  statistics?: StatisticsTarget | undefined;
}

/** Starts a CSC matrix of cells x genes. Throws ShapeMismatch for an invalid shape. */
export async function startMatrix(
  folder: StagingFolder,
  nodes: ZarrWriter,
  path: string,
  shape: MatrixShape,
  { lengths, statistics }: MatrixWriterOptions = {},
): Promise<MatrixWriter> {
  const layout = shardLayout(...checkedShape(path, shape), lengths);
  const { cellCount, geneCount, valueType, indptr } = shape;
  await nodes.declare(
    path,
    groupMetadata({
      'encoding-type': 'csc_matrix',
      'encoding-version': '0.1.0',
      shape: [cellCount, geneCount],
    }),
  );
  // scipy refuses to work on a matrix whose two index arrays differ in type, and anndata hands it what it reads.
  const positionType = layout.valueCount <= 0x7fff_ffff ? 'int32' : 'int64';
  await nodes.write(numbers(`${path}/indptr`, positionType, indptr, [indptr.length], {}));
  await nodes.declare(`${path}/indices`, shardedArray('int32', layout.valueCount, layout));
  await nodes.declare(`${path}/data`, shardedArray(valueType, layout.valueCount, layout));
  const sums = () => new Uint32Array(new SharedArrayBuffer(4 * chunkCount(layout)));
  const checksums = [sums(), sums()] as const;
  return new CscWriter(folder, { path, indptr, cellCount, valueType, layout, checksums, statistics });
}

/** Number of entries, and of entries of the largest gene. Throws ShapeMismatch. */
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

interface OpenShard {
  files: readonly [PlacedFile, PlacedFile];
  missing: number;
}

interface SharedChunk {
  stored: readonly [Uint8Array, Uint8Array];
  missing: number;
}

class CscWriter implements MatrixWriter, MatrixParts {
  readonly target: EntryTarget;
  readonly #folder: StagingFolder;
  readonly #layout: ShardLayout;
  readonly #widths: readonly [number, number];
  readonly #shards = new Map<number, Promise<OpenShard>>();
  readonly #shared = new Map<number, SharedChunk>();
  #own: EntryWriter | undefined;
  #written = 0;

  constructor(folder: StagingFolder, target: EntryTarget) {
    this.#folder = folder;
    this.target = target;
    this.#layout = target.layout;
    this.#widths = [4, bytesPerValue(target.valueType)];
  }

  get parts(): MatrixParts {
    return this;
  }

  async write(cells: Int32Array, values: Float32Array | Float64Array | Int32Array): Promise<void> {
    const { path } = this.target;
    if (cells.length !== values.length) {
      throw new ShapeMismatch(path, `${cells.length} cells and ${values.length} values in one block`);
    }
    if (!this.#own) {
      this.#own = new EntryWriter(this.target);
      this.#own.begin(0);
    }
    const files = await this.open(this.#written, cells.length);
    this.#own.add(cells, values, files);
    this.#written += cells.length;
    await this.#take({ written: this.#own.flush(), seams: [] });
  }

  async open(position: number, count: number): Promise<ShardFiles> {
    const { shardLength, valueCount } = this.#layout;
    if (position + count > valueCount)
      throw new ShapeMismatch(this.target.path, `more than the ${valueCount} entries of indptr`);
    const shardFiles = new Map<number, readonly [ShardFile, ShardFile]>();
    const end = count > 0 ? position + count : 0;
    for (let shard = Math.floor(position / shardLength); shard * shardLength < end; shard++) {
      const [indices, data] = (await this.#shard(shard)).files;
      shardFiles.set(shard, [indices.place, data.place]);
    }
    return shardFiles;
  }

  async done({ written, seams }: WrittenPart): Promise<void> {
    this.#written += (written.to - written.from) * this.#layout.innerLength;
    for (const { count } of seams) this.#written += count;
    await this.#take({ written, seams });
  }

  async close(): Promise<void> {
    if (this.#own) await this.#take(this.#own.end());
    if (this.#written !== this.#layout.valueCount) {
      throw new ShapeMismatch(
        this.target.path,
        `${this.#written} entries came, indptr announced ${this.#layout.valueCount}`,
      );
    }
  }

  async #take({ written, seams }: WrittenPart): Promise<void> {
    const perShard = chunksPerShard(this.#layout);
    for (let from = written.from; from < written.to;) {
      const shard = Math.floor(from / perShard);
      const to = Math.min(written.to, (shard + 1) * perShard);
      await this.#arrived(shard, to - from);
      from = to;
    }
    for (const seam of seams) await this.#join(seam);
  }

  async #join({ position, count, bytes }: Seam): Promise<void> {
    const { innerLength, valueCount } = this.#layout;
    const chunk = Math.floor(position / innerLength);
    let shared = this.#shared.get(chunk);
    if (!shared) {
      // The last chunk is stored whole, with zeros.
      const stored = (width: number) => new Uint8Array(chunkBytes(this.#layout, width));
      const missing = Math.min(innerLength, valueCount - chunk * innerLength);
      shared = { stored: [stored(this.#widths[0]), stored(this.#widths[1])], missing };
      this.#shared.set(chunk, shared);
    }
    const at = position - chunk * innerLength;
    shared.stored.forEach((stored, i) => stored.set(bytes[i]!, at * this.#widths[i]!));
    shared.missing -= count;
    if (shared.missing > 0) return;
    this.#shared.delete(chunk);
    const perShard = chunksPerShard(this.#layout);
    const shard = Math.floor(chunk / perShard);
    const { files } = await this.#shard(shard);
    shared.stored.forEach((stored, i) => {
      const sum = crc32c(stored.subarray(0, -checksumBytes));
      this.target.checksums[i]![chunk] = sum;
      writeChecksum(stored, sum);
      writeWhole(files[i]!.place, [stored], (chunk - shard * perShard) * stored.length);
    });
    await this.#arrived(shard, 1);
  }

  #shard(shard: number): Promise<OpenShard> {
    let open = this.#shards.get(shard);
    if (!open) {
      open = this.#openShard(shard);
      this.#shards.set(shard, open);
    }
    return open;
  }

  async #openShard(shard: number): Promise<OpenShard> {
    const open = (name: string) => this.#folder.place(`${this.target.path}/${name}/c/${shard}`);
    const files = [await open(arrayNames[0]), await open(arrayNames[1])] as const;
    return { files, missing: chunksOfShard(this.#layout, shard) };
  }

  /** Counts chunks of a shard as written; after the last ones, appends the index. */
  async #arrived(shard: number, chunks: number): Promise<void> {
    const open = await this.#shard(shard);
    open.missing -= chunks;
    if (open.missing > 0) return;
    this.#shards.delete(shard);
    const perShard = chunksPerShard(this.#layout);
    const count = chunksOfShard(this.#layout, shard);
    const first = shard * perShard;
    for (const [i, file] of open.files.entries()) {
      const bytes = chunkBytes(this.#layout, this.#widths[i]!);
      const index = shardIndexBytes(count, bytes, perShard);
      writeWhole(file.place, [index], count * bytes);
      const sha256 = shardDigest(this.target.checksums[i]!.subarray(first, first + count), index);
      await file.close({ size: count * bytes + index.length, sha256, chunks: { count, bytes } });
    }
  }
}

/**
 * Digest of a shard: the SHA-256 of the CRC-32C of each of its chunks, 32-bit little-endian, and of the bytes after the
 * last of them. The checksums already exist, so that a gigabyte need not be read again.
 */
function shardDigest(checksums: Uint32Array, rest: Uint8Array): string {
  const hash = createHash('sha256');
  hash.update(new Uint8Array(checksums.buffer, checksums.byteOffset, checksums.byteLength));
  return hash.update(rest).digest('hex');
}

const absent = 0xffff_ffff_ffff_ffffn;

/**
 * Index at the end of a shard (Zarr v3, "sharding_indexed"): pairs of offset and length for consecutive inner chunks of
 * equal length, and for missing ones; then its CRC-32C.
 */
export function shardIndexBytes(chunks: number, chunkBytes: number, chunksPerShard: number): Uint8Array {
  const out = new Uint8Array(chunksPerShard * 16 + 4);
  const view = new DataView(out.buffer);
  for (let i = 0; i < chunksPerShard; i++) {
    view.setBigUint64(i * 16, i < chunks ? BigInt(i * chunkBytes) : absent, true);
    view.setBigUint64(i * 16 + 8, i < chunks ? BigInt(chunkBytes) : absent, true);
  }
  writeChecksum(out, crc32c(out.subarray(0, -checksumBytes)));
  return out;
}

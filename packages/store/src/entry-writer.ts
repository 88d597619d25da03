import { writevSync } from 'node:fs';
import { StoreWriteFailed } from '@cellfolio/bytes/worker-errors';
import { fixedMemory, type WasmMemory } from '@cellfolio/kernels';
import type { NumericArray } from '@cellfolio/model';
import { checksumBytes } from './chunk-buffers.ts';
import { Crc32c, scratchBytes } from './crc32c.ts';
import { ShapeMismatch } from './errors.ts';
import { asType, bytesPerValue, numbersFromBytes } from './numeric-arrays.ts';
import { chunksPerShard, type MatrixShape, type ShardLayout } from './shard-layout.ts';
import { SortedIndexCheck } from './sorted-index-check.ts';
import { GeneTally, type StatisticsTarget } from './statistics/gene-tally.ts';

export const arrayNames = ['indices', 'data'] as const;

/** Destination of a matrix's entries. Plain data over shared memory, usable in any thread of the process. */
export interface EntryTarget {
  readonly path: string;
  readonly indptr: Float64Array;
  readonly cellCount: number;
  readonly valueType: MatrixShape['valueType'];
  readonly layout: ShardLayout;
  /** CRC-32C of every chunk of both arrays; filled by the writer of the chunk. */
  readonly checksums: readonly [Uint32Array, Uint32Array];
  readonly statistics?: StatisticsTarget | undefined;
}

/** An open file; its descriptor is valid in every thread of the process. */
export interface ShardFile {
  descriptor: number;
  path: string;
}

/** The two files of each shard, in the order of `arrayNames`. */
export type ShardFiles = ReadonlyMap<number, readonly [ShardFile, ShardFile]>;

/** Entries at an end of the written range, which share their chunk with others, as bytes of both arrays. */
export interface Seam {
  position: number;
  count: number;
  bytes: readonly [Uint8Array, Uint8Array];
}

/** Chunks [from, to) that are in their files. */
export interface WrittenChunks {
  from: number;
  to: number;
}

/** Bytes of an array written at once: small enough for the processor caches. */
const writeSize = 1 << 19;
const maxDepth = 64;

interface Stage {
  at: number;
  stride: number;
  bytes: number;
  values: readonly NumericArray[];
  stored: readonly Uint8Array[];
}

/**
 * Writes runs of whole genes to their place, and checks every entry once on its way, while it is in the cache: rows
 * rise, the gene's sum, the checksum. Works in the calling thread.
 */
export class EntryWriter {
  readonly #target: EntryTarget;
  readonly #memory: WasmMemory;
  readonly #stages: readonly [Stage, Stage];
  readonly #depth: number;
  readonly #crc: Crc32c;
  readonly #tally: GeneTally | undefined;
  #rows: SortedIndexCheck;
  #files: ShardFiles = new Map();
  #chunk = 0;
  #full = 0;
  #filled = 0;
  #head = 0;
  #written: { from: number; to: number } = { from: 0, to: 0 };
  #seams: Seam[] = [];

  constructor(target: EntryTarget) {
    const { layout, valueType, statistics, indptr, cellCount } = target;
    const { innerLength } = layout;
    this.#target = target;
    this.#depth = Math.max(1, Math.min(maxDepth, Math.floor(writeSize / (innerLength * 4))));
    const widths = [4, bytesPerValue(valueType)] as const;
    const strides = widths.map((width) => Math.ceil((innerLength * width + checksumBytes) / 8) * 8);
    const [ofIndices, ofData] = [strides[0]! * this.#depth, strides[1]! * this.#depth];
    const scratch = ofIndices + ofData;
    const tally = Math.ceil((scratch + scratchBytes) / 8) * 8;
    this.#memory = fixedMemory(tally + (statistics ? GeneTally.bytes(statistics) : 0));
    this.#stages = [
      this.#stage('int32', 0, strides[0]!),
      // Wide integers wait as float64.
      this.#stage(valueType === 'int64' ? 'float64' : valueType, ofIndices, strides[1]!),
    ];
    this.#crc = new Crc32c(this.#memory, scratch);
    this.#tally = statistics && new GeneTally(statistics, this.#memory, tally);
    this.#rows = new SortedIndexCheck(indptr, cellCount);
  }

  begin(position: number): void {
    const { layout, indptr, cellCount } = this.#target;
    this.#chunk = Math.floor(position / layout.innerLength);
    this.#head = position % layout.innerLength;
    this.#filled = this.#head;
    this.#full = 0;
    this.#seams = [];
    const from = this.#chunk + (this.#head > 0 ? 1 : 0);
    this.#written = { from, to: from };
    this.#rows = new SortedIndexCheck(indptr, cellCount, position);
    this.#tally?.begin(position);
  }

  /** Adds the next entries; their chunks go to `files`. Throws ShapeMismatch, StoreWriteFailed. */
  add(cells: Int32Array, values: NumericArray, files: ShardFiles): void {
    this.#files = files;
    const [ofCells, ofValues] = this.#stages;
    const { innerLength } = this.#target.layout;
    for (let at = 0; at < cells.length;) {
      const from = this.#filled;
      const to = Math.min(innerLength, from + cells.length - at);
      const cellPart = ofCells.values[this.#full]!.subarray(from, to) as Int32Array;
      const theirs = ofValues.values[this.#full]!.subarray(from, to);
      cellPart.set(cells.subarray(at, at + to - from));
      theirs.set(values.subarray(at, at + to - from));
      // Readers rely on rising rows: a source that breaks that must not be stored.
      const fault = this.#rows.fault(cellPart);
      if (fault) throw new ShapeMismatch(`${this.#target.path}/indices`, fault);
      this.#tally?.add(cellPart.byteOffset, theirs.byteOffset, to - from);
      this.#filled = to;
      at += to - from;
      if (to === innerLength) this.#nextChunk();
    }
  }

  /** Writes full stages and returns the chunks written to their files since the last call. */
  flush(): WrittenChunks {
    this.#push();
    const { to } = this.#written;
    const written = this.#written;
    this.#written = { from: to, to };
    return written;
  }

  /**
   * Ends after the last entry of a gene; returns the chunks written since `flush`, and the entries that are not in any
   * of them.
   */
  end(): { written: WrittenChunks; seams: readonly Seam[] } {
    this.#tally?.end();
    const written = this.flush();
    if (this.#filled > this.#head) this.#cutSeam();
    return { written, seams: this.#seams };
  }

  #stage(type: Exclude<MatrixShape['valueType'], 'int64'>, at: number, stride: number): Stage {
    const { innerLength } = this.#target.layout;
    const bytes = innerLength * bytesPerValue(type);
    const { buffer } = this.#memory;
    const places = Array.from({ length: this.#depth }, (_, i) => at + i * stride);
    return {
      at,
      stride,
      bytes,
      values: places.map((place) => numbersFromBytes(type, new Uint8Array(buffer, place, bytes))),
      stored: places.map((place) => new Uint8Array(buffer, place, bytes + checksumBytes)),
    };
  }

  #nextChunk(): void {
    if (this.#head > 0) {
      this.#cutSeam();
      this.#chunk++;
      this.#head = 0;
    } else this.#full++;
    this.#filled = 0;
    if (this.#full === this.#depth) this.#push();
  }

  #cutSeam(): void {
    const [from, to] = [this.#head, this.#filled];
    this.#seal(this.#full);
    const bytes = this.#stages.map(({ stored, bytes: all }) => {
      const width = all / this.#target.layout.innerLength;
      return stored[this.#full]!.slice(from * width, to * width);
    }) as unknown as [Uint8Array, Uint8Array];
    const position = (this.#chunk + this.#full) * this.#target.layout.innerLength + from;
    this.#seams.push({ position, count: to - from, bytes });
  }

  #seal(place: number): void {
    if (this.#target.valueType !== 'int64') return;
    const values = this.#stages[1].values[place]!;
    const wide = asType('int64', values);
    new BigInt64Array(values.buffer, values.byteOffset, values.length).set(wide as BigInt64Array);
  }

  #push(): void {
    const { layout, checksums } = this.#target;
    const perShard = chunksPerShard(layout);
    for (let from = 0; from < this.#full;) {
      const first = this.#chunk + from;
      const shard = Math.floor(first / perShard);
      const to = Math.min(this.#full, from + (shard + 1) * perShard - first);
      const files = this.#files.get(shard);
      if (!files) throw new ShapeMismatch(this.#target.path, `shard ${shard} is not open`);
      for (let place = from; place < to; place++) this.#seal(place);
      this.#stages.forEach(({ at, stride, bytes, stored }, which) => {
        for (let place = from; place < to; place++) {
          const sum = this.#crc.of(at + place * stride, bytes);
          checksums[which]![this.#chunk + place] = sum;
          writeChecksum(stored[place]!, sum);
        }
        const size = bytes + checksumBytes;
        writeWhole(files[which]!, stored.slice(from, to), (first - shard * perShard) * size);
      });
      from = to;
    }
    this.#chunk += this.#full;
    this.#written.to = this.#chunk + (this.#head > 0 ? 1 : 0);
    this.#copyDown();
    this.#full = 0;
  }

  #copyDown(): void {
    if (this.#full === 0 || this.#filled === 0) return;
    for (const { values } of this.#stages) values[0]!.set(values[this.#full]!.subarray(0, this.#filled));
  }
}

export function writeChecksum(chunk: Uint8Array, sum: number): void {
  const at = chunk.length - checksumBytes;
  for (let byte = 0; byte < checksumBytes; byte++) chunk[at + byte] = sum >>> (8 * byte);
}

/** Throws StoreWriteFailed. */
export function writeWhole({ descriptor, path }: ShardFile, pieces: readonly Uint8Array[], at: number): void {
  try {
    let left = pieces;
    let position = at;
    // A nearly full disk takes a part first and says why only at the next attempt.
    while (left.length > 0) {
      let done = writevSync(descriptor, left, position);
      position += done;
      let first = 0;
      while (first < left.length && done >= left[first]!.length) done -= left[first++]!.length;
      left = left.slice(first);
      if (done > 0) left = [left[0]!.subarray(done), ...left.slice(1)];
    }
  } catch (cause) {
    throw new StoreWriteFailed(path, { cause });
  }
}

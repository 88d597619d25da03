import { closeSync, openSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { deflateSync } from 'node:zlib';
import { randomUUID } from 'node:crypto';
import type { NumericArray, NumericType, PackedStrings, WideIntegers } from '@cellfolio/model';
import { writeAt } from '../transpose/spill.ts';
import { ByteWriter } from './byte-writer.ts';
import { arrayTypes, elementBytes, type Stored, superblockBytes, TooLongForHdf5 } from './h5-messages.ts';
import { H5adWriteFailed } from './h5ad-content.ts';
import { type H5Array, type H5Group, type H5Node, layOutFile } from './lay-out-file.ts';
import { heapSizes, rowsPerHeap, stringHeaps, stringReferences } from './string-heap.ts';

/** Node of a file on disk, of which nothing is left to be streamed. */
export type StoredNode = H5Node<never>;

/**
 * An HDF5 file on disk, written from front to back: first the arrays, as their values come, then everything that
 * describes them.
 */
export class H5File {
  readonly #descriptor: number;
  readonly #path: string;
  #end = superblockBytes;

  private constructor(descriptor: number, path: string) {
    this.#descriptor = descriptor;
    this.#path = path;
  }

  /**
   * Writes the file whose arrays `fill` stores and whose root it returns. It appears at `path` when it is complete, and
   * a failure leaves nothing. Throws H5adWriteFailed and what `fill` throws.
   */
  static async write(path: string, fill: (file: H5File) => Promise<H5Group<never>>): Promise<void> {
    const partial = `${path}.${randomUUID().slice(0, 8)}.partial`;
    let descriptor: number;
    try {
      descriptor = openSync(partial, 'wx', 0o600);
    } catch (cause) {
      throw new H5adWriteFailed(path, 'file', 'the file cannot be created', { cause });
    }
    try {
      const file = new H5File(descriptor, path);
      try {
        file.#finish(await fill(file));
      } finally {
        closeSync(descriptor);
      }
      await rename(partial, path).catch((reason: unknown) => {
        throw new H5adWriteFailed(path, 'file', 'it cannot be given its name', { cause: reason });
      });
    } catch (cause) {
      await rm(partial, { force: true });
      if (cause instanceof TooLongForHdf5) throw new H5adWriteFailed(path, 'file', cause.message, { cause });
      throw cause;
    }
  }

  failure(part: string, reason: string, cause?: unknown): H5adWriteFailed {
    return new H5adWriteFailed(this.#path, part, reason, { cause });
  }

  allocate(bytes: number): number {
    const address = this.#end;
    this.#end = Math.ceil((address + bytes) / 8) * 8;
    return address;
  }

  write(part: string, bytes: Uint8Array, address: number): void {
    try {
      writeAt(this.#descriptor, bytes, address);
    } catch (cause) {
      throw this.failure(part, 'writing failed; is the disk full?', cause);
    }
  }

  append(part: string, bytes: Uint8Array): number {
    const address = this.allocate(bytes.length);
    this.write(part, bytes, address);
    return address;
  }

  /** Stores the arrays of a node, deflated with `gzip` if they are numbers, so that memory can let go of them. */
  stored(part: string, node: StoredNode, gzip?: number): StoredNode {
    if (node.kind === 'group') {
      const members = Array.from(
        node.members,
        ([name, member]) => [name, this.stored(`${part}/${name}`, member, gzip)] as const,
      );
      return { ...node, members: new Map(members) };
    }
    const { content, shape, type } = node;
    if (content instanceof Uint8Array) {
      const [rows = 1, width] = shape;
      const writer = new ArrayWriter(this, part, { type: numberType(type), rows, width, gzip });
      writer.append(valuesOf(content, numberType(type)));
      return { ...node, content: writer.close().content };
    }
    return 'offsets' in content ? { ...node, content: this.#strings(part, content) } : node;
  }

  #strings(part: string, strings: PackedStrings): Stored {
    const length = (strings.offsets.length - 1) * elementBytes.string;
    const address = this.allocate(length);
    for (const { at, references } of this.#heaps(part, strings)) this.write(part, references, address + at);
    return { address, length };
  }

  /** Stores texts, and returns the references to them: 16 bytes each. */
  textReferences(part: string, strings: PackedStrings): Uint8Array {
    const all = new Uint8Array((strings.offsets.length - 1) * elementBytes.string);
    for (const { at, references } of this.#heaps(part, strings)) all.set(references, at);
    return all;
  }

  *#heaps(part: string, strings: PackedStrings): Generator<{ at: number; references: Uint8Array }> {
    const sizes = heapSizes(strings);
    for (let heap = 0; heap < sizes.length; heap += heapsAtOnce) {
      const some = {
        bytes: strings.bytes,
        offsets: strings.offsets.subarray(heap * rowsPerHeap, (heap + heapsAtOnce) * rowsPerHeap + 1),
      };
      let end = this.append(part, stringHeaps(some));
      const addresses = sizes.slice(heap, heap + heapsAtOnce).map((size) => (end += size) - size);
      yield { at: heap * rowsPerHeap * elementBytes.string, references: stringReferences(some, addresses) };
    }
  }

  #finish(root: H5Group<never>): void {
    for (const { offset, content } of layOutFile(root, this.#end).parts)
      if (content instanceof Uint8Array) this.write('file', content, offset);
  }
}

/** Heaps of strings in memory at a time. */
const heapsAtOnce = 16;

/** Records and float16 are only streamed. */
function numberType(type: H5Array<never>['type']): NumericType {
  return typeof type !== 'string' || type === 'bool' || type === 'string' || type === 'float16'
    ? 'uint8'
    : type;
}

function valuesOf(
  { buffer, byteOffset, length }: Uint8Array,
  type: NumericType,
): NumericArray | WideIntegers {
  return new arrayTypes[type](buffer as ArrayBuffer, byteOffset, length / elementBytes[type]);
}

/** 32,768 values, 128 KiB of float32: about what h5py chooses for large arrays. */
const chunkValues = 1 << 15;
const stagedValues = 1 << 20;

interface ArrayOptions {
  type: NumericType;
  /** Number of rows, if it is known. If not, the array is chunked. */
  rows?: number | undefined;
  /** Values per row. Absent: the array has one dimension. */
  width?: number | undefined;
  gzip?: number | undefined;
  /** Throw RoundedCount if rounding to float32 turns a float64 into a different integer. */
  refuseRoundedCounts?: boolean | undefined;
}

/** Rounding to float32 turned a number into a different integer. */
export class RoundedCount extends Error {
  constructor(value: number) {
    super(`float32 does not hold ${value}`);
    this.name = 'RoundedCount';
  }
}

/** One array of the file, filled from front to back in pieces of any size, with a bounded number of values in memory. */
export class ArrayWriter {
  readonly #file: H5File;
  readonly #part: string;
  readonly #options: ArrayOptions;
  readonly #rowValues: number;
  readonly #stage: NumericArray | WideIntegers;
  /** Address of an array that is one range of the file; undefined for chunks. */
  readonly #address: number | undefined;
  #chunkRows: number;
  readonly #chunks: Chunk[] = [];
  #staged = 0;
  #writtenRows = 0;

  constructor(file: H5File, part: string, options: ArrayOptions) {
    const { type, rows, width: rowValues = 1, gzip } = options;
    this.#file = file;
    this.#part = part;
    this.#options = options;
    this.#rowValues = rowValues;
    this.#chunkRows = Math.max(
      1,
      Math.min(Math.floor(chunkValues / Math.max(1, rowValues)), rows ?? Infinity),
    );
    const chunkLength = this.#chunkRows * Math.max(1, rowValues);
    const stagedRows = this.#chunkRows * Math.max(1, Math.floor(stagedValues / chunkLength));
    this.#stage = new arrayTypes[type](Math.min(rows ?? stagedRows, stagedRows) * rowValues);
    if (rows !== undefined && (gzip === undefined || rows * rowValues === 0))
      this.#address = file.allocate(rows * rowValues * elementBytes[type]);
  }

  append(values: NumericArray | WideIntegers): void {
    for (let from = 0; from < values.length;) {
      const take = Math.min(values.length - from, this.#stage.length - this.#staged);
      if (take === 0) throw this.#failure(`it holds ${this.#options.rows} rows and more came`);
      this.#copy(values, from, take);
      this.#staged += take;
      from += take;
      if (this.#staged === this.#stage.length) this.#flush();
    }
  }

  /** The array, without attributes. Throws H5adWriteFailed if fewer values arrived than declared. */
  close(): H5Array<never> {
    const { type, rows, width, gzip } = this.#options;
    if (rows === undefined && this.#chunks.length === 0)
      this.#chunkRows = Math.max(1, Math.min(this.#chunkRows, this.#staged / Math.max(1, this.#rowValues)));
    this.#flush();
    const written = this.#rowValues === 0 ? (rows ?? 0) : this.#writtenRows;
    if (rows !== undefined && written !== rows)
      throw this.#failure(`it holds ${rows} rows and ${written} came`);
    const shape = width === undefined ? [written] : [written, width];
    const length = written * this.#rowValues * elementBytes[type];
    const chunk = [this.#chunkRows, ...shape.slice(1)];
    const content =
      this.#address !== undefined || length === 0
        ? { address: this.#address ?? 0, length }
        : { tree: chunkTree(this.#file, this.#part, this.#chunks, chunk), chunk, gzip };
    return { kind: 'array', type, shape, attributes: {}, content };
  }

  #copy(values: NumericArray | WideIntegers, from: number, take: number): void {
    const stage = this.#stage;
    const at = this.#staged;
    if (stage instanceof BigInt64Array || stage instanceof BigUint64Array)
      for (let i = 0; i < take; i++) stage[at + i] = BigInt(values[from + i]!);
    else if (values instanceof BigInt64Array || values instanceof BigUint64Array)
      throw new TypeError(`${this.#part} is no array of 64-bit integers`);
    else {
      const piece = from === 0 && take === values.length ? values : values.subarray(from, from + take);
      stage.set(piece, at);
      const { refuseRoundedCounts } = this.#options;
      if (refuseRoundedCounts && stage instanceof Float32Array && piece instanceof Float64Array)
        assertNoRoundedCount(stage.subarray(at, at + take), piece);
    }
  }

  #flush(): void {
    if (this.#staged === 0) return;
    const rows = this.#staged / this.#rowValues;
    if (!Number.isInteger(rows)) throw this.#failure('it ended in the middle of a row');
    const { buffer, BYTES_PER_ELEMENT } = this.#stage;
    const bytes = new Uint8Array(buffer, 0, this.#staged * BYTES_PER_ELEMENT);
    const rowBytes = this.#rowValues * BYTES_PER_ELEMENT;
    if (this.#address !== undefined) {
      if (this.#writtenRows + rows > this.#options.rows!)
        throw this.#failure(`it holds ${this.#options.rows} rows and more came`);
      this.#file.write(this.#part, bytes, this.#address + this.#writtenRows * rowBytes);
    } else this.#writeChunks(bytes, this.#chunkRows * rowBytes);
    this.#writtenRows += rows;
    this.#staged = 0;
  }

  #writeChunks(bytes: Uint8Array, chunkBytes: number): void {
    const { gzip } = this.#options;
    for (let at = 0; at < bytes.length; at += chunkBytes) {
      let chunk = bytes.subarray(at, at + chunkBytes);
      if (chunk.length < chunkBytes) {
        // The last chunk is as long as the others.
        chunk = new Uint8Array(chunkBytes);
        chunk.set(bytes.subarray(at));
      }
      const elementSize = elementBytes[this.#options.type];
      const packed = gzip === undefined ? chunk : deflateSync(shuffled(chunk, elementSize), { level: gzip });
      this.#chunks.push({ address: this.#file.append(this.#part, packed), bytes: packed.length });
    }
  }

  #failure(reason: string): H5adWriteFailed {
    return this.#file.failure(this.#part, reason);
  }
}

/** HDF5's shuffle: the first bytes of all elements, then the second, …, since those are alike. */
function shuffled(bytes: Uint8Array, elementSize: number): Uint8Array {
  if (elementSize === 1) return bytes;
  const out = new Uint8Array(bytes.length);
  let to = 0;
  for (let byte = 0; byte < elementSize; byte++)
    for (let at = byte; at < bytes.length; at += elementSize) out[to++] = bytes[at]!;
  return out;
}

/** Throws RoundedCount. Other fractions are rounded to float32, as all stored expression is. */
function assertNoRoundedCount(copies: Float32Array, values: Float64Array): void {
  for (let i = 0; i < values.length; i++) {
    const copy = copies[i]!;
    if (copy !== values[i] && Math.floor(copy) === copy) throw new RoundedCount(values[i]!);
  }
}

interface Chunk {
  address: number;
  bytes: number;
}

/** Most children of a node: twice the default of files that do not state another. */
const treeChildren = 64;

/** Writes the version 1 B-tree (III.A.1 of the file format) of chunks of whole rows, and returns the address of its root. */
function chunkTree(file: H5File, part: string, chunks: readonly Chunk[], shape: readonly number[]): number {
  const keyBytes = 8 + 8 * (shape.length + 1);
  const nodeBytes = 24 + treeChildren * 8 + (treeChildren + 1) * keyBytes;
  let entries = chunks.map(({ address, bytes }, at) => ({ address, bytes, row: at * shape[0]! }));
  const last = { bytes: 0, row: chunks.length * shape[0]! };
  for (let level = 0; ; level++) {
    const count = Math.ceil(entries.length / treeChildren);
    const start = file.allocate(count * nodeBytes);
    const nodes = Array.from({ length: count }, (_, at) => {
      const own = entries.slice(at * treeChildren, (at + 1) * treeChildren);
      return { ...own[0]!, address: start + at * nodeBytes, own };
    });
    for (const [at, { address, own }] of nodes.entries()) {
      const node = new ByteWriter().putText('TREE').put(1, 1, level).put(2, own.length);
      for (const sibling of [nodes[at - 1], nodes[at + 1]])
        if (sibling) node.put(8, sibling.address);
        else node.putNoAddress();
      const key = ({ bytes, row }: { bytes: number; row: number }) =>
        node.put(4, bytes, 0).put(8, row, ...shape.map(() => 0));
      for (const entry of own) key(entry).put(8, entry.address);
      key(nodes[at + 1] ?? last);
      const whole = new Uint8Array(nodeBytes);
      whole.set(node.bytes());
      file.write(part, whole, address);
    }
    if (nodes.length === 1) return start;
    entries = nodes;
  }
}

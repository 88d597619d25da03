import { closeSync, openSync, readSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import type { NumericArray } from '@cellfolio/model';
import { unreadableValues } from '../h5ad-error.ts';
import { type Elements, numericArray } from './decode-elements.ts';
import type { DatasetInfo, StoredBytes } from './element-type.ts';

export interface ElementSource {
  path: string;
  /** Lends the elements of a box of a dataset to `use`, row-major. Throws H5adError. */
  read<T>(
    info: DatasetInfo,
    box: { start: readonly number[]; count: readonly number[] },
    use: (elements: Elements, memory: Uint8Array) => T,
  ): T;
  /** Fills `out` with the elements [start, end) if a direct read is possible. Throws H5adError. */
  fill(info: DatasetInfo, start: number, end: number, out: NumericArray): boolean;
}

type Chunks = StoredBytes & { kind: 'chunks' };

interface UnpackedChunk {
  chunk: number;
  bytes: Uint8Array;
}

/** Reads datasets with known locations (`DatasetInfo.stored`) without the HDF5 library, which need not be loaded. */
export class StoredReader implements ElementSource {
  readonly path: string;
  readonly descriptor: number;
  #elements = new Uint8Array(0);
  #packed = new Uint8Array(0);
  /** Last unpacked chunk of each dataset, in which a sequential read continues. */
  readonly #chunks = new Map<string, UnpackedChunk>();

  constructor(path: string, descriptor = openSync(path, 'r')) {
    this.path = path;
    this.descriptor = descriptor;
  }

  read<T>(
    info: DatasetInfo,
    box: { start: readonly number[]; count: readonly number[] },
    use: (elements: Elements, memory: Uint8Array) => T,
  ): T {
    const [start, count] = [box.start[0]!, box.count[0]!];
    const stride = info.type.size;
    if (this.#elements.length < count * stride) this.#elements = new Uint8Array(count * stride);
    this.#bytes(info, start, start + count, this.#elements.subarray(0, count * stride));
    return use({ bytes: this.#elements, offset: 0, stride, count }, this.#elements);
  }

  fill(info: DatasetInfo, start: number, end: number, out: NumericArray): boolean {
    const { type } = info;
    // Wide integers are carried in float64, and half floats in float32.
    const same =
      type.kind === 'number' &&
      type.littleEndian &&
      !/int64|float16/.test(type.dtype) &&
      numericArray(type.dtype, 0).constructor === out.constructor;
    if (same)
      this.#bytes(info, start, end, new Uint8Array(out.buffer, out.byteOffset, (end - start) * type.size));
    return same;
  }

  close(): void {
    closeSync(this.descriptor);
  }

  #bytes(info: DatasetInfo, start: number, end: number, into: Uint8Array): void {
    this.#asStored(info, start, end, into);
    if (info.bigEndian) turnRound(into, info.type.size);
  }

  #asStored(info: DatasetInfo, start: number, end: number, into: Uint8Array): void {
    const { stored, type } = info;
    if (stored === undefined) throw new TypeError(`nothing is known of where ${info.path} lies`);
    if (stored.kind === 'contiguous') {
      this.#readAt(info, stored.at + start * type.size, into);
      return;
    }
    const { length } = stored;
    for (let at = start; at < end;) {
      const chunk = Math.floor(at / length);
      const from = chunk * length;
      const until = Math.min(end, from + length);
      const [first, last] = [(at - from) * type.size, (until - from) * type.size];
      const target = into.subarray((at - start) * type.size, (until - start) * type.size);
      if (info.filters.length === 0) this.#readAt(info, stored.at[chunk]! + first, target);
      else target.set(this.#chunk(info, stored, chunk).subarray(first, last));
      at = until;
    }
  }

  #chunk(info: DatasetInfo, { length, at, bytes, shuffled }: Chunks, chunk: number): Uint8Array {
    const last = this.#chunks.get(info.path);
    if (last?.chunk === chunk) return last.bytes;
    const size = bytes[chunk]!;
    if (this.#packed.length < size) this.#packed = new Uint8Array(size);
    const packed = this.#packed.subarray(0, size);
    this.#readAt(info, at[chunk]!, packed);
    const whole = length * info.type.size;
    const inflated = this.#inflated(info, packed, whole);
    const unpacked = shuffled ? (last?.bytes ?? new Uint8Array(whole)) : inflated;
    if (shuffled) unshuffle(inflated, info.type.size, unpacked);
    this.#chunks.set(info.path, { chunk, bytes: unpacked });
    return unpacked;
  }

  #inflated(info: DatasetInfo, packed: Uint8Array, whole: number): Uint8Array {
    let inflated: Uint8Array;
    try {
      // A buffer that is full at the end would be followed by an empty one.
      inflated = inflateSync(packed, { chunkSize: Math.max(64, whole + 1), maxOutputLength: whole });
    } catch (error) {
      throw unreadableValues(this.path, info.path, error);
    }
    if (inflated.length !== whole)
      throw unreadableValues(this.path, info.path, new Error(`a chunk of ${inflated.length} bytes`));
    return inflated;
  }

  #readAt(info: DatasetInfo, position: number, into: Uint8Array): void {
    for (let done = 0; done < into.length;) {
      const got = readSync(this.descriptor, into, done, into.length - done, position + done);
      if (got === 0) throw unreadableValues(this.path, info.path, new Error('the file ends before'));
      done += got;
    }
  }
}

function turnRound(bytes: Uint8Array, size: number): void {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (size === 2) all.swap16();
  else if (size === 4) all.swap32();
  else if (size === 8) all.swap64();
}

/** Reverses the shuffle filter, which stores the first bytes of all elements, then the second ones, and so on. */
export function unshuffle(from: Uint8Array, size: number, into: Uint8Array): void {
  const count = from.length / size;
  for (let byte = 0; byte < size; byte++) {
    const start = byte * count;
    for (let i = 0, to = byte; i < count; i++, to += size) into[to] = from[start + i]!;
  }
}

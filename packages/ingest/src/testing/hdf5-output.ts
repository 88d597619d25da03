import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { File, dtype_to_metadata, ready } from 'h5wasm/node';
import type { NumericType } from '@cellfolio/model';

const typeCodes: Record<NumericType, string> = {
  int8: '<b',
  int16: '<h',
  int32: '<i',
  int64: '<q',
  uint8: '<B',
  uint16: '<H',
  uint32: '<I',
  uint64: '<Q',
  float32: '<f',
  float64: '<d',
};

export type AttributeValue = string | readonly string[] | { int64: readonly number[] } | { uint8: number };

export interface ArrayLayout {
  type: NumericType;
  shape: readonly number[];
  /** Absent: contiguous. */
  chunks?: readonly number[];
  gzip?: number;
}

type Library = Awaited<typeof ready>;
type Attributes = Readonly<Record<string, AttributeValue>>;

/**
 * A new HDF5 file of the HDF5 library, in layouts that Cellfolio reads and never writes: chunks of any shape, arrays that
 * are declared and empty, links. Thin wrapper that adds checked status codes and arrays filled in parts.
 */
export class H5Output {
  readonly #library: Library;
  readonly #file: File;
  readonly #path: string;
  #closed = false;

  private constructor(library: Library, file: File, path: string) {
    this.#library = library;
    this.#file = file;
    this.#path = path;
  }

  /** Opens a new file for writing, replacing an existing one. */
  static async create(path: string): Promise<H5Output> {
    const library = await ready;
    const file = new File(path, 'w');
    if (file.file_id < 0n) throw new Error(`${path} cannot be created`);
    return new H5Output(library, file, path);
  }

  group(name: string, attributes: Attributes): void {
    if (name !== '' && this.#library.create_group(this.#file.file_id, `/${name}`, false) < 0)
      this.#fail(name, 'the group cannot be created');
    this.attributes(name, attributes);
  }

  attributes(name: string, attributes: Attributes): void {
    const target = name === '' ? this.#file : this.#file.get(name);
    if (target === null || !('create_attribute' in target)) return this.#fail(name, 'it was not created');
    for (const [key, value] of Object.entries(attributes)) {
      if (typeof value === 'string') target.create_attribute(key, value);
      else if ('int64' in value)
        target.create_attribute(key, BigInt64Array.from(value.int64, BigInt), [value.int64.length]);
      else if ('uint8' in value) target.create_attribute(key, value.uint8, [], '<B');
      // An empty list has no element that shows its type: anndata writes it as float64, so do we.
      else target.create_attribute(key, [...value], [value.length], value.length === 0 ? '<d' : 'S');
    }
  }

  strings(name: string, strings: readonly string[]): void {
    const shape = [BigInt(strings.length)];
    const metadata = { ...dtype_to_metadata('S'), shape, maxshape: shape };
    this.#call(name, 'the strings cannot be written', (library) =>
      library.create_vlen_str_dataset(this.#file.file_id, `/${name}`, strings, metadata),
    );
  }

  createArray(name: string, { type, shape, chunks, gzip }: ArrayLayout): void {
    const big = shape.map(BigInt);
    const metadata = {
      ...dtype_to_metadata(typeCodes[type]),
      shape: big,
      // The first dimension of a chunked array grows, as it does in files made by h5py with a maxshape.
      maxshape: chunks === undefined ? big : [unlimited, ...big.slice(1)],
      chunks: chunks?.map(BigInt) ?? null,
      compression: gzip === undefined ? 0 : this.#library.H5Z_FILTER_DEFLATE,
      compression_opts: gzip === undefined ? [] : [gzip],
      track_order: false,
    };
    // The library has no call that only creates. Given no data it creates the array, then complains on
    // stderr that there is nothing to write, which is what we wanted.
    this.#call(name, 'the array cannot be created', (library) =>
      library.create_dataset(this.#file.file_id, `/${name}`, 0n, metadata),
    );
  }

  writeArray(
    name: string,
    { offset, count }: { offset: readonly number[]; count: readonly number[] },
    bytes: Uint8Array,
  ): void {
    const { _malloc: allocate, _free: release } = this.#library;
    const pointer = allocate(bytes.length);
    if (pointer === 0) return this.#fail(name, `no memory for a block of ${bytes.length} bytes`);
    try {
      this.#library.HEAPU8.set(bytes, pointer);
      this.#call(name, 'writing failed; is the disk full?', (library) =>
        library.set_dataset_data(
          this.#file.file_id,
          `/${name}`,
          count.map(BigInt),
          offset.map(BigInt),
          count.map(() => 1n),
          BigInt(pointer),
        ),
      );
    } finally {
      release(pointer);
    }
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#call('file', 'closing failed; is the disk full?', () => this.#file.close());
  }

  #call(part: string, reason: string, call: (library: Library) => number): void {
    if (quietly(this.#library.FS, () => call(this.#library)) < 0) this.#fail(part, reason);
  }

  #fail(part: string, reason: string): never {
    throw new Error(`${this.#path}: ${part}: ${reason}`);
  }
}

/** H5S_UNLIMITED. */
const unlimited = 0xffff_ffff_ffff_ffffn;

/**
 * Runs one synchronous call with the library's own stderr (not the process's) discarded: it repeats the status code in
 * a form that is useless to users.
 */
function quietly<T>(fileSystem: unknown, call: () => T): T {
  const stderr = (fileSystem as { streams?: { nfd?: number }[] }).streams?.[2];
  if (stderr?.nfd === undefined) return call();
  const original = stderr.nfd;
  const nowhere = openSync(devNull, 'w');
  stderr.nfd = nowhere;
  try {
    return call();
  } finally {
    stderr.nfd = original;
    closeSync(nowhere);
  }
}

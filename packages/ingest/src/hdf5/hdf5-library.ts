import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { ready } from 'h5wasm/node';
import { withOwnLzf, type WebAssemblyGlobal } from './lzf-filter.ts';
import { fstatSync, readSync } from 'node:fs';

/** The calls of the HDF5 library that this package uses; paths are absolute inside the file. */
export interface Hdf5Calls {
  open(filename: string, mode: number, trackOrder: boolean, low: number, high: number): bigint;
  close_file(file: bigint): number;
  get_type(file: bigint, path: string): number;
  get_names(file: bigint, path: string, recursive: boolean): string[];
  get_attribute_names(file: bigint, path: string): string[];
  get_attribute_metadata(file: bigint, path: string, name: string): RawMetadata;
  get_attribute_data(file: bigint, path: string, name: string, pointer: bigint): number;
  get_dataset_metadata(file: bigint, path: string): RawMetadata;
  get_dataset_filters(file: bigint, path: string): { id: number; name: string; cd_values: number[] }[];
  get_dataset_data(
    file: bigint,
    path: string,
    count: bigint[] | null,
    offset: bigint[] | null,
    strides: bigint[] | null,
    pointer: bigint,
  ): number;
  get_referenced_name(file: bigint, reference: Uint8Array, isObject: boolean): string;
  reclaim_vlen_memory(file: bigint, path: string, attribute: string, pointer: bigint): number;
  reclaim_vlen_memory_count(
    file: bigint,
    path: string,
    attribute: string,
    pointer: bigint,
    count: bigint[],
  ): number;
  _malloc(bytes: number): number;
  _free(pointer: number): void;
  /** The memory of the library; a new view after each time it has grown. */
  readonly HEAPU8: Uint8Array<ArrayBuffer>;
}

/** Type and shape as the library gives them. */
export interface RawMetadata {
  readonly type: number;
  readonly size: number;
  readonly signed: boolean;
  /** Byte order in the file; `elementType` has that in memory. */
  readonly littleEndian: boolean;
  readonly vlen: boolean;
  readonly total_size: number;
  readonly shape: number[] | null;
  readonly chunks: number[] | null;
  readonly virtual_sources?: readonly unknown[];
  readonly compound_type?: { members: (RawMetadata & { name: string; offset: number })[] };
  readonly array_type?: RawMetadata;
  readonly enum_type?: { type: number; members: Record<string, number> };
}

interface FileSystem {
  open(path: string, ...rest: unknown[]): unknown;
  read(
    stream: { nfd: number; position: number },
    buffer: ArrayBufferView,
    offset: number,
    length: number,
    position?: number,
  ): number;
  write(
    stream: { fd: number },
    buffer: ArrayBufferView,
    offset: number,
    length: number,
    ...rest: unknown[]
  ): number;
  ErrnoError: new (errno: number) => Error;
}

interface Hdf5Module extends Hdf5Calls {
  readonly FS: FileSystem;
  insert_plugin_search_path(path: string, index: number): number;
}

const noSuchFile = 44;
const readError = 29;

let confinedTo: string | undefined;
let diagnostics = '';
let filterHeap: Hdf5Module | undefined;
let library: Promise<Hdf5Module> | undefined;

/** Loads HDF5 (WebAssembly) once a thread, with the filters beyond gzip that the field's files use. */
export function loadHdf5(): Promise<Hdf5Calls> {
  library ??= ready.then((module) => {
    const hdf5 = module as unknown as Hdf5Module;
    const plugins = join(dirname(createRequire(import.meta.url).resolve('h5wasm-plugins')), 'plugins');
    hdf5.insert_plugin_search_path(plugins, 0);
    confine(hdf5, plugins);
    filterHeap = hdf5;
    return hdf5;
  });
  return library;
}

/**
 * Runs calls of the library on one file. Meanwhile the library can open that file and its own filters
 * only: a hostile file may hold external links to anything the process can read. What HDF5 would print
 * is kept for `lastDiagnostics` instead.
 */
export function confined<T>(path: string, work: () => T): T {
  const outer = confinedTo;
  const wasm = (globalThis as unknown as { WebAssembly: WebAssemblyGlobal }).WebAssembly;
  const { Instance } = wasm;
  confinedTo = resolve(path);
  diagnostics = '';
  if (filterHeap !== undefined) wasm.Instance = withOwnLzf(wasm, filterHeap);
  try {
    return work();
  } finally {
    confinedTo = outer;
    wasm.Instance = Instance;
  }
}

/** What HDF5 said about the last failing call. */
export function lastDiagnostics(): string {
  return diagnostics;
}

function confine({ FS }: Hdf5Module, plugins: string): void {
  // Only the calls made within `confined` are held to it; all of them are synchronous, so that other
  // users of the library in this thread are left alone.
  const { open, read, write } = FS;
  FS.open = function (path, ...rest) {
    if (confinedTo !== undefined && resolve(path) !== confinedTo && !resolve(path).startsWith(plugins)) {
      throw new FS.ErrnoError(noSuchFile);
    }
    const stream = open.call(this, path, ...rest);
    heaps.set((stream as { nfd: number }).nfd, new HeapWalk());
    return stream;
  };
  FS.read = function (stream, buffer, offset, length, position) {
    const start = position ?? stream.position;
    const count = read.call(this, stream, buffer, offset, length, position);
    if (confinedTo === undefined) return count;
    const piece = new Uint8Array(buffer.buffer, buffer.byteOffset + offset, count);
    if (heaps.get(stream.nfd)?.end(stream.nfd, piece, start) !== false) return count;
    diagnostics += 'a collection of values is damaged';
    throw new FS.ErrnoError(readError);
  };
  FS.write = function (stream, buffer, offset, length, ...rest) {
    if (confinedTo === undefined || stream.fd !== 2) {
      return write.call(this, stream, buffer, offset, length, ...rest);
    }
    if (diagnostics.length < 20_000) {
      diagnostics += Buffer.from(buffer.buffer, buffer.byteOffset + offset, length).toString();
    }
    return length;
  };
}

/** What a collection of texts and other values of any length begins with: signature, version, three zeros. */
const collectionSignature = Buffer.from('GCOL\u0001\0\0\0', 'latin1');
/** The same of the names in a group. */
const namesSignature = Buffer.from('HEAP\0\0\0\0', 'latin1');
const fileSignature = Buffer.from([0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a]);
const headerBytes = 16;
const objectHeader = 16;
/** The library makes them of 4 KiB, or as large as their one value. */
const maxBytes = 256 * 2 ** 20;
/** Structure is read in small pieces; large ones are values. */
const maxStructure = 65_536;
/** Heaps do not overlap, so that all of them have at most the bytes of the file; some is left over of such as were removed. */
const maxWalks = 4;
/** The end of a list of free places. */
const noPlace = 1n;

/** By the descriptors of the files that the library has opened. */
const heaps = new Map<number, HeapWalk>();

/**
 * Checks the heaps of a file: the library follows the sizes and positions that stand in them, for ever where one is zero or
 * leads back (https://support.hdfgroup.org/documentation/hdf5/latest/_f_m_t3.html, III.D and III.E). Each is walked once, as
 * far as the file goes: in a forged file every few bytes begin one that declares hundreds of megabytes.
 */
class HeapWalk {
  readonly #walked = new Map<number, boolean>();
  #bytes = 0;
  #base: number | undefined;

  /**
   * Whether the library comes to the end of the heaps that begin within a piece of the file.
   * @param piece what was just read from the position of the file.
   */
  end(descriptor: number, piece: Uint8Array, position: number): boolean {
    if (piece.length > maxStructure) return true;
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    const ends = (signature: Buffer, walk: (position: number) => boolean): boolean => {
      for (let at = bytes.indexOf(signature); at >= 0; at = bytes.indexOf(signature, at + signature.length)) {
        const walked = this.#walked.get(position + at) ?? (this.#mayWalk(descriptor) && walk(position + at));
        this.#walked.set(position + at, walked);
        if (!walked) return false;
      }
      return true;
    };
    return (
      ends(collectionSignature, (at) => this.#collectionEnds(descriptor, at)) &&
      ends(namesSignature, (at) => this.#namesEnd(descriptor, at))
    );
  }

  #collectionEnds(descriptor: number, position: number): boolean {
    const header = this.#read(descriptor, position, headerBytes);
    if (header === undefined) return true;
    const size = Number(header.readBigUInt64LE(8));
    if (size < headerBytes || size > maxBytes) return false;
    const collection = this.#read(descriptor, position, size);
    if (collection === undefined) return false;
    let at = headerBytes;
    while (at + objectHeader <= size) {
      const index = collection.readUInt16LE(at);
      const bytes = Number(collection.readBigUInt64LE(at + 8));
      // The rest that is free has the number 0 and counts its own header.
      const taken = index === 0 ? bytes : objectHeader + Math.ceil(bytes / 8) * 8;
      if (taken < objectHeader || taken > size - at) return false;
      at += taken;
    }
    return true;
  }

  /** Texts may begin as a heap does: what is none, or leads out of itself, is left to the library. */
  #namesEnd(descriptor: number, position: number): boolean {
    const header = this.#read(descriptor, position, 32);
    if (header === undefined) return true;
    const size = Number(header.readBigUInt64LE(8));
    this.#base ??= baseOf(descriptor);
    const place = this.#base + Number(header.readBigUInt64LE(24));
    if (size > maxBytes) return true;
    const names = this.#read(descriptor, place, size);
    if (names === undefined) return true;
    let free = header.readBigUInt64LE(16);
    for (let steps = 0; free !== noPlace && free + 16n <= BigInt(size); steps++) {
      if (steps > size / 16) return false;
      free = names.readBigUInt64LE(Number(free));
    }
    return true;
  }

  #mayWalk(descriptor: number): boolean {
    return this.#bytes <= maxStructure + maxWalks * fstatSync(descriptor).size;
  }

  /** Undefined where the file has not so many bytes. */
  #read(descriptor: number, position: number, length: number): Buffer | undefined {
    if (position + length > fstatSync(descriptor).size) return undefined;
    this.#bytes += length;
    const bytes = Buffer.alloc(length);
    return readSync(descriptor, bytes, 0, length, position) === length ? bytes : undefined;
  }
}

/** Where the file begins that positions are counted from: a block of a user's own may be before it. */
function baseOf(descriptor: number): number {
  const { size } = fstatSync(descriptor);
  const head = Buffer.alloc(fileSignature.length);
  for (let at = 0; at < size; at = at === 0 ? 512 : at * 2) {
    readSync(descriptor, head, 0, head.length, at);
    if (head.equals(fileSignature)) return at;
  }
  return 0;
}

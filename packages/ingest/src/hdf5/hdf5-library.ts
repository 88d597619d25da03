import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { ready } from 'h5wasm/node';
import { HeapWalk } from './heap-walk.ts';
import { withOwnLzf, type WebAssemblyGlobal } from './lzf-filter.ts';

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
  /** Memory of the library; a new view after it has grown. */
  HEAPU8: Uint8Array<ArrayBuffer>;
}

export interface RawMetadata {
  type: number;
  size: number;
  signed: boolean;
  /** Byte order in the file; `elementType` gives the one in memory. */
  littleEndian: boolean;
  vlen: boolean;
  total_size: number;
  shape: number[] | null;
  chunks: number[] | null;
  virtual_sources?: readonly unknown[];
  compound_type?: { members: (RawMetadata & { name: string; offset: number })[] };
  array_type?: RawMetadata;
  enum_type?: { type: number; members: Record<string, number> };
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
  FS: FileSystem;
  insert_plugin_search_path(path: string, index: number): number;
}

const noSuchFile = 44;
const readError = 29;

const heaps = new Map<number, HeapWalk>();
let confinedTo: string | undefined;
let diagnostics = '';
let filterHeap: Hdf5Module | undefined;
let library: Promise<Hdf5Module> | undefined;

/** Loads HDF5 (WebAssembly) once per thread, with the filters beyond gzip that files of the field use. */
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
 * Runs library calls on one file. Meanwhile the library can only open that file and its own filters: a hostile file may
 * contain external links to anything the process can read. HDF5's output goes to `lastDiagnostics`.
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

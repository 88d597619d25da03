import { createHash } from 'node:crypto';
import * as zarr from 'zarrita';
import type { NumericArray, PackedStrings, WideIntegers } from '@cellfolio/model';
import { type ByteRange, eachLimited, fileFault, ObjectNotFound, type ObjectStore } from '@cellfolio/bytes';
import { DatasetDamaged, DatasetReplaced } from './errors.ts';
import type { DatasetManifest } from './manifest.ts';
import { asType, type FixedType, isWideArray, narrowed } from './numeric-arrays.ts';
import { stringsFromBytes } from './chunk-codecs.ts';
import { type ArrayMetadata, type Attributes, chunkMetadata, type NodeMetadata } from './zarr-metadata.ts';

/** I/O done so far for one dataset; tests compare it with the reader's plan. */
export interface ReadCounters {
  reads: number;
  bytes: number;
}

/** Plain chunks in memory at a time, besides their target array. */
const chunksAtOnce = 4;

export interface RowRange {
  from: number;
  to: number;
}

export interface StoredNumbers {
  type: FixedType;
  shape: readonly number[];
  /** 64-bit integers as Float64Array. */
  values: NumericArray;
  /** 64-bit integers without loss; undefined for other types. */
  exact: WideIntegers | undefined;
}

interface ZarrReaderOptions {
  version?: string | undefined;
  isReplaced?: () => Promise<boolean>;
}

export class ZarrReader {
  readonly id: string;
  readonly counters: ReadCounters = { reads: 0, bytes: 0 };
  readonly #objects: ObjectStore;
  readonly #prefix: string;
  readonly #version: string | undefined;
  readonly #isReplaced: () => Promise<boolean>;
  #metadata: ReadonlyMap<string, NodeMetadata> = new Map();

  /**
   * `options.version`: version of the dataset, if the store may rely on it. `options.isReplaced`: whether another
   * dataset took its place; called if something is missing.
   */
  constructor(
    objects: ObjectStore,
    id: string,
    prefix: string,
    { version, isReplaced = async () => false }: ZarrReaderOptions = {},
  ) {
    this.#objects = objects;
    this.#version = version;
    this.#isReplaced = isReplaced;
    this.id = id;
    this.#prefix = prefix;
  }

  /** Loads the consolidated metadata, which must match the manifest. Throws DatasetDamaged. */
  async open({ files }: Pick<DatasetManifest, 'files'>): Promise<void> {
    const bytes = await this.bytes('zarr.json');
    const fileEntry = new Map(Object.entries(files)).get('zarr.json');
    if (createHash('sha256').update(bytes).digest('hex') !== fileEntry?.sha256) {
      throw this.damaged('zarr.json', 'its checksum does not fit');
    }
    try {
      const root = JSON.parse(Buffer.from(bytes).toString('utf8')) as {
        consolidated_metadata: { metadata: Record<string, NodeMetadata> };
      };
      this.#metadata = new Map(Object.entries(root.consolidated_metadata.metadata));
    } catch (cause) {
      throw this.damaged('zarr.json', 'it holds no consolidated metadata', cause);
    }
  }

  has(path: string): boolean {
    return this.#metadata.has(path);
  }

  node(path: string): NodeMetadata {
    const node = this.#metadata.get(path);
    if (!node) throw this.damaged(path, 'it is missing');
    return node;
  }

  attributes(path: string): Attributes {
    return this.node(path).attributes;
  }

  array(path: string): ArrayMetadata {
    const node = this.node(path);
    if (node.node_type !== 'array') throw this.damaged(path, 'it is not an array');
    return node;
  }

  members(group: string): string[] {
    return [...this.#metadata.keys()].filter(
      (path) => path.startsWith(`${group}/`) && !path.includes('/', group.length + 1),
    );
  }

  /**
   * An object of the dataset or one range of it, in `into` if the store supports that: the only access to the store.
   * Throws DatasetDamaged, DatasetReplaced.
   */
  async bytes(
    path: string,
    options?: { range?: ByteRange; signal?: AbortSignal | undefined; into?: Uint8Array },
  ): Promise<Uint8Array> {
    this.counters.reads++;
    const { range, signal, into } = options ?? {};
    try {
      const bytes = await this.#objects.get(this.#prefix + path, {
        ...(range ? { range } : {}),
        ...(signal ? { signal } : {}),
        ...(into ? { into } : {}),
        ...(this.#version === undefined ? {} : { version: this.#version }),
      });
      this.counters.bytes += bytes.length;
      return bytes;
    } catch (error) {
      const fault = faultOf(error);
      if (fault === undefined) throw error;
      if (await this.#isReplaced()) throw new DatasetReplaced(this.id, { cause: error });
      throw this.damaged(path, fault, error);
    }
  }

  /** Values of all or some rows of a numeric array in plain chunks. Throws DatasetDamaged. */
  async numbers(path: string, signal?: AbortSignal, rows?: RowRange): Promise<StoredNumbers> {
    const { shape, data_type: type } = this.array(path);
    if (type === 'string') throw this.damaged(path, 'it holds strings, not numbers');
    const { from, to } = rows ?? { from: 0, to: shape[0] ?? 0 };
    const rest = shape.slice(1);
    // zarrita refuses a selection of nothing.
    const isEmpty = from === to || rest.includes(0);
    const values = isEmpty
      ? asType(type, new Float64Array(0))
      : await this.#selected(path, [zarr.slice(from, to), ...rest.map(() => null)], signal);
    if (!isWideArray(values)) return { type, shape, values, exact: undefined };
    return { type, shape, values: narrowed(values), exact: values };
  }

  /** Values of one plain chunk of whole rows, without a copy; the last one may have surplus rows. */
  async rowsOfChunk(path: string, chunk: number, signal?: AbortSignal): Promise<StoredNumbers> {
    const { shape, data_type: type } = this.array(path);
    if (type === 'string') throw this.damaged(path, 'it holds strings, not numbers');
    const place = [chunk, ...shape.slice(1).map(() => 0)];
    const { data } = await this.#chunked(path).getChunk(place, signal && { signal });
    return { type, shape, values: data as NumericArray, exact: undefined };
  }

  async #selected(
    path: string,
    selection: (zarr.Slice | null)[],
    signal?: AbortSignal,
  ): Promise<NumericArray | WideIntegers> {
    const options = { createQueue: limitedQueue, ...(signal && { signal }) };
    const { data } = await zarr.get(this.#chunked(path), selection, options);
    return data as NumericArray | WideIntegers;
  }

  /** Strings of all or some rows of a string array in plain chunks. Throws DatasetDamaged. */
  async strings(path: string, signal?: AbortSignal, rows?: RowRange): Promise<PackedStrings> {
    const { shape, data_type: type } = this.array(path);
    if (type !== 'string') throw this.damaged(path, 'it holds numbers, not strings');
    const { from, to } = rows ?? { from: 0, to: shape[0] ?? 0 };
    const array = this.#chunked(path);
    const [chunkRows = 1] = array.chunks;
    const firstChunk = Math.floor(from / chunkRows);
    const chunks = new Array<Uint8Array>(Math.ceil(to / chunkRows) - firstChunk);
    await eachLimited(chunks.length, chunksAtOnce, async (place) => {
      const { data } = await array.getChunk([firstChunk + place], signal && { signal });
      chunks[place] = data as Uint8Array;
    });
    try {
      return stringsFromBytes(chunks, to - from, from - firstChunk * chunkRows);
    } catch (cause) {
      throw this.damaged(path, 'its strings cannot be read', cause);
    }
  }

  /** An array for zarrita. Paths are hidden from it: it treats them as URLs, in which `%`, `?` and `#` are special. */
  #chunked(path: string): ChunkedArray {
    const store = {
      get: (key: string, options?: zarr.GetOptions) => this.bytes(path + key, { signal: options?.signal }),
    };
    return new ChunkedArray(store, chunkMetadata(this.array(path)), (chunk, cause) =>
      this.damaged(`${path}/${chunk}`, 'it cannot be decompressed', cause),
    );
  }

  damaged(path: string, reason: string, cause?: unknown): DatasetDamaged {
    return new DatasetDamaged(this.id, path, reason, cause === undefined ? undefined : { cause });
  }
}

/** Fault of an object according to a store error; undefined if the error is not about it. */
function faultOf(error: unknown): string | undefined {
  if (error instanceof ObjectNotFound) return 'it is missing';
  return error instanceof RangeError ? 'it is shorter than it should be' : fileFault(error);
}

class ChunkedArray extends zarr.Array<zarr.DataType, zarr.AsyncReadable> {
  readonly #damaged: (chunk: string, cause: unknown) => DatasetDamaged;

  constructor(
    store: zarr.AsyncReadable,
    metadata: zarr.ArrayMetadata,
    damaged: (chunk: string, cause: unknown) => DatasetDamaged,
  ) {
    super(store, '/', metadata);
    this.#damaged = damaged;
  }

  override async getChunk(coordinates: number[], options?: zarr.GetOptions) {
    try {
      return await super.getChunk(coordinates, options);
    } catch (error) {
      throw zarr.isZarritaError(error) ? this.#damaged(['c', ...coordinates].join('/'), error) : error;
    }
  }
}

/** Limits the chunks in memory, and stops after a failure. */
export function limitedQueue() {
  const tasks: (() => Promise<void>)[] = [];
  return {
    add: (task: () => Promise<void>) => void tasks.push(task),
    onIdle: async () => {
      await eachLimited(tasks.length, chunksAtOnce, (i) => tasks[i]!());
      return [];
    },
  };
}

import { createHash } from 'node:crypto';
import type { NumericArray, PackedStrings, WideIntegers } from '@cellfolio/model';
import { type ByteRange, eachLimited, fileFault, ObjectNotFound, type ObjectStore } from '@cellfolio/bytes';
import { DatasetDamaged } from './errors.ts';
import type { DatasetManifest } from './manifest.ts';
import { bytesPerValue, numberArray, numbersFromBytes, wideFromBytes } from './number-bytes.ts';
import { stringsFromBytes } from './string-bytes.ts';
import type { ArrayMetadata, Attributes, NodeMetadata, ZarrType } from './zarr-metadata.ts';
import { decompressed } from './zstd.ts';

/** I/O done so far for one dataset; tests hold the reader to its plan with it. */
export interface ReadCounters {
  /** Calls of ObjectStore.get. */
  reads: number;
  bytes: number;
}

/** Plain chunks in memory at a time besides the array that they go into. */
const chunksAtOnce = 4;

/** Rows [from, to) of an array. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

export interface StoredNumbers {
  readonly type: Exclude<ZarrType, 'string'>;
  readonly shape: readonly number[];
  readonly values: NumericArray;
}

/** Reads the metadata and the plain arrays of one dataset, and counts what it reads. */
export class NodeReader {
  readonly id: string;
  readonly counters: ReadCounters = { reads: 0, bytes: 0 };
  readonly #objects: ObjectStore;
  readonly #prefix: string;
  readonly #version: string | undefined;
  #metadata: ReadonlyMap<string, NodeMetadata> = new Map();

  /** @param version of the dataset, where the store may rely on it */
  constructor(objects: ObjectStore, id: string, prefix: string, version?: string) {
    this.#objects = objects;
    this.#version = version;
    this.id = id;
    this.#prefix = prefix;
  }

  /** Loads the consolidated metadata, which must be those of the manifest. Throws DatasetDamaged. */
  async open({ files }: Pick<DatasetManifest, 'files'>): Promise<void> {
    const bytes = await this.bytes('zarr.json');
    const known = new Map(Object.entries(files)).get('zarr.json');
    if (createHash('sha256').update(bytes).digest('hex') !== known?.sha256) {
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

  /** Paths right below a group. */
  members(group: string): string[] {
    return [...this.#metadata.keys()].filter(
      (path) => path.startsWith(`${group}/`) && !path.includes('/', group.length + 1),
    );
  }

  /** An object of the dataset or one range of it, in `into` where the store can: the only way to the store. */
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
      if (error instanceof ObjectNotFound) throw this.damaged(path, 'it is missing', error);
      if (error instanceof RangeError) throw this.damaged(path, 'it is shorter than it should be', error);
      const fault = fileFault(error);
      if (fault !== undefined) throw this.damaged(path, fault, error);
      throw error;
    }
  }

  /** The values of a numeric array in plain chunks, of all its rows or of some. Throws DatasetDamaged. */
  async numbers(path: string, signal?: AbortSignal, rows?: RowRange): Promise<StoredNumbers> {
    const { shape, data_type: type } = this.array(path);
    if (type === 'string') throw this.damaged(path, 'it holds strings, not numbers');
    const { from, to } = rows ?? { from: 0, to: shape[0] ?? 0 };
    const perRow = shape.slice(1).reduce((product, length) => product * length, 1);
    const values = numberArray(type, (to - from) * perRow);
    await this.#eachChunk(path, type, { from, to }, signal, (bytes, first) => {
      const [start, end, at] = overlap(first, bytes.length / bytesPerValue(type), from * perRow, to * perRow);
      values.set(numbersFromBytes(type, bytes).subarray(start, end), at);
    });
    return { type, shape, values };
  }

  /** The values of an array of one dimension, each exact, of all rows or of some. Throws DatasetDamaged. */
  async wideIntegers(
    path: string,
    type: 'int64' | 'uint64',
    signal?: AbortSignal,
    rows?: RowRange,
  ): Promise<WideIntegers> {
    const { from, to } = rows ?? { from: 0, to: this.array(path).shape[0] ?? 0 };
    const values = wideFromBytes(type, new Uint8Array((to - from) * 8));
    await this.#eachChunk(path, type, { from, to }, signal, (bytes, first) => {
      const decoded = wideFromBytes(type, bytes);
      const [start, end, at] = overlap(first, decoded.length, from, to);
      for (let i = start; i < end; i++) values[at + i - start] = decoded[i]!;
    });
    return values;
  }

  /** The bytes of every plain chunk that has some of the rows, and the position of its first value in the array. */
  async #eachChunk(
    path: string,
    type: StoredNumbers['type'],
    { from, to }: RowRange,
    signal: AbortSignal | undefined,
    use: (bytes: Uint8Array, from: number) => void,
  ): Promise<void> {
    const { shape, ...metadata } = this.array(path);
    const perRow = shape.slice(1).reduce((product, length) => product * length, 1);
    const chunkRows = this.#chunkRows(path, metadata.chunk_grid.configuration.chunk_shape, shape);
    const size = chunkRows * perRow * bytesPerValue(type);
    const rest = shape
      .slice(1)
      .map(() => '/0')
      .join('');
    if ((to - from) * perRow === 0) return;
    const firstChunk = Math.floor(from / chunkRows);
    await eachLimited(Math.ceil(to / chunkRows) - firstChunk, chunksAtOnce, async (place) => {
      const chunk = firstChunk + place;
      use(await this.#chunk(`${path}/c/${chunk}${rest}`, size, signal), chunk * chunkRows * perRow);
    });
  }

  /** The strings of a string array in plain chunks, of all its rows or of some. Throws DatasetDamaged. */
  async strings(path: string, signal?: AbortSignal, rows?: RowRange): Promise<PackedStrings> {
    const { shape, data_type: type, ...metadata } = this.array(path);
    if (type !== 'string') throw this.damaged(path, 'it holds numbers, not strings');
    const { from, to } = rows ?? { from: 0, to: shape[0] ?? 0 };
    const chunkRows = this.#chunkRows(path, metadata.chunk_grid.configuration.chunk_shape, shape);
    const firstChunk = Math.floor(from / chunkRows);
    const chunks = new Array<Uint8Array>(Math.ceil(to / chunkRows) - firstChunk);
    await eachLimited(chunks.length, chunksAtOnce, async (place) => {
      chunks[place] = await this.#chunk(`${path}/c/${firstChunk + place}`, undefined, signal);
    });
    try {
      return stringsFromBytes(chunks, to - from, from - firstChunk * chunkRows);
    } catch (cause) {
      throw this.damaged(path, 'its strings cannot be read', cause);
    }
  }

  damaged(path: string, reason: string, cause?: unknown): DatasetDamaged {
    return new DatasetDamaged(this.id, path, reason, cause === undefined ? undefined : { cause });
  }

  async #chunk(path: string, size: number | undefined, signal?: AbortSignal): Promise<Uint8Array> {
    const frame = await this.bytes(path, { signal });
    try {
      return await decompressed(frame, size);
    } catch (cause) {
      throw this.damaged(path, 'it cannot be decompressed', cause);
    }
  }

  /** Chunks are cut along the rows only. */
  #chunkRows(path: string, chunkShape: readonly number[], shape: readonly number[]): number {
    const whole = chunkShape.every((length, i) => i === 0 || length === Math.max(1, shape[i] ?? 0));
    if (!whole || !chunkShape[0])
      throw this.damaged(path, 'it is cut in a way that this version does not read');
    return chunkShape[0];
  }
}

/** Of a chunk whose first value is the `first` of an array: start and end of those in [from, to), and where they go. */
function overlap(first: number, length: number, from: number, to: number): [number, number, number] {
  const start = Math.max(0, from - first);
  return [start, Math.min(length, to - first), first + start - from];
}

import { H5adError } from '../../h5ad-error.ts';
import { maxFileBytes, tooLargeFile } from '../file-bytes.ts';
import type { ZarrFiles } from './zarr-files.ts';
import { unreadable, type ZarrArray } from './zarr-node.ts';

/** Stored chunks of an array; all others consist of its fill value. */
export interface StoredChunks {
  /** Their numbers in the row-major grid, ascending. */
  numbers: Float64Array;
  count: number;
  /** Position in the grid of a chunk number. */
  placeOf: (number: number) => number[];
}

/** Number of the first absent chunk; one past the last if none is absent. */
export function firstAbsent(numbers: Float64Array): number {
  const at = numbers.findIndex((number, index) => number !== index);
  return at < 0 ? numbers.length : at;
}

/** Bytes of an entry in a shard index: an offset and a length, with all bits set for an absent chunk. */
const indexEntryBytes = 16;
const checksumBytes = 4;
/** Number of chunks in shards accepted for any file: reading one takes a fraction of a millisecond. */
const harmlessChunks = 65_536;
/** Minimum stored bytes of a packed chunk with its index entry, even if the index is packed. */
const minStoredBytes = 8;
/** Maximum number of chunks, whose numbers are held in memory. */
const maxChunks = 4_194_304;

/**
 * Lists the stored chunks of an array from its file names and shard indexes: a few bytes of metadata can declare a grid
 * of millions, each of which would need a lookup. Throws H5adError.
 */
export async function storedChunks(files: ZarrFiles, key: string, array: ZarrArray): Promise<StoredChunks> {
  const { shape, chunks } = array;
  const grid = shape.map((length, axis) => Math.ceil(length / chunks[axis]!));
  const count = product(grid);
  const placeOf = (number: number) => placeIn(grid, number);
  if (shape.length === 0) return { numbers: Float64Array.of(0), count, placeOf };
  const shards = await shardsOf(files, key, array);
  const limit = Math.min(maxChunks, Math.max(harmlessChunks, files.bytes / minStoredBytes));
  const chunkNumbers = new Set<number>();
  const add = (place: readonly number[]): void => {
    if (place.every((position, axis) => position < grid[axis]!))
      chunkNumbers.add(place.reduce((number, position, axis) => number * grid[axis]! + position, 0));
  };
  for (const { path, place } of await chunkFiles(files, key, shape.length)) {
    if (shards === undefined) {
      add(place);
      continue;
    }
    const index = await indexOf(files, `${key}/${path}`, shards);
    for (let entry = 0; entry < product(shards.grid); entry++) {
      if (index !== undefined && isAbsent(index, entry)) continue;
      const inside = placeIn(shards.grid, entry);
      add(inside.map((position, axis) => place[axis]! * shards.grid[axis]! + position));
      if (chunkNumbers.size > limit) throw tooManyChunks(files, key, array);
    }
  }
  return { numbers: Float64Array.from(chunkNumbers).sort(), count, placeOf };
}

function product(lengths: readonly number[]): number {
  return lengths.reduce((all, length) => all * length, 1);
}

/** Position of an entry in a row-major grid. */
function placeIn(grid: readonly number[], number: number): number[] {
  const place = new Array<number>(grid.length);
  for (let axis = grid.length - 1, rest = number; axis >= 0; axis--) {
    place[axis] = rest % grid[axis]!;
    rest = Math.floor(rest / grid[axis]!);
  }
  return place;
}

interface ChunkFile {
  /** Relative to the array. */
  path: string;
  place: readonly number[];
}

/** Files of an array with names of chunks: `c/0/1`, `c.0.1`, `0/1` or `0.1`. */
async function chunkFiles(files: ZarrFiles, key: string, dimensions: number): Promise<ChunkFile[]> {
  const chunks: ChunkFile[] = [];
  const look = async (folder: string): Promise<void> => {
    for (const name of await files.names(`${key}${folder === '' ? '' : `/${folder}`}`)) {
      const path = folder === '' ? name : `${folder}/${name}`;
      const place = path.split(/[./]/);
      if (place[0] === 'c') place.shift();
      if (!place.every((position) => /^\d{1,15}$/.test(position))) continue;
      if (place.length === dimensions) chunks.push({ path, place: place.map(Number) });
      else if (place.length < dimensions) await look(path);
    }
  };
  await look('');
  return chunks;
}

interface Shards {
  grid: readonly number[];
  /** Size of the index at the end of a shard; undefined for an unsupported index encoding. */
  indexBytes: number | undefined;
}

interface NamedCodec {
  name?: unknown;
  configuration?: {
    index_codecs?: readonly NamedCodec[];
    index_location?: unknown;
  };
}

/** Sharding of an array, which zarrita does not expose; undefined if it has none. */
async function shardsOf(files: ZarrFiles, key: string, { chunks }: ZarrArray): Promise<Shards | undefined> {
  const bytes = await files.get(`${key}/zarr.json`);
  if (bytes === undefined) return undefined;
  // It is sound, for zarrita opened the array by it.
  const metadata = JSON.parse(Buffer.from(bytes).toString()) as {
    chunk_grid: { configuration: { chunk_shape: readonly number[] } };
    codecs: readonly NamedCodec[];
  };
  const sharding = metadata.codecs.find(({ name }) => name === 'sharding_indexed')?.configuration;
  if (sharding === undefined) return undefined;
  const shape = metadata.chunk_grid.configuration.chunk_shape;
  const grid = chunks.map((length, axis) => shape[axis]! / length);
  if (!grid.every((length) => Number.isSafeInteger(length) && length > 0))
    throw unreadable(files, key, `its shards are ${shape.join(' x ')} in chunks of ${chunks.join(' x ')}`);
  const entries = indexEntryBytes * product(grid);
  if (entries > maxFileBytes) throw tooLargeFile(files.path, key);
  const [first, second, ...others] = (sharding.index_codecs ?? []).map(({ name }) => name);
  const isPlain = first === 'bytes' && (second ?? 'crc32c') === 'crc32c' && others.length === 0;
  const bytesAtEnd = entries + (second === undefined ? 0 : checksumBytes);
  return { grid, indexBytes: isPlain && sharding.index_location !== 'start' ? bytesAtEnd : undefined };
}

/** The index of a shard; undefined if all its chunks must be looked up. */
async function indexOf(files: ZarrFiles, name: string, { indexBytes }: Shards): Promise<Buffer | undefined> {
  if (indexBytes === undefined) return undefined;
  const bytes = await files.get(name, { suffixLength: indexBytes });
  return bytes?.length === indexBytes ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) : undefined;
}

function isAbsent(index: Buffer, entry: number): boolean {
  for (let at = entry * indexEntryBytes; at < (entry + 1) * indexEntryBytes; at += 4)
    if (index.readUInt32LE(at) !== 0xffff_ffff) return false;
  return true;
}

function tooManyChunks({ path, bytes }: ZarrFiles, part: string, { chunks }: ZarrArray): H5adError {
  return new H5adError({
    code: 'too-large',
    path,
    part,
    problem: `its shards list more chunks of ${chunks.join(' x ')} values than a file of ${bytes} bytes can hold.`,
    hint: 'Write it again with anndata, in chunks of some megabytes.',
  });
}

import { gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import * as zarr from 'zarrita';
import { registry } from 'zarrita';
import { cutText, quotedHead } from '@cellfolio/model';
import { H5adError } from '../../h5ad-error.ts';
import { tooLargeFile, maxFileBytes, ownBytes } from '../file-bytes.ts';
import type { ZarrFiles } from './zarr-files.ts';

/** Room for a checksum after the values. */
const spare = 64;

function chunkBytes({ dataType, shape }: { dataType: string; shape: readonly number[] }): number {
  const values = shape.reduce((product, length) => product * length, 1);
  const [, kind = '', size = '8'] = /^(?:v2:)?(U|S|u?int|float|bool)(\d*)$/.exec(dataType) ?? [];
  if (kind === '') return maxFileBytes;
  if (kind === 'U') return 4 * Number(size) * values;
  return kind === 'S' ? Number(size) * values : (Number(size || '8') / 8) * values;
}

type Unpack = (bytes: Uint8Array, maxBytes: number) => Uint8Array | Promise<Uint8Array>;

/** Node's codecs take an output limit; those in WebAssembly allocate what the first bytes of a chunk declare. */
const unpackers: Readonly<Record<string, Unpack>> = {
  gzip: (bytes, maxOutputLength) => gunzipSync(bytes, { maxOutputLength }),
  zlib: (bytes, maxOutputLength) => inflateSync(bytes, { maxOutputLength }),
  zstd: (bytes, maxOutputLength) => zstdDecompressSync(bytes, { maxOutputLength }),
  blosc: declaring('blosc', 4),
  lz4: declaring('lz4', 0),
};

/** A WebAssembly codec whose chunks declare their unpacked size as 32 bits at a position. */
function declaring(name: string, position: number): Unpack {
  const load = registry.get(name)!;
  return async (bytes, maxBytes) => {
    const size =
      bytes.length < position + 4
        ? Infinity
        : new DataView(bytes.buffer, bytes.byteOffset).getUint32(position, true);
    if (size > maxBytes)
      throw new RangeError(`a chunk says that it unpacks to ${size} bytes, and has ${maxBytes} at most`);
    const codec = (await load()).fromConfig(
      {},
      { dataType: 'uint8', shape: [size], codecs: [], fillValue: 0 },
    );
    return (codec as unknown as { decode: (packed: Uint8Array) => Promise<Uint8Array> }).decode(bytes);
  };
}

class NotUtf8 extends Error {}

/** Decodes a chunk of strings strictly; zarrita's decoder replaces invalid bytes and drops byte-order marks. */
function stringsOf(bytes: Uint8Array): string[] {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const strings = new Array<string>(Math.min(view.getUint32(0, true), bytes.length));
  for (let at = 0, position = 4; at < strings.length; at++) {
    const from = position + 4;
    position = from + view.getUint32(position, true);
    if (position > bytes.length) throw new RangeError('a chunk of strings ends within one');
    try {
      strings[at] = decoder.decode(bytes.subarray(from, position));
    } catch {
      throw new NotUtf8();
    }
  }
  return strings;
}

const strictStrings: Parameters<typeof registry.set>[1] = async () => ({
  kind: 'array_to_bytes',
  fromConfig: (_, { shape }) => ({
    kind: 'array_to_bytes',
    encode: () => Promise.reject(new Error('chunks are only read here')),
    decode: (bytes: Uint8Array) => ({
      data: stringsOf(bytes),
      shape,
      stride: shape.map((_length, axis) => shape.slice(axis + 1).reduce((product, n) => product * n, 1)),
    }),
  }),
});

/** Limits zarrita to unpack each chunk to the size implied by its array: a few bytes can declare gigabytes. */
function boundCodecs(): void {
  for (const [name, unpack] of Object.entries(unpackers)) {
    const load: Parameters<typeof registry.set>[1] = async () => ({
      kind: 'bytes_to_bytes',
      fromConfig: (_, metadata) => {
        const maxBytes = Math.max(1, chunkBytes(metadata) + spare);
        return {
          kind: 'bytes_to_bytes',
          encode: () => Promise.reject(new Error('chunks are only read here')),
          decode: async (bytes: Uint8Array) => ownBytes(await unpack(bytes, maxBytes)),
        };
      },
    });
    registry.set(name, load);
    registry.set(`numcodecs.${name}`, load);
  }
  registry.set('vlen-utf8', strictStrings);
  registry.set('numcodecs.vlen-utf8', strictStrings);
}

export type ZarrArray = zarr.Array<zarr.DataType, zarr.AsyncReadable>;
export type ZarrNode = ZarrArray | zarr.Group<zarr.AsyncReadable>;

/** Maximum size of a chunk, which is always unpacked whole. */
const maxChunkBytes = 256 * 2 ** 20;
const maxDimensions = 2 ** 40;

boundCodecs();

/** An array of an unsupported type, such as dates. */
export class UnknownType {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  get quoted(): string {
    return quotedHead(this.name);
  }
}

/** The array or group at a key; undefined if missing. Throws H5adError that names it. */
export async function zarrNode(files: ZarrFiles, key: string): Promise<ZarrNode | UnknownType | undefined> {
  const within = key === '' ? '' : `${key}/`;
  // Each node has a store of its own: zarrita takes paths for addresses, where `%`, `?` and `#` mean something.
  const store: zarr.AsyncReadable = {
    get: (path) => files.get(within + path.slice(1)),
    getRange: (path, range) => files.get(within + path.slice(1), range),
  };
  const node = await zarr.open(store).catch(async (cause: unknown) => {
    if (cause instanceof H5adError) throw cause;
    // zarrita does not find arrays of version 2 whose type it does not know.
    const type = await unknownType(files, within);
    if (type !== undefined) return new UnknownType(type);
    if (cause instanceof zarr.NotFoundError) return undefined;
    throw unreadable(files, key, 'its metadata cannot be read', cause);
  });
  if (node instanceof zarr.Array) assertSound(files, key, node);
  return node;
}

const typePattern = /^(u?int(8|16|32|64)|float(16|32|64)|bool|string|[<>|]([biuf][1248]|[SU]\d+|O))$/;

/** Type of an array by its metadata of version 3 or 2, if it is unsupported. */
async function unknownType(files: ZarrFiles, within: string): Promise<string | undefined> {
  for (const name of ['zarr.json', '.zarray']) {
    const bytes = await files.get(within + name);
    if (bytes === undefined) continue;
    try {
      const { data_type, dtype } = JSON.parse(Buffer.from(bytes).toString()) as Record<string, unknown>;
      const type = data_type ?? dtype;
      const named = type === undefined ? undefined : typeof type === 'string' ? type : nameIn(type);
      return named === undefined || typePattern.test(named) ? undefined : cutText(named, 60);
    } catch {
      // Metadata that is no JSON says no type.
    }
  }
  return undefined;
}

/** Version 3 types with parameters are objects; version 2 records are lists. */
function nameIn(type: unknown): string {
  const { name } = type as { name?: unknown };
  return typeof name === 'string' ? name : 'records';
}

export function assertSound(files: ZarrFiles, key: string, array: ZarrArray): void {
  const { shape, chunks, dtype } = array;
  const whole = (length: number, minimum: number) =>
    Number.isSafeInteger(length) && length >= minimum && length <= maxDimensions;
  if (
    shape.length !== chunks.length ||
    !shape.every((length) => whole(length, 0)) ||
    !chunks.every((length) => whole(length, 1))
  )
    throw unreadable(files, key, `its shape is ${shape.join(' x ')} in chunks of ${chunks.join(' x ')}`);
  if (!isOfObjects(array) && chunkBytes({ dataType: dtype, shape: chunks }) > maxChunkBytes)
    throw tooLargeFile(files.path, key);
}

export function isOfObjects({ dtype }: ZarrArray): boolean {
  return dtype === 'string' || dtype === 'v2:object';
}

/** A chunk by its grid position. Throws H5adError that names it. */
export async function chunkAt(
  files: ZarrFiles,
  { key, array, place }: { key: string; array: ZarrArray; place: number[] },
): Promise<zarr.Chunk<zarr.DataType>> {
  try {
    return await array.getChunk(place);
  } catch (cause) {
    if (cause instanceof H5adError) throw cause;
    // zarrita wraps the error of a codec.
    if ((cause as Error).cause instanceof NotUtf8) throw notUtf8(files, key);
    const codec = cause instanceof zarr.UnknownCodecError ? ` (${cause.message})` : '';
    throw unreadable(files, `${key}, chunk ${place.join('.')}`, `it cannot be unpacked${codec}`, cause);
  }
}

export function notUtf8({ path }: ZarrFiles, part: string): H5adError {
  return new H5adError({
    code: 'unreadable',
    path,
    part,
    problem: 'its text is not UTF-8, as all text of Zarr is.',
    hint: 'Write it as UTF-8, or leave it out.',
  });
}

export function unreadable({ path }: ZarrFiles, part: string, problem: string, cause?: unknown): H5adError {
  return new H5adError({
    code: 'unreadable',
    path,
    part,
    problem: `${problem}.`,
    hint: 'The file may be damaged: copy it again, or write it again with anndata.',
    ...(cause !== undefined && { cause }),
  });
}

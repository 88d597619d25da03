import { gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import { registry } from 'zarrita';
import { maxFileBytes, ownBytes } from '../file-bytes.ts';

interface ChunkMetadata {
  readonly dataType: string;
  readonly shape: readonly number[];
}

/** Room for a checksum after the values. */
const spare = 64;

export function chunkBytes({ dataType, shape }: ChunkMetadata): number {
  const values = shape.reduce((product, length) => product * length, 1);
  const [, kind = '', size = '8'] = /^(?:v2:)?(U|S|u?int|float|bool)(\d*)$/.exec(dataType) ?? [];
  if (kind === '') return maxFileBytes;
  if (kind === 'U') return 4 * Number(size) * values;
  return kind === 'S' ? Number(size) * values : (Number(size || '8') / 8) * values;
}

type Unpack = (bytes: Uint8Array, most: number) => Uint8Array | Promise<Uint8Array>;

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

export class NotUtf8 extends Error {}

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
export function boundCodecs(): void {
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

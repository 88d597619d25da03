import { promisify } from 'node:util';
import { constants, gunzip, zstdCompress, zstdDecompress } from 'node:zlib';
import { codesFor, type Labels } from './labels.ts';

/** zstd takes 3 ms for a million codes, gzip at its fastest 21 ms. */
const params = { [constants.ZSTD_c_compressionLevel]: 1 };
/** One output buffer: each further one costs a turn through the thread pool. */
const chunkSize = 1 << 21;
const packed = promisify(zstdCompress);
const unpacked = promisify(zstdDecompress);
const gunzipped = promisify<Uint8Array, Buffer>(gunzip);
const gzipStart = 0x1f8b;

export interface PackedLabels {
  groups: Labels['groups'];
  codes: Buffer;
}

export function packedCodes({ buffer, byteOffset, byteLength }: Labels['codes']): Promise<Buffer> {
  return packed(new Uint8Array(buffer, byteOffset, byteLength), { params, chunkSize });
}

/** Numbers of cells; when unpacked they are in memory that threads share. */
export function packedNumbers({ buffer, byteOffset, byteLength }: Float64Array): Promise<Buffer> {
  return packed(new Uint8Array(buffer, byteOffset, byteLength), { params, chunkSize });
}

export async function unpackedNumbers(numbers: Buffer): Promise<Float64Array> {
  const bytes = await unpacked(numbers, { chunkSize });
  const shared = new Float64Array(new SharedArrayBuffer(bytes.length));
  new Uint8Array(shared.buffer).set(bytes);
  return shared;
}

/** The codes are in memory that threads share. */
export async function unpackedCodes({ groups, codes }: PackedLabels): Promise<Int8Array | Int16Array> {
  const isGzip = codes.readUInt16BE(0) === gzipStart;
  const bytes = await (isGzip ? gunzipped(codes) : unpacked(codes, { chunkSize }));
  const isShort = codesFor(groups.length, 0).BYTES_PER_ELEMENT === 1;
  const shared = codesFor(groups.length, isShort ? bytes.length : bytes.length / 2);
  new Uint8Array(shared.buffer).set(bytes);
  return shared;
}

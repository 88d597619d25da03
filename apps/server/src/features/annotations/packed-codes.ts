import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { codesFor, type Labels } from './labels.ts';

/** Of gzip: a million codes take 15 ms. */
const packing = { level: 1 };
const packed = promisify<Uint8Array, { level: number }, Buffer>(gzip);
const unpacked = promisify<Uint8Array, Buffer>(gunzip);

/** Labels as the database has them. */
export interface PackedLabels {
  readonly groups: readonly { readonly name: string; readonly colour: string }[];
  readonly codes: Buffer;
}

export function packedCodes({ buffer, byteOffset, byteLength }: Labels['codes']): Promise<Buffer> {
  return packed(new Uint8Array(buffer, byteOffset, byteLength), packing);
}

/** In memory that threads share. */
export async function unpackedCodes({ groups, codes }: PackedLabels): Promise<Int8Array | Int16Array> {
  const bytes = await unpacked(codes);
  const isShort = codesFor(groups.length, 0).BYTES_PER_ELEMENT === 1;
  const shared = codesFor(groups.length, isShort ? bytes.length : bytes.length / 2);
  new Uint8Array(shared.buffer).set(bytes);
  return shared;
}

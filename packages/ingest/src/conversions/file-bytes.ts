import type { FileHandle } from 'node:fs/promises';
import { H5adError } from '../h5ad-error.ts';

/** A range of a file, or its last bytes: shards hold many chunks, with their index at the end. */
export type ByteRange = { offset: number; length: number } | { suffixLength: number };

export function within(range: ByteRange | undefined, size: number): { start: number; length: number } {
  if (range === undefined) return { start: 0, length: size };
  if ('offset' in range) return { start: range.offset, length: Math.min(range.length, size - range.offset) };
  return { start: Math.max(0, size - range.suffixLength), length: Math.min(range.suffixLength, size) };
}

export const maxFileBytes = 512 * 2 ** 20;

export function tooLargeFile(path: string, key: string): H5adError {
  return new H5adError({
    code: 'too-large',
    path,
    part: key,
    problem: 'one of its files is larger than any chunk of a matrix.',
    hint: 'Write it again with anndata, in chunks of some megabytes.',
  });
}

/** Copies a view that does not cover its whole buffer, since decoders read the buffer from its beginning. */
export function ownBytes(bytes: Uint8Array): Uint8Array {
  return bytes.byteOffset === 0 && bytes.byteLength === bytes.buffer.byteLength
    ? bytes
    : Uint8Array.from(bytes);
}

export async function bytesAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  let read = 0;
  while (read < length) {
    const { bytesRead } = await handle.read(buffer, read, length - read, position + read);
    if (bytesRead === 0) break;
    read += bytesRead;
  }
  return buffer.subarray(0, read);
}

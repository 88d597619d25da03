import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { H5adError } from '../../h5ad-error.ts';

/** Some bytes of a file, or its last ones: shards hold many chunks and the list of them at the end. */
export type ByteRange =
  | { readonly offset: number; readonly length: number }
  | { readonly suffixLength: number };

/** Where a range begins in a file of so many bytes, and how long it is. */
export function within(range: ByteRange | undefined, size: number): { start: number; length: number } {
  if (range === undefined) return { start: 0, length: size };
  if ('offset' in range) return { start: range.offset, length: Math.min(range.length, size - range.offset) };
  return { start: Math.max(0, size - range.suffixLength), length: Math.min(range.suffixLength, size) };
}

/** The files of a Zarr hierarchy by their keys, such as `obs/_index/0`. */
export interface ZarrFiles {
  /** Of what it was opened from, for messages. */
  readonly path: string;
  /** Bytes of all files together, as they are stored. */
  readonly bytes: number;
  /** Undefined where there is none. The bytes begin their buffer. Throws H5adError. */
  readonly get: (key: string, range?: ByteRange) => Promise<Uint8Array | undefined>;
  /** Names right below a key; '' is the root. */
  readonly names: (key: string) => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
}

/** No chunk and no metadata is as large as this. */
export const maxFileBytes = 512 * 2 ** 20;

/** A folder. Keys come from names that it lists and from numbers of chunks: none leads out of it. */
export async function zarrFolder(path: string): Promise<ZarrFiles> {
  return {
    path,
    bytes: await folderBytes(path),
    get: async (key, range) => {
      const file = join(path, key);
      const found = await stat(file).catch(() => undefined);
      if (found?.isFile() !== true) return undefined;
      const { start, length } = within(range, found.size);
      if (!(length >= 0 && length <= maxFileBytes)) throw tooLargeFile(path, key);
      await using handle = await open(file);
      return ownBytes(await bytesAt(handle, start, length));
    },
    names: async (key) =>
      (await readdir(join(path, key), { withFileTypes: true }).catch(() => [])).map(({ name }) => name),
    close: () => Promise.resolve(),
  };
}

async function folderBytes(path: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const inside = join(path, entry.name);
    if (entry.isDirectory()) bytes += await folderBytes(inside);
    else if (entry.isFile()) bytes += (await stat(inside)).size;
  }
  return bytes;
}

export function tooLargeFile(path: string, key: string): H5adError {
  return new H5adError({
    code: 'too-large',
    path,
    part: key,
    problem: 'one of its files is larger than any chunk of a matrix.',
    hint: 'Write it again with anndata, in chunks of some megabytes.',
  });
}

/** Decoders look at the buffer of their bytes from its beginning. */
export function ownBytes(bytes: Uint8Array): Uint8Array {
  return bytes.byteOffset === 0 && bytes.byteLength === bytes.buffer.byteLength
    ? bytes
    : Uint8Array.from(bytes);
}

/** Bytes of a file from a position on; fewer at its end. */
export async function bytesAt(
  handle: Awaited<ReturnType<typeof open>>,
  position: number,
  length: number,
): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  let read = 0;
  while (read < length) {
    const { bytesRead } = await handle.read(buffer, read, length - read, position + read);
    if (bytesRead === 0) break;
    read += bytesRead;
  }
  return buffer.subarray(0, read);
}

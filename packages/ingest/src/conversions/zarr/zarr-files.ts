import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type ByteRange, bytesAt, maxFileBytes, ownBytes, tooLargeFile, within } from '../file-bytes.ts';

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

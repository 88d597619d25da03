import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type ByteRange, bytesAt, maxFileBytes, ownBytes, tooLargeFile, within } from '../file-bytes.ts';

/** Files of a Zarr hierarchy by key, such as `obs/_index/0`. */
export interface ZarrFiles {
  path: string;
  bytes: number;
  /** Undefined for a missing file. The bytes start at the beginning of their buffer. Throws H5adError. */
  get: (key: string, range?: ByteRange) => Promise<Uint8Array | undefined>;
  names: (key: string) => Promise<readonly string[]>;
  close: () => Promise<void>;
}

/** A folder as ZarrFiles. Keys come from its listings and from chunk numbers, so none leads outside it. */
export async function zarrFolder(path: string): Promise<ZarrFiles> {
  return {
    path,
    bytes: await folderBytes(path),
    get: async (key, range) => {
      const file = join(path, key);
      const stats = await stat(file).catch(() => undefined);
      if (stats?.isFile() !== true) return undefined;
      const { start, length } = within(range, stats.size);
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

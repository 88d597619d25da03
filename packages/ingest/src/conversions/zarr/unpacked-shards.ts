import { type FileHandle, open, rm } from 'node:fs/promises';
import { type ByteRange, bytesAt, maxFileBytes, ownBytes, tooLargeFile, within } from '../file-bytes.ts';
import type { ZipFile } from '../zip-file.ts';

/** Maximum open shards: those that a row of chunks crosses are read in turn. */
const maxOpen = 16;

export interface UnpackedShards {
  /** Throws H5adError. */
  get: (name: string, range: ByteRange) => Promise<Uint8Array>;
  close: () => Promise<void>;
}

/**
 * A shard, as anndata 0.13 writes by default, is one file of up to a gigabyte with hundreds of chunks. A deflated file
 * has no random access, so each chunk would require unpacking it again; instead it is unpacked once, to an unlinked
 * file at `scratch`.
 */
export function unpackedShards(path: string, zip: ZipFile, scratch: string): UnpackedShards {
  const shards = new Map<string, Promise<FileHandle>>();
  let shardCount = 0;

  async function unpacked(name: string): Promise<FileHandle> {
    const file = `${scratch}.shard-${shardCount++}`;
    const handle = await open(file, 'wx+', 0o600);
    await rm(file);
    try {
      await zip.unpack(name, handle);
      return handle;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async function closeFirst(): Promise<void> {
    const [name, handle] = shards.entries().next().value!;
    shards.delete(name);
    await (await handle.catch(() => undefined))?.close();
  }

  return {
    get: async (name, range) => {
      const shard = shards.get(name) ?? unpacked(name);
      // The one that was read last is the last to go.
      shards.delete(name);
      shards.set(name, shard);
      if (shards.size > maxOpen) await closeFirst();
      const handle = await shard;
      const { start, length } = within(range, (await handle.stat()).size);
      if (!(length >= 0 && length <= maxFileBytes)) throw tooLargeFile(path, name);
      return ownBytes(await bytesAt(handle, start, length));
    },
    close: async () => {
      while (shards.size > 0) await closeFirst();
    },
  };
}

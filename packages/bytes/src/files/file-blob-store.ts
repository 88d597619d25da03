import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, type FileHandle, open, rename, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { ObjectNotFound, ObjectStoreFailed, StoreWriteFailed } from '../errors.ts';
import { FileObjectStore, isAbsentFile, partSuffix } from '../file-object-store.ts';
import type { ByteRange, ByteSource } from '../object-store.ts';
import { makeFolder, syncFile, syncFolder } from '../sync-folder.ts';
import {
  type AppendRequest,
  type BlobStore,
  type Checkpoint,
  type PutOptions,
  type PutResult,
  type ResumableBlobs,
  WrappedStore,
} from './blob-store.ts';

/** Bytes between checkpoints of an append: the maximum that a crash can lose. */
const checkpointBytes = 32 * 1024 * 1024;

/** Body bytes between two checks of the free disk space. */
const lookBytes = 4 * 1024 * 1024;

/** Blobs as files under one root folder; a key is the path below it. */
export class FileBlobStore extends WrappedStore<FileObjectStore> implements BlobStore {
  readonly resumable: ResumableBlobs = {
    append: (key, request) => this.#append(key, request),
    finish: (key, _state, size) => this.#finish(key, size),
    // Finishing renames the file, which leaves nothing behind.
    tidy: async () => {},
    discard: (key) => this.objects.deleteParts(key),
  };

  readonly #root: string;
  readonly #keptFree: number;

  /** Writing stops, as on a full disk, if less than `keptFree` bytes are free: a database may need them. */
  constructor(root: string, { keptFree = 0 }: { readonly keptFree?: number } = {}) {
    super(new FileObjectStore(root));
    this.#root = root;
    this.#keptFree = keptFree;
  }

  override put(key: string, body: ByteSource, options: PutOptions): Promise<PutResult> {
    return super.put(key, this.#whileFree(body), options);
  }

  pathOf(key: string): string {
    return this.objects.pathOf(key);
  }

  /** An open stream stays readable after its blob is deleted. */
  async get(key: string, options: { range?: ByteRange; signal?: AbortSignal } = {}): Promise<Readable> {
    options.signal?.throwIfAborted();
    const handle = await open(this.pathOf(key), 'r').catch((cause: unknown) => {
      throw isAbsentFile(cause)
        ? new ObjectNotFound(key, { cause })
        : new ObjectStoreFailed(key, 1, { cause });
    });
    const { range, signal } = options;
    if (range?.length === 0) {
      await handle.close();
      return Readable.from([]);
    }
    return handle.createReadStream({
      highWaterMark: 256 * 1024,
      ...(range && { start: range.offset, end: range.offset + range.length - 1 }),
      ...(signal && { signal }),
    });
  }

  async copy(from: string, to: string): Promise<void> {
    const source = this.pathOf(from);
    await this.#requireFree();
    try {
      await this.objects.publish(to, async (part) => {
        // Shares the blocks of the original if the file system supports it.
        await copyFile(source, part, constants.COPYFILE_FICLONE);
        await syncFile(part);
      });
    } catch (error) {
      throw isAbsentFile((error as Error).cause) ? new ObjectNotFound(from, { cause: error }) : error;
    }
  }

  async *#whileFree(body: ByteSource): AsyncGenerator<Uint8Array> {
    let bytes = lookBytes;
    for await (const piece of body) {
      if (bytes >= lookBytes) {
        await this.#requireFree();
        bytes = 0;
      }
      bytes += piece.byteLength;
      yield piece;
    }
  }

  async #requireFree(): Promise<void> {
    if (this.#keptFree === 0) return;
    await makeFolder(this.#root);
    if ((await freeBytes(this.#root)) >= this.#keptFree) return;
    throw Object.assign(new Error('The disk is nearly full.'), { code: 'ENOSPC' });
  }

  async *#append(key: string, { offset, body }: AppendRequest): AsyncIterable<Checkpoint> {
    const path = this.pathOf(key);
    await makeFolder(dirname(path));
    const handle = await open(path + partSuffix, constants.O_RDWR | constants.O_CREAT);
    try {
      const { size } = await handle.stat();
      if (size < offset) throw new Error(`${size} of ${offset} bytes are on disk`);
      // Bytes of a crashed writer, never acknowledged.
      if (size > offset) await handle.truncate(offset);
      if (offset === 0) await syncFolder(dirname(path));
      yield* this.#checkpoints(key, handle, offset, this.#whileFree(body));
    } catch (error) {
      throw error instanceof BodyInterrupted ? error.cause : new StoreWriteFailed(path, { cause: error });
    } finally {
      await handle.close();
    }
  }

  async *#checkpoints(
    key: string,
    handle: FileHandle,
    offset: number,
    body: ByteSource,
  ): AsyncIterable<Checkpoint> {
    let written = offset;
    let durable = offset;
    let hash = createHash('sha256');
    const checkpoint = async (): Promise<Checkpoint> => {
      await handle.datasync();
      durable = written;
      const digest = hash.digest('hex');
      hash = createHash('sha256');
      return { state: { file: key }, offset: durable, digest };
    };
    const pieces = body[Symbol.asyncIterator]();
    let interruption: BodyInterrupted | undefined;
    try {
      for (;;) {
        const next = await pieces.next().catch((cause: unknown) => {
          interruption = new BodyInterrupted(cause);
          return undefined;
        });
        if (!next || next.done) break;
        await writeAll(handle, next.value, written);
        hash.update(next.value);
        written += next.value.byteLength;
        if (written - durable >= checkpointBytes) yield await checkpoint();
      }
      if (written > durable) yield await checkpoint();
    } finally {
      // Stops the sender if writing failed.
      if (!interruption) await pieces.return?.();
    }
    if (interruption) throw interruption;
  }

  async #finish(key: string, size: number): Promise<void> {
    const path = this.pathOf(key);
    try {
      if ((await sizeOf(path)) === size) return;
      const partSize = await sizeOf(path + partSuffix);
      if (partSize === undefined && size === 0) {
        await makeFolder(dirname(path));
        await (await open(path + partSuffix, 'w')).close();
      } else if (partSize !== size) throw new Error(`${partSize ?? 'none'} of ${size} bytes are on disk`);
      await rename(path + partSuffix, path);
      await syncFolder(dirname(path));
    } catch (cause) {
      throw new StoreWriteFailed(path, { cause });
    }
  }
}

/** Distinguishes an error of the sender from one of the disk. */
class BodyInterrupted extends Error {
  override readonly name = 'BodyInterrupted';

  constructor(cause: unknown) {
    super('The body was interrupted.', { cause });
  }
}

async function writeAll(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  let done = 0;
  while (done < bytes.byteLength) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.byteLength - done, position + done);
    done += bytesWritten;
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    const stats = await stat(path);
    return stats.isFile() ? stats.size : undefined;
  } catch (error) {
    if (isAbsentFile(error)) return undefined;
    throw error;
  }
}

/** Free bytes on the disk of a folder, for a process that is not root. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

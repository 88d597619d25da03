import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { BlobNotFound, BlobStoreFailed } from './blob-errors.ts';
import type {
  AppendRequest,
  BlobStore,
  ByteRange,
  ByteSource,
  Checkpoint,
  PutOptions,
  PutResult,
  ResumableBlobs,
} from './blob-store.ts';
import { measuredBody } from './measured-body.ts';
import { makeFolder, syncFolder } from './sync-folder.ts';

/** End of the name of an unfinished blob; such files are never listed. */
const partSuffix = '.part~';
/** An append is made durable each time so many bytes have come: what a crash can cost. */
const checkpointBytes = 32 * 1024 * 1024;

/** Blobs as files under one root folder; a key is the path below it. */
export class FileBlobStore implements BlobStore {
  readonly #root: string;
  readonly resumable: ResumableBlobs = {
    append: (key, request) => this.#append(key, request),
    finish: (key, _state, size) => this.#finish(key, size),
    // A file becomes the blob under another name: nothing is beside it.
    tidy: async () => {},
    discard: async (key) => {
      const path = this.pathOf(key);
      await Promise.all([rm(path, { force: true }), rm(path + partSuffix, { force: true })]);
    },
  };

  constructor(root: string) {
    this.#root = resolve(root);
  }

  /** The file of a blob, for readers that need a path. Throws TypeError for a key that is not one of ours. */
  pathOf(key: string): string {
    // Keys are made by us; should one ever come from elsewhere, it must not leave the root.
    if (!/^[\w-]+(?:\/[\w.-]*[\w-])*$/.test(key) || key.includes('..')) {
      throw new TypeError(`Not a blob key: ${JSON.stringify(key)}`);
    }
    return join(this.#root, key);
  }

  async put(key: string, body: ByteSource, options: PutOptions): Promise<PutResult> {
    const path = this.pathOf(key);
    const part = path + partSuffix;
    const measured = measuredBody(body, options.maxBytes, options.signal);
    try {
      await makeFolder(dirname(path));
      const handle = await open(part, 'wx');
      try {
        for await (const piece of measured) await handle.writeFile(piece);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(part, path);
      await syncFolder(dirname(path));
    } catch (error) {
      await rm(part, { force: true });
      if (measured.failure) throw measured.failure.error;
      throw new BlobStoreFailed(key, { cause: error });
    }
    return { size: measured.size, digest: measured.digest() };
  }

  async get(key: string, options: { range?: ByteRange; signal?: AbortSignal } = {}): Promise<Readable> {
    options.signal?.throwIfAborted();
    const handle = await open(this.pathOf(key), 'r').catch((cause: unknown) => {
      throw isAbsent(cause) ? new BlobNotFound(key, { cause }) : new BlobStoreFailed(key, { cause });
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

  async head(key: string): Promise<{ size: number } | undefined> {
    const size = await sizeOf(this.pathOf(key));
    return size === undefined ? undefined : { size };
  }

  async delete(key: string): Promise<void> {
    await rm(this.pathOf(key), { force: true });
  }

  async copy(from: string, to: string): Promise<void> {
    const path = this.pathOf(to);
    const part = path + partSuffix;
    try {
      await makeFolder(dirname(path));
      // Where the file system can, the copy shares the blocks of the original.
      await copyFile(this.pathOf(from), part, constants.COPYFILE_FICLONE);
      const handle = await open(part, 'r+');
      try {
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(part, path);
      await syncFolder(dirname(path));
    } catch (cause) {
      await rm(part, { force: true });
      throw isAbsent(cause) ? new BlobNotFound(from, { cause }) : new BlobStoreFailed(to, { cause });
    }
  }

  async *list(prefix: string): AsyncIterable<string> {
    const entries = await readdir(this.#root, { recursive: true, withFileTypes: true }).catch(
      (error: unknown) => {
        if (isAbsent(error)) return [];
        throw error;
      },
    );
    for (const entry of entries) {
      if (!entry.isFile() || entry.name.endsWith(partSuffix)) continue;
      const key = join(entry.parentPath, entry.name).slice(this.#root.length + 1);
      if (key.startsWith(prefix)) yield key;
    }
  }

  async close(): Promise<void> {}

  async *#append(key: string, { offset, body }: AppendRequest): AsyncIterable<Checkpoint> {
    const path = this.pathOf(key);
    await makeFolder(dirname(path));
    const handle = await open(path + partSuffix, constants.O_RDWR | constants.O_CREAT);
    try {
      const { size } = await handle.stat();
      if (size < offset) throw new Error(`${size} of ${offset} bytes are on disk`);
      // What a writer that died left behind was never acknowledged.
      if (size > offset) await handle.truncate(offset);
      if (offset === 0) await syncFolder(dirname(path));
      yield* this.#checkpoints(key, handle, offset, body);
    } catch (error) {
      throw error instanceof BodyBroke ? error.cause : new BlobStoreFailed(key, { cause: error });
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
    let broke: BodyBroke | undefined;
    try {
      for (;;) {
        const next = await pieces.next().catch((cause: unknown) => {
          broke = new BodyBroke(cause);
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
      // Stops the sender where writing failed.
      if (!broke) await pieces.return?.();
    }
    if (broke) throw broke;
  }

  async #finish(key: string, size: number): Promise<void> {
    const path = this.pathOf(key);
    try {
      if ((await sizeOf(path)) === size) return;
      const found = await sizeOf(path + partSuffix);
      if (found === undefined && size === 0) {
        await makeFolder(dirname(path));
        await (await open(path + partSuffix, 'w')).close();
      } else if (found !== size) throw new Error(`${found ?? 'none'} of ${size} bytes are on disk`);
      await rename(path + partSuffix, path);
      await syncFolder(dirname(path));
    } catch (cause) {
      throw new BlobStoreFailed(key, { cause });
    }
  }
}

/** The sender's fault, told apart from the disk's. */
class BodyBroke extends Error {
  override readonly name = 'BodyBroke';

  constructor(cause: unknown) {
    super('The body broke off.', { cause });
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
    const found = await stat(path);
    return found.isFile() ? found.size : undefined;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

function isAbsent(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR';
}

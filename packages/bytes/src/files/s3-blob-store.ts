import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { CopyObjectCommand, UploadPartCopyCommand } from '@aws-sdk/client-s3';
import { ObjectNotFound } from '../errors.ts';
import type { ByteRange } from '../object-store.ts';
import { isAbsent } from '../s3/retries.ts';
import {
  abortUpload,
  abortUploads,
  beginUpload,
  completeUpload,
  minPartBytesFor,
  partBytesFor,
  sendPart,
} from '../s3/multipart-upload.ts';
import { S3ObjectStore } from '../s3/s3-object-store.ts';
import type { S3Location } from '../s3/s3-url.ts';
import {
  type AppendRequest,
  type BlobState,
  type BlobStore,
  type Checkpoint,
  type ResumableBlobs,
  WrappedStore,
} from './blob-store.ts';

/** S3 allows 5 GiB a request; smaller parts are cheaper to retry. */
const copyPartBytes = 1024 ** 3;

export class S3BlobStore extends WrappedStore<S3ObjectStore> implements BlobStore {
  readonly resumable: ResumableBlobs;

  constructor(location: S3Location) {
    super(new S3ObjectStore(location));
    this.resumable = new S3ResumableBlobs(this.objects);
  }

  async get(key: string, options: { range?: ByteRange; signal?: AbortSignal } = {}): Promise<Readable> {
    // S3 has no empty range.
    if (options.range?.length !== 0) return this.objects.open(key, options);
    if (!(await this.head(key))) throw new ObjectNotFound(key);
    return Readable.from([]);
  }

  async copy(from: string, to: string): Promise<void> {
    const size = (await this.head(from))?.size;
    if (size === undefined) throw new ObjectNotFound(from);
    const { Bucket, Key } = this.objects.at(from);
    const source = `${Bucket}/${Key}`.split('/').map(encodeURIComponent).join('/');
    try {
      if (size > copyPartBytes) return await this.#copyInParts(source, to, size);
      const input = { ...this.objects.at(to), CopySource: source };
      await this.objects.send(to, (client, options) => client.send(new CopyObjectCommand(input), options), {
        bytes: size,
      });
    } catch (error) {
      throw isAbsent((error as Error).cause) ? new ObjectNotFound(from, { cause: error }) : error;
    }
  }

  override async *list(prefix: string): AsyncIterable<string> {
    for await (const key of this.objects.list(prefix)) if (!key.endsWith(tailSuffix)) yield key;
  }

  async #copyInParts(source: string, to: string, size: number): Promise<void> {
    const uploadId = await beginUpload(this.objects, to);
    const upload = { ...this.objects.at(to), UploadId: uploadId, CopySource: source };
    try {
      const tags: (string | undefined)[] = [];
      for (let offset = 0; offset < size; offset += copyPartBytes) {
        const length = Math.min(copyPartBytes, size - offset);
        const CopySourceRange = `bytes=${offset}-${offset + length - 1}`;
        const input = { ...upload, PartNumber: tags.length + 1, CopySourceRange };
        const { CopyPartResult } = await this.objects.send(
          to,
          (client, options) => client.send(new UploadPartCopyCommand(input), options),
          { bytes: length },
        );
        tags.push(CopyPartResult?.ETag);
      }
      await completeUpload(this.objects, to, { uploadId, tags, length: size });
    } catch (error) {
      await abortUpload(this.objects, to, uploadId).catch(() => {});
      throw error;
    }
  }
}

/** `parts`: their tags. `tail`: bytes too few for a part, stored in a separate object. */
interface Progress {
  uploadId: string;
  parts: readonly string[];
  tail: number;
}

/**
 * Growing blobs on S3: a multipart upload, and a separate object for a tail too small to be a part. The state lists
 * the valid parts, so that an unacknowledged part of a crashed writer is overwritten.
 */
class S3ResumableBlobs implements ResumableBlobs {
  readonly #objects: S3ObjectStore;

  constructor(objects: S3ObjectStore) {
    this.#objects = objects;
  }

  async *append(key: string, { state, offset, length, body }: AppendRequest): AsyncIterable<Checkpoint> {
    let progress = progressOf(state) ?? (await this.#begin(key));
    const full = partBytesFor(length);
    const minimum = minPartBytesFor(length);
    // The one part in memory, reused.
    const part = Buffer.allocUnsafeSlow(Math.min(full, progress.tail + Math.max(0, length - offset)));
    let filled = progress.tail;
    if (filled > 0) part.set(await this.#readTail(key, progress));
    let total = offset;
    let durable = offset;
    let hash = createHash('sha256');
    const obsolete: string[] = [];
    /** A caller that continues has stored the checkpoint: earlier tails are obsolete. */
    const deleteObsolete = async () => {
      for (const old of obsolete.splice(0)) await this.#objects.delete(old);
    };

    const checkpoint = async (): Promise<Checkpoint> => {
      const bytes = part.subarray(0, filled);
      if (progress.tail > 0) obsolete.push(tailKey(key, progress.parts.length, progress.tail));
      progress =
        filled >= minimum
          ? { ...progress, parts: [...progress.parts, await this.#sendPart(key, progress, bytes)], tail: 0 }
          : { ...progress, tail: await this.#writeTail(key, progress, bytes) };
      // A tail also stays in memory: the next part begins with it.
      filled = progress.tail;
      durable = total;
      const digest = hash.digest('hex');
      hash = createHash('sha256');
      return { state: stateOf(progress), offset: total, digest };
    };

    const pieces = body[Symbol.asyncIterator]();
    let interruption: { cause: unknown } | undefined;
    try {
      for (;;) {
        const next = await pieces.next().catch((cause: unknown) => {
          interruption = { cause };
          return undefined;
        });
        if (!next || next.done) break;
        for (let at = 0; at < next.value.byteLength;) {
          const fitting = next.value.subarray(at, at + part.byteLength - filled);
          if (fitting.byteLength === 0) throw new Error(`the body exceeds its declared ${length} bytes`);
          part.set(fitting, filled);
          hash.update(fitting);
          at += fitting.byteLength;
          filled += fitting.byteLength;
          total += fitting.byteLength;
          if (filled < full) continue;
          yield await checkpoint();
          await deleteObsolete();
        }
      }
      if (total > durable) {
        yield await checkpoint();
        await deleteObsolete();
      }
    } finally {
      if (!interruption) await pieces.return?.();
    }
    if (interruption) throw interruption.cause;
  }

  async finish(key: string, state: BlobState, size: number): Promise<void> {
    // Already complete if the response to an earlier attempt was lost.
    if ((await this.#objects.head(key))?.size !== size) await this.#complete(key, progressOf(state), size);
    // A failure only costs space until the next tidy().
    if (state !== null) await this.tidy(key).catch(() => {});
  }

  /** Aborts uploads whose id was lost, and deletes tails. */
  async tidy(key: string): Promise<void> {
    await abortUploads(this.#objects, key);
    for await (const tail of this.#objects.list(`${key}.`)) await this.#objects.delete(tail);
  }

  async discard(key: string, state: BlobState): Promise<void> {
    const progress = progressOf(state);
    // Fails for an upload already completed or aborted.
    if (progress) await abortUpload(this.#objects, key, progress.uploadId).catch(() => {});
    await this.tidy(key);
    await this.#objects.delete(key);
  }

  async #complete(key: string, progress: Progress | undefined, size: number): Promise<void> {
    if (!progress || size === 0) return this.#objects.put(key, new Uint8Array(0));
    const { uploadId, parts: tags, tail } = progress;
    if (tail > 0) {
      const last = await this.#sendPart(key, progress, await this.#readTail(key, progress));
      return completeUpload(this.#objects, key, { uploadId, tags: [...tags, last], length: size });
    }
    await completeUpload(this.#objects, key, { uploadId, tags, length: size });
  }

  async #begin(key: string): Promise<Progress> {
    const uploadId = await beginUpload(this.#objects, key);
    if (uploadId === undefined) throw new Error('The server returned no id for the upload.');
    return { uploadId, parts: [], tail: 0 };
  }

  async #sendPart(key: string, { uploadId, parts }: Progress, bytes: Uint8Array): Promise<string> {
    const tag = await sendPart(this.#objects, key, { uploadId, number: parts.length + 1, bytes });
    if (tag === undefined) throw new Error('The server returned no tag for the part.');
    return tag;
  }

  /** Each tail has its own key, so that the current one stays intact while the next is written. */
  async #writeTail(key: string, { parts }: Progress, bytes: Uint8Array): Promise<number> {
    await this.#objects.put(tailKey(key, parts.length, bytes.byteLength), bytes);
    return bytes.byteLength;
  }

  async #readTail(key: string, { parts, tail }: Progress): Promise<Uint8Array> {
    const bytes = await this.#objects.get(tailKey(key, parts.length, tail));
    if (bytes.byteLength !== tail) throw new Error(`The tail has ${bytes.byteLength} of ${tail} bytes.`);
    return bytes;
  }
}

const tailSuffix = '.tail';

function tailKey(key: string, parts: number, bytes: number): string {
  return `${key}.${parts}-${bytes}${tailSuffix}`;
}

function progressOf(state: BlobState): Progress | undefined {
  if (state === null) return undefined;
  const { uploadId, parts, tail } = state;
  if (typeof uploadId !== 'string' || typeof parts !== 'string' || typeof tail !== 'number') return undefined;
  return { uploadId, parts: parts === '' ? [] : parts.split(','), tail };
}

function stateOf({ uploadId, parts, tail }: Progress): BlobState {
  return { uploadId, parts: parts.join(','), tail };
}

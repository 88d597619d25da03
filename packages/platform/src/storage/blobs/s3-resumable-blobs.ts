import { createHash } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { BlobStoreFailed } from './blob-errors.ts';
import type { AppendRequest, BlobState, Checkpoint } from './blob-store.ts';
import { leastPartBytesFor, partBytesFor } from './s3-part-size.ts';

/** `parts`: their tags, comma-separated. `tail`: bytes put aside in an object because they are too few for a part. */
interface Progress {
  readonly uploadId: string;
  readonly parts: readonly string[];
  readonly tail: number;
}

/**
 * Growing blobs on S3: a multipart upload, and an object beside it for what is too small to be a part. Which parts
 * count is in the state, so that one which a dying writer sent without saying so is written over.
 */
export class S3ResumableBlobs {
  readonly #client: S3Client;
  readonly #at: (key: string) => { Bucket: string; Key: string };

  constructor(client: S3Client, at: (key: string) => { Bucket: string; Key: string }) {
    this.#client = client;
    this.#at = at;
  }

  async *append(key: string, { state, offset, length, body }: AppendRequest): AsyncIterable<Checkpoint> {
    let progress = await this.#guard(key, async () => progressOf(state) ?? (await this.#begin(key)));
    const full = partBytesFor(length);
    const least = leastPartBytesFor(length);
    // The one part that is in memory: filled, sent, filled again.
    const room = Buffer.allocUnsafeSlow(Math.min(full, progress.tail + Math.max(0, length - offset)));
    let filled = progress.tail;
    if (filled > 0) room.set(await this.#guard(key, () => this.#readTail(key, progress)));
    let total = offset;
    let said = offset;
    let hash = createHash('sha256');
    const obsolete: string[] = [];
    /** Whoever asks for more has written down the checkpoint, so that the tails before it no longer count. */
    const forget = () =>
      this.#guard(key, async () => {
        for (const old of obsolete.splice(0)) await this.#client.send(new DeleteObjectCommand(this.#at(old)));
      });

    const checkpoint = async (): Promise<Checkpoint> => {
      const bytes = room.subarray(0, filled);
      if (progress.tail > 0) obsolete.push(tailKey(key, progress.parts.length, progress.tail));
      progress = await this.#guard(key, async () =>
        filled >= least
          ? { ...progress, parts: [...progress.parts, await this.#sendPart(key, progress, bytes)], tail: 0 }
          : { ...progress, tail: await this.#writeTail(key, progress, bytes) },
      );
      // A tail stays in memory too: the next part begins with it.
      filled = progress.tail;
      said = total;
      const digest = hash.digest('hex');
      hash = createHash('sha256');
      return { state: stateOf(progress), offset: total, digest };
    };

    const pieces = body[Symbol.asyncIterator]();
    let broke: { cause: unknown } | undefined;
    try {
      for (;;) {
        const next = await pieces.next().catch((cause: unknown) => {
          broke = { cause };
          return undefined;
        });
        if (!next || next.done) break;
        for (let at = 0; at < next.value.byteLength;) {
          const fitting = next.value.subarray(at, at + room.byteLength - filled);
          if (fitting.byteLength === 0) throw new Error(`more came than the ${length} bytes announced`);
          room.set(fitting, filled);
          hash.update(fitting);
          at += fitting.byteLength;
          filled += fitting.byteLength;
          total += fitting.byteLength;
          if (filled < full) continue;
          yield await checkpoint();
          await forget();
        }
      }
      if (total > said) {
        yield await checkpoint();
        await forget();
      }
    } finally {
      if (!broke) await pieces.return?.();
    }
    if (broke) throw broke.cause;
  }

  async finish(key: string, state: BlobState, size: number): Promise<void> {
    await this.#guard(key, async () => {
      const progress = progressOf(state);
      if (!progress || size === 0) {
        await this.#client.send(new PutObjectCommand({ ...this.#at(key), Body: new Uint8Array(0) }));
        return;
      }
      const tags =
        progress.tail > 0
          ? [...progress.parts, await this.#sendPart(key, progress, await this.#readTail(key, progress))]
          : progress.parts;
      await this.#client.send(
        new CompleteMultipartUploadCommand({
          ...this.#at(key),
          UploadId: progress.uploadId,
          MultipartUpload: { Parts: tags.map((ETag, index) => ({ PartNumber: index + 1, ETag })) },
        }),
      );
    });
  }

  /** Gives up the parts that the state knows; what was put aside besides is left to `deleteTails`. */
  async abort(key: string, state: BlobState): Promise<void> {
    const progress = progressOf(state);
    if (!progress) return;
    // Whatever the server says: an upload that was completed or aborted is gone already.
    await this.#client
      .send(new AbortMultipartUploadCommand({ ...this.#at(key), UploadId: progress.uploadId }))
      .catch(() => {});
  }

  async #begin(key: string): Promise<Progress> {
    const { UploadId } = await this.#client.send(new CreateMultipartUploadCommand(this.#at(key)));
    if (UploadId === undefined) throw new Error('The server gave no id for the upload.');
    return { uploadId: UploadId, parts: [], tail: 0 };
  }

  async #sendPart(key: string, { uploadId, parts }: Progress, bytes: Uint8Array): Promise<string> {
    const { ETag } = await this.#client.send(
      new UploadPartCommand({
        ...this.#at(key),
        UploadId: uploadId,
        PartNumber: parts.length + 1,
        Body: bytes,
      }),
    );
    if (ETag === undefined) throw new Error('The server gave no tag for the part.');
    return ETag;
  }

  /** A name of its own for each, so that the one that counts is whole while the next is written. */
  async #writeTail(key: string, { parts }: Progress, bytes: Uint8Array): Promise<number> {
    await this.#client.send(
      new PutObjectCommand({ ...this.#at(tailKey(key, parts.length, bytes.byteLength)), Body: bytes }),
    );
    return bytes.byteLength;
  }

  async #readTail(key: string, { parts, tail }: Progress): Promise<Uint8Array> {
    const { Body } = await this.#client.send(
      new GetObjectCommand(this.#at(tailKey(key, parts.length, tail))),
    );
    const bytes = await Body!.transformToByteArray();
    if (bytes.byteLength !== tail) throw new Error(`The tail has ${bytes.byteLength} of ${tail} bytes.`);
    return bytes;
  }

  /** Whatever was put aside for the blob. */
  async deleteTails(key: string): Promise<void> {
    const { Bucket, Key: Prefix } = this.#at(`${key}.`);
    await this.#guard(key, async () => {
      const { Contents = [] } = await this.#client.send(new ListObjectsV2Command({ Bucket, Prefix }));
      for (const { Key } of Contents) await this.#client.send(new DeleteObjectCommand({ Bucket, Key }));
    });
  }

  async #guard<T>(key: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      throw new BlobStoreFailed(key, { cause });
    }
  }
}

function tailKey(key: string, parts: number, bytes: number): string {
  return `${key}.${parts}-${bytes}.tail`;
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

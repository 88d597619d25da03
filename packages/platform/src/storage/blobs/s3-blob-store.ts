import type { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  NoSuchKey,
  NotFound,
  S3Client,
  S3ServiceException,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { BlobNotFound, BlobStoreFailed } from './blob-errors.ts';
import type {
  BlobState,
  BlobStore,
  ByteRange,
  ByteSource,
  PutOptions,
  PutResult,
  ResumableBlobs,
} from './blob-store.ts';
import { measuredBody } from './measured-body.ts';
import { partBytesFor } from './s3-part-size.ts';
import { S3ResumableBlobs } from './s3-resumable-blobs.ts';
import type { S3Location } from './s3-url.ts';
import { streamOf } from './stream-of.ts';

/** A copy in one request may be 5 GiB; parts of a larger one may be too, smaller ones can be tried again. */
const copyPartBytes = 1024 ** 3;

/** Blobs as objects of one S3 bucket, under a prefix. */
export class S3BlobStore implements BlobStore {
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #prefix: string;
  readonly resumable: ResumableBlobs;

  constructor(location: S3Location) {
    this.#bucket = location.bucket;
    this.#prefix = location.prefix;
    this.#client = new S3Client({
      region: location.region,
      forcePathStyle: location.forcePathStyle,
      ...(location.endpoint !== undefined && { endpoint: location.endpoint }),
      ...(location.credentials && { credentials: location.credentials }),
    });
    const parts = new S3ResumableBlobs(this.#client, (key) => this.#at(key));
    this.resumable = {
      append: (key, request) => parts.append(key, request),
      finish: async (key, state, size) => {
        // The answer to an earlier attempt may have been lost.
        if ((await this.head(key))?.size !== size) await parts.finish(key, state, size);
        // What fails here costs room, not the blob, until somebody tidies up.
        if (state !== null) await this.#tidy(key, parts).catch(() => {});
      },
      tidy: (key) => this.#tidy(key, parts),
      discard: (key, state) => this.#discard(key, state, parts),
    };
  }

  async put(key: string, body: ByteSource, options: PutOptions): Promise<PutResult> {
    const measured = measuredBody(body, options.maxBytes, options.signal);
    const abort = new AbortController();
    const upload = new Upload({
      client: this.#client,
      params: { ...this.#at(key), Body: streamOf(measured) },
      // Two parts in memory: one that fills while the other is sent.
      queueSize: 2,
      partSize: partBytesFor(options.expectedBytes ?? options.maxBytes),
      abortController: abort,
    });
    try {
      await upload.done();
    } catch (error) {
      await upload.abort().catch(() => {});
      if (measured.failure) throw measured.failure.error;
      throw new BlobStoreFailed(key, { cause: error });
    }
    // A request to begin whose answer was lost was sent again, and began another upload in parts.
    if (upload.uploadId !== undefined) await this.#abortForgotten(key);
    return { size: measured.size, digest: measured.digest() };
  }

  async get(key: string, options: { range?: ByteRange; signal?: AbortSignal } = {}): Promise<Readable> {
    const { range, signal } = options;
    try {
      const { Body } = await this.#client.send(
        new GetObjectCommand({
          ...this.#at(key),
          // S3 has no empty range.
          ...(range &&
            range.length > 0 && { Range: `bytes=${range.offset}-${range.offset + range.length - 1}` }),
        }),
        { ...(signal && { abortSignal: signal }) },
      );
      const stream = Body as Readable;
      if (range?.length === 0) stream.destroy();
      return range?.length === 0 ? streamOf(empty()) : stream;
    } catch (cause) {
      throw isAbsent(cause) ? new BlobNotFound(key, { cause }) : new BlobStoreFailed(key, { cause });
    }
  }

  async head(key: string): Promise<{ size: number } | undefined> {
    try {
      const { ContentLength = 0 } = await this.#client.send(new HeadObjectCommand(this.#at(key)));
      return { size: ContentLength };
    } catch (cause) {
      if (isAbsent(cause)) return undefined;
      throw new BlobStoreFailed(key, { cause });
    }
  }

  async delete(key: string): Promise<void> {
    try {
      await this.#client.send(new DeleteObjectCommand(this.#at(key)));
    } catch (cause) {
      if (!isAbsent(cause)) throw new BlobStoreFailed(key, { cause });
    }
  }

  async copy(from: string, to: string): Promise<void> {
    const size = (await this.head(from))?.size;
    if (size === undefined) throw new BlobNotFound(from);
    const source = `${this.#bucket}/${this.#prefix}${from}`.split('/').map(encodeURIComponent).join('/');
    try {
      if (size <= copyPartBytes) {
        await this.#client.send(new CopyObjectCommand({ ...this.#at(to), CopySource: source }));
      } else await this.#copyInParts(source, to, size);
    } catch (cause) {
      throw isAbsent(cause) ? new BlobNotFound(from, { cause }) : new BlobStoreFailed(to, { cause });
    }
  }

  async *list(prefix: string): AsyncIterable<string> {
    let token: string | undefined;
    do {
      const page = await this.#client.send(
        new ListObjectsV2Command({
          Bucket: this.#bucket,
          Prefix: this.#prefix + prefix,
          ...(token !== undefined && { ContinuationToken: token }),
        }),
      );
      for (const { Key } of page.Contents ?? []) {
        if (Key !== undefined && !Key.endsWith('.tail')) yield Key.slice(this.#prefix.length);
      }
      token = page.NextContinuationToken;
    } while (token !== undefined);
  }

  async close(): Promise<void> {
    this.#client.destroy();
  }

  #at(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.#bucket, Key: this.#prefix + key };
  }

  async #copyInParts(source: string, to: string, size: number): Promise<void> {
    const { UploadId } = await this.#client.send(new CreateMultipartUploadCommand(this.#at(to)));
    const upload = { ...this.#at(to), UploadId };
    try {
      const Parts: { PartNumber: number; ETag: string | undefined }[] = [];
      for (let offset = 0; offset < size; offset += copyPartBytes) {
        const PartNumber: number = Parts.length + 1;
        const { CopyPartResult } = await this.#client.send(
          new UploadPartCopyCommand({
            ...upload,
            PartNumber,
            CopySource: source,
            CopySourceRange: `bytes=${offset}-${Math.min(offset + copyPartBytes, size) - 1}`,
          }),
        );
        Parts.push({ PartNumber, ETag: CopyPartResult?.ETag });
      }
      await this.#client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }));
    } catch (error) {
      await this.#client.send(new AbortMultipartUploadCommand(upload)).catch(() => {});
      throw error;
    }
  }

  async #discard(key: string, state: BlobState, parts: S3ResumableBlobs): Promise<void> {
    await parts.abort(key, state);
    await this.#tidy(key, parts);
    await this.delete(key);
  }

  async #tidy(key: string, parts: S3ResumableBlobs): Promise<void> {
    await this.#abortForgotten(key);
    await parts.deleteTails(key);
  }

  /** Parts of an upload that began without anyone knowing its id: the process died, or the answer was lost. */
  async #abortForgotten(key: string): Promise<void> {
    const at = this.#at(key);
    try {
      const { Uploads = [] } = await this.#client.send(
        new ListMultipartUploadsCommand({ Bucket: at.Bucket, Prefix: at.Key }),
      );
      for (const { Key, UploadId } of Uploads) {
        await this.#client.send(new AbortMultipartUploadCommand({ Bucket: at.Bucket, Key, UploadId }));
      }
    } catch (cause) {
      // Not every S3 server can list them; those have a rule of their own for what is left lying.
      if (!(cause instanceof S3ServiceException) || cause.$fault === 'server') {
        if ((cause as { name?: string }).name !== 'NotImplemented') {
          throw new BlobStoreFailed(key, { cause });
        }
      }
    }
  }
}

function isAbsent(error: unknown): boolean {
  return (
    error instanceof NoSuchKey ||
    error instanceof NotFound ||
    (error instanceof S3ServiceException &&
      error.$metadata.httpStatusCode === 404 &&
      error.name !== 'NoSuchBucket')
  );
}

async function* empty(): AsyncGenerator<Uint8Array> {}

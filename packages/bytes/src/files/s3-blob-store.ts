import { Readable } from 'node:stream';
import { CopyObjectCommand, UploadPartCopyCommand } from '@aws-sdk/client-s3';
import { ObjectNotFound } from '../errors.ts';
import type { ByteRange } from '../object-store.ts';
import { isAbsent } from '../s3/s3-faults.ts';
import { S3ObjectStore } from '../s3/s3-object-store.ts';
import type { S3Location } from '../s3/s3-url.ts';
import { abortUpload, beginUpload, completeUpload } from '../s3/send-parts.ts';
import { type BlobStore, type ResumableBlobs, WrappedStore } from './blob-store.ts';
import { isTail, S3ResumableBlobs } from './s3-resumable-blobs.ts';

/** A copy in one request may be 5 GiB; parts of a larger one may be too, smaller ones can be tried again. */
const copyPartBytes = 1024 ** 3;

/** Blobs as objects of one S3 bucket, under a prefix. */
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
    for await (const key of this.objects.list(prefix)) if (!isTail(key)) yield key;
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

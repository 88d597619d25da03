import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { isNotImplemented, isEndedUpload } from './retries.ts';
import type { ObjectHead } from '../object-store.ts';

export interface SendOptions {
  abortSignal: AbortSignal;
}

interface UploadStore {
  at(key: string): { Bucket: string; Key: string };
  head(key: string, signal?: AbortSignal): Promise<ObjectHead | undefined>;
  send<T>(
    key: string,
    work: (client: S3Client, options: SendOptions) => Promise<T>,
    options?: { bytes?: number; signal?: AbortSignal | undefined },
  ): Promise<T>;
}

const MiB = 1024 * 1024;

/** S3 allows 10,000 parts of at least 5 MiB; for a body of unknown length, later parts are larger. */
function growingPartBytes(partNumber: number): number {
  return 8 * MiB * 2 ** Math.floor((partNumber - 1) / 1000);
}

/** Bytes of a part for an upload of at most `length` bytes; each part is in memory until it is sent. */
export function partBytesFor(length: number): number {
  return Math.max(8 * MiB, Math.ceil(length / 9000));
}

/** Minimum bytes of a part when the body pauses; fewer are stored as a tail. */
export function minPartBytesFor(length: number): number {
  return Math.max(5 * MiB, Math.ceil(length / 9500));
}

export async function* partPieces(
  body: Uint8Array | AsyncIterable<Uint8Array>,
  sizeOf: (partNumber: number) => number = growingPartBytes,
): AsyncGenerator<Uint8Array> {
  const whole = body instanceof Uint8Array;
  let number = 1;
  let gathered: Uint8Array[] = [];
  let length = 0;
  for await (const piece of whole ? [body] : body) {
    for (let at = 0; at < piece.length;) {
      const some = piece.subarray(at, at + sizeOf(number) - length);
      // The source may reuse the memory of a piece when the next one is pulled.
      gathered.push(whole ? some : Uint8Array.from(some));
      length += some.length;
      at += some.length;
      if (length < sizeOf(number)) continue;
      yield joined(gathered);
      number++;
      gathered = [];
      length = 0;
    }
  }
  if (length > 0 || number === 1) yield joined(gathered);
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
}

/** Parts sent concurrently, while the next one fills. */
const partsAtOnce = 2;

/**
 * Uploads an object in parts; it appears when the last request succeeds. On failure the upload is aborted. Throws
 * ObjectStoreFailed, the reason of the signal, and what the parts throw.
 */
export async function sendParts(
  store: UploadStore,
  key: string,
  first: readonly Uint8Array[],
  others: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const uploadId = await beginUpload(store, key, signal);
  const tags: { PartNumber: number; ETag: string | undefined }[] = [];
  const sending = new Set<Promise<unknown>>();
  let length = 0;
  const send = async (bytes: Uint8Array): Promise<void> => {
    const part: (typeof tags)[number] = { PartNumber: tags.length + 1, ETag: undefined };
    tags.push(part);
    length += bytes.length;
    const number = part.PartNumber;
    const sent: Promise<unknown> = sendPart(store, key, { uploadId, number, bytes, signal }).then((tag) => {
      part.ETag = tag;
      return sending.delete(sent);
    });
    sent.catch(() => undefined);
    sending.add(sent);
    if (sending.size >= partsAtOnce) await Promise.race(sending);
  };
  try {
    for (const part of first) await send(part);
    for await (const part of others) await send(part);
    await Promise.all(sending);
    await completeUpload(store, key, { uploadId, tags: tags.map(({ ETag }) => ETag), length, signal });
  } catch (error) {
    await Promise.allSettled(sending);
    await abortUpload(store, key, uploadId).catch(() => undefined);
    throw error;
  }
  // A retry of beginUpload after a lost response started a second upload of the same key.
  await abortUploads(store, key).catch(() => undefined);
}

export async function beginUpload(
  store: UploadStore,
  key: string,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const begin = (client: S3Client, options: SendOptions) =>
    client.send(new CreateMultipartUploadCommand(store.at(key)), options);
  return (await store.send(key, begin, { signal })).UploadId;
}

interface SentPart {
  uploadId: string | undefined;
  /** 1-based. */
  number: number;
  bytes: Uint8Array;
  signal?: AbortSignal | undefined;
}

/** Returns the tag of the part. */
export async function sendPart(
  store: UploadStore,
  key: string,
  { uploadId, number, bytes, signal }: SentPart,
): Promise<string | undefined> {
  const input = { ...store.at(key), UploadId: uploadId, PartNumber: number, Body: bytes };
  const work = (client: S3Client, options: SendOptions) => client.send(new UploadPartCommand(input), options);
  return (await store.send(key, work, { bytes: bytes.length, signal })).ETag;
}

interface CompleteOptions {
  uploadId: string | undefined;
  tags: readonly (string | undefined)[];
  length: number;
  signal?: AbortSignal | undefined;
}

export async function completeUpload(
  store: UploadStore,
  key: string,
  { uploadId, tags, length, signal }: CompleteOptions,
): Promise<void> {
  const input = {
    ...store.at(key),
    UploadId: uploadId,
    MultipartUpload: { Parts: tags.map((ETag, index) => ({ PartNumber: index + 1, ETag })) },
  };
  const complete = (client: S3Client, options: SendOptions) =>
    client.send(new CompleteMultipartUploadCommand(input), options);
  try {
    await store.send(key, complete, { signal });
  } catch (error) {
    // Unknown to the server also after completion, if the response to an earlier attempt was lost.
    if (!isEndedUpload((error as Error).cause) || (await store.head(key, signal))?.size !== length)
      throw error;
  }
}

export async function abortUpload(
  store: UploadStore,
  key: string,
  uploadId: string | undefined,
): Promise<void> {
  const input = { ...store.at(key), UploadId: uploadId };
  await store.send(key, (client, options) => client.send(new AbortMultipartUploadCommand(input), options));
}

export async function abortUploads(store: UploadStore, key: string): Promise<void> {
  const { Bucket, Key: Prefix } = store.at(key);
  try {
    const { Uploads = [] } = await store.send(key, (client, options) =>
      client.send(new ListMultipartUploadsCommand({ Bucket, Prefix }), options),
    );
    for (const { Key, UploadId } of Uploads) if (Key === Prefix) await abortUpload(store, key, UploadId);
  } catch (error) {
    // Not every S3 server can list uploads; those expire them by a lifecycle rule.
    if (!isNotImplemented((error as Error).cause)) throw error;
  }
}

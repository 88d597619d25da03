import { addAbortSignal, type Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandInput,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { ObjectNotFound, StoreWriteFailed } from '../errors.ts';
import {
  type ByteRange,
  type ByteSource,
  keySegments,
  type ListedObject,
  type ListsObjects,
  type ObjectHead,
  type OpenedStore,
  outside,
  type ReadOptions,
  type WriteOptions,
  memoryFor,
} from '../object-store.ts';
import {
  defaultRetryPolicy,
  isAbsent,
  isNotImplemented,
  isRefusedCondition,
  limitedSignal,
  type RetryPolicy,
  statusOf,
  timeFor,
  withRetries,
  BodyCutShort,
} from './retries.ts';
import { partBytesFor, partPieces, type SendOptions, sendParts } from './multipart-upload.ts';
import type { S3Location } from './s3-url.ts';

export interface FetchedBytes {
  bytes: Uint8Array;
  objectSize: number;
}

export interface FetchedObject extends FetchedBytes {
  /** Changes whenever the content changes. */
  tag: string;
}

export interface FetchOptions {
  /** Cut at the end of the object. */
  range?: ByteRange | undefined;
  signal?: AbortSignal | undefined;
  into?: Uint8Array | undefined;
}

/** Condition of a write: no object exists, or the current one has this tag. */
export type PutCondition = { absent: true } | { tag: string };

export interface RequestCounters {
  requests: number;
  bytes: number;
}

/** Objects in one S3 bucket, under a prefix. Every request has a timeout. */
export class S3ObjectStore implements OpenedStore, ListsObjects {
  readonly counters: RequestCounters = { requests: 0, bytes: 0 };
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #prefix: string;
  readonly #policy: RetryPolicy;

  constructor(location: S3Location, policy: RetryPolicy = defaultRetryPolicy) {
    this.#bucket = location.bucket;
    this.#prefix = location.prefix;
    this.#policy = policy;
    this.#client = new S3Client({
      region: location.region,
      forcePathStyle: location.forcePathStyle,
      ...(location.endpoint !== undefined && { endpoint: location.endpoint }),
      ...(location.credentials && { credentials: location.credentials }),
      // Retried here instead: the client does not retry an interrupted body.
      maxAttempts: 1,
      requestHandler: { connectionTimeout: policy.connect },
    });
  }

  async get(key: string, options: ReadOptions = {}): Promise<Uint8Array> {
    const { range, signal, into } = options;
    if (range && (range.offset < 0 || range.length < 0)) throw outside(key, range);
    // S3 has no empty range.
    if (range?.length === 0) {
      const size = (await this.head(key, signal))?.size;
      if (size === undefined) throw new ObjectNotFound(key);
      if (range.offset > size) throw outside(key, range, size);
      return new Uint8Array(0);
    }
    const { bytes, objectSize } = await this.fetch(key, { range, signal, into });
    if (range && bytes.length !== range.length) throw outside(key, range, objectSize);
    return bytes;
  }

  /** As `get`, but cuts a range at the end of the object. Throws RangeError if it begins beyond the end. */
  async fetch(key: string, { range, signal, into }: FetchOptions): Promise<FetchedObject> {
    const input = this.#rangeOf(key, range);
    return withRetries(
      this.#retryOptions(key, signal),
      () =>
        this.#within(signal, 0, async (limited) => {
          const answer = await this.#client.send(new GetObjectCommand(input), {
            abortSignal: limited.signal,
          });
          const length = answer.ContentLength ?? 0;
          limited.extend(timeFor(this.#policy, length));
          const bytes = await readBody(answer.Body as Readable, length, into, limited.signal);
          this.counters.bytes += length;
          const total = /\/(\d+)$/.exec(answer.ContentRange ?? '')?.[1];
          const objectSize = total === undefined ? length : Number(total);
          // A server may return the whole object for a range.
          const tag = answer.ETag ?? '';
          if (!range || total !== undefined) return { bytes, objectSize, tag };
          return { bytes: bytes.subarray(range.offset, range.offset + range.length), objectSize, tag };
        }),
      (error) => {
        if (isAbsent(error)) return new ObjectNotFound(key, { cause: error });
        return range && statusOf(error) === 416 ? outside(key, range) : undefined;
      },
    );
  }

  /**
   * The bytes as a stream; a range must be non-empty and within the object. The stream stays readable when the object
   * is replaced. Throws ObjectNotFound, ObjectStoreFailed.
   */
  async open(key: string, { range, signal }: Pick<FetchOptions, 'range' | 'signal'> = {}): Promise<Readable> {
    const input = this.#rangeOf(key, range);
    const { Body } = await withRetries(
      this.#retryOptions(key, signal),
      // The timeout covers the response; reading the body ends only with the caller's signal.
      () =>
        this.#within(signal, 0, (limited) =>
          this.#client.send(new GetObjectCommand(input), { abortSignal: limited.signal }),
        ),
      (error) => (isAbsent(error) ? new ObjectNotFound(key, { cause: error }) : undefined),
    );
    const body = Body as Readable;
    if (signal) addAbortSignal(signal, body);
    return body;
  }

  /** Uploads a large body in parts. */
  async put(key: string, body: Uint8Array | ByteSource, options: WriteOptions = {}): Promise<void> {
    const { signal, length } = options;
    keySegments(key);
    const parts = partPieces(body, length === undefined ? undefined : () => partBytesFor(length));
    try {
      const first = await parts.next();
      const second = await parts.next();
      if (second.done) await this.#putWhole(key, first.value as Uint8Array, undefined, signal);
      else await sendParts(this, key, [first.value as Uint8Array, second.value], parts, signal);
    } catch (cause) {
      signal?.throwIfAborted();
      throw new StoreWriteFailed(key, { cause });
    } finally {
      await parts.return(undefined);
    }
  }

  /**
   * Writes a small object if a condition holds. After a lost response the result may be `refused` although the object
   * was written; read it again to be certain. `unknown`: the server has no conditional writes, and nothing was
   * written. Throws StoreWriteFailed.
   */
  async putIf(
    key: string,
    bytes: Uint8Array,
    condition: PutCondition,
    signal?: AbortSignal,
  ): Promise<'written' | 'refused' | 'unknown'> {
    try {
      await this.#putWhole(key, bytes, condition, signal);
      return 'written';
    } catch (error) {
      signal?.throwIfAborted();
      const { cause } = error as Error;
      if (isRefusedCondition(cause) || isAbsent(cause)) return 'refused';
      if (isNotImplemented(cause)) return 'unknown';
      throw new StoreWriteFailed(key, { cause: error });
    }
  }

  async delete(key: string): Promise<void> {
    const at = this.at(key);
    await this.send(key, async (client, options) => {
      await client.send(new DeleteObjectCommand(at), options).catch((error: unknown) => {
        if (!isAbsent(error)) throw error;
      });
    });
  }

  async *list(prefix: string): AsyncIterable<string> {
    for await (const { key } of this.listObjects(prefix)) yield key;
  }

  /** One request per thousand objects. Throws ObjectStoreFailed. */
  async *listObjects(prefix: string): AsyncIterable<ListedObject> {
    let token: string | undefined;
    do {
      const page = await this.#page(prefix, token);
      for (const { Key, Size = 0, ETag = '', LastModified } of page.Contents ?? []) {
        if (Key === undefined) continue;
        const key = Key.slice(this.#prefix.length);
        yield { key, size: Size, tag: ETag, changedAt: LastModified?.getTime() ?? 0 };
      }
      token = page.IsTruncated ? page.NextContinuationToken : undefined;
    } while (token !== undefined);
  }

  async head(key: string, signal?: AbortSignal): Promise<ObjectHead | undefined> {
    const at = this.at(key);
    const head = async (client: S3Client, options: SendOptions): Promise<ObjectHead | undefined> => {
      try {
        const response = await client.send(new HeadObjectCommand(at), options);
        return { size: response.ContentLength ?? 0, tag: response.ETag ?? '' };
      } catch (error) {
        if (isAbsent(error)) return undefined;
        throw error;
      }
    };
    return this.send(key, head, { signal });
  }

  /**
   * Sends a request about a key, with a body of `bytes`, and retries transient errors. Throws ObjectStoreFailed, or
   * the reason of the signal.
   */
  async send<T>(
    key: string,
    work: (client: S3Client, options: SendOptions) => Promise<T>,
    { bytes = 0, signal }: { readonly bytes?: number; readonly signal?: AbortSignal | undefined } = {},
  ): Promise<T> {
    return withRetries(this.#retryOptions(key, signal), () =>
      this.#within(signal, bytes, (limited) => work(this.#client, { abortSignal: limited.signal })),
    );
  }

  /** Throws InvalidObjectKey. */
  at(key: string): { Bucket: string; Key: string } {
    keySegments(key);
    return { Bucket: this.#bucket, Key: this.#prefix + key };
  }

  async forget(): Promise<void> {}

  async close(): Promise<void> {
    this.#client.destroy();
  }

  #page(prefix: string, token: string | undefined) {
    const command = () =>
      new ListObjectsV2Command({
        Bucket: this.#bucket,
        Prefix: this.#prefix + prefix,
        ...(token !== undefined && { ContinuationToken: token }),
      });
    return this.send(prefix, (client, options) => client.send(command(), options));
  }

  async #putWhole(
    key: string,
    bytes: Uint8Array,
    condition: PutCondition | undefined,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const input = {
      ...this.at(key),
      Body: bytes,
      ...(condition && ('tag' in condition ? { IfMatch: condition.tag } : { IfNoneMatch: '*' })),
    };
    await this.send(key, (client, options) => client.send(new PutObjectCommand(input), options), {
      bytes: bytes.length,
      signal,
    });
  }

  #rangeOf(key: string, range: ByteRange | undefined): GetObjectCommandInput {
    const Range = range && `bytes=${range.offset}-${range.offset + range.length - 1}`;
    return { ...this.at(key), ...(Range && { Range }) };
  }

  #retryOptions(key: string, signal: AbortSignal | undefined) {
    return { key, policy: this.#policy, signal };
  }

  async #within<T>(
    signal: AbortSignal | undefined,
    bytes: number,
    work: (limited: ReturnType<typeof limitedSignal>) => Promise<T>,
  ): Promise<T> {
    const limited = limitedSignal(signal, timeFor(this.#policy, bytes));
    this.counters.requests++;
    try {
      return await work(limited);
    } catch (error) {
      throw limited.signal.aborted ? limited.signal.reason : error;
    } finally {
      limited.end();
    }
  }
}

/**
 * Reads a body of `length` bytes, into `into` if it is large enough. When the signal aborts, closes the connection
 * and throws its reason. Throws BodyCutShort.
 */
async function readBody(
  body: Readable,
  length: number,
  into: Uint8Array | undefined,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const bytes = memoryFor(length, into);
  const stop = () => body.destroy(signal.reason as Error);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  let filled = 0;
  try {
    for await (const piece of body as AsyncIterable<Uint8Array>) {
      if (filled + piece.length > length) throw new BodyCutShort(`received more than ${length} bytes`);
      bytes.set(piece, filled);
      filled += piece.length;
    }
  } catch (error) {
    body.destroy();
    throw signal.aborted ? signal.reason : error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
  if (filled !== length) throw new BodyCutShort(`received ${filled} of ${length} bytes`);
  return bytes;
}

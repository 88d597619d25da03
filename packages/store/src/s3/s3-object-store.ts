import type { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { ObjectNotFound, StoreWriteFailed } from '../errors.ts';
import { keySegments } from '../object-key.ts';
import type { ListedObject, ObjectStore, ReadOptions } from '../object-store.ts';
import { limitedSignal } from './limited-signal.ts';
import { partPieces } from './part-pieces.ts';
import { type Patience, timeFor, usualPatience } from './patience.ts';
import { readBody } from './read-body.ts';
import { isAbsent, isRefusedCondition, isUnknownCondition, statusOf } from './s3-faults.ts';
import type { S3Location } from './s3-location.ts';
import { type PartsOf, sendParts } from './send-parts.ts';
import { withAttempts } from './with-attempts.ts';

/** Bytes of an object and how many it has in all. */
export interface FetchedBytes {
  readonly bytes: Uint8Array;
  readonly objectSize: number;
}

export interface FetchedObject extends FetchedBytes {
  /** Another one whenever the content is another. */
  readonly tag: string;
}

export interface FetchOptions {
  /** What lies beyond the end of the object is left out. */
  readonly range?: { readonly offset: number; readonly length: number } | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly into?: Uint8Array | undefined;
}

/** Under which condition an object may be written: as long as there is none, or none but that of a tag. */
export type PutCondition = { readonly absent: true } | { readonly tag: string };

/** Requests sent so far, repeated ones included; and the bytes of objects that came back. */
export interface RequestCounters {
  requests: number;
  bytes: number;
}

/** Objects in one S3 bucket, under a prefix. Every request ends: with an answer, or with ObjectStoreFailed. */
export class S3ObjectStore implements ObjectStore {
  readonly counters: RequestCounters = { requests: 0, bytes: 0 };
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #prefix: string;
  readonly #patience: Patience;

  constructor(location: S3Location, patience: Patience = usualPatience) {
    this.#bucket = location.bucket;
    this.#prefix = location.prefix;
    this.#patience = patience;
    this.#client = new S3Client({
      region: location.region,
      forcePathStyle: location.forcePathStyle,
      ...(location.endpoint !== undefined && { endpoint: location.endpoint }),
      ...(location.credentials && { credentials: location.credentials }),
      // Attempts are ours, for a body that breaks off is none of the client's any more.
      maxAttempts: 1,
      requestHandler: { connectionTimeout: patience.connect },
    });
  }

  /** Throws ObjectNotFound, InvalidObjectKey, ObjectStoreFailed, or RangeError where the range leaves the object. */
  async get(key: string, options: ReadOptions = {}): Promise<Uint8Array> {
    const { range, signal, into } = options;
    if (range && (range.offset < 0 || range.length < 0)) throw outside(key, range, undefined);
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

  /** As `get`, but of a range only what there is. Throws RangeError where it begins beyond the end. */
  async fetch(key: string, { range, signal, into }: FetchOptions): Promise<FetchedObject> {
    const at = this.#at(key);
    const Range = range && `bytes=${range.offset}-${range.offset + range.length - 1}`;
    return withAttempts(
      this.#attempting(key, signal),
      () =>
        this.#within(signal, 0, async (limited) => {
          const answer = await this.#client.send(new GetObjectCommand({ ...at, ...(Range && { Range }) }), {
            abortSignal: limited.signal,
          });
          const length = answer.ContentLength ?? 0;
          limited.extend(timeFor(this.#patience, length));
          const bytes = await readBody(answer.Body as Readable, length, into, limited.signal);
          this.counters.bytes += length;
          const total = /\/(\d+)$/.exec(answer.ContentRange ?? '')?.[1];
          const objectSize = total === undefined ? length : Number(total);
          // A server may answer a range with the whole object.
          const tag = answer.ETag ?? '';
          if (!range || total !== undefined) return { bytes, objectSize, tag };
          return { bytes: bytes.subarray(range.offset, range.offset + range.length), objectSize, tag };
        }),
      (error) => {
        if (isAbsent(error)) return new ObjectNotFound(key, { cause: error });
        return range && statusOf(error) === 416 ? outside(key, range, undefined) : undefined;
      },
    );
  }

  /** A large body goes in parts; it appears whole or not at all. Throws StoreWriteFailed. */
  async put(key: string, body: Uint8Array | AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<void> {
    keySegments(key);
    const parts = partPieces(body);
    try {
      const first = await parts.next();
      const second = await parts.next();
      if (second.done) await this.#putWhole(key, first.value as Uint8Array, undefined, signal);
      else await sendParts(this.#sender(key, signal), [first.value as Uint8Array, second.value], parts);
    } catch (cause) {
      signal?.throwIfAborted();
      throw new StoreWriteFailed(key, { cause });
    } finally {
      await parts.return(undefined);
    }
  }

  /**
   * Writes a small object if a condition holds, and tells whether it did. After an attempt whose answer was lost it may
   * be told no although it was written: who must know reads it again. `unknown` where the server has no conditions;
   * nothing is written then. Throws StoreWriteFailed.
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
      if (isUnknownCondition(cause)) return 'unknown';
      throw new StoreWriteFailed(key, { cause: error });
    }
  }

  /** Harmless where there is no such object. */
  async delete(key: string, signal?: AbortSignal): Promise<void> {
    const at = this.#at(key);
    await withAttempts(this.#attempting(key, signal), () =>
      this.#within(signal, 0, async (limited) => {
        await this.#client
          .send(new DeleteObjectCommand(at), { abortSignal: limited.signal })
          .catch((error: unknown) => {
            if (!isAbsent(error)) throw error;
          });
      }),
    );
  }

  async *list(prefix: string): AsyncIterable<string> {
    for await (const { key } of this.listObjects(prefix)) yield key;
  }

  /** One request a thousand objects. Throws ObjectStoreFailed. */
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

  async head(key: string, signal?: AbortSignal): Promise<{ size: number; tag: string } | undefined> {
    const at = this.#at(key);
    return withAttempts(this.#attempting(key, signal), () =>
      this.#within(signal, 0, async (limited) => {
        try {
          const found = await this.#client.send(new HeadObjectCommand(at), { abortSignal: limited.signal });
          return { size: found.ContentLength ?? 0, tag: found.ETag ?? '' };
        } catch (error) {
          if (isAbsent(error)) return undefined;
          throw error;
        }
      }),
    );
  }

  /** It keeps nothing. */
  async forget(): Promise<void> {}

  /** Ends connections; the store cannot be used after it. */
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
    return withAttempts(this.#attempting(prefix, undefined), () =>
      this.#within(undefined, 0, ({ signal }) => this.#client.send(command(), { abortSignal: signal })),
    );
  }

  async #putWhole(
    key: string,
    bytes: Uint8Array,
    condition: PutCondition | undefined,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const input = {
      ...this.#at(key),
      Body: bytes,
      ...(condition && ('tag' in condition ? { IfMatch: condition.tag } : { IfNoneMatch: '*' })),
    };
    await withAttempts(this.#attempting(key, signal), () =>
      this.#within(signal, bytes.length, (limited) =>
        this.#client.send(new PutObjectCommand(input), { abortSignal: limited.signal }),
      ),
    );
  }

  #sender(key: string, signal: AbortSignal | undefined): PartsOf {
    return {
      at: this.#at(key),
      isThere: async (length) => (await this.head(key, signal))?.size === length,
      send: (work, bytes = 0) =>
        withAttempts(this.#attempting(key, signal), () =>
          this.#within(signal, bytes, (limited) => work(this.#client, { abortSignal: limited.signal })),
        ),
    };
  }

  #attempting(key: string, signal: AbortSignal | undefined) {
    return { key, patience: this.#patience, signal };
  }

  /** One request of a body of so many bytes, which ends in time. */
  async #within<T>(
    signal: AbortSignal | undefined,
    bytes: number,
    work: (limited: ReturnType<typeof limitedSignal>) => Promise<T>,
  ): Promise<T> {
    const limited = limitedSignal(signal, timeFor(this.#patience, bytes));
    this.counters.requests++;
    try {
      return await work(limited);
    } catch (error) {
      throw limited.signal.aborted ? limited.signal.reason : error;
    } finally {
      limited.end();
    }
  }

  #at(key: string): { Bucket: string; Key: string } {
    keySegments(key);
    return { Bucket: this.#bucket, Key: this.#prefix + key };
  }
}

function outside(
  key: string,
  { offset, length }: { offset: number; length: number },
  size: number | undefined,
): RangeError {
  const whole = size === undefined ? '' : ` of ${size} bytes`;
  return new RangeError(`bytes ${offset} to ${offset + length} are outside "${key}"${whole}`);
}

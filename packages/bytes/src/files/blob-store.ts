import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { BlobTooLarge } from '../errors.ts';
import type { ByteRange, ByteSource, ObjectHead, OpenedStore } from '../object-store.ts';

export interface PutOptions {
  /** Larger bodies are rejected with BlobTooLarge. */
  maxBytes: number;
  /** Size declared by the sender; only to choose the size of parts. */
  expectedBytes?: number | undefined;
  signal?: AbortSignal | undefined;
}

export interface PutResult {
  size: number;
  /** SHA-256 of the bytes, hex. */
  digest: string;
}

/**
 * Files of any size over an object store, always as streams, never whole in memory. Keys are generated, never
 * supplied by a client; each is written once.
 */
export interface BlobStore extends Pick<OpenedStore, 'head' | 'delete' | 'list' | 'close'> {
  /**
   * As in ObjectStore, within a limit. Throws BlobTooLarge, StoreWriteFailed, ObjectStoreFailed, or what `body`
   * threw.
   */
  put(key: string, body: ByteSource, options: PutOptions): Promise<PutResult>;
  /** The range must be within the blob. Throws ObjectNotFound, ObjectStoreFailed. */
  get(key: string, options?: { range?: ByteRange; signal?: AbortSignal }): Promise<Readable>;
  copy(from: string, to: string): Promise<void>;
  readonly resumable: ResumableBlobs;
}

export abstract class WrappedStore<Objects extends OpenedStore> {
  protected readonly objects: Objects;

  constructor(objects: Objects) {
    this.objects = objects;
  }

  async put(
    key: string,
    body: ByteSource,
    { maxBytes, expectedBytes, signal }: PutOptions,
  ): Promise<PutResult> {
    const measured = measuredBody(body, maxBytes, signal);
    try {
      await this.objects.put(key, measured, { signal, length: expectedBytes ?? maxBytes });
    } catch (error) {
      throw measured.failure ? measured.failure.error : error;
    }
    return { size: measured.size, digest: measured.digest() };
  }

  head(key: string): Promise<ObjectHead | undefined> {
    return this.objects.head(key);
  }

  delete(key: string): Promise<void> {
    return this.objects.delete(key);
  }

  list(prefix: string): AsyncIterable<string> {
    return this.objects.list(prefix);
  }

  close(): Promise<void> {
    return this.objects.close();
  }
}

/** State of an unfinished blob, private to the implementation, as JSON; null before the first byte. */
export type BlobState = Readonly<Record<string, string | number>> | null;

export interface AppendRequest {
  state: BlobState;
  /** Acknowledged bytes so far; bytes beyond, left by a crashed writer, are dropped. */
  offset: number;
  /** Final size, or its maximum. */
  length: number;
  body: ByteSource;
}

export interface Checkpoint {
  readonly state: BlobState;
  readonly offset: number;
  /** SHA-256 (hex) of the bytes since the last checkpoint. */
  readonly digest: string;
}

/** Blobs that grow over several requests and perhaps several processes. The caller ensures one writer at a time. */
export interface ResumableBlobs {
  /**
   * Writes the body, yielding checkpoints periodically and at the end. If the body fails, the bytes received before
   * are made durable and yielded, then its error is thrown.
   */
  append(key: string, request: AppendRequest): AsyncIterable<Checkpoint>;
  /** Publishes the blob; idempotent. */
  finish(key: string, state: BlobState, size: number): Promise<void>;
  tidy(key: string): Promise<void>;
  /** Deletes the blob, finished or not; idempotent. */
  discard(key: string, state: BlobState): Promise<void>;
}

interface MeasuredBody extends AsyncIterable<Uint8Array> {
  size: number;
  /** The error of the body itself, as opposed to that of its consumer. */
  failure: { error: unknown } | undefined;
  /** SHA-256 of the bytes, hex; call once, at the end. */
  digest(): string;
}

/** Passes the pieces on, counted and hashed. Throws BlobTooLarge at the piece that exceeds the limit. */
function measuredBody(body: ByteSource, maxBytes: number, signal?: AbortSignal): MeasuredBody {
  const hash = createHash('sha256');
  let size = 0;
  let failure: { error: unknown } | undefined;
  async function* pieces(): AsyncGenerator<Uint8Array> {
    try {
      for await (const piece of body) {
        signal?.throwIfAborted();
        size += piece.byteLength;
        if (size > maxBytes) throw new BlobTooLarge(maxBytes);
        hash.update(piece);
        yield piece;
      }
    } catch (error) {
      failure = { error };
      throw error;
    }
  }
  const iterator = pieces();
  return {
    get size() {
      return size;
    },
    get failure() {
      return failure;
    },
    digest: () => hash.digest('hex'),
    [Symbol.asyncIterator]: () => iterator,
  };
}

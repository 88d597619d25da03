import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { BlobTooLarge } from '../errors.ts';
import type { ByteRange, ByteSource, ObjectHead, OpenedStore } from '../object-store.ts';

export interface PutOptions {
  /** More than that is refused with BlobTooLarge. */
  readonly maxBytes: number;
  /** Size as the sender announced it; only to choose the size of parts. */
  readonly expectedBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface PutResult {
  readonly size: number;
  /** SHA-256 of the bytes, hex. */
  readonly digest: string;
}

/**
 * Files of any size over an object store, always as streams: nothing here holds a whole file in memory. Keys are made by
 * us and never by a caller; a key is written once.
 */
export interface BlobStore extends Pick<OpenedStore, 'head' | 'delete' | 'list' | 'close'> {
  /** As in ObjectStore, within a limit. Throws BlobTooLarge, StoreWriteFailed, ObjectStoreFailed, or what `body` threw. */
  put(key: string, body: ByteSource, options: PutOptions): Promise<PutResult>;
  /** The range must lie within the blob. Throws ObjectNotFound, ObjectStoreFailed. */
  get(key: string, options?: { range?: ByteRange; signal?: AbortSignal }): Promise<Readable>;
  /** Throws ObjectNotFound. */
  copy(from: string, to: string): Promise<void>;
  readonly resumable: ResumableBlobs;
}

/** What the object store below says already. */
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

/** What an implementation must remember of an unfinished blob, as JSON; null before the first byte. */
export type BlobState = Readonly<Record<string, string | number>> | null;

export interface AppendRequest {
  readonly state: BlobState;
  /** How many bytes count so far; bytes beyond, left by a writer that died, are dropped. */
  readonly offset: number;
  /** Size of the whole, or the most it may become. */
  readonly length: number;
  readonly body: ByteSource;
}

export interface Checkpoint {
  readonly state: BlobState;
  /** Bytes that would survive a power cut now. */
  readonly offset: number;
  /** SHA-256 (hex) of the bytes since the last checkpoint. */
  readonly digest: string;
}

/** Blobs that grow over several requests and perhaps several processes. One writer at a time: the caller's affair. */
export interface ResumableBlobs {
  /**
   * Takes the body in, yielding a checkpoint now and then and at the end. When the body breaks off, what had arrived
   * is made durable and yielded before its error is thrown on.
   */
  append(key: string, request: AppendRequest): AsyncIterable<Checkpoint>;
  /** Makes a blob of it; may be repeated. */
  finish(key: string, state: BlobState, size: number): Promise<void>;
  /**
   * Removes what the way to a finished blob may have left, such as what a writer that died had put aside. Whether or not
   * the blob is there still; may be repeated.
   */
  tidy(key: string): Promise<void>;
  /** Removes whatever there is under the key, finished or not. May be repeated. */
  discard(key: string, state: BlobState): Promise<void>;
}

interface MeasuredBody extends AsyncIterable<Uint8Array> {
  readonly size: number;
  /** Whether the body itself broke off, rather than what read it. */
  readonly failure: { readonly error: unknown } | undefined;
  /** SHA-256 of what has passed, hex; to be asked once, at the end. */
  digest(): string;
}

/** The same pieces, counted and digested as they pass. Throws BlobTooLarge at the piece that goes past the limit. */
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

/** A half-open range of bytes of an object. */
export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

export interface ReadOptions {
  readonly range?: ByteRange;
  readonly signal?: AbortSignal;
  /** Memory for the bytes, to be used again and again. */
  readonly into?: Uint8Array;
  /** Version of the dataset around the object: as long as it is the same, a store may take it that the object is. */
  readonly version?: string;
}

/** One object in a listing. */
export interface ListedObject {
  readonly key: string;
  readonly size: number;
  /** Another one whenever the content is another. */
  readonly tag: string;
  /** Milliseconds since 1970, by the clock of the store. */
  readonly changedAt: number;
}

/** Objects by key, on a file system or S3. Keys are `/`-separated and never start with one. */
export interface ObjectStore {
  /**
   * The bytes of an object or of one range of it. A store that can reads them into the start of `into`, of which the
   * answer then is a part; Throws ObjectNotFound.
   */
  get(key: string, options?: ReadOptions): Promise<Uint8Array>;
  put(key: string, body: Uint8Array | AsyncIterable<Uint8Array>): Promise<void>;
  delete(key: string): Promise<void>;
  /** Keys under a prefix, in byte order. */
  list(prefix: string): AsyncIterable<string>;
  /** Size in bytes, or undefined where there is no such object. */
  head(key: string): Promise<{ size: number } | undefined>;
  /** `list` with what such a store says of each object in the same answer; not there where it would have to ask. */
  listObjects?(prefix: string): AsyncIterable<ListedObject>;
}

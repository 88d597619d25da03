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

/** A folder in a listing: what the keys up to a slash have in common. */
export interface ListedFolder {
  /** With its closing slash. */
  readonly key: string;
  /** Another one whenever an object right in the folder comes, goes or is replaced, or the folder is another. */
  readonly tag: string;
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
  /** Size in bytes, and a tag that is another one whenever the content is; undefined where there is no such object. */
  head(key: string): Promise<{ size: number; tag: string } | undefined>;
  /** `list` with what such a store says of each object in the same answer; not there where it would have to ask. */
  listObjects?(prefix: string): AsyncIterable<ListedObject>;
  /**
   * The folders right in a folder, by its key with its closing slash, without a look into them; not there where a store
   * has no folders.
   */
  listFolders?(folder: string): AsyncIterable<ListedFolder>;
  /** The tag of a folder; undefined where it is not there or changed so lately that it may change unseen. */
  folderTag?(folder: string): Promise<string | undefined>;
}

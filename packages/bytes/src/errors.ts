/** There is no object under this key. */
export class ObjectNotFound extends Error {
  readonly tag = 'ObjectNotFound';
  readonly key: string;
  constructor(key: string, options?: { cause?: unknown }) {
    super(`there is no object "${key}"`, options);
    this.name = 'ObjectNotFound';
    this.key = key;
  }
}

/** A key that could point outside the store, or that no store can hold. */
export class InvalidObjectKey extends Error {
  readonly tag = 'InvalidObjectKey';
  readonly key: string;
  constructor(key: string, reason: string) {
    super(`${JSON.stringify(key)} is not an object key: ${reason}`);
    this.name = 'InvalidObjectKey';
    this.key = key;
  }
}

/** An object or a dataset could not be written; nothing of it is left behind. */
export class StoreWriteFailed extends Error {
  readonly tag = 'StoreWriteFailed';
  /** File or folder that could not be written. */
  readonly path: string;
  constructor(path: string, options: { cause: unknown }) {
    super(`could not write ${path}: ${plainWords(options.cause)}`, options);
    this.name = 'StoreWriteFailed';
    this.path = path;
  }
}

/** An object store over the network did not answer, or refused; what was asked of it may be tried again later. */
export class ObjectStoreFailed extends Error {
  readonly tag = 'ObjectStoreFailed';
  /** Key, or prefix of keys, of the object. */
  readonly key: string;
  readonly attempts: number;
  constructor(key: string, attempts: number, options: { cause: unknown }) {
    const tried = attempts > 1 ? ` after ${attempts} attempts` : '';
    super(`the object store failed at "${key}"${tried}: ${plainWords(options.cause)}`, options);
    this.name = 'ObjectStoreFailed';
    this.key = key;
    this.attempts = attempts;
  }
}

/** The body went on past what was allowed. */
export class BlobTooLarge extends Error {
  readonly tag = 'BlobTooLarge';
  readonly maxBytes: number;
  constructor(maxBytes: number) {
    super(`the body is larger than ${maxBytes} bytes`);
    this.name = 'BlobTooLarge';
    this.maxBytes = maxBytes;
  }
}

/** The address of a store cannot be understood. Says what is wrong without repeating the secret in it. */
export class StoreUrlError extends Error {
  readonly tag = 'StoreUrlError';
  readonly reason: string;
  constructor(reason: string, options?: ErrorOptions) {
    super(
      `The address of the object store is not usable: ${reason} ` +
        'Give file:/folder, or s3://KEY:SECRET@host/bucket/prefix?endpoint=https://host&region=name.',
      options,
    );
    this.name = 'StoreUrlError';
    this.reason = reason;
  }
}

/** Faults of one file, which others do not share: what cannot be read of a dataset is its damage. */
const fileFaults: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM', 'EIO', 'EISDIR', 'ENOTDIR', 'ELOOP']);

/** Why one file of a store cannot be read; undefined where that says nothing of the file. */
export function fileFault(error: unknown): string | undefined {
  return fileFaults.has((error as NodeJS.ErrnoException | undefined)?.code)
    ? `it cannot be read: ${plainWords(error)}`
    : undefined;
}

function plainWords(cause: unknown): string {
  switch ((cause as NodeJS.ErrnoException | undefined)?.code) {
    case 'ENOSPC':
      return 'the disk is full';
    case 'EDQUOT':
      return 'the disk quota is used up';
    case 'EROFS':
      return 'the file system is read-only';
    case 'EACCES':
    case 'EPERM':
      return 'permission denied';
    case 'EMFILE':
    case 'ENFILE':
      return 'too many files are open';
    case 'ENAMETOOLONG':
      return 'the name is too long';
    case 'EISDIR':
    case 'ENOTDIR':
    case 'ELOOP':
      return 'it is not a file';
    case 'EIO':
      return 'the disk reported an error';
    case 'ECONNREFUSED':
      return 'the connection was refused';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'its host name cannot be resolved';
    case 'ECONNRESET':
    case 'EPIPE':
      return 'the connection was lost';
  }
  const name = cause instanceof Error ? cause.name : '';
  switch (name) {
    case 'NoSuchBucket':
      return 'the bucket does not exist; create it or correct OBJECT_STORE_URL';
    case 'AccessDenied':
    case 'InvalidAccessKeyId':
    case 'SignatureDoesNotMatch':
      return `it rejected the credentials in OBJECT_STORE_URL (${name})`;
    case 'CredentialsProviderError':
      return 'no credentials were found; give them in OBJECT_STORE_URL or in the environment';
  }
  return cause instanceof Error ? cause.message || name : String(cause);
}

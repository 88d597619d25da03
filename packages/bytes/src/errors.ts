export class ObjectNotFound extends Error {
  readonly tag = 'ObjectNotFound';
  readonly key: string;
  constructor(key: string, options?: { cause?: unknown }) {
    super(`there is no object "${key}"`, options);
    this.name = 'ObjectNotFound';
    this.key = key;
  }
}

/** A key that could point outside the store, or that not every store supports. */
export class InvalidObjectKey extends Error {
  readonly tag = 'InvalidObjectKey';
  readonly key: string;
  constructor(key: string, reason: string) {
    super(`${JSON.stringify(key)} is not an object key: ${reason}`);
    this.name = 'InvalidObjectKey';
    this.key = key;
  }
}

/** An object or a dataset could not be written; no partial result remains. */
export class StoreWriteFailed extends Error {
  readonly tag = 'StoreWriteFailed';
  readonly path: string;
  constructor(path: string, options: { cause: unknown }) {
    super(`could not write ${path}: ${plainWords(options.cause)}`, options);
    this.name = 'StoreWriteFailed';
    this.path = path;
  }
}

export class ObjectStoreFailed extends Error {
  readonly tag = 'ObjectStoreFailed';
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

export class BlobTooLarge extends Error {
  readonly tag = 'BlobTooLarge';
  readonly maxBytes: number;
  constructor(maxBytes: number) {
    super(`the body is larger than ${maxBytes} bytes`);
    this.name = 'BlobTooLarge';
    this.maxBytes = maxBytes;
  }
}

/** The URL of a store is invalid. The message does not repeat the secret in it. */
export class StoreUrlError extends Error {
  readonly tag = 'StoreUrlError';
  readonly reason: string;
  constructor(reason: string, options?: ErrorOptions) {
    super(
      `The URL of the object store is invalid: ${reason} ` +
        'Give file:/folder, or s3://KEY:SECRET@host/bucket/prefix?endpoint=https://host:port&region=name.',
      options,
    );
    this.name = 'StoreUrlError';
    this.reason = reason;
  }
}

/** Errors of a single file rather than of the whole disk: a dataset with such a file counts as corrupt. */
const fileFaults: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM', 'EIO', 'EISDIR', 'ENOTDIR', 'ELOOP']);

/** Why a file of a store cannot be read; undefined if the error is not specific to the file. */
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

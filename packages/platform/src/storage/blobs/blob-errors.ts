/** There is no blob of that key. */
export class BlobNotFound extends Error {
  override readonly name = 'BlobNotFound';
  readonly key: string;

  constructor(key: string, options?: ErrorOptions) {
    super(`There is no blob "${key}".`, options);
    this.key = key;
  }
}

/** The body went on past what was allowed. */
export class BlobTooLarge extends Error {
  override readonly name = 'BlobTooLarge';
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    super(`The body is larger than ${maxBytes} bytes.`);
    this.maxBytes = maxBytes;
  }
}

/** The disk or the S3 server failed. */
export class BlobStoreFailed extends Error {
  override readonly name = 'BlobStoreFailed';
  readonly key: string;

  constructor(key: string, options?: ErrorOptions) {
    super(`The blob store failed at "${key}".`, options);
    this.key = key;
  }
}

/** The address of a blob store cannot be understood. Says what is wrong without repeating the secret in it. */
export class BlobStoreUrlError extends Error {
  override readonly name = 'BlobStoreUrlError';
  readonly reason: string;

  constructor(reason: string, options?: ErrorOptions) {
    super(
      `The address of the object store is not usable: ${reason} ` +
        'Give file:/folder, or s3://KEY:SECRET@host/bucket/prefix?endpoint=https://host&region=name.',
      options,
    );
    this.reason = reason;
  }
}

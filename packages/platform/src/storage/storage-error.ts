/** Code of a refusal, what it is called in the older `error` field, and the status inside the envelope. */
const kinds = {
  NoSuchBucket: [404, 'Bucket not found'],
  NoSuchKey: [404, 'not_found'],
  NoSuchUpload: [404, 'not_found'],
  KeyAlreadyExists: [409, 'Duplicate'],
  BucketAlreadyExists: [409, 'Duplicate'],
  ResourceNotEmpty: [409, 'ResourceNotEmpty'],
  AccessDenied: [403, 'Unauthorized'],
  EntityTooLarge: [413, 'Payload too large'],
  QuotaExceeded: [413, 'Payload too large'],
  InvalidMimeType: [415, 'invalid_mime_type'],
  InvalidKey: [400, 'InvalidKey'],
  InvalidBucketName: [400, 'Invalid Input'],
  InvalidRequest: [400, 'InvalidRequest'],
  InvalidRange: [416, 'InvalidRange'],
  InvalidJWT: [400, 'InvalidJWT'],
  InvalidSignature: [400, 'InvalidSignature'],
  ExpiredToken: [400, 'ExpiredToken'],
  ResourceLocked: [423, 'ResourceLocked'],
  SlowDown: [503, 'SlowDown'],
  DiskFull: [507, 'DiskFull'],
  InternalError: [500, 'Internal'],
} as const satisfies Record<string, readonly [number, string]>;

export type StorageErrorCode = keyof typeof kinds;

/** A refusal of the storage service. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly code: StorageErrorCode;
  /** The true meaning, inside the envelope; over the wire most refusals are 400. */
  readonly status: number;
  /** What the `error` field of the envelope says. */
  readonly kind: string;

  constructor(code: StorageErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    [this.status, this.kind] = kinds[code];
  }
}

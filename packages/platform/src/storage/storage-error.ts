import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BlobTooLarge, isStoreUnavailable, ObjectNotFound } from '@cellfolio/bytes';
import { AuthError } from '../auth/auth-error.ts';
import {
  isDatabaseUnavailable,
  diskFullRetrySeconds,
  diskFullMessage,
  isDiskFull,
  SecondStepPending,
} from '../database/errors.ts';
import { NotAdmitted } from '../gateway/admission.ts';
import { GatewayError } from '../gateway/key-tokens.ts';

/** Refusal codes, with the older `error` field and the status inside the envelope. */
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

type StorageErrorCode = keyof typeof kinds;

export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly code: StorageErrorCode;
  /** True status, inside the envelope; over the wire most refusals are 400. */
  readonly status: number;
  readonly kind: string;

  constructor(code: StorageErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    [this.status, this.kind] = kinds[code];
  }
}

/** Retry-After of a 503, in seconds. */
export const retryAfterSeconds = '5';

/** Gives every error of the scope the envelope that clients read codes from. */
export function answerInStorageEnvelope(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof GatewayError) {
      return reply.code(error.status).send({ message: error.message, hint: error.hint });
    }
    return sendStorageError(asStorageError(error, request), reply);
  });
  app.setNotFoundHandler((request, reply) =>
    reply.code(404).send({
      statusCode: '404',
      error: 'not_found',
      code: 'NotFound',
      message: `The storage service has no ${request.method} endpoint at this path.`,
    }),
  );
}

function sendStorageError(error: StorageError, reply: FastifyReply): FastifyReply {
  // The protocol answers 400 to nearly everything; the body has the actual status.
  const http = error.status >= 500 || error.status === 416 ? error.status : 400;
  reply.code(http).header('cache-control', 'no-store');
  if (error.status === 503) reply.header('retry-after', retryAfterSeconds);
  if (error.status === 507) reply.header('retry-after', diskFullRetrySeconds);
  return reply.send({
    statusCode: String(error.status),
    code: error.code,
    error: error.kind,
    message: error.message,
  });
}

/** Converts errors of the framework, the database or the blob store to those of this service. */
export function asStorageError(error: unknown, request: Pick<FastifyRequest, 'log'>): StorageError {
  if (error instanceof StorageError) return error;
  if (error instanceof AuthError || error instanceof SecondStepPending)
    return new StorageError('AccessDenied', error.message, { cause: error });
  if (error instanceof NotAdmitted) return new StorageError('SlowDown', error.message, { cause: error });
  if (error instanceof BlobTooLarge) return tooLarge(error);
  if (error instanceof ObjectNotFound)
    return new StorageError('NoSuchKey', 'Object not found', { cause: error });
  const { statusCode = 500, code = '', syscall } = error as NodeJS.ErrnoException & { statusCode?: number };
  if (statusCode === 413) return tooLarge(error);
  // The client disconnected. Errors of a database connection also name a system call.
  if ((code === 'ECONNRESET' && syscall === undefined) || code === 'ERR_STREAM_PREMATURE_CLOSE') {
    return new StorageError('InvalidRequest', 'The request was interrupted.', { cause: error });
  }
  if (code === '42501') {
    return new StorageError('AccessDenied', 'new row violates row-level security policy', { cause: error });
  }
  if (code === '23505') return alreadyExists(error);
  // Text that PostgreSQL cannot store, a number out of range, or a failed check.
  if (/^2[23][0-9A-Z]{3}$/.test(code) || (statusCode >= 400 && statusCode < 500)) {
    const message =
      statusCode < 500 && error instanceof Error ? error.message : 'The request cannot be stored.';
    return new StorageError('InvalidRequest', message, { cause: error });
  }
  if (isDiskFull(error)) {
    request.log.error({ err: error }, 'storage is short of room');
    return new StorageError('DiskFull', diskFullMessage, { cause: error });
  }
  if (isDatabaseUnavailable(error) || isStoreUnavailable(error)) {
    request.log.error({ err: error }, 'what storage stands on is away');
    return new StorageError('SlowDown', 'The storage service is busy. Please try again.', { cause: error });
  }
  request.log.error({ err: error }, 'storage request failed');
  return new StorageError('InternalError', 'Something went wrong here. Please try again.', { cause: error });
}

export function alreadyExists(cause?: unknown): StorageError {
  return new StorageError('KeyAlreadyExists', 'The resource already exists', { cause });
}

function tooLarge(cause: unknown): StorageError {
  return new StorageError('EntityTooLarge', 'The object exceeded the maximum allowed size', { cause });
}

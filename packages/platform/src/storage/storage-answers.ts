import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AuthError } from '../auth/auth-error.ts';
import { isDatabaseAway } from '../database/database-away.ts';
import { diskFullRetrySeconds, diskFullWords, isDiskFull } from '../database/disk-full.ts';
import { NotAdmitted } from '../gateway/admission.ts';
import { GatewayError } from '../gateway/gateway-error.ts';
import { BlobTooLarge, isStoreUnavailable, ObjectNotFound } from '@cellfolio/bytes';
import { StorageError } from './storage-error.ts';

/** When it is worth asking again after a 503. */
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
      message: `There is no ${request.method} call of that path in the storage service.`,
    }),
  );
}

function sendStorageError(error: StorageError, reply: FastifyReply): FastifyReply {
  // 400 for nearly everything is the protocol of this service; the meaning is in the body.
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

/** What the framework, the database or the blob store said, in the words of this service. */
export function asStorageError(error: unknown, request: Pick<FastifyRequest, 'log'>): StorageError {
  if (error instanceof StorageError) return error;
  if (error instanceof AuthError) return new StorageError('AccessDenied', error.message, { cause: error });
  if (error instanceof NotAdmitted) return new StorageError('SlowDown', error.message, { cause: error });
  if (error instanceof BlobTooLarge) return tooLarge(error);
  if (error instanceof ObjectNotFound)
    return new StorageError('NoSuchKey', 'Object not found', { cause: error });
  const { statusCode = 500, code = '', syscall } = error as NodeJS.ErrnoException & { statusCode?: number };
  if (statusCode === 413) return tooLarge(error);
  // The sender went away; nobody reads this answer. A connection to the database names the call that failed.
  if ((code === 'ECONNRESET' && syscall === undefined) || code === 'ERR_STREAM_PREMATURE_CLOSE') {
    return new StorageError('InvalidRequest', 'The request broke off.', { cause: error });
  }
  if (code === '42501') {
    return new StorageError('AccessDenied', 'new row violates row-level security policy', { cause: error });
  }
  if (code === '23505') return alreadyExists(error);
  // A text that PostgreSQL cannot hold, a number out of range, a check that a value does not pass.
  if (/^2[23][0-9A-Z]{3}$/.test(code) || (statusCode >= 400 && statusCode < 500)) {
    const message =
      statusCode < 500 && error instanceof Error ? error.message : 'The request cannot be stored.';
    return new StorageError('InvalidRequest', message, { cause: error });
  }
  if (isDiskFull(error)) {
    request.log.error({ err: error }, 'storage is short of room');
    return new StorageError('DiskFull', diskFullWords, { cause: error });
  }
  if (isDatabaseAway(error) || isStoreUnavailable(error)) {
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

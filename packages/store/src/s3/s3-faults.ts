import { S3ServiceException } from '@aws-sdk/client-s3';
import { StoreTimeout } from './patience.ts';

/** Errors of the way to the server, by their codes in Node. */
const passingCodes = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'ENOTFOUND',
  'ERR_STREAM_PREMATURE_CLOSE',
]);
const passingStatus = new Set([408, 429, 500, 502, 503, 504]);
const passingNames = new Set([
  'TimeoutError',
  'RequestTimeout',
  'SlowDown',
  'InternalError',
  'ServiceUnavailable',
]);

/** Fewer bytes came than the answer had announced. */
export class BodyCutShort extends Error {
  override readonly name = 'BodyCutShort';
}

/** Whether the same request may well succeed in a moment. */
export function isPassing(error: unknown): boolean {
  if (error instanceof StoreTimeout || error instanceof BodyCutShort) return true;
  if (!(error instanceof Error)) return false;
  if (error instanceof S3ServiceException) {
    const status = error.$metadata.httpStatusCode;
    return (status !== undefined && passingStatus.has(status)) || passingNames.has(error.name);
  }
  const { code } = error as NodeJS.ErrnoException;
  if ((code !== undefined && passingCodes.has(code)) || passingNames.has(error.name)) return true;
  // An answer that is not S3's, as a proxy gives while the server behind it is away.
  const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
  return status !== undefined && passingStatus.has(status);
}

export function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } } | undefined)?.$metadata?.httpStatusCode;
}

/** There is no such object; a missing bucket is another matter. */
export function isAbsent(error: unknown): boolean {
  return error instanceof S3ServiceException && statusOf(error) === 404 && error.name !== 'NoSuchBucket';
}

/** The condition of a write did not hold, or another write of the same key came in between. */
export function isRefusedCondition(error: unknown): boolean {
  const status = statusOf(error);
  return status === 412 || (status === 409 && (error as Error).name === 'ConditionalRequestConflict');
}

/** A server that does not know conditions on writes. */
export function isUnknownCondition(error: unknown): boolean {
  return statusOf(error) === 501 || (error as Error | undefined)?.name === 'NotImplemented';
}

/** The upload was completed, or given up. */
export function isUnknownUpload(error: unknown): boolean {
  return (error as Error | undefined)?.name === 'NoSuchUpload';
}

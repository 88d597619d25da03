import { ObjectStoreFailed, StoreWriteFailed } from '../errors.ts';

/** Errors of the way to a server, by their codes in Node. */
export const connectionCodes: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'ENOTFOUND',
]);
const passingCodes = new Set([...connectionCodes, 'ERR_STREAM_PREMATURE_CLOSE']);
const passingStatus = new Set([408, 429]);
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

/** The object store said nothing, or went on too slowly. */
export class StoreTimeout extends Error {
  override readonly name = 'StoreTimeout';
  readonly milliseconds: number;

  constructor(milliseconds: number) {
    super(`it did not answer within ${milliseconds / 1000} seconds`);
    this.milliseconds = milliseconds;
  }
}

/** Whether the same request may well succeed in a moment. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof StoreTimeout || error instanceof BodyCutShort) return true;
  const { code } = error as NodeJS.ErrnoException;
  if ((code !== undefined && passingCodes.has(code)) || passingNames.has(error.name)) return true;
  // An answer that is not S3's, as a proxy gives while the server behind it is away, has a status too; one of success
  // that is an error broke off.
  const status = statusOf(error);
  return status !== undefined && (status >= 500 ? status !== 501 : status < 300 || passingStatus.has(status));
}

/**
 * Whether a store over the network failed in a way that passes: no answer, one of a server in trouble, or one that broke
 * off. Not where it refused: keys and rights have to be put right by somebody.
 */
export function isStoreUnavailable(error: unknown): boolean {
  if (!(error instanceof ObjectStoreFailed || error instanceof StoreWriteFailed)) return false;
  return isPassing(error.cause) || isStoreUnavailable(error.cause);
}

export function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } } | undefined)?.$metadata?.httpStatusCode;
}

/** There is no such object; a missing bucket is another matter, and so is a page that a proxy gives. */
export function isAbsent(error: unknown): boolean {
  const isOfS3 = error instanceof Error && '$fault' in error;
  return isOfS3 && statusOf(error) === 404 && error.name !== 'NoSuchBucket';
}

/** The condition of a write did not hold, or another write of the same key came in between. */
export function isRefusedCondition(error: unknown): boolean {
  const status = statusOf(error);
  return status === 412 || (status === 409 && (error as Error).name === 'ConditionalRequestConflict');
}

/** A server that does not know conditions on writes, or how to list uploads. */
export function isNotImplemented(error: unknown): boolean {
  return statusOf(error) === 501 || (error as Error | undefined)?.name === 'NotImplemented';
}

/** The upload was completed, or given up. */
export function isUnknownUpload(error: unknown): boolean {
  return (error as Error | undefined)?.name === 'NoSuchUpload';
}

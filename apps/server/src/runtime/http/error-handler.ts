import type { ApiError } from '@cellfolio/contract';
import {
  diskFullRetrySeconds,
  diskFullMessage,
  isDatabaseUnavailable,
  isDiskFull,
  NotAdmitted,
} from '@cellfolio/platform';
import { DatasetDamaged, DatasetNotFound, ObjectStoreFailed, UnknownColumn } from '@cellfolio/store';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { ComputeFailure } from '../compute/compute-pool.ts';
import { ApiFailure } from '../api-failure.ts';
import { InvalidRequest } from './request-checks.ts';

/** For the log only: the client disconnected before the response was ready. */
const clientClosedRequest = 499;

/** Responses to failures of compute threads and the store that the user can act on. */
const statusByTag: ReadonlyMap<string, { status: number; code: string }> = new Map([
  ['NotDrawable', { status: 422, code: 'not_drawable' }],
  ['DatasetNotFound', { status: 409, code: 'dataset_changed' }],
  ['DatasetReplaced', { status: 409, code: 'dataset_changed' }],
  ['LibraryChanged', { status: 409, code: 'library_changed' }],
  ['NoColours', { status: 422, code: 'no_colours' }],
  ['NotCategorical', { status: 400, code: 'not_categorical' }],
  ['TooManyGroups', { status: 422, code: 'too_many_groups' }],
  ['DatasetDamaged', { status: 422, code: 'dataset_damaged' }],
  // A column or embedding of the manifest; names in requests are checked before.
  ['UnknownColumn', { status: 422, code: 'dataset_damaged' }],
  ['TookTooLong', { status: 504, code: 'took_too_long' }],
  ['OutOfMemory', { status: 503, code: 'out_of_memory' }],
]);

/** The message of the store may contain internal names and is logged only. */
const storeUnavailable = {
  code: 'store_unavailable',
  message: 'The store of the datasets is unavailable. Nothing is lost; try again in a minute.',
};
const databaseUnavailable = {
  code: 'unavailable',
  message: 'The database is unavailable. Nothing is lost; try again in a moment.',
};

/** `Retry-After` by the code of the response. */
const retryAfterSeconds: ReadonlyMap<string, string> = new Map([
  [storeUnavailable.code, '30'],
  [databaseUnavailable.code, '1'],
  ['out_of_memory', '30'],
  ['disk_full', String(diskFullRetrySeconds)],
]);

/** Set by hooks for all other responses; no hook runs for an invalid address. */
const securityHeaders = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
};

const refusalCodes: Readonly<Record<number, string>> = {
  413: 'body_too_large',
  415: 'unsupported_media_type',
};

/** The one place that maps errors of `/api` to responses. */
export function handleError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, body } = answerTo(error, request);
  const again =
    error instanceof NotAdmitted ? String(error.retryAfterSeconds) : retryAfterSeconds.get(body.code);
  if (again !== undefined) void reply.header('retry-after', again);
  if (error instanceof ApiFailure) void reply.headers(error.headers);
  if (status >= 500 && !(error instanceof NotAdmitted)) request.log.error({ err: error }, 'request failed');
  return reply.status(status).send(body);
}

/** For addresses that the router refuses before it looks for a route. */
export function handleUnreadableUrl(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const { statusCode: status = 400 } = error;
  const message =
    status === 414
      ? 'The address is too long: no dataset or call has such a long name.'
      : `The address ${JSON.stringify(request.url)} is invalid: write each % in a name as %25.`;
  void reply
    .headers(securityHeaders)
    .status(status)
    .send({ code: 'invalid_request', message } satisfies ApiError);
}

function tagOf(error: Error): string | undefined {
  if (error instanceof ComputeFailure) return error.tag;
  const ofStore =
    error instanceof DatasetNotFound ||
    error instanceof DatasetDamaged ||
    error instanceof UnknownColumn ||
    error instanceof ObjectStoreFailed;
  return ofStore ? error.tag : undefined;
}

function answerTo(error: FastifyError, request: FastifyRequest): { status: number; body: ApiError } {
  if (error instanceof ApiFailure) {
    const { status, code, message, details } = error;
    return { status, body: { code, message, ...(details !== undefined && { details }) } };
  }
  if (error instanceof NotAdmitted) {
    const mine = error.whose === 'user';
    return {
      status: mine ? 429 : 503,
      body: { code: mine ? 'too_many_calls' : 'busy', message: error.message },
    };
  }
  if (error instanceof InvalidRequest) {
    const { message, fields } = error;
    return { status: 400, body: { code: 'invalid_request', message, details: fields } };
  }
  if (request.clientGone?.aborted) {
    return {
      status: clientClosedRequest,
      body: { code: 'client_closed', message: 'The client closed the request.' },
    };
  }
  if (isDiskFull(error)) return { status: 507, body: { code: 'disk_full', message: diskFullMessage } };
  const tag = tagOf(error);
  if (tag === 'ObjectStoreFailed') return { status: 503, body: storeUnavailable };
  if (tag !== undefined) {
    const mapped = statusByTag.get(tag);
    const remedy = mapped?.code === 'dataset_damaged' ? '. Operators: run cellfolio dataset verify.' : '';
    if (mapped)
      return { status: mapped.status, body: { code: mapped.code, message: error.message + remedy } };
  }
  if (isDatabaseUnavailable(error)) return { status: 503, body: databaseUnavailable };
  // The messages of Fastify's own errors (body too large, wrong content type) say what is wrong.
  if (error.statusCode !== undefined && error.statusCode < 500) {
    const { statusCode: status, message } = error;
    return { status, body: { code: refusalCodes[status] ?? 'invalid_request', message } };
  }
  return {
    status: 500,
    body: {
      code: 'internal_error',
      message: `Something went wrong on the server. Request id: ${request.id}`,
    },
  };
}

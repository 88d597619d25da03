import type { ApiError } from '@cellfolio/contract';
import {
  diskFullRetrySeconds,
  diskFullWords,
  isDatabaseAway,
  isDiskFull,
  NotAdmitted,
} from '@cellfolio/platform';
import { DatasetDamaged, DatasetNotFound, ObjectStoreFailed, UnknownColumn } from '@cellfolio/store';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { ComputeFailure } from '../compute/compute-pool.ts';
import { ApiFailure } from '../api-failure.ts';
import { InvalidRequest } from './request-checks.ts';

/** Status of the client that went away before its answer was ready; nobody reads it but the log. */
const clientClosedRequest = 499;

/** Tags of failures, of compute threads and of the store, that a caller can do something about. */
const knownStatus: ReadonlyMap<string, { status: number; code: string }> = new Map([
  ['NotDrawable', { status: 422, code: 'not_drawable' }],
  ['DatasetNotFound', { status: 409, code: 'dataset_changed' }],
  ['LibraryChanged', { status: 409, code: 'library_changed' }],
  ['NoColours', { status: 422, code: 'no_colours' }],
  ['NotCategorical', { status: 400, code: 'not_categorical' }],
  ['TooManyGroups', { status: 422, code: 'too_many_groups' }],
  ['DatasetDamaged', { status: 422, code: 'dataset_damaged' }],
  // A column or embedding that the manifest names: names of callers are looked up before.
  ['UnknownColumn', { status: 422, code: 'dataset_damaged' }],
  ['TookTooLong', { status: 504, code: 'took_too_long' }],
  ['OutOfMemory', { status: 503, code: 'out_of_memory' }],
]);

/** A store over the network: what it said is for the log, with names in it that are nobody else's business. */
const storeAway = {
  code: 'store_unavailable',
  message:
    'The place where the datasets are kept does not answer at the moment. Nothing is lost; try again in a minute.',
};
const databaseAway = {
  code: 'unavailable',
  message: 'The database does not answer at the moment. Nothing is lost; try again in a moment.',
};

/** When it is worth asking again, by the code of the answer. */
const retryAfterSeconds: ReadonlyMap<string, string> = new Map([
  [storeAway.code, '30'],
  [databaseAway.code, '1'],
  ['out_of_memory', '30'],
  ['disk_full', String(diskFullRetrySeconds)],
]);

/** No hook runs for an address that cannot be read, and so none gives its answer the headers of the others. */
const ofNoPage = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
};

const refusalCodes: Readonly<Record<number, string>> = {
  413: 'body_too_large',
  415: 'unsupported_media_type',
};

/** The one place where errors of `/api` become answers. */
export function handleError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, body } = answerTo(error, request);
  const again =
    error instanceof NotAdmitted ? String(error.retryAfterSeconds) : retryAfterSeconds.get(body.code);
  if (again !== undefined) void reply.header('retry-after', again);
  if (status >= 500 && !(error instanceof NotAdmitted)) request.log.error({ err: error }, 'request failed');
  return reply.status(status).send(body);
}

/** An address that names nothing: the router refuses it before any route is found. */
export function handleUnreadableUrl(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const { statusCode: status = 400 } = error;
  const message =
    status === 414
      ? 'The address is too long: a name in it has more characters than any dataset or call.'
      : `The address ${JSON.stringify(request.url)} cannot be read: write each % of a name as %25.`;
  void reply
    .headers(ofNoPage)
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
    return { status: clientClosedRequest, body: { code: 'client_closed', message: 'The caller went away.' } };
  }
  if (isDiskFull(error)) return { status: 507, body: { code: 'disk_full', message: diskFullWords } };
  const tag = tagOf(error);
  if (tag === 'ObjectStoreFailed') return { status: 503, body: storeAway };
  if (tag !== undefined) {
    const known = knownStatus.get(tag);
    const remedy = known?.code === 'dataset_damaged' ? '. Operators: run cellfolio dataset verify.' : '';
    if (known) return { status: known.status, body: { code: known.code, message: error.message + remedy } };
  }
  if (isDatabaseAway(error)) return { status: 503, body: databaseAway };
  // Fastify's own refusals (unreadable JSON, body too large, wrong content type) say what is wrong.
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

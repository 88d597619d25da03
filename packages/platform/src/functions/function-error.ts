import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  isDatabaseUnavailable,
  diskFullRetrySeconds,
  diskFullMessage,
  isDiskFull,
} from '../database/errors.ts';
import { GatewayError } from '../gateway/key-tokens.ts';

/** A refusal of a function: the true HTTP status, a stable code, and a message for users. */
export class FunctionError extends Error {
  override readonly name = 'FunctionError';
  readonly status: number;
  readonly code: string;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    status: number,
    code: string,
    message: string,
    { retryAfterSeconds, cause }: { retryAfterSeconds?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Gives every error of the scope the body `{error, code}`, which the web app reads from `error.context`. */
export function answerErrorsAsJson(app: FastifyInstance): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof GatewayError) {
      const { status, message, hint } = error;
      return reply.code(status).send({ error: message, code: 'invalid_api_key', message, hint });
    }
    const answer = asFunctionError(error, request);
    if (answer.status >= 500) {
      const { cause, code } = answer;
      const fields = isDatabaseUnavailable(cause) ? { code, err: cause } : { code, cause: causeOf(answer) };
      request.log.error(fields, 'function failed');
    }
    return sendError(answer, reply);
  });
}

function sendError(error: FunctionError, reply: FastifyReply): FastifyReply {
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', error.retryAfterSeconds);
  return reply.code(error.status).send({ error: error.message, code: error.code });
}

/** Input that the framework or the database rejects is the caller's mistake; anything else is ours. */
function asFunctionError(error: unknown, request: FastifyRequest): FunctionError {
  if (error instanceof FunctionError) return error;
  const { statusCode: status = 500, code = '' } = error as { statusCode?: number; code?: string };
  if (status === 413) {
    const message = `The request is too large: at most ${request.routeOptions.bodyLimit} bytes are accepted.`;
    return new FunctionError(413, 'body_too_large', message, { cause: error });
  }
  // SQLSTATE class 22: a text that PostgreSQL cannot hold, such as one with a NUL or half a surrogate pair.
  if ((status >= 400 && status < 500) || /^22[0-9A-Z]{3}$/.test(code)) {
    return new FunctionError(400, 'invalid_request', 'The request cannot be read.', { cause: error });
  }
  if (isDiskFull(error)) {
    const retryAfterSeconds = diskFullRetrySeconds;
    return new FunctionError(507, 'disk_full', diskFullMessage, { retryAfterSeconds, cause: error });
  }
  if (isDatabaseUnavailable(error)) {
    const message = 'The service cannot be reached right now. Please try again in a moment.';
    return new FunctionError(503, 'unavailable', message, { retryAfterSeconds: 1, cause: error });
  }
  return new FunctionError(500, 'unexpected_failure', 'Something went wrong here. Please try again.', {
    cause: error,
  });
}

/** Cause for the operator's log, reduced: errors of some clients carry whole requests, including pictures and keys. */
function causeOf({ cause, status }: FunctionError): unknown {
  if (!(cause instanceof Error)) return cause;
  const { name, message, stack } = cause;
  const { statusCode, requestId, code } = cause as unknown as Record<string, unknown>;
  return { name, message, statusCode, requestId, code, ...(status === 500 && { stack }) };
}

/** Delivers bodies as bytes, whatever their type: functions need JSON, forms, or a webhook's signed bytes. */
export function takeBodiesAsBytes(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}

export function bytesOf({ body }: FastifyRequest): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

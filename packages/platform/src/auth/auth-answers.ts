import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isDatabaseAway, diskFullRetrySeconds, diskFullWords, isDiskFull } from '../database/errors.ts';
import { NotAdmitted } from '../gateway/admission.ts';
import { GatewayError } from '../gateway/gateway-error.ts';
import { AuthError } from './auth-error.ts';

/** The version of the answers that every current client asks for. */
const apiVersion = '2024-01-01';

/** Gives every answer of the scope its version, and every error the envelope that clients read codes from. */
export function answerInEnvelope(app: FastifyInstance): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('x-supabase-api-version', apiVersion);
    // Sessions and users are nobody's to keep; routes that may be kept say so themselves.
    reply.header('cache-control', 'no-store');
  });
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof GatewayError) {
      return reply.code(error.status).send({ message: error.message, hint: error.hint });
    }
    return sendError(asAuthError(error, request), request, reply);
  });
}

export function sendError(error: AuthError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.code(error.status).header('x-sb-error-code', error.code);
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', error.retryAfterSeconds);
  const weak = error.weakPassword && { weak_password: { reasons: error.weakPassword } };
  if (knowsVersion(request.headers['x-supabase-api-version'])) {
    // error_code says the same again for clients behind a proxy that drops the version header.
    return reply.send({ code: error.code, error_code: error.code, message: error.message, ...weak });
  }
  reply.removeHeader('x-supabase-api-version');
  return reply.send({
    code: error.status,
    error_code: error.code,
    msg: error.message,
    ...(error.status >= 500 && { error_id: request.id }),
    ...weak,
  });
}

function knowsVersion(header: string | string[] | undefined): boolean {
  return typeof header === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(header) && header >= apiVersion;
}

/** What the framework or the database refused to read is the caller's mistake; the rest is ours and is logged. */
function asAuthError(error: unknown, request: FastifyRequest): AuthError {
  if (error instanceof AuthError) return error;
  if (error instanceof NotAdmitted) {
    const { whose, message, retryAfterSeconds } = error;
    const more = { retryAfterSeconds, cause: error };
    return whose === 'user'
      ? new AuthError(429, 'over_request_rate_limit', message, more)
      : new AuthError(503, 'unexpected_failure', message, more);
  }
  const { statusCode: status = 500, code = '' } = error as { statusCode?: number; code?: string };
  if (status === 413) {
    return new AuthError(413, 'validation_failed', 'The request body is too large.', { cause: error });
  }
  if (error instanceof SyntaxError || code.startsWith('FST_ERR_CTP_')) {
    return new AuthError(400, 'bad_json', 'Could not parse request body as JSON', { cause: error });
  }
  // SQLSTATE class 22: a text that PostgreSQL cannot hold, such as one with a NUL or half a surrogate pair.
  if ((status >= 400 && status < 500) || /^22[0-9A-Z]{3}$/.test(code)) {
    return new AuthError(400, 'validation_failed', 'The request holds something that cannot be stored.', {
      cause: error,
    });
  }
  request.log.error({ err: error }, 'auth request failed');
  if (isDiskFull(error)) {
    const retryAfterSeconds = diskFullRetrySeconds;
    return new AuthError(507, 'disk_full', diskFullWords, { retryAfterSeconds, cause: error });
  }
  if (isDatabaseAway(error)) {
    const message = 'The service cannot be reached just now. Please try again in a moment.';
    return new AuthError(503, 'unexpected_failure', message, { retryAfterSeconds: 1, cause: error });
  }
  return new AuthError(500, 'unexpected_failure', 'Something went wrong here. Please try again.', {
    cause: error,
  });
}

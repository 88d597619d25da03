import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
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

/** What the framework refused is the caller's mistake; whatever else was thrown is ours and is logged. */
function asAuthError(error: unknown, request: FastifyRequest): AuthError {
  if (error instanceof AuthError) return error;
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (status >= 400 && status < 500) {
    if (error instanceof SyntaxError || status === 415) {
      return new AuthError(400, 'bad_json', 'Could not parse request body as JSON', { cause: error });
    }
    const message = status === 413 ? 'The request body is too large.' : 'The request cannot be read.';
    return new AuthError(status, 'validation_failed', message, { cause: error });
  }
  request.log.error({ err: error }, 'auth request failed');
  return new AuthError(500, 'unexpected_failure', 'Something went wrong here. Please try again.', {
    cause: error,
  });
}

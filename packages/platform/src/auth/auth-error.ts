import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  isDatabaseUnavailable,
  diskFullRetrySeconds,
  diskFullMessage,
  isDiskFull,
} from '../database/errors.ts';
import { NotAdmitted } from '../gateway/admission.ts';
import { GatewayError } from '../gateway/key-tokens.ts';

/** The auth service codes that this implementation returns; clients branch on them. */
export type AuthErrorCode =
  | 'anonymous_provider_disabled'
  | 'bad_code_verifier'
  | 'bad_json'
  | 'bad_jwt'
  | 'bad_oauth_callback'
  | 'bad_oauth_state'
  | 'captcha_failed'
  | 'conflict'
  | 'current_password_invalid'
  | 'current_password_required'
  | 'disk_full'
  | 'email_conflict_identity_not_deletable'
  | 'email_exists'
  | 'email_not_confirmed'
  | 'feature_disabled'
  | 'flow_state_expired'
  | 'flow_state_not_found'
  | 'identity_already_exists'
  | 'identity_not_found'
  | 'insufficient_aal'
  | 'invalid_credentials'
  | 'manual_linking_disabled'
  | 'mfa_challenge_expired'
  | 'mfa_factor_name_conflict'
  | 'mfa_factor_not_found'
  | 'mfa_ip_address_mismatch'
  | 'mfa_phone_enroll_not_enabled'
  | 'mfa_totp_enroll_not_enabled'
  | 'mfa_verification_failed'
  | 'mfa_verified_factor_exists'
  | 'no_authorization'
  | 'not_admin'
  | 'not_found'
  | 'otp_disabled'
  | 'otp_expired'
  | 'over_email_send_rate_limit'
  | 'over_request_rate_limit'
  | 'over_sms_send_rate_limit'
  | 'passkey_disabled'
  | 'phone_exists'
  | 'phone_not_confirmed'
  | 'phone_provider_disabled'
  | 'provider_disabled'
  | 'provider_email_needs_verification'
  | 'reauthentication_needed'
  | 'reauthentication_not_valid'
  | 'refresh_token_already_used'
  | 'refresh_token_not_found'
  | 'same_password'
  | 'session_expired'
  | 'session_not_found'
  | 'signup_disabled'
  | 'single_identity_not_deletable'
  | 'too_many_enrolled_mfa_factors'
  | 'unexpected_failure'
  | 'user_already_exists'
  | 'user_banned'
  | 'user_not_found'
  | 'validation_failed'
  | 'weak_password';

export type PasswordWeakness = 'length' | 'characters' | 'pwned';

interface AuthErrorDetails {
  weakPassword?: readonly PasswordWeakness[];
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** A refusal of the auth service: the true HTTP status, a stable code, and a message for users. */
export class AuthError extends Error {
  override readonly name = 'AuthError';
  readonly status: number;
  readonly code: AuthErrorCode;
  readonly weakPassword: readonly PasswordWeakness[] | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, code: AuthErrorCode, message: string, details: AuthErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.status = status;
    this.code = code;
    this.weakPassword = details.weakPassword;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

/** API version of responses, as requested by every current client. */
const apiVersion = '2024-01-01';

/** Sets the API version on every response of the scope, and the error envelope that clients read codes from. */
export function answerInEnvelope(app: FastifyInstance): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('x-supabase-api-version', apiVersion);
    // Sessions and users are not cacheable; cacheable routes set their own header.
    reply.header('cache-control', 'no-store');
  });
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof GatewayError) {
      return reply.code(error.status).send({ message: error.message, hint: error.hint });
    }
    return sendError(asAuthError(error, request), request, reply);
  });
}

function sendError(error: AuthError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.code(error.status).header('x-sb-error-code', error.code);
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', error.retryAfterSeconds);
  const weak = error.weakPassword && { weak_password: { reasons: error.weakPassword } };
  if (knowsVersion(request.headers['x-supabase-api-version'])) {
    // error_code repeats it for clients behind a proxy that drops the version header.
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

/** Input that the framework or the database rejects is the caller's mistake; anything else is ours and is logged. */
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
    return new AuthError(400, 'validation_failed', 'The request contains something that cannot be stored.', {
      cause: error,
    });
  }
  request.log.error({ err: error }, 'auth request failed');
  if (isDiskFull(error)) {
    const retryAfterSeconds = diskFullRetrySeconds;
    return new AuthError(507, 'disk_full', diskFullMessage, { retryAfterSeconds, cause: error });
  }
  if (isDatabaseUnavailable(error)) {
    const message = 'The service cannot be reached right now. Please try again in a moment.';
    return new AuthError(503, 'unexpected_failure', message, { retryAfterSeconds: 1, cause: error });
  }
  return new AuthError(500, 'unexpected_failure', 'Something went wrong here. Please try again.', {
    cause: error,
  });
}

/** Codes of the auth service that this part of it can answer with; clients branch on them. */
export type AuthErrorCode =
  | 'anonymous_provider_disabled'
  | 'bad_json'
  | 'bad_jwt'
  | 'conflict'
  | 'current_password_invalid'
  | 'current_password_required'
  | 'email_exists'
  | 'email_not_confirmed'
  | 'feature_disabled'
  | 'invalid_credentials'
  | 'no_authorization'
  | 'not_admin'
  | 'not_found'
  | 'otp_expired'
  | 'over_request_rate_limit'
  | 'phone_provider_disabled'
  | 'refresh_token_already_used'
  | 'refresh_token_not_found'
  | 'same_password'
  | 'session_expired'
  | 'session_not_found'
  | 'signup_disabled'
  | 'unexpected_failure'
  | 'user_already_exists'
  | 'user_banned'
  | 'user_not_found'
  | 'validation_failed'
  | 'weak_password';

/** What a password lacks, as clients list it. */
export type PasswordWeakness = 'length' | 'characters' | 'pwned';

export interface AuthErrorDetails {
  readonly weakPassword?: readonly PasswordWeakness[];
  /** Seconds until the caller may try again. */
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

/** A refusal of the auth service: the true HTTP status, a stable code, a sentence that users may read. */
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

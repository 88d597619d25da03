/** Codes of the auth service that this part of it can answer with; clients branch on them. */
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

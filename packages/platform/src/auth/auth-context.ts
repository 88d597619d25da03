import type { Database } from '../database/database.ts';
import type { PlatformSettings } from '../settings/platform-settings.ts';
import type { CallerResolver } from './resolve-caller.ts';
import type { CaptchaCheck } from './captcha.ts';
import type { Outbox } from './mail/mailer.ts';
import type { IdentityProvider } from './oauth/identity-provider.ts';
import type { RateLimits } from './rate-limits.ts';
import type { TokenVerifier } from './tokens/access-token.ts';
import type { RefreshTokens } from './tokens/refresh-token.ts';
import type { SigningKeys } from './tokens/signing-keys.ts';

export interface AuthContext {
  database: Database;
  settings: PlatformSettings;
  /** Address of the web app; links in mails lead back here. */
  siteUrl: string;
  /** Public address of the platform, without `/auth/v1`. */
  publicUrl: string;
  issuer: string;
  signingKeys: SigningKeys;
  refreshTokens: RefreshTokens;
  verifier: TokenVerifier;
  limits: RateLimits;
  callers: CallerResolver;
  /** HMAC key for the digests of mailed codes. */
  codeKey: Buffer;
  /** Absent: mail confirmation is unavailable. */
  outbox: Outbox | undefined;
  /** Absent: phone numbers cannot be used. */
  sms: Outbox | undefined;
  /** Absent: no captcha is required. */
  captcha: CaptchaCheck | undefined;
  /** Removes what the application keeps for an account elsewhere; if it throws, the account stays. */
  beforeRemoval?: ((userId: string) => Promise<void>) | undefined;
  providers: ReadonlyMap<string, IdentityProvider>;
  /** Milliseconds since 1970. */
  now: () => number;
}

export interface ClientOrigin {
  address: string;
  userAgent: string | undefined;
}

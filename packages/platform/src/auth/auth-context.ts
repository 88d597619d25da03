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
  readonly database: Database;
  readonly settings: PlatformSettings;
  /** Address of the web app; links in mails lead back here. */
  readonly siteUrl: string;
  /** Public address of the platform, without `/auth/v1`. */
  readonly publicUrl: string;
  readonly issuer: string;
  readonly signingKeys: SigningKeys;
  readonly refreshTokens: RefreshTokens;
  readonly verifier: TokenVerifier;
  readonly limits: RateLimits;
  readonly callers: CallerResolver;
  /** HMAC key for the digests of mailed codes. */
  readonly codeKey: Buffer;
  /** Absent: mail confirmation is unavailable. */
  readonly outbox: Outbox | undefined;
  /** Absent: phone numbers cannot be used. */
  readonly sms: Outbox | undefined;
  /** Absent: no captcha is required. */
  readonly captcha: CaptchaCheck | undefined;
  /** Removes what the application keeps for an account elsewhere; if it throws, the account stays. */
  readonly beforeRemoval?: ((userId: string) => Promise<void>) | undefined;
  readonly providers: ReadonlyMap<string, IdentityProvider>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface ClientOrigin {
  readonly address: string;
  readonly userAgent: string | undefined;
}

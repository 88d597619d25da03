import type { Database } from '../database/database.ts';
import type { PlatformSettings } from '../settings/platform-settings.ts';
import type { Mailer } from './mailer.ts';
import type { RateLimits } from './rate-limits.ts';
import type { TokenVerifier } from './tokens/access-token.ts';
import type { RefreshTokens } from './tokens/refresh-token.ts';
import type { SigningKeys } from './tokens/signing-keys.ts';

/** What the auth services work with. */
export interface AuthContext {
  readonly database: Database;
  readonly settings: PlatformSettings;
  /** Where the web app is; links in mails lead back here. */
  readonly siteUrl: string;
  /** Where the platform is reached, without `/auth/v1`. */
  readonly publicUrl: string;
  /** `iss` of our tokens. */
  readonly issuer: string;
  readonly signingKeys: SigningKeys;
  readonly refreshTokens: RefreshTokens;
  readonly verifier: TokenVerifier;
  readonly limits: RateLimits;
  /** Absent: nothing can be confirmed by mail. */
  readonly mailer: Mailer | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Where a sign-in comes from, kept with its session. */
export interface ClientOrigin {
  readonly address: string;
  readonly userAgent: string | undefined;
}

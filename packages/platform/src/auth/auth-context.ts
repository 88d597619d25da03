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
  readonly callers: CallerResolver;
  /** Key of the digests of mailed codes. */
  readonly codeKey: Buffer;
  /** Absent: nothing can be confirmed by mail. */
  readonly outbox: Outbox | undefined;
  /** Absent: phone numbers are of no use here. */
  readonly sms: Outbox | undefined;
  /** Absent: nobody is asked to prove that they are no robot. */
  readonly captcha: CaptchaCheck | undefined;
  /** Ends what the application has of an account elsewhere; what it throws keeps the account. */
  readonly beforeRemoval?: ((userId: string) => Promise<void>) | undefined;
  readonly providers: ReadonlyMap<string, IdentityProvider>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Where a sign-in comes from, kept with its session. */
export interface ClientOrigin {
  readonly address: string;
  readonly userAgent: string | undefined;
}

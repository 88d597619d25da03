import type { FastifyPluginAsync } from 'fastify';
import type { AuthContext } from './auth/auth-context.ts';
import { authPlugin } from './auth/auth-plugin.ts';
import type { Mailer } from './auth/mailer.ts';
import { createRateLimits, type LimiterFactory } from './auth/rate-limits.ts';
import { createTokenVerifier } from './auth/tokens/access-token.ts';
import { RefreshTokens } from './auth/tokens/refresh-token.ts';
import { SigningKeys } from './auth/tokens/signing-keys.ts';
import type { Database } from './database/database.ts';
import { createCallerResolver } from './gateway/resolve-caller.ts';
import { unavailableServices } from './gateway/unavailable-services.ts';
import { refreshTokenKey } from './settings/project-keys.ts';
import { platformSettings, type PlatformSettingsInput } from './settings/platform-settings.ts';

export interface PlatformOptions {
  /** Migrated. */
  readonly database: Database;
  /** Where the web app is, such as `https://cells.example.org`. */
  readonly siteUrl: string;
  /** Where browsers reach this plugin, without `/auth/v1`; part of every token's issuer. */
  readonly publicUrl: string;
  readonly publishableKey: string;
  readonly secretKey: string;
  /** Needed when `settings.autoConfirm` is false. */
  readonly mailer?: Mailer;
  readonly settings?: PlatformSettingsInput;
  /** Counters of the rate limits; in memory by default. */
  readonly makeLimiter?: LimiterFactory;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** `iss` of the tokens of a platform reached at that address. */
export function issuerOf(publicUrl: string): string {
  return `${publicUrl.replace(/\/+$/, '')}/auth/v1`;
}

/** Mounts `/auth/v1`, and says at `/rest/v1`, `/storage/v1` and `/functions/v1` that they are not there yet. */
export const platformPlugin: FastifyPluginAsync<PlatformOptions> = async (app, options) => {
  const settings = platformSettings.parse(options.settings ?? {});
  if (!settings.autoConfirm && !options.mailer) {
    throw new Error('Addresses cannot be confirmed without a mailer: give one, or set autoConfirm.');
  }
  const { database, publishableKey, secretKey } = options;
  const now = options.now ?? Date.now;
  const publicUrl = options.publicUrl.replace(/\/+$/, '');
  const issuer = issuerOf(publicUrl);
  const signingKeys = new SigningKeys(database, now);
  const verifier = createTokenVerifier(database, { issuer, now, keys: signingKeys });
  const context: AuthContext = {
    database,
    settings,
    siteUrl: options.siteUrl,
    publicUrl,
    issuer,
    signingKeys,
    refreshTokens: new RefreshTokens(await refreshTokenKey(database)),
    verifier,
    limits: createRateLimits(settings.rateLimits, options.makeLimiter),
    mailer: options.mailer,
    now,
  };
  // Made now, so that the first visitor does not wait for it and a database without our tables stops the start.
  await signingKeys.current();
  const callers = createCallerResolver({ verifier, publishableKey, secretKey });
  await app.register(authPlugin, { prefix: '/auth/v1', context, callers });
  await app.register(unavailableServices);
};

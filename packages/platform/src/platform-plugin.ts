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
import { restPlugin } from './rest/rest-plugin.ts';
import type { RestSettingsInput } from './rest/rest-settings.ts';
import { refreshTokenKey } from './settings/project-keys.ts';
import { platformSettings, type PlatformSettingsInput } from './settings/platform-settings.ts';
import { createStorageContext, type StorageOptions } from './storage/create-storage-context.ts';
import { storagePlugin } from './storage/storage-plugin.ts';

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
  /** Limits of `/rest/v1`. */
  readonly rest?: RestSettingsInput;
  /** Files; without it `/storage/v1` says that it is not there. */
  readonly storage?: StorageOptions;
  /** Counters of the rate limits; in memory by default. */
  readonly makeLimiter?: LimiterFactory;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** `iss` of the tokens of a platform reached at that address. */
export function issuerOf(publicUrl: string): string {
  return `${publicUrl.replace(/\/+$/, '')}/auth/v1`;
}

/** Mounts `/auth/v1`, `/rest/v1` and, where given, `/storage/v1`; what is not there yet says so. */
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
  await app.register(restPlugin, {
    prefix: '/rest/v1',
    database,
    callers,
    now,
    ...(options.rest && { settings: options.rest }),
  });
  const present = ['/rest/v1'];
  if (options.storage) {
    const { trustProxy } = settings;
    const surroundings = { database, callers, publicUrl, trustProxy, log: app.log, now };
    const storage = await createStorageContext(options.storage, surroundings);
    await app.register(storagePlugin, { prefix: '/storage/v1', context: storage });
    present.push('/storage/v1');
  }
  await app.register(unavailableServices, { present });
};
